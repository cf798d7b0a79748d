// Everything a person does with the dashboard, in the order a person does it.
import assert from "node:assert/strict";
import { byHand } from "./by_hand.mjs";
import { readmeTasks } from "./tasks.mjs";
import { addIssue, api, context, downloaded, drag, facts, finish, holdsKeyboard, logIn, look, scene, typeInto, until, visible, watch, whileOffline, world } from "./stage.mjs";

const page = watch(await context.newPage());
const repository = (await api("GET", "/api/repositories")).data[0].id;
const rows = () => page.locator(".issue-row[id]");

await scene("the door", async () => {
  await page.goto("/");
  await visible(page, "emend open");
  await look(page, "door", { main: "How do I come in?" });
  await page.goto("/issues#launch=0123456789abcdef");
  await visible(page, "This link was used already");
  assert.equal(new URL(page.url()).hash, "", "the code must not stay in the address");
});

await scene("logging in", async () => {
  await logIn(page, "/");
  assert.equal(new URL(page.url()).hash, "");
  await page.locator(".connection-live").waitFor();
  assert.deepEqual(await context.cookies().then((all) => all.map((one) => [one.name, one.httpOnly, one.sameSite])), [["emend_login", true, "Strict"]]);
});

await scene("the first run", async () => {
  await visible(page, "Your first proven fix is two clicks away");
  await page.getByRole("region", { name: "emend.toml" }).getByText("sh check.sh").first().waitFor(); // before it is asked for
  await look(page, "first-run", { main: "What do I do first, and is it safe?" });
  await page.getByRole("button", { name: "Allow these and review" }).click();
  await page.locator(".toast", { hasText: "These commands may run" }).waitFor();
  await page.locator(".toast", { hasText: /found in \d+ files/ }).waitFor({ timeout: 90_000 });
});

await scene("issues", async () => {
  for (const [name, severity] of [["one", "critical"], ["two", "high"], ["three", "medium"], ["five", "low"], ["six", "info"]]) await addIssue(name, { severity });
  await api("POST", "/api/issues", { file: facts.long, line: 1, title: facts.hostile, severity: "low", description: facts.hostile, category: "bug" });
  await page.goto("/issues?tool=person");
  await rows().first().waitFor();
  assert.equal(await rows().count(), 6);
  await look(page, "issues", { main: "Which of them matter?" });
  await page.getByRole("link", { name: /^critical/ }).click();
  await until("the list is filtered", async () => (await rows().count()) === 1);
  assert.match(page.url(), /severity=critical/);
  await page.goBack();
  await until("back shows all", async () => (await rows().count()) === 6);
  await typeInto(page, page.getByRole("textbox", { name: "Filter" }), "severity:>=high tool:person says");
  await page.keyboard.press("Enter");
  await until("typed filters work", async () => (await rows().count()) === 2);
  await page.goto("/issues?q=nothing+is+called+so");
  await visible(page, "No issue matches");
  await look(page, "issues-none", { main: "Why is nothing listed?" });
});

await scene("one issue, by keys", async () => {
  await page.goto("/issues?tool=person");
  await rows().first().waitFor();
  await page.keyboard.press("j");
  await page.locator(".detail h2").waitFor();
  await page.keyboard.press("j");
  await until("the second is open", async () => /two says wrong/.test(await page.locator(".detail h2").innerText()));
  await page.locator(".code-frame .marked").waitFor();
  assert.match(await page.locator(".code-frame .marked").innerText(), /echo wrong/);
  await look(page, "issue-where", { main: "Where is it?" });
  await page.keyboard.press("2");
  await visible(page, "src/two.sh prints");
  await look(page, "issue-why");
  await page.keyboard.press("i");
  await page.keyboard.press("ArrowDown"); // the reasons have the focus
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.type("as agreed, x is fine");
  assert.ok(await page.getByLabel("It is by design").isChecked());
  assert.equal(await page.getByLabel("Note").inputValue(), "as agreed, x is fine");
  await look(page, "ignore", { main: "Why should it be ignored?" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".detail .chip", { hasText: "ignored: by design" }).waitFor();
  await page.locator(".detail").getByRole("button", { name: "Reopen" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Tab"); // from Cancel to Reopen
  await page.keyboard.press("Enter");
  await page.locator(".detail .chip", { hasText: /^open/ }).waitFor();
  await page.keyboard.press("c");
  await page.keyboard.type("just say right"); // at once: no key of the page may take a letter of it
  assert.equal(await page.getByRole("textbox", { name: "Comment" }).inputValue(), "just say right");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".toast", { hasText: "Comment added for the next fixer" }).waitFor();
  await page.keyboard.press("c");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".detail").count(), 1, "Escape leaves the field, not the issue");
  await page.keyboard.press("Escape");
  await until("Escape closes it", async () => (await page.locator(".detail").count()) === 0);
});

