// What a session made of its issues: from its own events and commits, not from what later sessions did with them. Pure.
import type { Issue, Session, SessionSnapshot } from "../api/types";
import { severities } from "../parts/words";
import type { SessionState } from "./session_state";

export interface Outcome {
  issue: Issue;
  state: "fixed" | "needs" | "taken back" | "left";
  level: string | null;
  marks: readonly string[];
  score: number | null;
  threshold: number | null;
  reason: string;
  detail: string;
  rounds: number;
  added: number;
  removed: number;
  accepted: boolean;
  how: string; // of what was taken back: rejected or discarded
  who: string; // accepted it, or took it back; "" = nobody did, or it is not known
}

function stateOf(snapshot: SessionSnapshot, issue: Issue, status: string | null): Outcome["state"] {
  if ((snapshot.withdrawals ?? []).some((one) => one.issue_code === issue.code && one.session_id === snapshot.id)) return "taken back";
  if (status === "RESOLVED" || status === "MERGED") return "fixed";
  return status === "FAILED" ? "needs" : "left";
}

const worst = (a: Outcome, b: Outcome): number => severities.indexOf(a.issue.severity) - severities.indexOf(b.issue.severity) || (a.issue.code < b.issue.code ? -1 : 1);

const decisions: readonly string[] = ["fix_issue_accepted", "fix_issue_rejected", "fix_issue_discarded"];

// Who decided last about the fix of an issue.
function whoDecided(state: SessionState, code: string): string {
  const last = [...state.events].reverse().find((event) => event.issue_code === code && decisions.includes(event.type));
  const by = (last as { by?: unknown } | undefined)?.by;
  return typeof by === "string" ? by : "";
}

export function outcomesOf(snapshot: SessionSnapshot, state: SessionState): Outcome[] {
  const accepted = new Set(snapshot.accepted ?? []);
  return (snapshot.issues ?? [])
    .map((issue): Outcome => {
      const seen = state.issues.get(issue.code);
      const own = issue.session_id === snapshot.id; // else a later session has it now, and only the events speak of this one
      const status = seen?.status ?? (own ? issue.status : null);
      const verdict = [...state.verdicts].reverse().find((one) => one.issue === issue.code);
      return {
        issue,
        state: stateOf(snapshot, issue, status),
        level: seen?.evidence ?? (own ? (issue.evidence ?? null) : null),
        marks: seen?.evidence ? seen.marks : own ? issue.marks : [],
        score: seen?.score ?? (own ? issue.last_score : null),
        threshold: verdict?.threshold ?? null,
        reason: seen?.reason ?? (own ? (issue.reason ?? "") : ""),
        detail: seen?.status ? seen.detail : own ? (issue.detail ?? "") : "",
        rounds: seen?.cycle ?? 0,
        added: seen?.added ?? 0,
        removed: seen?.removed ?? 0,
        accepted: accepted.has(issue.code),
        how: (snapshot.withdrawals ?? []).find((one) => one.issue_code === issue.code && one.session_id === snapshot.id)?.kind ?? "",
        who: whoDecided(state, issue.code),
      };
    })
    .sort(worst);
}

const issues = (n: number): string => `${n} ${n === 1 ? "issue" : "issues"}`;

// The title is the answer: did it work?
export function resultTitle(all: Outcome[], status: Session["status"]): string {
  const of = (state: Outcome["state"]): number => all.filter((one) => one.state === state).length;
  const fixed = of("fixed");
  const parts: string[] = [];
  if (fixed === all.length && fixed > 0) return fixed === 1 ? "The issue is fixed" : fixed === 2 ? "Both issues are fixed" : `All ${fixed} issues are fixed`;
  if (fixed > 0) parts.push(`${fixed} of ${issues(all.length)} fixed`);
  else parts.push(of("taken back") > 0 ? "No fix is left" : status === "cancelled" || status === "stopped" ? "Stopped before anything was fixed" : "Nothing was fixed");
  if (of("needs") > 0) parts.push(`${of("needs")} ${of("needs") === 1 ? "needs" : "need"} you`);
  if (of("taken back") > 0) parts.push(`${of("taken back")} taken back`);
  if (of("left") > 0 && status !== "error") parts.push(`${of("left")} not tried`);
  return parts.join(", ");
}

// The folder all of them are in; "" = none.
export function commonFolder(files: readonly (string | null)[]): string {
  const parts = files.map((file) => (file ?? "").split("/").slice(0, -1));
  if (parts.length === 0) return "";
  const first = parts[0]!;
  let depth = 0;
  while (depth < first.length && parts.every((path) => path[depth] === first[depth])) ++depth;
  return depth > 0 ? `${first.slice(0, depth).join("/")}/` : "";
}

// A name for people: what the session was to do. Branches and ids are for machines.
export function sessionTitle(session: Session | SessionSnapshot): string {
  const known = (session as SessionSnapshot).issues ?? [];
  if (known.length === 1) return `Fix ${known[0]!.code}: ${known[0]!.title}`;
  const folder = commonFolder(known.map((issue) => issue.file));
  return `Fix ${issues(session.issue_ids.length)}${folder ? ` in ${folder}` : ""}`;
}

// "2 proven", "and 1 repaired": the strongest first.
export function evidenceCounts(fixed: Outcome[]): string[] {
  return ["proven", "repaired", "unbroken", "judged"].flatMap((level) => {
    const n = fixed.filter((one) => one.level === level).length;
    return n > 0 ? [`${n} ${level}`] : [];
  });
}
