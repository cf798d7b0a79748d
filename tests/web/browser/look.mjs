// look.mjs ORDER: opens one address of the dashboard and waits until each of the texts is on the page. ORDER: JSON with chromium, address, texts.
import { chromium } from "playwright-core";

const order = JSON.parse(process.argv[2]);
const browser = await chromium.launch({ executablePath: order.chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
const page = await (await browser.newContext({ viewport: { width: 1360, height: 1200 }, reducedMotion: "reduce" })).newPage();
const wrong = [];
page.on("pageerror", (error) => wrong.push(error.message));
await page.goto(order.address);
for (const text of order.texts) {
  const shown = await page.waitForFunction((wanted) => document.body.textContent.replace(/\s+/g, " ").includes(wanted), text, { timeout: 20_000 }).catch(() => null);
  if (!shown) wrong.push(`"${text}" is not on ${page.url()}: ${(await page.locator("main, body").first().innerText()).slice(0, 4000)}`);
}
await browser.close();
for (const text of wrong) console.error(text);
process.exit(wrong.length > 0 ? 1 : 0);
