// A person in front of VS Code: drive.mjs ADDRESS FOLDER. Sees the stored issue, applies the fix of an analyzer, has the change checked.
import path from "node:path";
import { chromium } from "playwright-core";

const [address, folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
page.setDefaultTimeout(Number(process.env.LIMIT ?? 90_000));

const seen = (text) => page.getByText(text).first().waitFor();
async function command(name) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").first().fill(">" + name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().waitFor();
  await page.keyboard.press("Enter");
}

try {
  await page.goto(`${address}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(JSON.stringify([["openFile", "vscode-remote://" + new URL(address).host + path.join(folder, "src/one.sh")]]))}`);
  await page.locator(".view-line", { hasText: "echo wrong" }).waitFor();
  await page.locator(".squiggly-error").waitFor();
  await command("Problems: Focus on Problems View");
  await seen("one says wrong");
  await seen("BE-001");

  await page.locator(".view-line", { hasText: "echo wrong" }).click();
  await page.keyboard.press("Home");
  await page.keyboard.insertText("# zero\u200bwidth\n");
  await page.keyboard.press("Control+s");
  await seen(/cannot be seen/);
  await page.locator(".view-line", { hasText: "width" }).click();
  await page.keyboard.press("Control+.");
  const fix = page.locator(".action-widget .monaco-list-row", { hasText: "emend: apply the fix of builtin" }).first();
  await fix.waitFor();
  await fix.click();
  await page.locator(".view-line", { hasText: "zerowidth" }).waitFor();
  await page.keyboard.press("Control+s");

  await command("emend: Check My Change");
  await seen("NOTHING TO CHECK");
} catch (problem) {
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE });
  throw problem;
} finally {
  await browser.close();
}
