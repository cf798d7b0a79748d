// What needs a person, as the server knows it; the rail's number and the inbox are made of it.
import { get, segment } from "../api/client";
import type { EventType, Issue, LiveEvent, Page, Question, Session, SessionSnapshot } from "../api/types";
import { isRunning } from "../parts/words";

export interface Ready {
  session: SessionSnapshot;
  fixes: Issue[]; // that nobody has decided about
}

export interface Needs {
  questions: Question[];
  failed: Issue[];
  moreFailed: boolean;
  sessions: Session[];
  ready: Ready[];
}

// The rail and the inbox want the same at the same time: one question answers both.
let asked: { repository: string; at: number; answer: Promise<Needs> } | null = null;
const kSameMs = 100;
const kMostBranches = 12; // the newest ones; older fixes are found in the sessions

export function loadNeeds(repository: string): Promise<Needs> {
  const now = Date.now();
  if (!asked || asked.repository !== repository || now - asked.at > kSameMs) asked = { repository, at: now, answer: ask(repository) };
  return asked.answer;
}

// Looking at a branch decides nothing: it is ready until every fix on it was accepted, rejected or merged.
async function readyOf(sessions: Session[]): Promise<Ready[]> {
  const over = sessions.filter((session) => session.tip && !isRunning(session.status)).slice(0, kMostBranches);
  const known = await Promise.all(over.map((session) => get<SessionSnapshot>(`/api/fix/sessions/${segment(session.id)}`)));
  return known.map((session) => ({ session, fixes: undecided(session) })).filter((one) => one.fixes.length > 0);
}

export function undecided(session: SessionSnapshot): Issue[] {
  const accepted = new Set(session.accepted ?? []);
  return (session.issues ?? []).filter((issue) => issue.status === "RESOLVED" && issue.session_id === session.id && !accepted.has(issue.code));
}

async function ask(repository: string): Promise<Needs> {
  const [questions, failed, sessions] = await Promise.all([
    get<Page<Question>>("/api/questions", { state: "open", repository_id: repository }),
    get<Page<Issue>>("/api/issues", { status: "FAILED", repository_id: repository, limit: 51, sort: "worst" }),
    get<Page<Session>>("/api/fix/sessions", { repository_id: repository, limit: 50 }),
  ]);
  return { questions: questions.data, failed: failed.data.slice(0, 50), moreFailed: failed.data.length > 50, sessions: sessions.data, ready: await readyOf(sessions.data) };
}

const changing: readonly string[] = ["fix_issue_started", "fix_issue_completed", "fix_issue_accepted", "fix_issue_rejected", "fix_issue_discarded", "issue_updated", "review_completed"] satisfies EventType[];
export const changesNeeds = (event: LiveEvent): boolean => /^(clarify_|fix_session_|fix_step_|fix_plan_)/.test(event.type) || changing.includes(event.type);

export const running = (needs: Needs): Session[] => needs.sessions.filter((session) => isRunning(session.status));
export const approvals = (needs: Needs): Session[] => needs.sessions.filter((session) => session.status === "planned");

export function finished(needs: Needs): Session[] {
  const waiting = new Set(needs.ready.map((one) => one.session.id));
  return needs.sessions.filter((session) => !isRunning(session.status) && !waiting.has(session.id) && session.status !== "planned").slice(0, 6);
}

export const needsYou = (needs: Needs): number => needs.questions.length + needs.failed.length + approvals(needs).length + needs.ready.length;
