// The main ways through the dashboard in Firefox, by mouse and keyboard. It is driven by WebDriver BiDi, so it is Firefox as people have it; the
// driver needs a newer one than Debian 12 has (140).
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { firefox } from "playwright-core";
import { base, desktop, facts, logIn, until, watch } from "./stage.mjs";

// For a picture the driver adds this style, and the page's policy refuses it, as it should.
const ofDriver = createHash("sha256").update("body {}").digest("base64");
const picture = (page, name) => page.screenshot({ path: `${facts.screenshots}/firefox-${name}.png`, caret: "initial" });
const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function change(page) {
  await page.getByRole("button", { name: /^Theme:/ }).click();
}

// The browser, or why it cannot be driven here.
export async function openFirefox() {
  if (!facts.firefox) return { why: "Firefox is not installed" };
  try {
    return { browser: await firefox.launch({ channel: "moz-firefox", executablePath: facts.firefox }) };
  } catch (problem) {
    if (!/unknown command/.test(problem.message)) throw problem;
    return { why: "this Firefox is older than what the driver speaks" };
  }
}

export async function inFirefox(browser, session) {
  try {
    const context = await browser.newContext({ viewport: desktop, baseURL: base });
    context.setDefaultTimeout(30_000);
    const page = watch(await context.newPage(), (text) => text.includes(ofDriver));
    await logIn(page, "/");
    await page.locator(".connection-live").waitFor();
    await page.getByRole("heading", { name: /need/ }).waitFor();
    await picture(page, "inbox-light");
    await change(page); // light
    await change(page); // dark
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await picture(page, "inbox-dark");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("go issues");
    await page.keyboard.press("Enter");
    await page.locator(".issue-row[id]").first().waitFor();
    await page.keyboard.press("j");
    await page.locator(".detail h2").waitFor();
    await page.keyboard.press("f");
    const dialog = page.getByRole("dialog", { name: /^Fix/ });
    await dialog.getByText(/ in 1 step/).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Start now");
    await picture(page, "fix-dark");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.getByRole("region", { name: "Sessions" }).waitFor();
    for (const [name, path, shows] of [["result", `/sessions/${session}`, ".result"], ["changes", `/sessions/${session}/changes`, ".file-card"], ["trends", "/insights", ".plot"], ["settings", "/settings", ".table"]]) {
      await page.goto(path);
      await page.locator(shows).first().waitFor();
      assert.ok((await wide(page)) <= 0, `${name} is wider than the window`);
      await picture(page, `${name}-dark`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/");
    await until("tabs are at the bottom", () => page.getByRole("navigation", { name: "Main views" }).isVisible());
    assert.ok((await wide(page)) <= 0, "the inbox is wider than a phone");
    await picture(page, "phone-dark");
  } finally {
    await browser.close();
  }
}
