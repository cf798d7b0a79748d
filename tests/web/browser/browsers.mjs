// The two browsers the scenes are played in, and what differs between them. Firefox is driven by WebDriver BiDi, so it is Firefox as people have it.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, firefox } from "playwright-core";

const inFirefox = JSON.parse(process.argv[2]).browser === "firefox";

// What the pages save goes here. Firefox puts it there by itself and does not tell its driver, so it is looked up.
const downloads = mkdtempSync(join(tmpdir(), "emend-downloads-"));
process.on("exit", () => rmSync(downloads, { recursive: true, force: true }));
export const downloaded = (name) => (existsSync(join(downloads, name)) ? readFileSync(join(downloads, name), "utf8") : "");
export function keepDownloads(page) {
  page.on("download", (download) => void download.saveAs(join(downloads, download.suggestedFilename())));
}

const settings = {
  "dom.events.testing.asyncClipboard": true, // reading needs no click on a button of the browser's own
  "ui.prefersReducedMotion": 1,
};
export const open = (program) =>
  inFirefox
    ? firefox.launch({ channel: "moz-firefox", executablePath: program, firefoxUserPrefs: settings, downloadsPath: downloads })
    : chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });

// For a picture in Firefox the driver adds this style, and the page's policy refuses it, as it should.
const styleOfDriver = createHash("sha256").update("body {}").digest("base64");
export const ofDriver = (text) => inFirefox && text.includes(styleOfDriver);
export const pictureOptions = inFirefox ? { caret: "initial" } : {};

// The system's theme; Firefox has no such switch for its driver, so the page's own is used.
export const dress = (page, theme) => (inFirefox ? page.evaluate((name) => (document.documentElement.dataset.theme = name), theme) : page.emulateMedia({ colorScheme: theme }));
