// pages.mjs FACTS: Lighthouse's scores of the dashboard's pages, as a desktop shows them, and what scripts a page loads. FACTS: JSON with
// base, chromium, code (of a launch link) and pages: [[name, path], ...]. Prints JSON: {name: {performance, accessibility, ..., script_bytes}}.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import lighthouse, { desktopConfig } from "lighthouse";

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(here, "..", "..", "tests", "web", "package.json"))("playwright-core");
const facts = JSON.parse(process.argv[2]);
const port = facts.debug_port;

// Its own profile, so that the login stays between the pages.
const browser = await chromium.launch({ executablePath: facts.chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--remote-debugging-port=${port}`] });
const context = await browser.newContext({ baseURL: facts.base });
const page = await context.newPage();
await page.goto(`/#launch=${facts.code}`);
await page.waitForSelector(".frame");
const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");

const found = {};
for (const [name, path] of facts.pages) {
  const { lhr } = await lighthouse(`${facts.base}${path}`, { port, output: "json", logLevel: "error", extraHeaders: { Cookie: cookie }, onlyCategories: ["performance", "accessibility", "best-practices"] }, desktopConfig);
  const scripts = lhr.audits["network-requests"].details.items.filter((item) => item.resourceType === "Script");
  found[name] = Object.fromEntries(Object.entries(lhr.categories).map(([category, { score }]) => [category.replace("-", "_"), Math.round(100 * score)]));
  found[name].script_bytes = scripts.reduce((sum, item) => sum + item.transferSize, 0);
}
await browser.close();
process.stdout.write(JSON.stringify(found));
