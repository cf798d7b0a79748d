// Where a fix had more than one change, more than one judge or a forecast: what the dashboard shows of it.
import { render } from "preact";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EarnedTrust, SessionSnapshot } from "@web/api/types";
import { Autonomy } from "@web/insights/outcomes";
import { type DiffFile, parseDiff } from "@web/changes/diff";
import { lineOf } from "@web/changes/remarks";
import { isCandidate, type Tried, type Verdict } from "@web/issues/attempts";
import { Attempt, Judge } from "@web/issues/issue_page";
import { remarksOf } from "@web/issues/judged_diff";
import { Story } from "@web/issues/proof";
import { Cost, forecastWords, NeedsRow } from "@web/session/result_rows";

let box: HTMLElement;
beforeEach(() => {
  box = document.createElement("div");
  document.body.append(box);
});
afterEach(() => box.remove());

const tried = (agent: string, more: Partial<Tried["attempt"]> = {}, rest: Partial<Tried> = {}): Tried => ({
  attempt: { id: agent, cycle: 1, agent, model: "", claim: "fixed", result: "accepted", detail: "", explanation: "", duration_ms: 5, base: "abc", ...more },
  verdicts: [],
  verifications: [],
  together: null,
  diff: "",
  ...rest,
});

const said = (agent: string, more: Partial<Verdict> = {}): Verdict => ({
  agent, model: "", canary: "", independent: true, valid: true, problem: "", score: null, feedback: "", quality_scores: {}, improvements_needed: [], suggestions: [], threshold: 95, duration_ms: 5, ...more,
});

test("candidates of one round are told apart from attempts of several", () => {
  const all = [tried("claude"), tried("codex", { result: "not_chosen", detail: "passed too; the change of claude was chosen" }), tried("claude", { cycle: 2 }), tried("gemini", { cycle: 2, base: "def" })];
  expect(all.map((one) => isCandidate(one, all))).toEqual([true, true, false, false]);
  expect(isCandidate(tried("claude"), [tried("claude", { result: "interrupted" })])).toBe(false);
  render(<Attempt tried={all[1]!} open candidate={isCandidate(all[1]!, all)} />, box);
  expect(box.querySelector("summary b")!.textContent).toBe("Attempt 1, candidate of codex");
  expect(box.querySelector("summary")!.textContent).toContain("the change of claude was chosen");
});

test("a contested verdict is marked as such", () => {
  const one = tried("claude", { claim: "contested", cycle: 2, explanation: "plus is what the test asks for" }, { verdicts: [said("gemini", { score: 97 })] });
  render(<Attempt tried={one} open />, box);
  expect(box.querySelector("summary .chip")!.textContent).toBe("contested");
  render(<Judge tried={one} rest={remarksOf(one)} />, box);
  expect(box.textContent).toContain("It contested the verdict before this one.");
});

test("two judges are shown with both votes and what they say together", () => {
  const verdicts = [said("codex", { score: 93, feedback: "Name it." }), said("gemini", { score: 98, feedback: "Right." })];
  const one = tried("claude", {}, { verdicts, together: { score: 95, votes: "codex 93, gemini 98: 95 on average" } });
  render(<Judge tried={one} rest={remarksOf(one)} />, box);
  expect(box.querySelector("h2")!.textContent).toBe("Judges");
  expect(box.querySelector(".panel-head .end")!.textContent).toBe("95 of 100, 95 needed");
  expect([...box.querySelectorAll(".say")].map((say) => say.textContent)).toEqual(["codex, judge: 93. Name it.", "gemini, judge: 98. Right."]);
  expect(box.textContent).toContain("Votes: codex 93, gemini 98: 95 on average.");
  render(<Judge tried={tried("claude", {}, { verdicts: [verdicts[1]!], together: null })} rest={[]} />, box);
  expect(box.querySelector("h2")!.textContent).toBe("Judge");
  expect(box.querySelector(".panel-head .end")!.textContent).toBe("98 of 100, 95 needed");
});

const change = (...files: string[]): string => files.map((file) => `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -3,3 +3,4 @@\n long fine(int days, int cents) {\n-  return days * cents;\n+  long wide = days;\n+  return wide * cents;\n }\n`).join("");

test("a judge's point belongs to the line it names or quotes, else to the end of the change in its file", () => {
  const one = parseDiff(change("src/fine.c"));
  const two = parseDiff(change("src/fine.c", "lib/dull.c"));
  const at = (files: DiffFile[], text: string): string | null => {
    const line = lineOf(files, text);
    return line && `${files.find((file) => file.hunks.some((hunk) => hunk.lines.includes(line)))!.path} ${line.kind}${line.text.trim()}`;
  };
  expect(at(two, "src/fine.c:4: name it better")).toBe("src/fine.c +long wide = days;");
  expect(at(two, "In `dull.c:4` the name is odd")).toBe("lib/dull.c +long wide = days;");
  expect(at(two, "lib/dull.c, line 3 must be static")).toBe("lib/dull.c  long fine(int days, int cents) {");
  expect(at(two, "lib/dull.c still overflows")).toBe("lib/dull.c +return wide * cents;");
  expect(at(two, "src/fine.c:400 does not exist")).toBe("src/fine.c +return wide * cents;");
  expect(at(one, 'The line "return days * cents;" overflowed')).toBe("src/fine.c -return days * cents;");
  expect(at(one, "`long wide = days` is what was needed")).toBe("src/fine.c +long wide = days;");
  expect(at(one, "Right.")).toBe("src/fine.c +return wide * cents;");
  expect(at(two, "Right.")).toBe(null);
  expect(at(two, "src/fine.cpp:4 and old-src/fine.c:4 are other files")).toBe(null);
  expect(at(parseDiff(change("a/x.c", "b/x.c")), "x.c:4 may be either")).toBe(null);
});

