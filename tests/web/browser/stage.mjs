// What the scenes share: the world behind the server, axe, screenshots, and one list of what went wrong in a page.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { downloaded, dress, keepDownloads, ofDriver, open, pictureOptions } from "./browsers.mjs";
import { useOtherBundle } from "./other_bundle.mjs";

export const facts = JSON.parse(process.argv[2]);
export const base = `http://127.0.0.1:${facts.port}`;
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
mkdirSync(facts.screenshots, { recursive: true });
for (const name of readdirSync(facts.screenshots)) if (name.endsWith(".png")) rmSync(join(facts.screenshots, name)); // of the run before

// --- the world: requests go out on stdout, answers come in on stdin -------------------------------------------------------------------
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let turn = Promise.resolve();
export function world(request) {
  const answer = turn.then(async () => {
    process.stdout.write(`@${JSON.stringify(request)}\n`);
    return JSON.parse((await lines.next()).value);
  });
  turn = answer.catch(() => {});
  return answer;
}
export async function api(method, path, body, headers) {
  const { status, body: answer } = await world({ do: "api", method, path, body, headers });
  assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}
export const addIssue = (name, more = {}) => api("POST", "/api/issues", { file: `src/${name}.sh`, title: `${name} says wrong`, line: 2, severity: "high", description: `src/${name}.sh prints \`wrong\`.`, category: "bug", ...more });

// --- the browser ------------------------------------------------------------------------------------------------------------------------
export { downloaded };
const browser = await open(facts.program);
export const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, baseURL: base, reducedMotion: "reduce", ...(facts.browser === "chromium" ? { permissions: ["clipboard-read", "clipboard-write"] } : {}) });
await useOtherBundle(context);
context.setDefaultTimeout(60_000); // a machine may be busy with other tests

export const wrong = [];
export let offline = false; // while the server is away, failed requests are expected
export const whileOffline = (is) => (offline = is);

export function watch(page) {
  keepDownloads(page);
  page.on("pageerror", (error) => ofDriver(`${error.message} ${error.stack}`) || wrong.push(`page error: ${error.message} ${error.stack}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text()) && !ofDriver(message.text())) wrong.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith("blob:")) wrong.push(`a request to somebody else: ${request.url()}`);
  });
  return page;
}

export async function logIn(page, path = "/") {
  const { code } = await world({ do: "launch" });
  await page.goto(`${path}#launch=${code}`);
  await page.waitForSelector(".frame");
}

// --- looking at a screen ----------------------------------------------------------------------------------------------------------------
const settle = (page) => page.waitForFunction(() => !document.querySelector(".waiting, .skeleton, .skeleton-row, [aria-label=Loading]"), null, { timeout: 10_000 });

async function findings(page) {
  await page.evaluate(axeSource).catch(() => page.addScriptTag({ content: axeSource }));
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  return result.violations.map((found) => `${found.id} (${found.impact}): ${found.nodes.slice(0, 3).map((node) => `${node.target.join(" ")} ${node.failureSummary?.split("\n")[1] ?? ""}`).join(" | ")}`);
}

// Nothing may be wider than the window: long names clip or wrap, wide tables scroll in their own box.
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

// Characters that turn text are shown by their names, wherever a page has them: in no text and in nothing that is said aloud they are raw.
const turned = (page) =>
  page.evaluate(() => {
    const evil = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
    const found = [];
    for (const element of document.querySelectorAll("*")) {
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE && evil.test(node.data)) found.push(`text of ${element.className || element.tagName}`);
      for (const { name, value } of element.attributes) if (/^(title|aria-label|alt|placeholder)$/.test(name) && evil.test(value)) found.push(`${name} of ${element.className || element.tagName}`);
    }
    return found;
  });

export const desktop = { width: 1360, height: 860 };
const sizes = { tablet: { width: 1024, height: 768 }, phone: { width: 390, height: 844 } };
const shown = []; // the main states, for the page of pictures

async function picture(page, name, settled) {
  for (const theme of ["light", "dark"]) {
    await dress(page, theme);
    if (settled) await settle(page);
    await page.screenshot({ path: `${facts.screenshots}/${name}-${theme}.png`, ...pictureOptions });
    for (const found of await findings(page)) wrong.push(`${name} (${theme}): axe: ${found}`);
    for (const place of await turned(page)) wrong.push(`${name} (${theme}): text that turns is drawn raw: ${place}`);
    const wide = await overflow(page);
    if (wide > 0) wrong.push(`${name} (${theme}): the page is ${wide} pixels wider than the window`);
  }
  await dress(page, "light");
}

// main: the question this state answers, for one of the main states. With every size asked for (make screens) it is looked at in three.
// Firefox looks at the main states.
export async function look(page, name, { settled = true, main = "" } = {}) {
  if (facts.browser === "firefox" && !main) return;
  await picture(page, name, settled);
  if (!main) return;
  shown.push({ name, main });
  if (!facts.every_size) return;
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await picture(page, `${name}-${size}`, settled);
  }
  await page.setViewportSize(desktop);
}

