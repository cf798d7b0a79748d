import { expect, test } from "vitest";
import type { LiveEvent } from "@web/api/types";
import { emptySession, type SessionState, take } from "@web/session/session_state";

let seq = 0;
const event = (type: LiveEvent["type"], data: Record<string, unknown> = {}, issue?: string): LiveEvent => ({ type, seq: ++seq, ts: new Date(1_700_000_000_000 + seq * 1000).toISOString(), session_id: "s", ...(issue ? { issue_code: issue } : {}), ...data });

function session(): LiveEvent[] {
  seq = 0;
  return [
    event("fix_session_started", { branch_name: "fix/s", issue_codes: ["BE-001", "BE-002"], agent: "fixer" }),
    event("fix_verification_started", { kind: "baseline", commands: ["check"] }),
    event("fix_verification_result", { kind: "baseline", passed: true, commands: [{ name: "check", result: "passed", exit_code: 0, duration_ms: 5, failed_before: false }] }),
    event("fix_step_started", { step: 1, total_steps: 1, reason: "one file", issue_codes: ["BE-001", "BE-002"] }),
    event("fix_issue_started", { agent: "fixer", cycle: 1 }, "BE-001"),
    event("fix_cycle_started", { cycle: 1, max_cycles: 3 }, "BE-001"),
    event("fix_agent_invoked", { agent: "fixer", role: "fixer" }, "BE-001"),
    event("fix_issue_streaming", { channel: "stdout", text: "one\ntwo\n" }, "BE-001"),
    event("fix_issue_streaming", { channel: "stderr", text: "oh" }, "BE-001"),
    event("agent_run_completed", { agent: "fixer", state: "ok", duration_ms: 1000 }, "BE-001"),
    event("fix_challenger_evaluating", { agent: "judge", cycle: 1 }, "BE-001"),
    event("fix_challenger_result", { valid: true, score: 70, threshold: 95, status: "PARTIAL", feedback: "not yet", quality_scores: { safety: 70 }, improvements_needed: ["more"], independent: true }, "BE-001"),
    event("fix_cycle_completed", { cycle: 1, result: "below_threshold", detail: "scored 70" }, "BE-001"),
    event("fix_issue_completed", { status: "FAILED", reason: "below_threshold", detail: "scored 70", score: 70 }, "BE-001"),
    event("fix_step_completed", { step: 1, total_steps: 1, results: [] }),
    event("fix_session_completed", { status: "failed", summary: { resolved: 0, failed: 1, open: 1 } }),
  ];
}

const play = (events: LiveEvent[]): SessionState => {
  const state = emptySession();
  for (const one of events) take(state, one);
  return state;
};

test("a session is its events", () => {
  const state = play(session());
  expect(state.ended).toBe(true);
  expect(state.stage).toBe("judge");
  expect(state.steps.get(1)).toMatchObject({ state: "done", issues: ["BE-001", "BE-002"] });
  expect(state.issues.get("BE-001")).toMatchObject({ status: "FAILED", score: 70, cycle: 1, maxCycles: 3 });
  expect(state.issues.get("BE-002")).toMatchObject({ phase: "waiting", status: null });
  expect(state.log.map((line) => `${line.channel} ${line.text}`)).toEqual(["stdout one", "stdout two", "stderr oh"]);
  expect(state.checks).toHaveLength(1);
  expect(state.verdicts[0]).toMatchObject({ issue: "BE-001", score: 70, threshold: 95, improvements: ["more"] });
  expect(state.lanes.every((lane) => lane.end !== null)).toBe(true);
});

test("events that come twice, as after a reconnect, change nothing", () => {
  const events = session();
  const once = play(events);
  for (let cut = 0; cut < events.length; ++cut) expect(play([...events.slice(0, cut), ...events.slice(Math.max(0, cut - 4))])).toEqual(once);
});

test("an interrupted session is not over, and goes on", () => {
  const events = session().slice(0, 6);
  const state = play([...events, event("fix_session_interrupted", { message: "the engine was stopped", resumable: true, partial: true })]);
  expect(state.ended).toBe(false);
  expect(state.problem).toEqual({ message: "the engine was stopped", resumable: true });
  take(state, event("fix_session_started", { issue_codes: ["BE-001"] }));
  expect(state.problem).toBeNull();
});

test("a log without end is cut at its beginning", () => {
  const state = emptySession();
  for (let row = 1; row <= 21; ++row) take(state, { ...event("fix_issue_streaming", { text: "x\n".repeat(1000) }, "BE-001"), seq: row });
  expect(state.log.length).toBe(20_000);
  expect(state.logLeftOut).toBe(1_000);
});

test("events this program does not know are kept and harm nothing", () => {
  const state = play([...session(), event("something_new" as LiveEvent["type"], { any: { thing: [1] } })]);
  expect(state.events[state.events.length - 1]!.type).toBe("something_new");
});
