import { afterEach, describe, expect, it } from "vitest";
import type { LiveEvent, Needs, Session } from "@web/api/types";
import { finished, type Inboxed, levelCounts, needTitle, ofRepository } from "@web/inbox/needs";
import { nothingChosen, optionsOf } from "@web/issues/fix_options";
import { groupAt } from "@web/issues/issue_row";
import { viewQuery } from "@web/issues/views";
import { editorAddress } from "@web/parts/editor";
import { lastSentence, workersOf } from "@web/session/lanes";
import { dragged } from "@web/session/plan_tab";
import { emptySession, take } from "@web/session/session_state";

const session = (id: string, repository_id: string, status = "passed"): Session => ({ id, repository_id, status }) as Session;

describe("the inbox", () => {
  const branch = (id: string, repository: string): Needs["ready"][number] => ({ session: session(id, repository), fixes: [] });
  const needs: Inboxed = { total: 5, repositories: [{ id: "a", total: 3, failed_total: 0 }, { id: "b", total: 2, failed_total: 0 }], questions: [], plans: [session("p", "b", "planned")], stopped: [session("s", "a", "error")], ready: [branch("r", "a")], taken: [branch("t", "b")], failed: [], failed_total: 0, older_branches: 0, sessions: [session("r", "a"), session("t", "b"), session("s", "a", "error"), session("old", "a"), session("now", "a", "running"), session("p", "b", "planned")] };

  it("is of all repositories, or of one with its own number", () => {
    expect(ofRepository(needs, null)).toBe(needs);
    const one = ofRepository(needs, "b");
    expect([one.total, one.plans.length, one.stopped.length, one.ready.length, one.taken.length]).toEqual([2, 1, 0, 0, 1]);
  });

  it("lists each session once", () => {
    expect(finished(needs).map((one) => one.id)).toEqual(["old"]);
  });

  it("speaks plainly", () => {
    expect([0, 1, 1200].map(needTitle)).toEqual(["Nothing needs you", "1 thing needs you", "1,200 things need you"]);
    expect(levelCounts([{ evidence: "judged" }, { evidence: "proven" }, { evidence: "proven" }, { evidence: null }])).toBe("2 proven, 1 judged");
  });
});

describe("starting a fix", () => {
  it("sends only what differs from the configuration", () => {
    expect(optionsOf(nothingChosen)).toEqual({});
    expect(optionsOf({ ...nothingChosen, agent: "claude", scope: "file", budget: "1.5", minutes: "0", approve: true })).toEqual({ options: { agent: "claude", scope: "file", max_cost_usd: 1.5, approve: "plan" } });
    expect(optionsOf({ ...nothingChosen, safe: true, agent: "claude", scope: "repository", budget: "3", minutes: "10" })).toEqual({ options: { safe: true, max_minutes: 10 } });
  });
});

describe("a plan", () => {
  it("lets a step be dragged anywhere", () => {
    const draft = { steps: ["a", "b", "c"].map((code) => ({ reason: "", issues: [code] })), skip: [] };
    const codes = (from: number, to: number): string => dragged(draft, from, to).steps.map((step) => step.issues[0]).join("");
    expect([codes(0, 2), codes(2, 0), codes(1, 1), codes(7, 0)]).toEqual(["bca", "cab", "abc", "abc"]);
  });
});

describe("groups and views", () => {
  it("names a group where it begins", () => {
    const issue = (file: string, severity = "high") => ({ file, severity }) as Parameters<typeof groupAt>[1];
    expect(groupAt("folder", issue("src/a.c"), undefined)).toBe("src/");
    expect(groupAt("folder", issue("src/b.c"), issue("src/a.c"))).toBeNull();
    expect(groupAt("severity", issue("src/b.c", "low"), issue("src/a.c"))).toBe("low");
    expect(groupAt(null, issue("src/a.c"), undefined)).toBeNull();
  });

  it("knows a view whatever the order of its address", () => {
    expect(viewQuery(new URLSearchParams("severity=high&issue=BE-1&repo=x&status=OPEN&tab=why"))).toBe(viewQuery(new URLSearchParams("status=OPEN&severity=high")));
  });
});

describe("the editor", () => {
  afterEach(() => localStorage.clear());
  it("opens a file at its line, and nothing that a page could run", () => {
    expect(editorAddress("/home/me/a b.c", 12, "vscode")).toBe("vscode://file/home/me/a%20b.c:12");
    expect(editorAddress("/x.c", 0, "idea")).toBe("idea://open?file=/x.c&line=1");
    expect(editorAddress("/x.c", 3, "custom", "mine://{path}#{line}")).toBe("mine:///x.c#3");
    for (const bad of ["javascript:alert(1)//{path}", "javascript://%0aalert(1)", "https://evil.example/{path}", "file://{path}", "", "x"]) expect(editorAddress("/x.c", 3, "custom", bad)).toBeNull();
    expect(editorAddress("/x.c", 3, "none")).toBeNull();
  });
});

describe("lanes", () => {
  it("gives each agent one lane, judges and checks their own, with what each cost", () => {
    const state = emptySession();
    let seq = 0;
    const tell = (type: LiveEvent["type"], more: object): unknown => take(state, { type, seq: ++seq, ts: `2026-11-18T00:00:0${seq}Z`, session_id: "s", issue_code: "BE-1", ...more });
    tell("fix_agent_invoked", { agent: "claude", role: "fixer" });
    tell("agent_run_completed", { agent: "claude", role: "fixer", state: "ok", usage: { cost_usd: 0.25 } });
    tell("fix_verification_started", { kind: "patched", commands: [] });
    tell("fix_challenger_evaluating", { agent: "claude" });
    expect(workersOf(state).map((one) => [one.name, one.what, one.lanes.length, one.cost])).toEqual([
      ["claude", "fixes", 1, 0.25],
      ["checks", "run the project's commands", 1, null],
      ["claude", "judges", 1, null],
    ]);
  });

  it("gives runs at the same time lines of their own, each with its own words and cost", () => {
    const state = emptySession();
    let seq = 0;
    const tell = (type: string, more: object): void => void take(state, { seq: ++seq, type, ts: new Date(1e12 + seq * 1000).toISOString(), session_id: "s", issue_code: "BE-001", ...more } as LiveEvent);
    for (const [run, agent] of [["r1", "claude"], ["r2", "claude"], ["r3", "codex"]]) {
      tell("fix_agent_invoked", { agent, role: "fixer" });
      tell("agent_run_started", { agent, role: "fixer", run_id: run, issue_codes: ["BE-001"] });
    }
    tell("fix_issue_streaming", { channel: "stdout", run_id: "r1", text: "one cast\n" });
    tell("fix_issue_streaming", { channel: "stdout", run_id: "r2", text: "another way\n" });
    expect(workersOf(state).map((one) => [one.name, lastSentence(state, one.lanes[0]!)])).toEqual([
      ["claude 1", "one cast"],
      ["claude 2", "another way"],
      ["codex", ""],
    ]);
    tell("agent_run_completed", { agent: "claude", role: "fixer", run_id: "r1", state: "ok", usage: { cost_usd: 0.5 }, issue_codes: ["BE-001"] });
    tell("fix_agent_invoked", { agent: "claude", role: "fixer", issue_code: "BE-002" });
    expect(workersOf(state).map((one) => [one.name, one.lanes.length, one.cost, one.lanes.map((lane) => lane.end !== null)])).toEqual([
      ["claude 1", 2, 0.5, [true, false]],
      ["claude 2", 1, null, [false]],
      ["codex", 1, null, [false]],
    ]);
  });
});
