// What waits for a person, and what goes on meanwhile.
import { get } from "../api/client";
import type { EventType, Issue, LiveEvent, Page, Question, Session } from "../api/types";
import { viewedSessions } from "../app/preferences";
import { isRunning } from "../parts/words";

export interface Needs {
  questions: Question[];
  failed: Issue[];
  moreFailed: boolean;
  sessions: Session[];
}

// The rail and the inbox want the same at the same time: one question answers both.
let asked: { repository: string; at: number; answer: Promise<Needs> } | null = null;
const kSameMs = 100;

export function loadNeeds(repository: string): Promise<Needs> {
  const now = Date.now();
  if (!asked || asked.repository !== repository || now - asked.at > kSameMs) asked = { repository, at: now, answer: ask(repository) };
  return asked.answer;
}

async function ask(repository: string): Promise<Needs> {
  const [questions, failed, sessions] = await Promise.all([
    get<Page<Question>>("/api/questions", { state: "open", repository_id: repository }),
    get<Page<Issue>>("/api/issues", { status: "FAILED", repository_id: repository, limit: 50 }),
    get<Page<Session>>("/api/fix/sessions", { repository_id: repository, limit: 50 }),
  ]);
  return { questions: questions.data, failed: failed.data, moreFailed: failed.next_cursor !== null, sessions: sessions.data };
}

const changing: readonly string[] = ["fix_issue_started", "fix_issue_completed", "fix_issue_rejected", "fix_issue_discarded", "issue_updated", "review_completed"] satisfies EventType[];
export const changesNeeds = (event: LiveEvent): boolean => /^(clarify_|fix_session_|fix_step_|fix_plan_)/.test(event.type) || changing.includes(event.type);

export const running = (needs: Needs): Session[] => needs.sessions.filter((session) => isRunning(session.status));
export const approvals = (needs: Needs): Session[] => needs.sessions.filter((session) => /approval|planned/.test(session.status));

export function ready(needs: Needs): Session[] {
  const viewed = viewedSessions();
  return needs.sessions.filter((session) => session.tip && (session.status === "passed" || session.status === "partial" || session.status === "stopped") && !viewed.has(session.id));
}

export function finished(needs: Needs): Session[] {
  const waiting = new Set(ready(needs).map((session) => session.id));
  return needs.sessions.filter((session) => !isRunning(session.status) && !waiting.has(session.id) && !/approval|planned/.test(session.status)).slice(0, 8);
}

export const needsYou = (needs: Needs): number => needs.questions.length + needs.failed.length + approvals(needs).length + ready(needs).length;
