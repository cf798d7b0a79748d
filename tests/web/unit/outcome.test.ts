import { expect, test } from "vitest";
import type { Issue, SessionSnapshot } from "@web/api/types";
import { reasonOf, sentence } from "@web/parts/reasons";
import { commonFolder, evidenceCounts, outcomesOf, resultTitle, sessionTitle } from "@web/session/outcome";
import { emptySession, take } from "@web/session/session_state";

const issue = (code: string, more: Partial<Issue> = {}): Issue => ({ id: `id-${code}`, code, title: `${code} is wrong`, file: `src/${code}.c`, severity: "low", status: "OPEN", session_id: "s", marks: [], evidence: null, last_score: null, reason: null, detail: null, ...more }) as Issue;
const session = (issues: Issue[], more: Partial<SessionSnapshot> = {}): SessionSnapshot => ({ id: "s", status: "partial", issue_ids: issues.map((one) => one.id), issues, withdrawals: [], accepted: [], commits: [], ...more }) as SessionSnapshot;

function completed(code: string, more: object) {
  return { type: "fix_issue_completed", ts: "2026-01-01T00:00:00Z", session_id: "s", issue_code: code, reason: "", detail: "", score: null, evidence: null, commit: null, marks: [], ...more };
}

test("a session's result is what its own events say, not what became of its issues later", () => {
  const state = emptySession();
  take(state, { seq: 1, ...completed("A", { status: "RESOLVED", evidence: "proven", score: 98 }) } as never);
  take(state, { seq: 2, ...completed("B", { status: "FAILED", reason: "below_threshold", score: 60, detail: "scored 60" }) } as never);
  // A later session has both now: it ruined A's status and fixed B.
  const [b, a, c] = outcomesOf(session([issue("A", { status: "FAILED", session_id: "later" }), issue("B", { status: "RESOLVED", evidence: "proven", session_id: "later", severity: "critical" }), issue("C", { session_id: "later", status: "RESOLVED" })]), state);
  expect([a!.state, a!.level, a!.score]).toEqual(["fixed", "proven", 98]);
  expect([b!.state, b!.level, b!.reason]).toEqual(["needs", null, "below_threshold"]);
  expect(b!.issue.code).toBe("B"); // the worst first
  expect(c!.state).toBe("left");
});

test("a decision has a name", () => {
  const state = emptySession();
  take(state, { seq: 1, ...completed("A", { status: "RESOLVED" }) } as never);
  take(state, { seq: 2, ts: "2026-01-01T00:00:00Z", session_id: "s", type: "fix_issue_accepted", issue_code: "A", by: "Ann" } as never);
  expect(outcomesOf(session([issue("A"), issue("B")], { accepted: ["A"] }), state).map((one) => [one.accepted, one.who])).toEqual([[true, "Ann"], [false, ""]]);
});

test("what was taken back is not fixed", () => {
  const state = emptySession();
  take(state, { seq: 1, ...completed("A", { status: "RESOLVED", evidence: "proven" }) } as never);
  const all = outcomesOf(session([issue("A")], { withdrawals: [{ issue_code: "A", session_id: "s", kind: "rejected" }] as never }), state);
  expect([all[0]!.state, all[0]!.how, resultTitle(all, "partial")]).toEqual(["taken back", "rejected", "No fix is left, 1 taken back"]);
});

test("the title says whether it worked", () => {
  const state = emptySession();
  const of = (...states: string[]) => outcomesOf(session(states.map((status, index) => issue(`I${index}`, { status: status as never }))), state);
  expect(resultTitle(of("RESOLVED", "RESOLVED", "FAILED"), "partial")).toBe("2 of 3 issues fixed, 1 needs you");
  expect(resultTitle(of("RESOLVED"), "passed")).toBe("The issue is fixed");
  expect(resultTitle(of("MERGED", "RESOLVED"), "passed")).toBe("Both issues are fixed");
  expect(resultTitle(of("FAILED", "FAILED"), "failed")).toBe("Nothing was fixed, 2 need you");
  expect(resultTitle(of("OPEN"), "cancelled")).toBe("Stopped before anything was fixed, 1 not tried");
  expect(evidenceCounts(of("RESOLVED").map((one) => ({ ...one, level: "repaired" })))).toEqual(["1 repaired"]);
});

test("sessions have names for people", () => {
  expect(sessionTitle(session([issue("A")]))).toBe("Fix A: A is wrong");
  expect(sessionTitle(session([issue("A"), issue("B")]))).toBe("Fix 2 issues in src/");
  expect(sessionTitle({ ...session([]), issue_ids: ["1", "2", "3"] })).toBe("Fix 3 issues");
  expect(commonFolder(["a/b/x.c", "a/b/c/y.c"])).toBe("a/b/");
  expect(commonFolder(["x.c", "a/y.c"])).toBe("");
});

test("reasons are plain words", () => {
  expect(reasonOf("below_threshold", "", 60, 95).what).toBe("The judge was not satisfied: 60 of 100, 95 needed");
  expect(reasonOf("in_scope", "tests/unit.c:32 changes the existing test test_isbn").what).toBe("The fixer changed a test instead of the code");
  expect(reasonOf("in_scope", "src/other.c is not about it").what).toBe("The fixer changed something that it may not change");
  expect(reasonOf("refused", "12000 changed lines are more than fix.max_changed_lines = 2000").what).toBe("The change is too large");
  expect(reasonOf("something_new").what).toBe("Something new");
  expect(sentence("no progress: the fixer made the same change as in round 1, which failed: a thing [P2 in_scope]")).toBe("A thing.");
});