await scene("every dialog holds the keyboard", async () => {
  await page.goto("/issues?tool=person");
  await rows().first().waitFor();
  await page.keyboard.press("j");
  await page.locator(".detail h2").waitFor();
  const press = (key) => () => page.keyboard.press(key);
  const button = (name) => (dialog) => dialog.getByRole("button", { name, exact: true });
  await holdsKeyboard(page, "Keys", press("?"), (dialog) => dialog);
  await holdsKeyboard(page, "Find or do anything", press("Control+k"), (dialog) => dialog.getByRole("combobox"));
  await holdsKeyboard(page, /^Fix/, press("f"), button("Start now"));
  await holdsKeyboard(page, /^Ignore/, press("i"), (dialog) => dialog.getByLabel("It is a false positive"));
  await holdsKeyboard(page, /duplicate of/, press("d"), (dialog) => dialog.getByRole("textbox"));
  await holdsKeyboard(page, /^Reopen/, press("r"), button("Cancel"));
  // By the mouse, too: the focus goes back to the button.
  const opener = page.locator(".detail").getByRole("button", { name: "Duplicate" });
  await opener.focus();
  await holdsKeyboard(page, /duplicate of/, () => opener.click(), (dialog) => dialog.getByRole("textbox"));
  await page.keyboard.press("d");
  await page.keyboard.type("x j not-a-code");
  assert.equal(await page.getByRole("dialog").getByRole("textbox").inputValue(), "x j not-a-code");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
});

await scene("text is text", async () => {
  const hostile = (await api("GET", `/api/issues?q=${encodeURIComponent("onerror")}`)).data[0].code;
  await page.goto(`/issues?issue=${hostile}&tab=why`);
  await visible(page, "<script>document.title='broken'</script>");
  assert.doesNotMatch(await page.title(), /broken/);
  assert.equal(await page.locator(".content img, .content script").count(), 0);
  await look(page, "issue-long");
  const turned = await api("POST", "/api/issues", { file: "src/six.sh", line: 1, title: "access \u202enimda\u202c is \u2066checked\u2069", severity: "low", description: "d", category: "bug" });
  await page.goto(`/issues/${turned.code}`);
  await page.locator("h1 .odd", { hasText: "RLO" }).waitFor();
  await api("PATCH", `/api/issues/${turned.code}`, { action: "ignore", reason: "wont_fix" });
});

await scene("help and palette", async () => {
  await page.goto("/");
  await page.locator(".frame").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await look(page, "keys");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("go trends"); // at once, as fast as one can
  assert.equal(await page.getByRole("combobox").inputValue(), "go trends");
  await look(page, "palette", { main: "Where is what I look for?" });
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /open issues? / }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("three says");
  await page.getByRole("option", { name: /three says wrong/ }).waitFor(); // issues are found by their words
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/issues\/[A-Z]+-\d+/);
  await page.getByRole("heading", { name: "three says wrong" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("src/two.sh");
  await page.getByRole("option", { name: /^File src\/two\.sh/ }).click();
  await page.waitForURL(/file=src/);
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
  await look(page, "sessions-none");
});

let session;
await scene("a live session", async () => {
  await page.goto("/issues?tool=person");
  await rows().first().waitFor();
  for (const name of ["one", "three"]) await page.getByRole("row", { name: new RegExp(`${name} says wrong`) }).getByRole("checkbox").click();
  await page.keyboard.press("f");
  await page.getByRole("dialog", { name: /Fix/ }).getByText("2 issues in 1 step").waitFor(); // what it will take
  await look(page, "fix", { main: "Who fixes it, and what will it cost?" });
  await page.keyboard.press("Enter"); // Start now
  await page.waitForURL(/\/sessions\/[a-z0-9]+/);
  session = page.url().match(/sessions\/([a-z0-9]+)/)[1];
  await page.locator(".log-text", { hasText: "looking at three" }).waitFor();
  await page.locator(".stage-now").waitFor();
  await look(page, "session-live", { main: "Who does what, how long, how much?" });
  await page.getByRole("heading", { name: "Both issues are fixed" }).waitFor({ timeout: 60_000 });
  await visible(page, "Nothing is pushed");
  assert.doesNotMatch(await page.locator(".trail").innerText(), new RegExp(session), "a session has a name");
  assert.match(await page.title(), /^Fix 2 issues/);
  await look(page, "result", { main: "Did it work, and can I take it?" });
  await page.getByRole("button", { name: "Create a pull request" }).click();
  await page.getByRole("dialog").getByText("git push origin").first().waitFor(); // no forge is known here
  await look(page, "pull-request", { main: "How do I take it?" });
  await page.keyboard.press("Escape");
  await page.keyboard.press("m");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `git merge fix/${session}`);
  await page.keyboard.press("t");
  await page.locator(".lane").first().waitFor();
  for (const tab of ["timeline", "plan", "checks", "verdicts", "runs", "events", "log"]) {
    await page.goto(`/sessions/${session}?tab=${tab}`);
    await page.locator(".tab-panel").waitFor();
    await page.locator(".step-issue .score").first().waitFor();
    await look(page, `session-${tab}`);
  }
  assert.ok((await page.locator(".log-line").count()) > 3, "the log of an ended session is there");
  await page.goto(`/sessions/${session}?tab=runs`);
  await page.getByRole("button", { name: "Prompt" }).first().click();
  await page.locator("pre[aria-label=prompt]", { hasText: "src/one.sh prints" }).waitFor();
  await page.getByRole("button", { name: "Log", exact: true }).first().click();
  await page.locator("pre[aria-label=log]", { hasText: "looking at one" }).waitFor();
  await look(page, "session-run-log");
});

