// What a session's events amount to: steps, rounds, runs, checks, verdicts, the log. Pure; the same events in the same order always give the
// same state, however they came.
import type { EventOf, EventType, LiveEvent } from "../api/types";

export interface Lane {
  key: string;
  kind: "agent" | "check" | "rescan" | "judge";
  name: string;
  issue: string | null;
  start: number;
  end: number | null; // null = still going
  ok: boolean | null;
  detail: string;
  run: string | null; // of an agent, once it has begun
  cost: number | null; // dollars, once it has ended
}

export type CommandResult = EventOf<"fix_verification_result">["commands"][number];
type Common = Pick<LiveEvent, "seq" | "ts" | "issue_code">;

export interface Check {
  seq: number;
  issue: string | null;
  kind: string;
  passed: boolean | null;
  commands: CommandResult[];
}

export interface Verdict {
  seq: number;
  issue: string;
  valid: boolean;
  score: number | null;
  problem: string;
  status: string;
  feedback: string;
  quality: Record<string, number>;
  improvements: string[];
  threshold: number;
  independent: boolean;
}

export type Phase = "waiting" | "fixing" | "verifying" | "judging" | "accepted" | "failed" | "done";

export interface IssueState {
  code: string;
  phase: Phase;
  cycle: number;
  maxCycles: number;
  score: number | null;
  detail: string;
  status: string | null;
  reason: string;
  evidence: string | null;
  marks: readonly string[];
  added: number;
  removed: number;
}

export interface Step {
  step: number;
  reason: string;
  issues: string[];
  state: "waiting" | "running" | "done";
}

export interface LogLine {
  seq: number;
  ts: string;
  issue: string | null;
  channel: string;
  text: string;
  run: string | null;
}

export interface SessionState {
  seq: number;
  began: number;
  stage: Stage;
  totalSteps: number;
  steps: Map<number, Step>;
  issues: Map<string, IssueState>;
  lanes: Lane[];
  checks: Check[];
  verdicts: Verdict[];
  events: LiveEvent[]; // without what agents print
  log: LogLine[];
  logLeftOut: number;
  notices: string[];
  ended: boolean;
  problem: { message: string; resumable: boolean } | null;
}

export const stages = ["plan", "fix", "verify", "judge", "commit"] as const;
export type Stage = (typeof stages)[number];

const kMostLines = 20_000;
const kMostEvents = 5_000;

export const emptySession = (): SessionState => ({ seq: 0, began: 0, stage: "plan", totalSteps: 0, steps: new Map(), issues: new Map(), lanes: [], checks: [], verdicts: [], events: [], log: [], logLeftOut: 0, notices: [], ended: false, problem: null });

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
const codes = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []);

export const newIssue = (code: string): IssueState => ({ code, phase: "waiting", cycle: 0, maxCycles: 0, score: null, detail: "", status: null, reason: "", evidence: null, marks: [], added: 0, removed: 0 });

function issueOf(state: SessionState, code: string | undefined): IssueState | null {
  if (!code) return null;
  const known = state.issues.get(code) ?? newIssue(code);
  state.issues.set(code, known);
  return known;
}

function openLane(state: SessionState, event: Common, kind: Lane["kind"], name: string): void {
  state.lanes.push({ key: `${event.seq}`, kind, name, issue: event.issue_code ?? null, start: Date.parse(event.ts), end: null, ok: null, detail: "", run: null, cost: null });
}

const newest = (state: SessionState, is: (lane: Lane) => boolean): Lane | undefined => [...state.lanes].reverse().find((lane) => lane.end === null && is(lane));

function closeLane(event: Common, lane: Lane | undefined, ok: boolean, detail: string): void {
  if (lane) Object.assign(lane, { end: Date.parse(event.ts), ok, detail });
}

const openOf = (state: SessionState, event: Common, kinds: Lane["kind"][]): Lane | undefined => newest(state, (lane) => kinds.includes(lane.kind) && lane.issue === (event.issue_code ?? null));

// Several runs may be about one issue at the same time: each knows its own lane.
function nameRun(state: SessionState, event: EventOf<"agent_run_started">): void {
  const about = [event.issue_code ?? null, ...codes(event.issue_codes)];
  const lane = newest(state, (one) => (one.kind === "agent" || one.kind === "judge") && one.run === null && about.includes(one.issue) && one.name.split(" ")[0] === event.agent);
  if (lane) lane.run = text(event.run_id) || null;
}

function endRun(state: SessionState, event: EventOf<"agent_run_completed">): void {
  const run = text(event.run_id);
  const lane = newest(state, (one) => run !== "" && one.run === run) ?? openOf(state, event, ["agent", "judge"]);
  closeLane(event, lane, event.state === "ok", text(event.state));
  if (lane) lane.cost = number((event.usage as { cost_usd?: number | null } | undefined)?.cost_usd);
}