// One page with the pictures of the main states side by side, for whoever reviews them.
function writeGallery() {
  const all = ["", ...Object.keys(sizes).map((size) => `-${size}`)].filter((size) => size === "" || facts.every_size);
  const figure = (file) => `<a href="${file}.png"><img loading="lazy" src="${file}.png" alt="${file}"></a>`;
  const rows = shown.map(({ name, main }) => `<section><h2>${name}: ${main}</h2>${all.map((size) => `<div>${figure(`${name}${size}-light`)}${figure(`${name}${size}-dark`)}</div>`).join("")}</section>`);
  const style = "body{font:15px system-ui;margin:1rem;background:#888}section{margin-bottom:2rem}div{display:flex;gap:.5rem;margin:.5rem 0}img{max-width:100%;max-height:70vh}";
  writeFileSync(join(facts.screenshots, "index.html"), `<!doctype html><html lang="en"><meta charset="utf-8"><title>${shown.length} states</title><style>${style}</style><h1>${shown.length} states</h1>${rows.join("\n")}</html>\n`);
}

export const visible = (page, text) => page.getByText(text, { exact: false }).first().waitFor();

// --- the keyboard -----------------------------------------------------------------------------------------------------------------------
// Fields are never filled from behind: a person clicks or presses a key, and types where the focus is.
export async function typeInto(page, field, text) {
  await field.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

// As a hand does it: a browser takes it for dragging once the pointer has moved a little.
export async function drag(page, from, to) {
  const middle = async (locator) => {
    const box = await locator.boundingBox();
    return [box.x + box.width / 3, box.y + box.height / 2];
  };
  const [x, y] = await middle(from);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 8, { steps: 4 });
  await page.mouse.move(...(await middle(to)), { steps: 8 });
  await page.mouse.up();
}

const focused = (locator) => locator.evaluate((element) => element === document.activeElement);

// Opens a dialog by `open` and holds it to what every dialog promises: the focus is on `first` at once, Tab goes round inside in both directions,
// letters do nothing to the page behind, Escape closes it, and the focus is back where it was.
export async function holdsKeyboard(page, name, open, first) {
  await page.evaluate(() => (globalThis.opener = document.activeElement));
  const address = page.url();
  await open();
  const dialog = page.getByRole("dialog", { name });
  await dialog.waitFor();
  assert.ok(await focused(first(dialog)), `${name}: the focus is on ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))}`);
  for (const key of ["Tab", "Shift+Tab"]) {
    const seen = new Set();
    for (let step = 0; step < 60; ++step) {
      await page.keyboard.press(key);
      const at = await page.evaluate(() => (document.activeElement?.closest("dialog[open]") ? document.activeElement.outerHTML : ""));
      assert.notEqual(at, "", `${name}: ${key} leaves the dialog`);
      if (seen.has(at)) break;
      seen.add(at);
    }
    assert.ok(seen.size > 0);
  }
  await dialog.evaluate((element) => element.focus()); // on no field: letters would be keys of the page
  for (const letter of "jkxgs?") await page.keyboard.press(letter);
  assert.equal(page.url(), address, `${name}: a letter acted on the page behind`);
  assert.equal(await page.getByRole("dialog").count(), 1);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.ok(await page.evaluate(() => document.activeElement === globalThis.opener), `${name}: the focus is not back where it was`);
}

// Until something holds, looking again and again.
export async function until(what, holds, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  let last;
  while (Date.now() < end) {
    try {
      if (await holds()) return;
    } catch (problem) {
      last = problem;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} did not happen within ${seconds} seconds${last ? `: ${last.message}` : ""}`);
}

// --- scenes -----------------------------------------------------------------------------------------------------------------------------
const failed = [];
export async function scene(name, play) {
  const began = Date.now();
  try {
    await play();
    for (const one of wrong.splice(0)) failed.push(`${name}: ${one}`);
    console.log(`scene ${name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
  } catch (problem) {
    failed.push(`${name}: ${problem.stack}`, ...wrong.splice(0).map((one) => `${name}: ${one}`));
    console.log(`scene ${name}: FAILED`);
    for (const [index, page] of context.pages().entries()) await page.screenshot({ path: `${facts.screenshots}/failed-${name.replace(/\W+/g, "-")}-${index}.png`, ...pictureOptions }).catch(() => {});
  }
}

export async function finish() {
  await browser.close();
  writeGallery();
  for (const one of failed) console.log(`\n${one}`);
  console.log(failed.length === 0 ? "the dashboard works" : `\n${failed.length} wrong`);
  process.exit(failed.length === 0 ? 0 : 1);
}