await scene("a plan that waits for approval", async () => {
  await addIssue("seven", { severity: "low" });
  const extra = await addIssue("seven", { severity: "low", line: 1, title: "seven is named twice" }); // of the same file: a step of its own
  await page.goto("/issues?tool=person");
  await rows().first().waitFor();
  for (const name of ["two says wrong", "seven says wrong", "seven is named twice"]) await page.getByRole("row", { name: new RegExp(name) }).getByRole("checkbox").click();
  await page.keyboard.press("f");
  await page.getByLabel(/wait for my approval/).check();
  await page.getByRole("button", { name: "Start now" }).click();
  await page.waitForURL(/\/sessions\/[a-z0-9]+/);
  await page.getByRole("button", { name: /^Skip/ }).first().waitFor();
  await look(page, "session-planned", { main: "What will be done, in which order?" });
  const steps = page.locator(".plan > li");
  assert.equal(await steps.count(), 2);
  const last = await steps.last().innerText();
  if (facts.browser === "chromium") await drag(page, steps.last(), steps.first());
  else await steps.last().focus().then(() => page.keyboard.press("Alt+ArrowUp")); // Firefox lets nothing drop for its driver
  await until("the step is where it was dropped", async () => (await steps.first().innerText()).includes(last.match(/[A-Z]+-\d+/)[0]));
  await page.getByRole("button", { name: "Undo" }).click();
  await until("it is back", async () => (await steps.last().innerText()).includes(last.match(/[A-Z]+-\d+/)[0]));
  await page.getByRole("button", { name: `Skip ${extra.code}` }).click();
  await page.getByRole("button", { name: /^Skip/ }).first().click();
  await page.getByRole("button", { name: "Save the plan" }).click();
  await page.locator(".toast", { hasText: "The plan is changed" }).waitFor();
  await page.getByRole("button", { name: "Approve the plan" }).click();
  await page.getByRole("heading", { name: /is fixed|1 of 3 issues fixed/ }).waitFor({ timeout: 60_000 });
});

await scene("the proof of a fix", async () => {
  await page.goto(`/sessions/${session}`);
  await page.getByRole("link", { name: /one says wrong/ }).click();
  await page.waitForURL(/\/issues\/[A-Z]+-\d+/);
  await page.getByRole("region", { name: "Proof" }).waitFor();
  assert.equal(await page.locator(".proof-step").count(), 4);
  await page.locator(".proof-step", { hasText: "With the fix" }).getByText("Passes").waitFor();
  assert.ok((await page.locator(".story li").count()) > 2, "the experiments are told");
  await page.locator(".diff .diff-added", { hasText: "echo right" }).first().waitFor();
  await look(page, "issue-proof", { main: "Why should I believe this fix?" });
  await page.reload(); // the address is the link to share
  await page.getByRole("region", { name: "Proof" }).waitFor();
});

await scene("a question", async () => {
  await page.goto("/");
  await page.locator(".connection-live").waitFor();
  await api("POST", "/api/fix/clarify", { repository_id: repository, issue_ids: ["BE-002"] }); // the one the scripted agent has a question about
  const card = page.locator(".question", { hasText: "Right or left?" });
  await card.waitFor(); // it comes by itself: nobody loads the page again
  await look(page, "inbox", { main: "What waits for me?" });
  await page.keyboard.press("a");
  await page.keyboard.type("right");
  await page.keyboard.press("Control+Enter");
  await card.waitFor({ state: "detached" });
  const answered = (await api("GET", "/api/questions?state=all")).data[0];
  assert.equal(answered.answer, "right");
});

