// What a person does with one click or key in a list, and what a page does while it is read: each once, for real where the world has it.
import assert from "node:assert/strict";
import { addIssue, api, context, look, scene, typeInto, until, visible, watch } from "./stage.mjs";

const statusOf = (session) => api("GET", `/api/fix/sessions/${session}`).then((snapshot) => snapshot.status);
const fix = (repository, code, options) => api("POST", "/api/fix/start", { repository_id: repository, issue_ids: [code], ...(options ? { options } : {}) }, { Accept: "application/json" }).then((started) => started.session_id);
const over = (session) => until("the session ends", async () => ["passed", "partial", "failed"].includes(await statusOf(session)), 60);
const asProven = (issues) => issues.map((issue) => ({ ...issue, evidence: issue.status === "RESOLVED" ? "proven" : issue.evidence }));

// The answer of the server with something changed in it.
async function answerWith(page, address, change) {
  const handler = async (route) => {
    try {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: change(await answer.json()) });
    } catch {
      // the page went on meanwhile
    }
  };
  await page.route(address, handler);
  return () => page.unroute(address, handler);
}

export async function byHand(page, repository) {
  await scene("one proof, shared; two attempts, compared", async () => {
    const { code } = (await api("GET", "/api/needs")).ready[0].fixes[0];
    // The judge of this world is content at once; a first attempt it was not content with is made up.
    const refused = (tried) => ({ ...tried, attempt: { ...tried.attempt, id: "first", result: "below_threshold", detail: "scored 40" }, verdicts: [{ agent: "judge", score: 40, feedback: "It is too quiet.", improvements_needed: ["src/" + tried.diff.match(/src\/(\w+\.sh)/)[1] + ":1: say who speaks"] }] });
    const stop = await answerWith(page, /\/attempts\?/, (answer) => ({ ...answer, data: [refused(answer.data[0]), { ...answer.data[0], attempt: { ...answer.data[0].attempt, cycle: 2 } }] }));
    await page.goto(`/issues/${code}`);
    await page.getByRole("button", { name: "Share the proof" }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
    await page.locator(".diff-below .say", { hasText: "It says right." }).first().waitFor(); // the judge, at the line
    await page.getByText("Compare attempts side by side").click();
    await until("both are drawn", async () => (await page.locator(".compare .diff-small").count()) === 2);
    const told = page.locator(".compare .diff-below .say-bad", { hasText: "must change" });
    assert.match(await told.locator("xpath=ancestor::tr/preceding-sibling::tr[1]").innerText(), /^\s*1\s*1\s*# /, "under the line it names");
    await look(page, "attempts-compared");
    await stop();
    await page.getByRole("button", { name: "Accept the fix" }).click();
    await page.locator(".chip", { hasText: "fixed, accepted" }).waitFor();
  });

  await scene("all that is proven, by a key and by a click", async () => {
    const { code } = await addIssue("eight", { title: "eight is wrong", severity: "low" });
    const first = await fix(repository, code);
    await over(first);
    const stop = await answerWith(page, new RegExp(`/api/fix/sessions/${first}(\\?|$)`), (snapshot) => ({ ...snapshot, issues: asProven(snapshot.issues) }));
    await page.goto(`/sessions/${first}/changes`);
    await page.getByRole("button", { name: "Accept all proven (1)" }).waitFor();
    await page.keyboard.press("Shift+A");
    await visible(page, "1 of 1 decided");
    assert.deepEqual((await api("GET", `/api/fix/sessions/${first}`)).accepted, [code]);
    await stop();

    const six = (await api("GET", "/api/issues?q=six%20says")).data[0].code;
    const second = await fix(repository, six);
    await over(second);
    const stopNeeds = await answerWith(page, /\/api\/needs/, (needs) => ({ ...needs, ready: needs.ready.map((branch) => ({ ...branch, fixes: asProven(branch.fixes) })) }));
    await page.goto("/");
    await page.getByRole("button", { name: new RegExp(`^Accept 1 proven.*${second}`) }).click();
    await page.getByRole("region", { name: "Ready to take" }).getByText(second).first().waitFor();
    assert.deepEqual((await api("GET", `/api/fix/sessions/${second}`)).accepted, [six]);
    await stopNeeds();
  });

  await scene("approved, resumed and tried again from a row", async () => {
    const { code } = await addIssue("seven", { title: "seven, once more", severity: "low" });
    const planned = await fix(repository, code, { approve: "plan" });
    await page.goto("/");
    await page.getByRole("button", { name: `Approve ${planned}` }).click();
    await over(planned);
    // Whoever broke off is gone before the page sees it: the row is made up, the request is not answered.
    const stop = await answerWith(page, /\/api\/needs/, (needs) => ({ ...needs, total: needs.total + 1, stopped: [{ ...needs.taken[0].session, id: "gone1", status: "error", detail: "the disk is full" }] }));
    let resumed = "";
    await page.route(/\/resume$/, (route) => ((resumed = route.request().url()), route.fulfill({ status: 202, json: {} })));
    await page.goto("/");
    await visible(page, "Stopped before it was done.");
    await page.getByRole("button", { name: "Resume gone1" }).click();
    await until("it is resumed", () => resumed.endsWith("/api/fix/sessions/gone1/resume"));
    await page.unroute(/\/resume$/);
    await stop();
    // Nobody knows how to fix this one.
    const hopeless = (await api("GET", `/api/issues?q=${encodeURIComponent("onerror")}`)).data[0].code;
    await over(await fix(repository, hopeless));
    await page.goto("/");
    await page.getByRole("button", { name: `Show the output of ${hopeless}` }).click();
    await page.getByRole("button", { name: `Try again now ${hopeless}` }).waitFor();
    await page.getByRole("button", { name: `Hide the output of ${hopeless}` }).click();
    await page.getByRole("button", { name: `Try again… ${hopeless}` }).click();
    await page.getByRole("dialog", { name: `Fix ${hopeless}` }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: `Show the output of ${hopeless}` }).click();
    await page.getByRole("button", { name: `Try again now ${hopeless}` }).click();
    await page.waitForURL(/\/sessions\/[a-z0-9]+/);
    await over(page.url().match(/sessions\/([a-z0-9]+)/)[1]);
    await page.goto("/");
    await page.getByRole("button", { name: `Try again… ${hopeless}` }).waitFor();
    // j and k go through the rows.
    const row = () => page.evaluate(() => (document.activeElement?.hasAttribute("data-row") ? document.activeElement.getAttribute("href") : null));
    await page.keyboard.press("j");
    const top = await row();
    await page.keyboard.press("j");
    const next = await row();
    assert.ok(top && next && top !== next, `j goes from ${top} to ${next}`);
    await page.keyboard.press("k");
    assert.equal(await row(), top);
  });

  await scene("more of a file, and its name in sight", async () => {
    const [any] = (await api("GET", "/api/fix/sessions?limit=1")).data;
    const long = Array.from({ length: 400 }, (_, line) => `+echo ${line}`).join("\n");
    const diff = `diff --git a/src/one.sh b/src/one.sh\n--- a/src/one.sh\n+++ b/src/one.sh\n@@ -40,1 +40,401 @@\n echo 40\n${long}\n`;
    const blob = (route) => {
      const query = new URL(route.request().url()).searchParams;
      const start = Number(query.get("start") ?? 1);
      const lines = Array.from({ length: Number(query.get("end") ?? 40) - start + 1 }, (_, line) => `echo line ${start + line}`);
      return route.fulfill({ json: { path: "src/one.sh", commit: "0".repeat(40), start, end: start + lines.length - 1, lines, total_lines: 900 } });
    };
    await page.route(/\/diff(\?|$)/, (route) => route.fulfill({ json: { session_id: any.id, from: "", to: "", files: [], diff } }));
    await page.route(/\/blob\?/, blob);
    await page.goto(`/sessions/${any.id}/changes`);
    await page.getByRole("button", { name: "Show 20 more lines" }).click();
    await page.locator(".diff-line", { hasText: "echo line 39" }).waitFor();
    assert.equal(await page.locator(".diff-line", { hasText: "echo line 19" }).count(), 0, "not more than was asked for");
    await page.locator(".tree-folder", { hasText: "src" }).getByRole("button", { name: /one\.sh/ }).waitFor();
    await page.evaluate(() => scrollTo(0, 3_000));
    const head = page.locator(".file-head").first();
    await until("the name of the file stays in sight", async () => Math.abs((await head.boundingBox()).y - 48) <= 1);
    await page.unroute(/\/diff(\?|$)/);
    await page.unroute(/\/blob\?/, blob);
  });

  await scene("what turns text is shown, not done", async () => {
    const evil = "fine \u202egnihton\u202c \u2066x\u2069";
    const stop = await answerWith(page, /\/api\/needs/, (needs) => ({ ...needs, questions: [{ id: "BE-002-q9", issue_code: "BE-002", repository_id: repository, question: evil, context: evil, suggestions: [evil], state: "asked", answer: null }] }));
    await page.goto("/");
    await page.locator(".question .odd", { hasText: "RLO" }).first().waitFor();
    assert.ok((await page.locator(".question button .odd").count()) > 0, "in an answer to choose, too");
    await look(page, "turned-question");
    await stop();
    const [any] = (await api("GET", "/api/fix/sessions?limit=1")).data;
    const events = [
      { type: "fix_session_started", issue_codes: ["BE-002"] },
      { type: "fix_issue_streaming", issue_code: "BE-002", channel: "stdout", text: `${evil}\n`, run_id: "r", log_offset: 0 },
      { type: "fix_notice", text: evil },
    ];
    const body = events.map((event, index) => `id: ${index + 1}\nevent: ${event.type}\ndata: ${JSON.stringify({ seq: index + 1, ts: "2026-01-01T00:00:00.000Z", session_id: any.id, ...event })}\n\n`).join("");
    await page.route(/\/sessions\/[^/]+\/events/, (route) => route.fulfill({ contentType: "text/event-stream", body: `${body}event: stream_end\ndata: {}\n\n` }));
    await page.goto(`/sessions/${any.id}?tab=log`);
    await page.locator(".log-text .odd", { hasText: "RLO" }).waitFor();
    await look(page, "turned-log");
    await page.unroute(/\/sessions\/[^/]+\/events/);
  });

  await scene("told by the browser", async () => {
    const other = watch(await context.newPage());
    await other.addInitScript(() => {
      globalThis.notes = [];
      globalThis.Notification = class {
        static permission = "granted";
        static requestPermission = () => Promise.resolve("granted");
        constructor(title, { body }) {
          globalThis.notes.push(`${title}: ${body}`);
        }
        close() {}
      };
      Object.defineProperty(document, "hidden", { get: () => globalThis.away === true });
    });
    await other.goto("/");
    await other.getByRole("button", { name: /^Tell me in the browser/ }).click();
    await visible(other, "The browser tells you when something needs you");
    await other.evaluate(() => (globalThis.away = true));
    const { code } = await addIssue("five", { title: "five, with a plan", severity: "low", line: 1 });
    await fix(repository, code, { approve: "plan" });
    await until("the browser tells", () => other.evaluate(() => globalThis.notes.some((note) => /^emend needs you: \d+ things? waits?( for you)?/.test(note))));
    await other.close();
  });

  await scene("a change of one's own is checked", async () => {
    await page.goto("/pulls");
    const form = page.getByRole("form", { name: "Check a change" });
    await form.getByLabel("Which").click();
    await page.keyboard.type((await api("GET", "/api/needs")).taken[0].session.branch_name); // its last commit
    await page.keyboard.press("Enter");
    await form.getByRole("status").getByText(/proven|verified|nothing to check|unprovable/).first().waitFor({ timeout: 60_000 });
    await look(page, "change-checked");
    await typeInto(page, form.getByLabel("Which"), "no-such-commit");
    await form.getByRole("button", { name: "Check" }).click();
    await page.locator(".toast", { hasText: "no-such-commit" }).waitFor();
  });

  await scene("a tablet", async () => {
    await page.setViewportSize({ width: 1024, height: 768 });
    const [any] = (await api("GET", "/api/fix/sessions?limit=1")).data;
    for (const [name, path] of [["inbox", "/"], ["issues", "/issues?tool=person"], ["session", `/sessions/${any.id}`], ["trends", "/insights"], ["settings", "/settings?tab=repositories"]]) {
      await page.goto(path);
      await page.locator(".content h1, .content h2, .content .tab-panel").first().waitFor();
      await look(page, `tablet-${name}`);
    }
    await page.setViewportSize({ width: 1360, height: 860 });
  });
}
