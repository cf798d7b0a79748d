// What needs a person, as the server knows it; the rail's number, the notifications and the inbox are made of it.
import { getNeeds, listSessions } from "../api/operations";
import type { EventType, LiveEvent, Needs, Session } from "../api/types";
import { isRunning } from "../parts/words";

export interface Inboxed extends Needs {
  sessions: Session[]; // the newest ones, of all repositories
}

// The rail, the tabs and the inbox want the same at the same time: one question answers all.
let asked: { at: number; answer: Promise<Inboxed> } | null = null;
const kSameMs = 100;

export function loadNeeds(): Promise<Inboxed> {
  const now = Date.now();
  if (!asked || now - asked.at > kSameMs) asked = { at: now, answer: ask() };
  return asked.answer;
}

async function ask(): Promise<Inboxed> {
  const [needs, sessions] = await Promise.all([getNeeds(), listSessions({ limit: 50 })]);
  return { ...needs, sessions: sessions.data };
}

// What is left when only one repository is looked at; null = all.
export function ofRepository(needs: Inboxed, id: string | null): Inboxed {
  if (id === null) return needs;
  const mine = <T extends { repository_id: string }>(rows: readonly T[]): T[] => rows.filter((row) => row.repository_id === id);
  const branches = (rows: Needs["ready"]): Needs["ready"] => rows.filter((row) => row.session.repository_id === id);
  return {
    ...needs,
    total: needs.repositories.find((one) => one.id === id)?.total ?? 0,
    questions: mine(needs.questions),
    dismissals: (needs.dismissals ?? []).filter((one) => one.issue.repository_id === id),
    plans: mine(needs.plans),
    stopped: mine(needs.stopped),
    ready: branches(needs.ready),
    taken: branches(needs.taken),
    failed: mine(needs.failed),
    failed_total: needs.repositories.find((one) => one.id === id)?.failed_total ?? 0,
    sessions: mine(needs.sessions),
  };
}

const changing: readonly string[] = ["fix_issue_started", "fix_issue_completed", "fix_issue_accepted", "fix_issue_rejected", "fix_issue_discarded", "issue_updated", "review_completed"] satisfies EventType[];
export const changesNeeds = (event: LiveEvent): boolean => /^(clarify_|fix_session_|fix_step_|fix_plan_)/.test(event.type) || changing.includes(event.type);

export const running = (needs: Inboxed): Session[] => needs.sessions.filter((session) => isRunning(session.status));

export function finished(needs: Inboxed): Session[] {
  const shown = new Set([...needs.ready, ...needs.taken].map((one) => one.session.id).concat(needs.stopped.map((one) => one.id)));
  return needs.sessions.filter((session) => !isRunning(session.status) && !shown.has(session.id) && session.status !== "planned").slice(0, 6);
}

// "2 proven, 1 repaired": the strongest first.
export function levelCounts(fixes: readonly { evidence?: string | null }[]): string {
  return ["proven", "repaired", "unbroken", "judged"]
    .map((level) => [fixes.filter((fix) => fix.evidence === level).length, level] as const)
    .filter(([n]) => n > 0)
    .map(([n, level]) => `${n} ${level}`)
    .join(", ");
}

export const needTitle = (total: number): string => (total === 0 ? "Nothing needs you" : total === 1 ? "1 thing needs you" : `${total.toLocaleString("en")} things need you`);