await scene("the changes", async () => {
  await page.goto("/");
  const ready = page.getByRole("region", { name: "For you to decide" }).getByRole("link", { name: new RegExp(`^Review .*${session}`) });
  await ready.click();
  await page.waitForURL(/changes/);
  await page.locator(".hunk-tag").first().waitFor();
  assert.equal(await page.locator(".file-card").count(), 2);
  await look(page, "changes", { main: "What changed, for which issue, how sure?" });
  await page.keyboard.press("u");
  await page.locator(".diff-split").first().waitFor();
  await look(page, "changes-split");
  await page.keyboard.press("u");
  await page.locator(".diff .k, .diff .f").first().waitFor(); // the colours come by themselves
  await page.locator(".hunk-tag").first().click();
  await until("only this issue's change", async () => (await page.locator(".file-card").count()) === 1);
  await page.keyboard.press("Escape");
  await until("all changes again", async () => (await page.locator(".file-card").count()) === 2);
  await page.keyboard.press("v"); // seen: for the reader only
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await ready.waitFor(); // looking is not deciding
  await ready.click();
  await page.locator(".fix-row.chosen").waitFor();
  await page.keyboard.press("a");
  await page.locator(".fix-row .chip", { hasText: "accepted" }).waitFor();
  await visible(page, "1 of 2 decided");
});

