// A session's branch as it is looked at: its files, whose each hunk is, and what a person has decided about each fix.
import { getBlob, getSession, getSessionDiff, listSessionComments } from "../api/operations";
import type { Comment, Issue, SessionSnapshot } from "../api/types";
import { type DiffFile, type Hunk, type Owners, ownersOf, parseDiff } from "./diff";

export interface Branch {
  snapshot: SessionSnapshot;
  files: DiffFile[];
  byIssue: Map<string, DiffFile[]>;
  owners: Owners;
  comments: Comment[];
}

export async function loadBranch(id: string, signal: AbortSignal): Promise<Branch> {
  const [snapshot, whole, said] = await Promise.all([getSession({ id }, { signal }), getSessionDiff({ id }, { signal }), listSessionComments({ id }, { signal })]);
  const committed = (snapshot.issues ?? []).filter((issue) => (snapshot.commits ?? []).some((commit) => commit.issue_ids.includes(issue.id)));
  const each = await Promise.all(committed.map((issue) => getSessionDiff({ id, issue: issue.code }, { signal }).then((diff) => [issue.code, parseDiff(diff.diff)] as const)));
  const byIssue = new Map(each);
  return { snapshot, files: parseDiff(whole.diff), byIssue, owners: ownersOf(byIssue), comments: said.data };
}

export type Standing = "to decide" | "accepted" | "rejected" | "discarded" | "merged" | "other";

export function standingOf({ snapshot }: Branch, issue: Issue): Standing {
  const taken = (snapshot.withdrawals ?? []).find((one) => one.issue_code === issue.code && one.session_id === snapshot.id);
  if (taken) return taken.kind;
  if (!(snapshot.commits ?? []).some((commit) => commit.issue_ids.includes(issue.id))) return "other";
  if (issue.status === "MERGED") return "merged";
  if ((snapshot.accepted ?? []).includes(issue.code)) return "accepted";
  return issue.status === "RESOLVED" && issue.session_id === snapshot.id ? "to decide" : "other";
}

// The fixes there is, or was, something to decide about.
export const fixesOf = (branch: Branch): Issue[] => (branch.snapshot.issues ?? []).filter((issue) => standingOf(branch, issue) !== "other");

const kMore = 20; // lines

// Lines around a hunk that did not change, as the branch has them. True: there may be more.
export async function expand(branch: Branch, file: DiffFile, at: number, where: "above" | "below"): Promise<void> {
  const hunk = file.hunks[at]!;
  const kept = hunk.lines.filter((line) => line.new !== null);
  const first = kept[0]?.new ?? 1;
  const last = kept[kept.length - 1]?.new ?? 0;
  const before = at > 0 ? lastNew(file.hunks[at - 1]!) : 0;
  const [start, end] = where === "above" ? [Math.max(before + 1, first - kMore), first - 1] : [last + 1, last + kMore];
  if (end < start) return;
  const blob = await getBlob({ id: branch.snapshot.repository_id, path: file.path, start, end, rev: branch.snapshot.tip ?? branch.snapshot.branch_name });
  const old = where === "above" ? (hunk.lines.find((line) => line.old !== null)?.old ?? first) - first : lastOld(hunk) - last;
  const lines = blob.lines.map((text, index) => ({ kind: " " as const, old: start + index + old, new: start + index, text, marks: [] }));
  hunk.lines = where === "above" ? [...lines, ...hunk.lines] : [...hunk.lines, ...lines];
  if (where === "below" && start + lines.length > blob.total_lines) file.whole = true;
}

const lastOf = (hunk: Hunk, side: "old" | "new"): number => [...hunk.lines].reverse().find((line) => line[side] !== null)?.[side] ?? 0;
export const lastNew = (hunk: Hunk): number => lastOf(hunk, "new");
const lastOld = (hunk: Hunk): number => lastOf(hunk, "old");
export const firstNew = (hunk: Hunk): number => hunk.lines.find((line) => line.new !== null)?.new ?? 1;
