// An event in one plain sentence, for lists and for screen readers.
import type { EventOf, EventType } from "../api/types";
import { failureWords, reasonWords, span } from "../parts/words";

type Any = { type: string; [member: string]: unknown };
const text = (value: unknown): string => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");
const list = (value: unknown): string => (Array.isArray(value) ? value.map(text).filter(Boolean).join(", ") : "");
// Who did it, where the log knows.
const by = (event: object): string => text((event as Any).by) || "a person";
const plus = (sentence: string, more: string, glue = ": "): string => (more ? `${sentence}${glue}${more}` : sentence);

function commands(event: Any): string {
  const all = Array.isArray(event.commands) ? (event.commands as { name?: string; result?: string; failed_before?: boolean }[]) : [];
  return all.map((one) => (typeof one === "string" ? one : `${one.name} ${one.result ?? ""}${one.failed_before ? " (failed before)" : ""}`.trim())).join(", ");
}

const sentences: { [T in EventType]?: (event: EventOf<T>) => string } = {
  fix_session_started: (e) => `session started on ${text(e.branch_name)}, fixer ${text(e.agent)}${e.challenger ? `, judge ${text(e.challenger)}` : ", no judge"}`,
  fix_step_started: (e) => `step ${text(e.step)} of ${text(e.total_steps)} begins: ${list(e.issue_codes)}`,
  fix_step_completed: (e) => `step ${text(e.step)} of ${text(e.total_steps)} is done`,
  fix_issue_started: (e) => `${text(e.agent)} takes it, round ${text(e.cycle)}`,
  fix_cycle_started: (e) => `round ${text(e.cycle)} of at most ${text(e.max_cycles)}`,
  fix_agent_invoked: (e) => `${text(e.agent)} runs as ${reasonWords(text(e.role))}`,
  fix_verification_started: (e) => plus(`checks run (${reasonWords(text(e.kind))})`, commands(e)),
  fix_verification_result: (e) => plus(`checks ${e.passed ? "passed" : "failed"} (${reasonWords(text(e.kind))})`, commands(e)),
  fix_rescan_started: () => "analyzers run again on the patched files",
  fix_rescan_result: (e) => plus("analyzers ran again", e.gone ? "the finding is gone" : "the finding is still there"),
  fix_reproducer_started: (e) => `${text(e.agent)} is writing a reproducer`,
  fix_reproducer_result: (e) => plus(`a reproducer was ${text(e.state)}`, text(e.reason)),
  fix_reproducer_run: (e) => plus(`the reproducer ran (${reasonWords(text(e.kind))})`, text(e.result)),
  fix_challenger_evaluating: (e) => `${text(e.agent)} judges the fix`,
  fix_challenger_result: (e) => (e.valid ? plus(`judged ${text(e.score)} of at least ${text(e.threshold)}`, text(e.feedback)) : plus("no valid verdict", text(e.problem))),
  fix_cycle_completed: (e) => plus(`round ${text(e.cycle)}: ${reasonWords(text(e.result))}`, text(e.detail)),
  fix_issue_completed: (e) => plus(`${text(e.status).toLowerCase()}${e.reason ? ` (${failureWords(text(e.reason))})` : ""}${typeof e.score === "number" ? `, score ${e.score}` : ""}`, text(e.detail)),
  fix_commit_created: (e) => `commit ${text(e.sha).slice(0, 12)}: ${text(e.subject)}`,
  agent_run_completed: (e) => `${text(e.agent)} (${reasonWords(text(e.role))}) ended: ${text(e.state)}, ${span(Number(e.duration_ms ?? 0))}`,
  containment_violation: (e) => `${text(e.who)}: ${text(e.path)} was ${text(e.change)} outside the workspaces`,
  fix_session_planned: (e) => `planned on ${text(e.branch_name)}, waiting for approval`,
  fix_session_queued: (e) => `prepared on ${text(e.branch_name)}, waiting for a worker`,
  fix_plan_changed: (e) => `${by(e)} changed the plan`,
  fix_session_approved: (e) => `${by(e)} approved the plan`,
  fix_issue_accepted: (e) => `${by(e)} accepted the fix`,
  fix_issue_rejected: (e) => plus(`${by(e)} rejected the fix`, text(e.detail)),
  fix_issue_discarded: (e) => plus(`${by(e)} discarded the fix`, text(e.detail)),
  fix_commit_reverted: (e) => `commit ${text(e.sha).slice(0, 12)} undoes ${text(e.reverts).slice(0, 12)}`,
  fix_forecast: (e) => `expected to take ${text(e.tokens)} tokens in ${text(e.runs_at_least)} agent runs`,
  fix_branch_grouped: (e) => `branch ${text(e.branch)} has the same files in ${text(e.commits)} commits`,
  fix_branch_removed: (e) => `branch ${text(e.branch)} is gone`,
  issue_test_opened: (e) => plus(e.open ? `${by(e)} lets the fix change ${text(e.test)}` : `${by(e)} takes back that the fix may change ${text(e.test)}`, text(e.reason)),
  issue_commented: (e) => plus(`${by(e)} says`, text(e.text)),
  fix_notice: (e) => text(e.text),
  fix_session_completed: (e) => plus("session ended", text(e.status)),
  fix_session_cancelled: (e) => `${by(e)} stopped the session`,
  fix_session_interrupted: (e) => plus("session interrupted", text(e.message)),
  fix_session_error: (e) => plus("session stopped", text(e.message)),
  clarify_questions: (e) => `${Array.isArray(e.questions) ? e.questions.length : "some"} questions were asked`,
  clarify_answered: (e) => `question ${text(e.question_id)} ${text(e.state)}`,
  clarify_ready: () => "no open questions",
  issue_updated: (e) => plus(`now ${text(e.status).toLowerCase()}${e.reason ? ` (${failureWords(text(e.reason))})` : ""}`, text(e.detail)),
  issue_reproducer: (e) => `a person's reproducer was ${text(e.state)}`,
  review_agent_started: (e) => `${text(e.reviewer)} reviews`,
  review_agent_completed: (e) => plus(`${text(e.reviewer)} ended`, text(e.state)),
};

// What people did outside of a session, by the audit log's words.
const deeds: Record<string, string> = { "issue.added": "added it", "issue.ignored": "ignored it", "issue.reopened": "opened it again", "issue.duplicate": "marked it as a duplicate", "question.answered": "answered a question", "question.skipped": "left a question to the fixer", "reproducer.given": "gave a check for it", "reproducer.withdrawn": "took back the check" };

export function eventText(event: Any): string {
  const deed = deeds[event.type];
  if (deed) return plus(`${by(event)} ${deed}`, reasonWords(text(event.reason)));
  return (sentences as Record<string, ((event: Any) => string) | undefined>)[event.type]?.(event) || event.type.replace(/_/g, " ");
}