await scene("saying no", async () => {
  await page.goto(`/sessions/${session}/changes`);
  await page.getByRole("button", { name: "Comment on new line 2" }).first().click();
  await page.keyboard.type("say it louder");
  assert.equal(await page.getByRole("textbox", { name: "Comment" }).inputValue(), "say it louder");
  await look(page, "comment", { main: "How do I say what is wrong?" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".comments", { hasText: "say it louder" }).waitFor();
  const reject = page.getByRole("button", { name: /^Reject the fix of/ }).first();
  await reject.focus();
  await holdsKeyboard(page, /^Reject/, () => reject.click(), (dialog) => dialog.getByRole("textbox"));
  await page.keyboard.press("Enter"); // the button has the focus again
  await page.keyboard.type("not like this"); // with spaces, and letters that are keys of the page
  assert.equal(await page.getByRole("dialog").getByRole("textbox").inputValue(), "not like this");
  await look(page, "reject");
  await page.keyboard.press("Tab"); // Keep the fix
  await page.keyboard.press("Tab"); // Reject
  await page.keyboard.press("Enter");
  await page.locator(".fix-row .chip", { hasText: "rejected" }).waitFor({ timeout: 60_000 });
  await until("its change is gone from the branch", async () => (await page.locator(".file-card").count()) === 1);
  await look(page, "changes-rejected", { main: "What became of what I rejected?" });
  await page.getByRole("button", { name: /^Fix .* again$/ }).click();
  await page.waitForURL((url) => /\/sessions\/[a-z0-9]+$/.test(url.pathname) && !url.pathname.includes(session));
  await page.getByRole("heading", { name: "The issue is fixed" }).waitFor({ timeout: 60_000 });
  await page.goto(`/sessions/${session}/changes`);
  const discard = page.getByRole("button", { name: "Discard all" });
  await discard.focus();
  await holdsKeyboard(page, /^Discard/, () => discard.click(), (dialog) => dialog.getByRole("textbox"));
  await page.keyboard.press("Enter");
  await page.keyboard.type("not yet");
  await look(page, "discard");
  await page.keyboard.press("Tab"); // Keep it
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

await scene("a pull request, with consent", async () => {
  await world({ do: "forge" }); // an address of a project at a forge; nobody is asked there before the push
  await page.goto(`/sessions/${session}`);
  await page.getByRole("button", { name: /^Create a pull request/ }).click();
  const dialog = page.getByRole("dialog", { name: "Create a pull request" });
  await dialog.getByText("https://github.com/team/app").first().waitFor();
  const push = dialog.getByRole("button", { name: "Push this once and create it" });
  await dialog.getByText("Its text: the proof of each fix").click();
  await dialog.locator(".proposal-text").getByText("three says wrong").first().waitFor();
  await look(page, "pull-request-form", { main: "What would be pushed, and do I agree?" });
  await typeInto(page, dialog.getByLabel("Title"), "Say it right");
  const consent = { push: true, ready: false, title: "Say it right", allow_push: true };
  let asked = null;
  // The forge is somebody else's machine: its answer is made up. That it is pushed is tested where a forge is (tests/forge).
  await page.route(/pull-request$/, (route) => {
    asked = route.request().postDataJSON() ?? consent; // Firefox does not show its driver what is sent
    return route.fulfill({ json: { session_id: session, branch: `fix/${session}`, base: "main", title: asked.title, body: "", forge: "https://github.com/team/app", may_push: false, pull_request: { number: 7, url: "https://github.com/team/app/pull/7", draft: true, created: true } } });
  });
  await page.keyboard.press("Enter"); // in the field: the button alone is the consent
  await page.waitForTimeout(300);
  assert.equal(asked, null, "nothing is pushed before somebody allows it");
  await push.click();
  await dialog.getByRole("link", { name: /pull\/7|Pull request 7|#7/ }).waitFor();
  assert.deepEqual(asked, consent);
  await page.unroute(/pull-request$/);
  await page.keyboard.press("Escape");
});

await scene("votes on a branch", async () => {
  await world({ do: "branch", name: "feature" });
  await page.goto("/pulls");
  await look(page, "pulls");
  await typeInto(page, page.getByLabel("Into"), "main");
  await typeInto(page, page.getByLabel("What"), "feature");
  await page.getByRole("button", { name: "Vote" }).click();
  await page.waitForURL(/\/pulls\/.+/);
  await page.locator(".banner-title", { hasText: "approved" }).waitFor({ timeout: 60_000 });
  assert.equal(await page.locator(".vote").count(), 2);
  await page.getByRole("heading", { name: "feature into main" }).waitFor(); // not an id
  await look(page, "pull", { main: "Is this branch good enough, and who says so?" });
  await page.getByRole("link", { name: "All", exact: true }).click();
  await page.getByRole("link", { name: /^feature into main/ }).waitFor();
});

await scene("two tabs, one stream", async () => {
  const other = watch(await context.newPage());
  await other.goto("/sessions");
  await other.locator(".connection-live").waitFor();
  await until("both tabs live on one stream", async () => (await api("GET", "/api/status")).streams === 1);
  await page.goto("/issues?tool=person");
  await rows().first().waitFor();
  const six = (await api("GET", "/api/issues?q=six%20says")).data[0].code;
  await api("PATCH", `/api/issues/${six}`, { action: "ignore", reason: "wont_fix" });
  await page.getByRole("row", { name: /six says wrong/ }).locator(".chip", { hasText: "ignored" }).waitFor();
  await page.keyboard.press(".");
  await visible(page, "updates paused");
  await api("PATCH", `/api/issues/${six}`, { action: "reopen" });
  await page.waitForTimeout(1_000);
  assert.equal(await page.getByRole("row", { name: /six says wrong/ }).locator(".chip", { hasText: "ignored" }).count(), 1, "a paused view does not change");
  await page.keyboard.press(".");
  await page.getByRole("row", { name: /six says wrong/ }).locator(".chip", { hasText: "open" }).waitFor();
  await other.close();
});

await scene("the server is started again", async () => {
  const five = (await api("GET", "/api/issues?q=five%20says")).data[0].code;
  const again = await addIssue("four", { title: "four is slow" });
  const started = await api("POST", "/api/fix/start", { repository_id: repository, issue_ids: [again.code, five] }, { Accept: "application/json" });
  await page.goto(`/sessions/${started.session_id}`);
  await page.locator(".log-text", { hasText: "looking at four" }).waitFor({ timeout: 60_000 });
  whileOffline(true);
  await world({ do: "stop" });
  await page.locator(".connection-reconnecting, .connection-offline").waitFor();
  await look(page, "offline", { settled: false, main: "Is the server there?" });
  await world({ do: "start" });
  await page.getByRole("button", { name: "Retry now" }).click().catch(() => {});
  await page.locator(".connection-live").waitFor({ timeout: 60_000 });
  whileOffline(false);
  await until("the session is taken up again", async () => (await page.locator(".chip", { hasText: "running" }).count()) > 0, 60);
  await holdsKeyboard(page, /^Stop this session/, () => page.keyboard.press("Control+."), (dialog) => dialog.getByRole("button", { name: "Let it run" }));
  await page.keyboard.press("Control+.");
  await look(page, "stop");
  await page.keyboard.press("Tab"); // from Let it run to Stop it
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /Stopped before anything was fixed|issues fixed/ }).waitFor({ timeout: 60_000 });
  await look(page, "session-stopped", { main: "What is left of what was stopped?" });
});

await scene("ten thousand issues", async () => {
  const report = Array.from({ length: 10_000 }, (_, row) => `src/one.sh:${1 + (row % 2)}: warning: finding number ${row} of a great many [rule-${row}]`).join("\n");
  const imported = await api("POST", "/api/import?from=text&tool=many", report, { "Content-Type": "text/plain" });
  assert.equal(imported.issue_codes.length, 10_000);
  const began = Date.now();
  await page.goto("/issues?tool=many");
  await rows().first().waitFor();
  const first = Date.now() - began;
  assert.ok((await rows().count()) < 80, "only what can be seen is drawn");
  let asked = 0;
  const counting = (request) => (asked += /\/api\/issues\?/.test(request.url()) ? 1 : 0);
  page.on("request", counting);
  await page.keyboard.press("End");
  await page.getByRole("row", { name: /finding number 9999/ }).waitFor({ timeout: 60_000 });
  const last = Date.now() - began - first;
  page.off("request", counting);
  assert.ok(asked <= 3, `the way to the last row took ${asked} questions`);
  await look(page, "issues-many");
  console.log(`first rows of ${imported.issue_codes.length} after ${first} ms, the last ones after ${last} ms`);
});

// No judge reads a change of that size, so the answer of the server is made up here; the page does not know.
await scene("twelve thousand changed lines", async () => {
  const said = (sign, word) => Array.from({ length: 6_000 }, (_, line) => `${sign}echo ${word} ${line + 1}`).join("\n");
  const diff = `diff --git a/src/big.sh b/src/big.sh\n--- a/src/big.sh\n+++ b/src/big.sh\n@@ -1,6000 +1,6000 @@\n${said("-", "wrong")}\n${said("+", "right")}\n`;
  const many = (route) => route.fulfill({ json: { session_id: session, from: "", to: "", files: [], diff } });
  await page.route(/\/diff(\?|$)/, many);
  await page.goto("/sessions");
  await page.getByRole("region", { name: "Sessions" }).waitFor();
  const took = await page.evaluate(async (path) => {
    const drawn = new Promise((resolve) => new MutationObserver((_, watcher) => document.querySelector(".diff-removed") && (watcher.disconnect(), requestAnimationFrame(() => resolve(performance.now())))).observe(document.body, { childList: true, subtree: true }));
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
    const end = await drawn;
    return end - Math.max(...performance.getEntriesByType("resource").filter((entry) => entry.name.includes("/diff")).map((entry) => entry.responseEnd));
  }, `/sessions/${session}/changes`);
  console.log(`12,000 changed lines: the first ones are drawn ${Math.round(took)} ms after they came`);
  assert.equal(await page.locator(".page-head .plus").innerText(), "+6000");
  assert.ok((await page.locator(".diff tr").count()) < 1_500, "only what is near the window is drawn");
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.locator(".diff-added", { hasText: "echo right 6000" }).waitFor();
  await page.reload();
  await until("the reading position is kept", async () => (await page.evaluate(() => scrollY)) > 10_000);
  await page.unroute(/\/diff(\?|$)/, many);
});

// Fixers change no pictures here, so the diff is made up; the pictures are the server's.
await scene("pictures and new names", async () => {
  const { tip } = await world({ do: "picture", name: "pictures" });
  const renamed = "diff --git a/src/one.sh b/src/first.sh\nsimilarity index 100%\nrename from src/one.sh\nrename to src/first.sh\n";
  const diff = `diff --git a/dot.png b/dot.png\nnew file mode 100644\nindex 0000000..1111111\nBinary files /dev/null and b/dot.png differ\n${renamed}`;
  const made = (route) => route.fulfill({ json: { session_id: session, from: "", to: "", files: [], diff } });
  const at = async (route) => route.fulfill({ response: await route.fetch({ url: route.request().url().replace(/rev=[^&]*/, `rev=${tip}`) }) });
  await page.route(/\/diff(\?|$)/, made);
  await page.route(/\/image\?/, at);
  await page.goto(`/sessions/${session}/changes`);
  const picture = page.getByRole("img", { name: "dot.png, after" });
  await until("the picture is drawn", () => picture.evaluate((image) => image.naturalWidth === 1));
  await visible(page, "There was none.");
  await page.getByRole("article", { name: "src/first.sh" }).getByText("Only its name changed.").waitFor();
  await page.unroute(/\/diff(\?|$)/, made);
  await page.unroute(/\/image\?/, at);
});

await scene("trends and settings", async () => {
  await page.goto("/insights");
  const chart = page.getByRole("region", { name: "Open issues by severity" });
  await chart.locator(".plot").waitFor({ timeout: 60_000 });
  await chart.locator(".plot").focus();
  const reading = await chart.locator(".reading").innerText();
  await page.keyboard.press("ArrowLeft");
  await until("the week before is read", async () => (await chart.locator(".reading").innerText()) !== reading);
  await chart.getByRole("button", { name: "Show as a table" }).click();
  await chart.getByRole("rowheader").first().waitFor();
  const room = await chart.locator(".panel-body").evaluate((box) => box.clientWidth);
  await chart.getByRole("button", { name: "Show as a chart" }).click();
  await until("the chart has its width again", async () => Number(await chart.locator(".plot").getAttribute("width")) > room / 2);
  await page.getByRole("button", { name: "Export CSV", exact: true }).click();
  await until("the weeks are saved", () => /^week,/.test(downloaded("emend-trends.csv")));
  const outcomes = page.getByRole("region", { name: "What became of the fixes" });
  await outcomes.getByRole("button", { name: "evidence" }).click();
  await outcomes.getByRole("columnheader", { name: "evidence" }).waitFor();
  await outcomes.getByRole("columnheader", { name: "reverted" }).waitFor();
  await look(page, "insights", { main: "Is it getting better, is it worth it?" });
  for (const tab of ["config", "health", "agents", "repositories", "browser"]) {
    await page.goto(`/settings?tab=${tab}`);
    await page.locator(".tab-panel").waitFor();
    await look(page, `settings-${tab}`);
  }
  await page.goto("/settings?key=fix.parallel");
  const setting = page.locator(".setting", { hasText: "parallel" }).first();
  const change = async (value) => {
    await page.getByRole("button", { name: "fix.parallel" }).click();
    await typeInto(page, page.getByRole("dialog").getByLabel("Value"), value);
    await page.keyboard.press("Enter");
  };
  await change("many");
  await page.getByRole("dialog").getByRole("alert").getByText("fix.parallel").waitFor(); // refused before anything is written
  await look(page, "setting", { main: "What may this be, and where is it written?" });
  await page.keyboard.press("Escape");
  await change("3");
  await page.locator(".toast", { hasText: /fix\.parallel is set in emend\.toml:\d+/ }).waitFor();
  await setting.locator(".setting-value", { hasText: "3" }).waitFor();
  assert.equal((await api("GET", "/api/config")).settings.find((row) => row.key === "fix.parallel").value, 3);
  await change("1");
  await setting.locator(".setting-value", { hasText: "1" }).waitFor();
  await page.goto("/settings?tab=browser");
  await page.getByLabel("Open files in").selectOption("VS Code");
  await page.goto(`/settings?key=fix.parallel`);
  await page.getByRole("button", { name: "fix.parallel" }).click();
  assert.match(await page.getByRole("link", { name: "Open in the editor" }).getAttribute("href"), /^vscode:\/\/file\/.*emend\.toml:\d+$/);
  await page.keyboard.press("Escape");
  await page.goto("/settings?tab=agents");
  await page.getByRole("button", { name: "Choose who judges" }).click();
  await page.getByRole("dialog", { name: "fix_challenger.agent" }).waitFor();
  await page.keyboard.press("Escape");
  await page.goto("/settings?tab=browser");
  await page.getByLabel(/single keys/).uncheck();
  await page.keyboard.press("?");
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.getByLabel(/single keys/).check();
  await page.getByLabel("dark").check();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.getByLabel("system setting").check();
});

await scene("a view of one's own, and all that match", async () => {
  await page.goto("/issues?tool=person&severity=critical%2Chigh");
  await rows().first().waitFor();
  await page.getByRole("button", { name: "Save this view" }).click();
  await page.keyboard.type("Loud");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Open", exact: true }).click();
  await page.waitForURL(/status=OPEN/);
  await page.getByRole("link", { name: "Loud" }).click();
  await page.waitForURL(/severity=critical/);
  await rows().first().waitFor();
  const found = rows().first().getByText("person");
  await found.waitFor();
  await page.locator("summary", { hasText: "Columns" }).click();
  await page.getByLabel("Found by").uncheck();
  await found.waitFor({ state: "hidden" });
  await page.getByLabel("Found by").check();
  await page.locator("summary", { hasText: "Columns" }).click();
  await page.getByLabel("Order").selectOption("Grouped by severity");
  await page.locator(".group-name", { hasText: "high" }).waitFor();
  await page.getByLabel("Order").selectOption("Grouped by rule");
  await page.waitForURL(/group=rule/);
  await page.locator(".group-name", { hasText: "no rule" }).waitFor(); // people name none
  const all = await rows().count();
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  await page.keyboard.press("x");
  await visible(page, "1 issue selected");
  await page.getByRole("button", { name: `Select all ${all} that match` }).click();
  await visible(page, `${all} issues selected`);
  await page.getByRole("button", { name: "Clear the selection" }).click();
  await page.getByRole("link", { name: "Loud" }).click();
  await page.getByRole("button", { name: "Forget Loud" }).click();
  await until("it is forgotten", async () => (await page.getByRole("link", { name: "Loud" }).count()) === 0);
});

await byHand(page, repository);

await scene("another repository", async () => {
  const { path } = await world({ do: "clone", name: "other" });
  await page.goto("/settings?tab=repositories");
  await typeInto(page, page.getByLabel(/its directory/), path);
  await page.keyboard.press("Enter");
  const other = page.getByRole("region", { name: "other", exact: true });
  await other.getByText("sh check.sh").first().waitFor(); // seen before it may run
  await look(page, "repositories");
  await other.getByRole("button", { name: "Allow these commands" }).click();
  await other.getByText("Its commands are allowed").waitFor();
  const id = (await api("GET", "/api/repositories")).data.find((one) => one.name === "other").id;
  const add = (name, severity) => api("POST", "/api/issues", { repository_id: id, file: `src/${name}.sh`, title: `${name} says wrong in the other one`, line: 2, severity, category: "bug" });
  await add("one", "low");
  const added = await add("two", "critical"); // BE-002 again: the one the scripted agent has a question about
  await api("POST", "/api/fix/clarify", { repository_id: id, issue_ids: [added.code] });
  await page.goto("/");
  const pills = page.getByRole("navigation", { name: "Repositories of the inbox" });
  await pills.waitFor();
  await page.locator(".question", { hasText: "other" }).waitFor();
  await page.getByRole("region", { name: /For you to decide|Ready to take/ }).first().waitFor(); // of the first one, at the same time
  await look(page, "inbox-all", { main: "What waits for me, over all repositories?" });
  await pills.getByRole("link", { name: /^other/ }).click();
  await page.getByRole("heading", { name: "1 thing needs you" }).waitFor();
  await page.keyboard.press("1"); // the first suggestion
  await page.getByRole("heading", { name: "Nothing needs you" }).waitFor();
  await look(page, "inbox-empty", { main: "Is it really quiet?" });
  await page.getByRole("button", { name: /^Fix these 2/ }).click();
  await page.getByRole("dialog", { name: /^Fix BE-002, BE-001/ }).waitFor(); // two clicks from a result
  await page.keyboard.press("Escape");
});

await scene("a repository that nobody has configured", async () => {
  const { path } = await world({ do: "bare", name: "bare" });
  await page.goto("/settings?tab=repositories");
  await typeInto(page, page.getByLabel(/its directory/), path);
  await page.keyboard.press("Enter");
  const bare = page.getByRole("region", { name: "bare", exact: true });
  await bare.getByLabel("make test").waitFor();
  await page.goto("/");
  await page.getByRole("navigation", { name: "Views", exact: true }).getByRole("link", { name: /^bare/ }).click();
  await page.getByRole("heading", { name: "Which checks must a fix pass?" }).waitFor();
  await page.getByLabel("cd web && npm test").click(); // not this one
  await look(page, "set-up", { main: "What should a fix have to pass?" });
  await page.getByRole("button", { name: "Write emend.toml" }).click();
  const asked = page.getByRole("region", { name: "emend.toml" });
  await asked.getByText("make test").first().waitFor();
  assert.equal(await asked.getByText("npm test").count(), 0);
  await page.getByRole("button", { name: "Allow these and review" }).click();
  await page.locator(".toast", { hasText: /found in \d+ files?/ }).waitFor({ timeout: 90_000 });
});

await readmeTasks(page, repository);

await scene("a small window", async () => {
  await page.setViewportSize({ width: 390, height: 780 });
  for (const [name, path] of [["inbox", "/"], ["issues", "/issues?tool=person"], ["session", `/sessions/${session}`], ["trends", "/insights"], ["changes", `/sessions/${session}/changes`]]) {
    await page.goto(path);
    await page.locator(".content h1").first().waitFor();
    assert.ok(await page.getByRole("navigation", { name: "Main views" }).isVisible());
    assert.equal(await page.getByRole("navigation", { name: "Views", exact: true }).isVisible(), false);
    await look(page, `small-${name}`);
  }
  await page.goto(`/sessions/${session}`);
  await page.getByRole("link", { name: /three says wrong/ }).click();
  await page.getByRole("region", { name: "Proof" }).waitFor();
  await look(page, "small-issue");
  await page.setViewportSize({ width: 1360, height: 860 });
});

await scene("logging out", async () => {
  await page.goto("/");
  await page.getByRole("button", { name: "Log out" }).click();
  await visible(page, "You have logged out");
  await page.goto("/issues");
  await visible(page, "You are not logged in");
});

await finish();
