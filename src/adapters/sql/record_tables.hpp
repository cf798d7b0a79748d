// The tables of what sessions do and people decide: one list of columns a record. Documents (`data`) are the
// record's JSON; the columns beside one are there to look for it.
#pragma once

#include "adapters/sql/rows.hpp"
#include "ports/store.hpp"

namespace emend {

template <typename Visitor, Of<Session> Record>
void columns(Visitor& visit, Record& session) {
  visit.table("sessions", "id");
  visit("id", session.id);
  visit("repository_id", session.repository_id);
  visit("status", session.status, parse_session_status);
  visit("detail", session.detail);
  visit("base", session.base);
  visit("base_ref", session.base_ref);
  visit("branch", session.branch);
  visit("tip", session.tip);
  visit("issue_ids", session.issue_ids);
  visit("review_report", session.review_report);
  visit("policy", session.policy, policy_from_json);
  visit("owner_pid", session.owner.pid);
  visit("owner_start_ticks", session.owner.start_ticks);
  visit("owner_boot_id", session.owner.boot_id);
  visit("started_ms", session.started_ms);
  visit("updated_ms", session.updated_ms);
  visit("duration_ms", session.duration_ms);
  visit("cancel_requested", session.cancel_requested);
  visit("started_by", session.started_by);
}

template <typename Visitor, Of<Unit> Record>
void columns(Visitor& visit, Record& unit) {
  visit.table("units", "id");
  visit("id", unit.id);
  visit("session_id", unit.session_id);
  visit("position", unit.position);
  visit("issue_ids", unit.issue_ids);
  visit("status", unit.status, parse_unit_status);
  visit("base", unit.base);
  visit("stacked", unit.stacked);
  visit("cycles", unit.cycles);
  visit("verify_failures", unit.verify_failures);
  visit("challenges", unit.challenges);
  visit("deferrals", unit.deferrals);
  visit("starts", unit.starts);
  visit("accepted_attempt", unit.accepted_attempt);
  visit("feedback", unit.feedback);
}

template <typename Visitor, Of<Attempt> Record>
void columns(Visitor& visit, Record& attempt) {
  visit.table("attempts", "id");
  visit("id", attempt.id);
  visit("session_id", attempt.session_id);
  visit.reference("unit_id", attempt.unit_id);
  visit("issue_id", attempt.issue_id);
  visit("cycle", attempt.cycle);
  visit("agent", attempt.agent);
  visit("model", attempt.model);
  visit("family", attempt.family);
  visit("ending", attempt.ending);
  visit("exit_code", attempt.exit_code);
  visit("claim", attempt.claim, parse_claim);
  visit("explanation", attempt.explanation);
  visit("result", attempt.result, parse_attempt_result);
  visit("detail", attempt.detail);
  visit("base", attempt.base);
  visit("notes", attempt.notes);
  visit("started_ms", attempt.started_ms);
  visit("duration_ms", attempt.duration_ms);
  visit("patch", attempt.patch, patch_from_json);
}

template <typename Visitor, Of<AgentRunRecord> Record>
void columns(Visitor& visit, Record& run) {
  visit.table("agent_runs");
  visit.copy("id", run.id);
  visit.copy("repository_id", run.repository_id);
  visit.copy("session_id", run.session_id);
  visit.copy("role", run.role);
  visit.copy("agent", run.agent);
  visit.copy("started_ms", run.started_ms);
  visit.document("data", run, agent_run_from_json);
}

template <typename Visitor, Of<AgentRunStart> Record>
void columns(Visitor& visit, Record& start) {
  visit.table("agent_run_starts");
  visit.copy("id", start.id);
  visit.copy("repository_id", start.repository_id);
  visit.copy("session_id", start.session_id);
  visit.copy("started_ms", start.started_ms);
  visit.document("data", start, agent_run_start_from_json);
}

template <typename Visitor, Of<Verification> Record>
void columns(Visitor& visit, Record& verification) {
  visit.table("verifications");
  visit.copy("id", verification.id);
  visit.copy("session_id", verification.session_id);
  visit.copy("issue_id", or_null(verification.issue_id));
  visit.copy("kind", std::string(to_string(verification.kind)));
  visit.copy("patch_sha256", verification.patch_sha256);
  visit.document("data", verification, verification_from_json);
}

template <typename Visitor, Of<Verdict> Record>
void columns(Visitor& visit, Record& verdict) {
  visit.table("verdicts");
  visit.copy("id", verdict.id);
  visit.copy("session_id", verdict.session_id);
  visit.copy("issue_id", verdict.issue_id);
  visit.copy("attempt_id", or_null(verdict.attempt_id));
  visit.copy("patch_sha256", verdict.patch_sha256);
  visit.document("data", verdict, verdict_from_json);
}

template <typename Visitor, Of<Reproducer> Record>
void columns(Visitor& visit, Record& reproducer) {
  visit.table("reproducers");
  visit.copy("id", reproducer.id);
  visit.copy("issue_id", reproducer.issue_id);
  visit.copy("session_id", reproducer.session_id);
  visit.document("data", reproducer, reproducer_from_json);
}

template <typename Visitor, Of<CommitRecord> Record>
void columns(Visitor& visit, Record& commit) {
  visit.table("commits", "", " on conflict (session_id, sha) do nothing");
  visit("sha", commit.sha);
  visit("parent", commit.parent);
  visit("session_id", commit.session_id);
  visit("issue_ids", commit.issue_ids);
  visit("patch_sha256", commit.patch_sha256);
  visit("subject", commit.subject);
}

template <typename Visitor, Of<Proof> Record>
void columns(Visitor& visit, Record& proof) {
  visit.table("proofs", "issue_id, session_id");
  visit("issue_id", proof.issue_id);
  visit("session_id", proof.session_id);
  visit.reference("attempt_id", proof.attempt_id);
  visit.reference("verdict_id", proof.verdict_id);
  visit("base", proof.base);
  visit("commit_sha", proof.commit);
  visit("branch", proof.branch);
  visit("patch_sha256", proof.patch_sha256);
  visit("evidence", proof.evidence);
  visit("score", proof.score);
  visit("detail", proof.detail);
  visit("created_ms", proof.created_ms);
}

// A known question gets its new state, suggestions and answer; what was asked stays as it was.
template <typename Visitor, Of<Clarification> Record>
void columns(Visitor& visit, Record& clarification) {
  visit.table("clarifications", "",
              " on conflict (issue_id, question_id) do update set state = excluded.state, suggestions = "
              "excluded.suggestions, answer = excluded.answer, answered_ms = excluded.answered_ms, "
              "answered_by = excluded.answered_by");
  visit("issue_id", clarification.issue_id);
  visit("question_id", clarification.question_id);
  visit("round", clarification.round);
  visit("question", clarification.question);
  visit("context", clarification.context);
  visit("suggestions", clarification.suggestions);
  visit("state", clarification.state, parse_clarification_state);
  visit("answer", clarification.answer);
  visit("asked_ms", clarification.asked_ms);
  visit("answered_ms", clarification.answered_ms);
  visit("answered_by", clarification.answered_by);
}

template <typename Visitor, Of<Comment> Record>
void columns(Visitor& visit, Record& comment) {
  visit.table("comments");
  visit("id", comment.id);
  visit("issue_id", comment.issue_id);
  visit("session_id", comment.session_id);
  visit("text", comment.text);
  visit("file", comment.file);
  visit("line", comment.line);
  visit("side", comment.side);
  visit("created_ms", comment.created_ms);
  visit("said_by", comment.by);
}

// A known one only learns what became of the branch.
template <typename Visitor, Of<Withdrawal> Record>
void columns(Visitor& visit, Record& withdrawal) {
  visit.table("withdrawals", "", " on conflict (id) do update set branch = excluded.branch");
  visit("id", withdrawal.id);
  visit("session_id", withdrawal.session_id);
  visit("issue_id", withdrawal.issue_id);
  visit("kind", withdrawal.kind, parse_withdrawal_kind);
  visit("reason", withdrawal.reason);
  visit("commit_sha", withdrawal.commit);
  visit("patch_sha256", withdrawal.patch_sha256);
  visit("branch_from", withdrawal.branch_from);
  visit("branch_to", withdrawal.branch_to);
  visit("branch", withdrawal.branch, parse_branch_change);
  visit("created_ms", withdrawal.created_ms);
  visit("decided_by", withdrawal.by);
}

template <typename Visitor, Of<OpenedTest> Record>
void columns(Visitor& visit, Record& opened) {
  visit.table("opened_tests");
  visit("id", opened.id);
  visit("issue_id", opened.issue_id);
  visit("file", opened.file);
  visit("test", opened.test);
  visit("open", opened.open);
  visit("reason", opened.reason);
  visit("decided_by", opened.by);
  visit("created_ms", opened.created_ms);
  visit("patch_sha256", opened.patch_sha256);
}

template <typename Visitor, Of<AuditEntry> Record>
void columns(Visitor& visit, Record& entry) {
  visit.table("audit_log");
  visit("n", entry.n);
  visit("time_ms", entry.time_ms);
  visit("actor_kind", entry.actor.kind, parse_actor_kind);
  visit("actor_id", entry.actor.id);
  visit("actor_name", entry.actor.name);
  visit("via", entry.actor.via);
  visit("action", entry.action);
  visit("repository_id", entry.repository_id);
  visit("subject", entry.subject);
  visit("session_id", entry.session_id);
  visit("detail", entry.detail);
  visit("digest", entry.digest);
}

template <typename Visitor, Of<Account> Record>
void columns(Visitor& visit, Record& account) {
  visit.table("accounts", "id");
  visit("id", account.id);
  visit("name", account.name);
  visit("full_name", account.full_name);
  visit("kind", account.kind, parse_actor_kind);
  visit("issuer", account.issuer);
  visit("subject", account.subject);
  visit("removed", account.removed);
  visit("created_ms", account.created_ms);
}

// A known one only becomes revoked, once.
template <typename Visitor, Of<AccessToken> Record>
void columns(Visitor& visit, Record& token) {
  visit.table("access_tokens", "",
              " on conflict (id) do update set revoked_ms = excluded.revoked_ms where "
              "access_tokens.revoked_ms = 0");
  visit("id", token.id);
  visit("account_id", token.account_id);
  visit("name", token.name);
  visit("sha256", token.sha256);
  visit("begins", token.begins);
  visit("created_ms", token.created_ms);
  visit("expires_ms", token.expires_ms);
  visit("revoked_ms", token.revoked_ms);
}

template <typename Visitor, Of<Grant> Record>
void columns(Visitor& visit, Record& grant) {
  visit.table("grants", "account_id, repository_id");
  visit("account_id", grant.account_id);
  visit("repository_id", grant.repository_id);
  visit("role", grant.role, parse_role);
}

// A known fix gets its new fate; what it was made by and for stays.
template <typename Visitor, Of<FixOutcome> Record>
void columns(Visitor& visit, Record& outcome) {
  visit.table(
      "fix_outcomes", "",
      " on conflict (issue_id, session_id) do update set fate = excluded.fate, reason = "
      "excluded.reason, commit_sha = excluded.commit_sha, merged_ms = excluded.merged_ms, changed_again "
      "= excluded.changed_again, back = excluded.back, updated_ms = excluded.updated_ms");
  visit("issue_id", outcome.issue_id);
  visit("session_id", outcome.session_id);
  visit("repository_id", outcome.repository_id);
  visit("code", outcome.code);
  visit("fate", outcome.fate, parse_fix_fate);
  visit("reason", outcome.reason);
  visit("commit_sha", outcome.commit);
  visit("merged_ms", outcome.merged_ms);
  visit("changed_again", outcome.changed_again);
  visit("back", outcome.back);
  visit("agent", outcome.agent);
  visit("model", outcome.model);
  visit("rule", outcome.rule);
  visit("language", outcome.language);
  visit("evidence", outcome.evidence);
  visit("updated_ms", outcome.updated_ms);
}

template <typename Visitor, Of<Intent> Record>
void columns(Visitor& visit, Record& intent) {
  visit.table("intents", "id");
  visit("id", intent.id);
  visit("session_id", intent.session_id);
  visit("kind", intent.kind);
  visit("data", intent.data);
  visit("done", intent.done);
}

template <typename Visitor, Of<ChildRecord> Record>
void columns(Visitor& visit, Record& child) {
  visit.table("children", "", " on conflict do nothing");
  visit("session_id", child.session_id);
  visit("pid", child.pid);
  visit("start_ticks", child.start_ticks);
  visit("boot_id", child.boot_id);
}

template <typename Visitor, Of<TrustRecord> Record>
void columns(Visitor& visit, Record& record) {
  visit.table("trust", "path");
  visit("path", record.path);
  visit("sha256", record.sha256);
  visit("time_ms", record.time_ms);
}

template <typename Visitor, Of<Event> Record>
void columns(Visitor& visit, Record& event) {
  visit.table("events", "", " returning seq");
  visit.given("seq", event.seq);
  visit("time_ms", event.time_ms);
  visit("session_id", event.session_id);
  visit("type", event.type);
  visit("issue_code", event.issue_code);
  visit("data", event.data);
  visit("digest", event.digest);
}

} // namespace emend