test("what judges say stands beside the lines they speak of", () => {
  const verdict = said("gemini", { score: 70, feedback: "The cast is too late.", improvements_needed: ["src/fine.c:4: cast before the product"], suggestions: ["The tests could be shorter in tests/fine.c."] });
  const one = tried("claude", { result: "refused" }, { diff: change("src/fine.c", "lib/dull.c"), verdicts: [verdict, said("gemini", { canary: "empty", feedback: "An empty change." })] });
  render(<Attempt tried={one} open />, box);
  const rows = [...box.querySelectorAll(".diff tr")].map((row) => row.textContent!);
  const place = rows.findIndex((row) => row.includes("cast before the product"));
  expect(rows[place]).toBe("gemini, must change: src/fine.c:4: cast before the product");
  expect(rows[place - 1]).toContain("long wide = days;");
  expect([...box.querySelectorAll(".say")].filter((say) => !say.closest("td")).map((say) => say.textContent)).toEqual(["gemini, judge: 70. The cast is too late.", "gemini, would be nice: The tests could be shorter in tests/fine.c."]);
  expect(box.textContent).not.toContain("An empty change");
});

test("the story names candidates, a question and a contested verdict", () => {
  render(<Story lines={["candidates", "contested", "question"].map((experiment) => ({ experiment, text: `about ${experiment}` }))} />, box);
  expect([...box.querySelectorAll(".story-kind")].map((one) => one.textContent)).toEqual(["Candidates", "Contested", "Question"]);
});

test("autonomy is shown by agent and rule", () => {
  const row = (more: Partial<EarnedTrust>): EarnedTrust => ({ repository_id: "r", agent: "claude", rule: "F401", merged: 21, reverted: 0, needed: 20, earned: true, ...more });
  render(<Autonomy rows={[row({}), row({ rule: "E501", merged: 3, earned: false }), row({ rule: "W605", reverted: 1, earned: false })]} />, box);
  expect([...box.querySelectorAll("tbody tr td:last-child")].map((cell) => cell.textContent)).toEqual(["earned", "3 of 20 merged", "lost: 1 was reverted"]);
  render(<Autonomy rows={[]} />, box);
  expect(box.textContent).toBe("");
});

test("the forecast is shown with its error", () => {
  const forecast = { runs_at_least: 2, runs_at_most: 6, known_runs: 4, tokens: 1000, cost_usd: 0.4, agent_time_ms: 5, off_percent: { cost_usd: 30, tokens: -12, agent_time_ms: null } };
  const consumed = { cost_usd: 0.52, tokens: 880, agent_time_ms: 7, agent_runs: 2 };
  expect(forecastWords({ forecast, consumed } as never)).toBe("expected $0.40, it was 30 % more");
  expect(forecastWords({ forecast: { ...forecast, cost_usd: null }, consumed: { ...consumed, cost_usd: null } } as never)).toBe("expected 1,000 tokens, it was 12 % less");
  expect(forecastWords({ forecast: { ...forecast, cost_usd: null, off_percent: { cost_usd: null, tokens: null, agent_time_ms: null } }, consumed } as never)).toBe("expected 1,000 tokens");
  expect(forecastWords({ forecast: null, consumed } as never)).toBe("");
  const snapshot = { forecast, consumed, per_resolved_issue: { strategy: "batched", resolved: 2, cost_usd: 0.26, tokens: 440, agent_time_ms: 3500, wall_ms: 9000 } } as unknown as SessionSnapshot;
  render(<Cost snapshot={snapshot} />, box);
  expect(box.textContent).toContain("For each fix (several issues a run): $0.26, 440 tokens");
  expect(box.textContent).toContain("Forecast: expected $0.40, it was 30 % more.");
  render(<Cost snapshot={{ ...snapshot, forecast: null, per_resolved_issue: null } as SessionSnapshot} />, box);
  expect(box.textContent).toBe("");
});

test("an issue that ends honestly has a next step", () => {
  const asked: unknown[] = [];
  const row = (reason: string): string[] => {
    const outcome = { issue: { id: "i", code: "BE-001", title: "t", file: "a.py", severity: "low", status: "FAILED" }, state: "needs", reason, detail: "", score: null, threshold: null, rounds: 1 };
    render(<NeedsRow outcome={outcome as never} chosen={false} onChoose={() => undefined} ask={(asking) => asked.push(asking)} />, box);
    return [...box.querySelectorAll(".actions > *")].map((one) => one.firstChild!.textContent!);
  };
  expect(row("needs_decision")[0]).toBe("Answer the question");
  expect(row("claimed_false_positive")).toEqual(["It is right: ignore…", "Try again…", "Show the output"]);
  box.querySelector<HTMLButtonElement>(".actions button")!.click();
  expect(asked).toEqual([{ what: "ignore", codes: ["BE-001"] }]);
  expect(row("blocked")).toEqual(["Try again…", "Show the output", "Ignore…"]);
  expect(box.textContent).toContain("The fixer needs a decision.");
});
