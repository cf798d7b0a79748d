#include "engine/session/report.hpp"

#include <algorithm>

#include "engine/branch/recovery.hpp"
#include "engine/context/event_log.hpp"
#include "engine/gate/gate.hpp"
#include "engine/patch/scope.hpp"
#include "engine/session/rounds_story.hpp"
#include "model/session_view.hpp"

namespace emend {
namespace {

std::vector<OpenedTest> opened_for(const SessionEvidence& evidence, const Issue& issue) {
  std::vector<OpenedTest> opened;
  for (const OpenedTest& one : evidence.opened)
    if (one.issue_id == issue.id) opened.push_back(one);
  return opened;
}

// Fails on purpose, or counts for nothing; `emend explain` tells of it.
bool is_experiment(VerificationKind kind) {
  return kind == VerificationKind::probe || kind == VerificationKind::coverage ||
         kind == VerificationKind::near_base || kind == VerificationKind::near_patched ||
         kind == VerificationKind::elsewhere;
}

FixCycle cycle_of(const SessionEvidence& evidence, const Attempt& attempt, const Issue& issue) {
  FixCycle cycle;
  cycle.issue_code = issue.code;
  cycle.issue_file = issue.finding.file;
  cycle.attempt = attempt;
  cycle.diff_after_fix = unified_diff(attempt.patch);
  const std::string sha = attempt.patch.empty() ? "" : attempt.patch.sha256();
  const ApartPatch parts = apart(issue.finding.file, attempt.patch, {}, opened_for(evidence, issue));
  const Patch& rest = parts.product;
  const std::string rest_sha = rest.empty() ? "" : rest.sha256();
  for (const Verification& run : evidence.verifications) {
    if (is_experiment(run.kind)) continue;
    const bool with_patch = !sha.empty() && run.patch_sha256 == sha && run.base == attempt.base &&
                            run.issue_id == attempt.issue_id;
    const bool without = run.kind == VerificationKind::without_patch && run.issue_id == attempt.issue_id &&
                         run.started_ms >= attempt.started_ms &&
                         run.started_ms <= attempt.started_ms + attempt.duration_ms + 1;
    const bool base_tests = !rest_sha.empty() && run.patch_sha256 == rest_sha && run.base == attempt.base &&
                            run.issue_id == attempt.issue_id;
    const bool own_tests = run.kind == VerificationKind::own_tests_base && run.issue_id == attempt.issue_id &&
                           run.base == attempt.base && run.patch_sha256 == parts.own_tests.sha256();
    if (with_patch || without || base_tests || own_tests) cycle.verifications.push_back(run);
  }
  for (const Verdict& verdict : evidence.verdicts)
    if (verdict.attempt_id == attempt.id) cycle.verdicts.push_back(verdict);
  return cycle;
}

// A resolved issue shows the decision it was resolved by; any other one, and one that was taken back, what
// the gate would say now.
Result<GateDecision> decision_of(const Ports& ports, const SessionEvidence& evidence, const Issue& issue,
                                 const Redactor& redactor) {
  TRY_ASSIGN(const std::optional<Proof> proof, ports.store.proof(issue.id, evidence.session.id));
  const auto withdrawn = evidence.withdrawals.find(issue.id);
  const bool taken_back =
      withdrawn != evidence.withdrawals.end() &&
      std::any_of(withdrawn->second.begin(), withdrawn->second.end(),
                  [&](const Withdrawal& one) { return one.session_id == evidence.session.id; });
  const Json* stored = proof && !taken_back ? find_member(proof->detail, "decision") : nullptr;
  if (stored != nullptr) {
    GateDecision decision = gate_decision_from_json(*stored);
    const Standing standing = standing_of(*proof);
    decision.evidence = standing.level;
    decision.marks = standing.marks;
    return decision;
  }
  TRY_ASSIGN(const GateInput input, gather(evidence, ports.repository, issue));
  if (!input.attempt) return GateDecision{};
  return decide(input, redactor);
}

} // namespace

Result<FixReport> make_report(const Ports& ports, const std::string& session_id) {
  FixReport report;
  TRY_ASSIGN(const SessionEvidence evidence, load_evidence(ports.store, ports.repository, session_id));
  report.session = evidence.session;
  report.session.status = present_status(evidence.session);
  report.commits = evidence.commits;
  TRY_ASSIGN(report.runs, ports.store.agent_runs(evidence.session.id));
  report.fixes_applied = !evidence.commits.empty();
  report.duration_ms = evidence.session.duration_ms;
  TRY_ASSIGN(const Redactor redactor, Redactor::with_patterns(evidence.session.policy.redact_patterns));
  std::map<std::string, Issue> issues;
  for (const std::string& id : evidence.session.issue_ids) {
    TRY_ASSIGN(Issue issue, ports.store.issue(evidence.session.repository_id, id));
    issues[id] = issue;
    TRY_ASSIGN(GateDecision decision, decision_of(ports, evidence, issue, redactor));
    report.issues.push_back({std::move(issue), std::move(decision)});
  }
  for (const Attempt& attempt : evidence.attempts)
    report.cycles.push_back(cycle_of(evidence, attempt, issues[attempt.issue_id]));
  for (const Verification& run : evidence.verifications)
    if (run.kind == VerificationKind::baseline && run.base == evidence.session.base) report.baseline = run;
  TRY_ASSIGN(SessionView view, session_view(ports.store, evidence.session.id));
  report.notes = std::move(view.notices);
  report.forecast = view.forecast;
  report.grouped = std::move(view.grouped);
  return report;
}

Result<Explanation> make_explanation(const Ports& ports, const Issue& issue) {
  Explanation explanation;
  explanation.issue = issue;
  if (issue.session_id.empty()) return explanation;
  TRY_ASSIGN(const SessionEvidence evidence, load_evidence(ports.store, ports.repository, issue.session_id));
  TRY_ASSIGN(const Redactor redactor, Redactor::with_patterns(evidence.session.policy.redact_patterns));
  for (const Attempt& attempt : evidence.attempts)
    if (attempt.issue_id == issue.id) explanation.cycles.push_back(cycle_of(evidence, attempt, issue));
  TRY_ASSIGN(explanation.decision, decision_of(ports, evidence, issue, redactor));
  TRY_ASSIGN(const GateInput input, gather(evidence, ports.repository, issue));
  explanation.panel = evidence.session.policy.panel;
  explanation.threshold = evidence.session.policy.satisfaction_threshold;
  explanation.story = story_of_rounds(issue, explanation.cycles, explanation.panel);
  for (StoryLine& line : story_of(input, *explanation.decision)) explanation.story.push_back(std::move(line));
  explanation.experiments = telling_runs(input);
  if (explanation.decision->clauses.empty()) explanation.decision.reset();
  TRY_ASSIGN(explanation.proof, ports.store.proof(issue.id, issue.session_id));
  return explanation;
}

} // namespace emend
