#include "engine/gate/gate.hpp"

#include <fmt/format.h>

#include "base/crash_point.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/fix/fix.hpp"
#include "engine/gate/proof_bundle.hpp"
#include "engine/gate/verification_clauses.hpp"
#include "engine/judge/challenge.hpp"
#include "engine/patch/clause_outcomes.hpp"
#include "engine/patch/notes.hpp"
#include "engine/patch/static_clauses.hpp"
#include "engine/verify/coverage.hpp"
#include "engine/verify/requirement.hpp"
#include "engine/verify/scan_comparison.hpp"
#include "model/events.hpp"
#include "model/panel.hpp"

namespace emend {
namespace {

// The analyzers' look at everything the branch changes, taken from the session's base.
Clause rescanned_clause(const GateInput& in) {
  const char* name = "rescanned";
  const Verification* final_run = nullptr;
  bool concerned = in.attempt->ending == kNoProcess;
  for (const Verification& v : in.verifications) {
    if (v.kind != VerificationKind::rescan || !v.rescan) continue;
    const auto names = [&](const std::vector<std::string>& ids) {
      return std::find(ids.begin(), ids.end(), in.issue.id) != ids.end();
    };
    concerned = concerned || names(v.rescan->gone) || names(v.rescan->remaining);
    if (v.base == in.session.base && v.patch_sha256 == in.whole_patch_sha256) final_run = &v;
  }
  if (!concerned) return spared("P7", name, "not found by an analyzer that could be run again");
  if (!in.commit)
    return unknown("P7", name,
                   "no commit contains it, so the result for the branch's final tree does not count for it");
  if (final_run == nullptr)
    return unknown("P7", name, "the analyzers were not run on the branch's final tree");
  const std::string problem = rescan_problem(*final_run->rescan, in.issue, in.attempt->patch);
  return problem.empty() ? passed("P7", name,
                                  in.issue.finding.agent +
                                      " no longer reports it, and reports nothing new of that severity")
                         : failed("P7", name, problem);
}

// Judges of different vendors must have voted, and their average decides.
Clause panel_clause(const GateInput& in, const std::vector<Verdict>& verdicts) {
  const int threshold = in.policy.satisfaction_threshold;
  const std::string votes = votes_text(verdicts, in.policy.panel);
  const std::optional<Verdict> joint = joint_verdict(verdicts, in.policy.panel);
  if (!joint)
    return unknown(
        "P8", "judged",
        fmt::format("{} judges of different vendors must vote (fix_challenger.panel), only one did: {}",
                    in.policy.panel, votes));
  return *joint->score < threshold
             ? failed("P8", "judged",
                      fmt::format("the judges scored it {}, the threshold is {}", votes, threshold))
             : passed("P8", "judged",
                      fmt::format("the judges scored it {} (threshold {})", votes, threshold));
}

Clause judged_clause(const GateInput& in) {
  const char* name = "judged";
  if (!in.policy.challenger_enabled)
    return unknown("P8", name, "fix_challenger.enabled is false, so no judge scored it");
  const std::string sha = in.attempt->patch.sha256();
  if (in.rejected_patches.contains(sha)) return failed("P8", name, "a person rejected exactly this change");
  const std::set<std::string> void_agents = void_challengers(in.verdicts, in.policy.satisfaction_threshold);
  const auto shares_family = [&](const Verdict& verdict) {
    return !verdict.family.empty() && verdict.family == in.attempt->family;
  };
  const bool panel = in.policy.panel > 1;
  std::vector<Verdict> votes;
  const Verdict* best = nullptr;
  for (const Verdict& verdict : in.verdicts) {
    if (verdict.issue_id != in.issue.id || verdict.patch_sha256 != sha || !verdict.valid || !verdict.score)
      continue;
    if (!verdict.canary.empty()) continue;
    // A change that was contested is judged once more, and that judgement counts instead of the one before.
    if (in.attempt->claim == Claim::contested && verdict.attempt_id != in.attempt->id) continue;
    if (judges_itself(verdict, *in.attempt) && !in.policy.allow_self_judging)
      return failed(
          "P8", name,
          verdict.agent + " judged its own fix, which counts only with fix_challenger.allow_self = true");
    if (void_agents.contains(verdict.agent))
      return failed(
          "P8", name,
          verdict.agent + " approved a worthless change in this session, so its scores do not count");
    votes.push_back(verdict);
    // Of single judges, one that says no outweighs any that says yes.
    if (!panel && *verdict.score < in.policy.satisfaction_threshold)
      return failed("P8", name,
                    fmt::format("{} scored it {}, the threshold is {}", verdict.agent, *verdict.score,
                                in.policy.satisfaction_threshold));
    if (best == nullptr || shares_family(*best)) best = &verdict;
  }
  if (best == nullptr) return unknown("P8", name, "no valid verdict on exactly this patch");
  if (panel) return panel_clause(in, votes);
  const std::string who = shares_family(*best) ? "; same vendor as the fixer (" + best->family + ")"
                          : best->independent  ? ""
                                               : "; not known to be from another vendor";
  return passed("P8", name,
                fmt::format("{} scored it {} (threshold {}){}", best->agent, *best->score,
                            in.policy.satisfaction_threshold, who));
}

// Trailers are whole lines of the last paragraph: BE-100 is not named by BE-1000, nor by a description that
// quotes a trailer.
bool names_issue(const std::string& message, const std::string& code) {
  bool named = false;
  for (const std::string_view line : lines_of(trim(message))) {
    if (trim(line).empty())
      named = false;
    else if (trim(line) == "Emend-Issue: " + code)
      named = true;
  }
  return named;
}

Clause commit_clause(const GateInput& in) {
  const char* name = "in_commit";
  if (!in.commit) return failed("P9", name, "no commit contains it");
  if (!in.taken_back.empty()) return failed("P9", name, "a person rejected it: " + in.taken_back);
  if (!in.reachable)
    return failed("P9", name, in.commit->sha.substr(0, 12) + " is not reachable from " + in.session.branch);
  if (in.published.empty() || in.published.sha256() != in.expected.sha256())
    return failed("P9", name, "the commit does not contain exactly this patch");
  if (in.commit->patch_sha256 != in.published.sha256())
    return failed("P9", name, "the commit is not the one that was recorded");
  if (!names_issue(in.message, in.issue.code))
    return failed("P9", name, "the commit message does not name " + in.issue.code);
  return passed(
      "P9", name,
      fmt::format("{} on {} contains exactly this patch", in.commit->sha.substr(0, 12), in.session.branch));
}

Clause proof_clause(const GateInput& in, const std::vector<Clause>& so_far) {
  if (first_failure(so_far) != nullptr) return unknown("P10", "proof", "not reached");
  const bool complete = in.attempt && !in.attempt->id.empty() && in.commit && !in.commit->sha.empty() &&
                        !in.session.base.empty();
  return complete ? passed("P10", "proof", "stored in the same transaction as the status")
                  : failed("P10", "proof", "the proof would be incomplete");
}

int score_of(const GateInput& in) {
  std::vector<Verdict> votes;
  for (const Verdict& verdict : in.verdicts)
    if (in.attempt && verdict.attempt_id == in.attempt->id) votes.push_back(verdict);
  const std::optional<Verdict> joint = joint_verdict(votes, in.policy.panel);
  return joint ? *joint->score : -1;
}

Proof make_proof(const GateInput& in, const GateDecision& decision, std::int64_t now) {
  Proof proof;
  proof.issue_id = in.issue.id;
  proof.session_id = in.session.id;
  proof.attempt_id = in.attempt->id;
  for (const Verdict& verdict : in.verdicts)
    if (verdict.attempt_id == in.attempt->id && verdict.valid) proof.verdict_id = verdict.id;
  proof.base = in.attempt->base;
  proof.commit = in.commit->sha;
  proof.branch = in.session.branch;
  proof.patch_sha256 = in.attempt->patch.sha256();
  proof.evidence = to_string(decision.evidence);
  proof.score = score_of(in);
  Json runs = Json::array();
  for (const Verification& v : in.verifications)
    if (concerns(v, in.issue.id, in))
      runs.push_back(
          {{"id", v.id}, {"kind", to_string(v.kind)}, {"sha256", sha256_hex(dump_json(to_json(v)))}});
  proof.detail = {{"decision", to_json(decision)},
                  {"verifications", runs},
                  {"fixer", in.attempt->agent},
                  {"fixer_model", in.attempt->model},
                  {"sandbox", to_string(in.session.policy.sandbox.kind)}};
  proof.created_ms = now;
  return proof;
}

} // namespace

GateDecision decide(const GateInput& in, const Redactor& redactor) {
  GateDecision decision;
  if (!in.attempt || in.base_tree == nullptr) {
    decision.clauses.push_back(failed("P1", "real_change", "there is no attempt"));
  } else {
    decision.clauses = static_clauses(
        in.issue, *in.attempt, Scope(in.policy, *in.base_tree, in.called_scripts, in.opened), redactor);
    VerificationClauses verification = verification_clauses(in);
    decision.clauses.push_back(std::move(verification.p4));
    decision.clauses.push_back(std::move(verification.p5));
    decision.clauses.push_back(std::move(verification.p6));
    decision.clauses.push_back(rescanned_clause(in));
    Support& support = verification.support;
    support.own_analyzer =
        changes_analyzers(in.attempt->patch) || (!in.old_levels && silences_analyzer(in.attempt->patch));
    support.marks.rescanned = decision.clauses.back().state == ClauseState::passed && !support.own_analyzer;
    decision.evidence = in.old_levels ? old_evidence_of(support) : evidence_of(support);
    decision.marks = support.marks;
    const ExecutedLines* lines = executed_by(in.verifications, in.attempt->base, in.attempt->patch.sha256());
    decision.marks.executed = lines != nullptr && lines->all();
    decision.clauses.push_back(judged_clause(in));
    decision.clauses.push_back(commit_clause(in));
    decision.clauses.push_back(proof_clause(in, decision.clauses));
  }
  if (const Clause* failure = first_failure(decision.clauses)) {
    decision.reason = failure->name;
    decision.detail = failure->detail;
    decision.evidence = Evidence::none;
    decision.marks = {};
    return decision;
  }
  if (const Evidence required = required_evidence(in.policy, in.issue, in.attempt->patch);
      decision.evidence < required) {
    decision.reason = "evidence_too_weak";
    decision.detail = fmt::format("evidence is {}, resolve.minimum_evidence is {}",
                                  to_string(decision.evidence), to_string(required));
    return decision;
  }
  decision.resolved = true;
  return decision;
}

Result<GateDecision> pass_gate(RunContext& context, const SessionEvidence& evidence,
                               const ProofWriter& proofs, const Issue& issue, Unit& unit) {
  TRY_ASSIGN(const GateInput in, gather(evidence, context.ports.repository, issue));
  const GateDecision decision = decide(in, context.redactor);
  IssueMove move;
  move.issue_id = issue.id;
  move.from = IssueStatus::in_progress;
  move.session_id = in.session.id;
  move.add_attempts = in.attempts;
  move.last_score = score_of(in);
  Change change;
  if (decision.resolved) {
    Proof proof = make_proof(in, decision, context.ports.clock.wall_ms());
    TRY(proofs.write(in, decision, proof));
    crash_point("gate.after_bundle");
    change.proofs.push_back(std::move(proof));
    move.to = IssueStatus::resolved;
    move.mover = Mover::gate;
    move.reason = "fixed";
    move.evidence = std::string(to_string(decision.evidence));
    move.marks = decision.marks;
    move.commit = in.commit->sha;
  } else {
    move.to = IssueStatus::failed;
    move.reason = decision.reason;
    move.detail = decision.detail;
  }
  FixIssueCompleted completed{to_string(move.to), move.reason, move.detail, move.last_score,
                              move.evidence,      move.commit, {}};
  if (decision.resolved) completed.marks = mark_words(decision.marks);
  change.events.push_back(context.event(issue.code, completed));
  change.moves.push_back(std::move(move));
  unit.status = UnitStatus::committed;
  change.units.push_back(unit);
  crash_point("gate.before_resolved");
  TRY(context.log.apply(std::move(change)));
  return decision;
}

} // namespace emend
