// The browser's part of screens.py: prints its figures as JSON. Times are taken in the page, from the key to the frame that shows what was asked for.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { chromium } = createRequire(join(dirname(fileURLToPath(import.meta.url)), "..", "tests", "web", "package.json"))("playwright-core");
import { useOtherBundle } from "../tests/web/browser/other_bundle.mjs";

const facts = JSON.parse(process.argv[2]);
const kRuns = 5;
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const browser = await chromium.launch({ executablePath: facts.chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, baseURL: facts.base });
await useOtherBundle(context);
await context.addInitScript(() => {
  globalThis.seen = { fcp: 0, lcp: 0, blocked: 0 };
  new PerformanceObserver((list) => list.getEntriesByName("first-contentful-paint").forEach((entry) => (seen.fcp = entry.startTime))).observe({ type: "paint", buffered: true });
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => (seen.lcp = entry.startTime))).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => (seen.blocked += Math.max(0, entry.duration - 50)))).observe({ type: "longtask", buffered: true });
  // Milliseconds from now until `found` holds in a frame that is painted.
  globalThis.until = (found) =>
    new Promise((resolve) => {
      const begun = performance.now();
      const look = () => (found() ? requestAnimationFrame(() => resolve(performance.now() - begun)) : setTimeout(look, 4));
      look();
    });
});
const page = await context.newPage();
await page.goto(`/#launch=${facts.code}`);
await page.waitForSelector(".frame");

// Rows are there, and what the page asks beside them, too.
const settled = async () => {
  await page.waitForSelector(".issue-row[id]");
  await page.waitForTimeout(1_000);
};

const first = [], blocked = [];
for (let run = 0; run < kRuns; ++run) {
  await page.goto("/issues");
  await settled();
  const { lcp, fcp, blocked: held } = await page.evaluate(() => globalThis.seen);
  first.push(Math.max(lcp, fcp));
  blocked.push(held);
}

const last = [];
for (let run = 0; run < kRuns; ++run) {
  await page.goto("/issues?tool=many"); // the worst first, as people have it
  await settled();
  last.push(
    await page.evaluate(({ rows, number }) => {
      document.activeElement?.blur();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
      return until(() => document.getElementById(`row-${rows - 1}`)?.textContent.includes(`finding number ${number} `));
    }, { rows: facts.issues, number: facts.last }),
  );
}

// No session changes that much, so the answers of the server are made up; the page does not know.
const said = (sign, word) => Array.from({ length: 6_000 }, (_, line) => `${sign}  value = ${word}(${line + 1}, "text", table[${line}]);`).join("\n");
const diff = `diff --git a/src/big.c b/src/big.c\n--- a/src/big.c\n+++ b/src/big.c\n@@ -1,6000 +1,6000 @@\n${said("-", "wrong")}\n${said("+", "right")}\n`;
const session = { id: "big1", status: "passed", repository_id: "r", branch_name: "fix/big1", base: "0".repeat(40), tip: "1".repeat(40), issue_ids: [], issues: [], commits: [], accepted: [], withdrawals: [] };
await page.route(/\/api\/fix\/sessions\/big1/, (route) => {
  const path = new URL(route.request().url()).pathname;
  return route.fulfill({ json: path.endsWith("/diff") ? { session_id: "big1", from: "", to: "", files: [], diff } : path.endsWith("/comments") ? { data: [], next_cursor: null, has_more: false } : session });
});
// What the page's own thread worked, in milliseconds: unlike time on a clock it does not grow when something else runs, too.
const told = await context.newCDPSession(page);
await told.send("Performance.enable", { timeDomain: "threadTicks" });
const spent = async () => 1_000 * (await told.send("Performance.getMetrics")).metrics.find((one) => one.name === "TaskDuration").value;
const lines = [], colours = [], frames = [], work = [];
for (let run = 0; run < kRuns; ++run) {
  await page.goto("/issues");
  await settled();
  lines.push(
    await page.evaluate(async () => {
      history.pushState(null, "", "/sessions/big1/changes");
      dispatchEvent(new PopStateEvent("popstate"));
      return until(() => document.querySelector(".diff-removed"));
    }),
  );
  // From the plain lines to the coloured ones, the highlighter's way from the server included.
  colours.push(await page.evaluate(() => until(() => document.querySelector(".diff-line .f, .diff-line .n"))));
  const before = await spent();
  frames.push(
    await page.evaluate(async () => {
      const took = [];
      let before = await new Promise(requestAnimationFrame);
      for (let frame = 0; frame < 120; ++frame) {
        scrollBy(0, 300);
        const now = await new Promise(requestAnimationFrame);
        took.push(now - before);
        before = now;
      }
      return took.sort((a, b) => a - b)[Math.floor(took.length * 0.95)]; // of 20 frames the second slowest
    }),
  );
  work.push(((await spent()) - before) / 120);
}
await browser.close();
process.stdout.write(JSON.stringify({ "web first page": median(first), "web blocked": median(blocked), "web last row": median(last), "web 12,000 changed lines": median(lines), "web colours of their code": median(colours), "web frames while scrolling": median(frames), "web work for a frame": median(work) }));