function print(state: SessionState, event: LiveEvent): void {
  const lines = text(event.text).split("\n");
  if (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  for (const line of lines) state.log.push({ seq: event.seq, ts: event.ts, issue: event.issue_code ?? null, channel: text(event.channel) || "stdout", text: line, run: text(event.run_id) || null });
  if (state.log.length <= kMostLines) return;
  const over = state.log.length - kMostLines;
  state.logLeftOut += over;
  state.log = state.log.slice(over);
}

function finish(state: SessionState, event: Common): void {
  state.ended = true;
  for (const lane of state.lanes) lane.end ??= Date.parse(event.ts);
}

type Handlers = { [T in EventType]?: (state: SessionState, event: EventOf<T>) => void };

const handlers: Handlers = {
  fix_session_started: (state, event) => {
    state.began = Date.parse(event.ts);
    state.stage = "plan";
    state.ended = false;
    state.problem = null;
    for (const code of codes(event.issue_codes)) issueOf(state, code);
  },
  fix_step_started: (state, event) => {
    const step = number(event.step) ?? 0;
    state.stage = "fix";
    state.totalSteps = number(event.total_steps) ?? state.totalSteps;
    state.steps.set(step, { step, reason: text(event.reason), issues: codes(event.issue_codes), state: "running" });
  },
  fix_step_completed: (state, event) => {
    const step = state.steps.get(number(event.step) ?? 0);
    if (step) step.state = "done";
  },
  fix_issue_started: (state, event) => {
    const issue = issueOf(state, event.issue_code);
    state.ended = false;
    state.problem = null;
    if (issue) Object.assign(issue, { phase: "fixing", cycle: number(event.cycle) ?? issue.cycle });
  },
  fix_cycle_started: (state, event) => {
    const issue = issueOf(state, event.issue_code);
    state.stage = "fix";
    if (issue) Object.assign(issue, { phase: "fixing", cycle: number(event.cycle) ?? 0, maxCycles: number(event.max_cycles) ?? 0 });
  },
  fix_agent_invoked: (state, event) => openLane(state, event, "agent", `${text(event.agent)} ${text(event.role).replace(/_/g, " ")}`),
  agent_run_started: nameRun,
  agent_run_completed: endRun,
  fix_verification_started: (state, event) => {
    openLane(state, event, "check", `checks, ${text(event.kind).replace(/_/g, " ")}`);
    state.problem = null;
    const issue = issueOf(state, event.issue_code);
    if (issue) issue.phase = "verifying";
    if (event.kind !== "baseline") state.stage = event.kind === "combined" ? "commit" : "verify";
  },
  fix_verification_result: (state, event) => {
    closeLane(event, openOf(state, event, ["check"]), event.passed === true, event.passed ? "passed" : "failed");
    state.checks.push({ seq: event.seq, issue: event.issue_code ?? null, kind: text(event.kind), passed: event.passed === true, commands: event.commands ?? [] });
  },
  fix_rescan_started: (state, event) => openLane(state, event, "rescan", "analyzers again"),
  fix_rescan_result: (state, event) => closeLane(event, openOf(state, event, ["rescan"]), Boolean(event.gone), event.gone ? "gone" : "still there"),
  fix_challenger_evaluating: (state, event) => {
    openLane(state, event, "judge", `${text(event.agent)} judges`);
    state.stage = "judge";
    const issue = issueOf(state, event.issue_code);
    if (issue) issue.phase = "judging";
  },
  fix_challenger_result: (state, event) => {
    closeLane(event, openOf(state, event, ["judge"]), event.valid === true, `score ${number(event.score) ?? "none"}`);
    const issue = issueOf(state, event.issue_code);
    if (issue) issue.score = number(event.score);
    state.verdicts.push({
      seq: event.seq,
      issue: event.issue_code ?? "",
      valid: event.valid === true,
      score: number(event.score),
      problem: text(event.problem),
      status: text(event.status),
      feedback: text(event.feedback),
      quality: event.quality_scores ?? {},
      improvements: codes(event.improvements_needed),
      threshold: number(event.threshold) ?? 0,
      independent: event.independent !== false,
    });
  },
  fix_cycle_completed: (state, event) => {
    const issue = issueOf(state, event.issue_code);
    if (issue) Object.assign(issue, { phase: event.result === "accepted" ? "accepted" : "failed", detail: text(event.detail), added: number(event.insertions) ?? 0, removed: number(event.deletions) ?? 0 });
  },
  fix_issue_completed: (state, event) => {
    const issue = issueOf(state, event.issue_code);
    if (issue) Object.assign(issue, { phase: "done", status: text(event.status), detail: text(event.detail), score: number(event.score) ?? issue.score, reason: text(event.reason), evidence: text(event.evidence) || null, marks: codes(event.marks) });
  },
  fix_commit_created: (state) => {
    state.stage = "commit";
  },
  fix_notice: (state, event) => {
    state.notices.push(text(event.text));
  },
  fix_session_completed: finish,
  fix_session_cancelled: (state, event) => {
    if (text(event.status) === "cancelled") finish(state, event);
  },
  fix_session_interrupted: (state, event) => {
    state.problem = { message: text(event.message), resumable: event.resumable === true };
  },
  fix_session_error: (state, event) => {
    if (text(event.status) === "error") finish(state, event);
    state.problem = { message: text(event.message), resumable: event.resumable === true };
  },
};

// Takes events in; those that were taken already, in whatever order they come again, change nothing.
export function take(state: SessionState, event: LiveEvent): boolean {
  if (event.seq <= state.seq || event.seq === 0) return false;
  state.seq = event.seq;
  if (event.type === "fix_issue_streaming") {
    print(state, event);
    return true;
  }
  state.events.push(event);
  if (state.events.length > kMostEvents) state.events.splice(0, state.events.length - kMostEvents);
  (handlers as Record<string, ((state: SessionState, event: LiveEvent) => void) | undefined>)[event.type]?.(state, event);
  return true;
}
