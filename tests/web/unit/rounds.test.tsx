// Where a fix had more than one change, more than one judge or a forecast: what the dashboard shows of it.
import { render } from "preact";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EarnedTrust, SessionSnapshot } from "@web/api/types";
import { Autonomy } from "@web/insights/outcomes";
import { isCandidate, type Tried } from "@web/issues/attempts";
import { Attempt, Judge } from "@web/issues/issue_page";
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
  diff: "",
  ...rest,
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
  const one = tried("claude", { claim: "contested", cycle: 2, explanation: "plus is what the test asks for" }, { verdicts: [{ agent: "gemini", score: 97 }] });
  render(<Attempt tried={one} open />, box);
  expect(box.querySelector("summary .chip")!.textContent).toBe("contested");
  render(<Judge tried={one} />, box);
  expect(box.textContent).toContain("It contested the verdict before this one.");
});

test("two judges are shown with both votes and what they say together", () => {
  const verdicts = [{ agent: "codex", score: 93, feedback: "Name it.", threshold: 95 }, { agent: "gemini", score: 98, feedback: "Right.", threshold: 95 }];
  const one = tried("claude", {}, { verdicts, together: { score: 95, votes: "codex 93, gemini 98: 95 on average" } });
  render(<Judge tried={one} />, box);
  expect(box.querySelector("h2")!.textContent).toBe("Judges");
  expect(box.querySelector(".panel-head .end")!.textContent).toBe("95 of 100, 95 needed");
  expect([...box.querySelectorAll(".say")].map((say) => say.textContent)).toEqual(["codex, 93: Name it.", "gemini, 98: Right."]);
  expect(box.textContent).toContain("Votes: codex 93, gemini 98: 95 on average.");
  render(<Judge tried={tried("claude", {}, { verdicts: [verdicts[1]!], together: null })} />, box);
  expect(box.querySelector("h2")!.textContent).toBe("Judge");
  expect(box.querySelector(".panel-head .end")!.textContent).toBe("98 of 100, 95 needed");
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
  expect(box.textContent).toContain("Each fixed issue (batched): $0.26, 440 tokens");
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
