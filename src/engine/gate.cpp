#include "engine/gate.hpp"

#include <fmt/format.h>

#include "base/crash_point.hpp"
#include "base/hash.hpp"
#include "base/mutant.hpp"
#include "base/strings.hpp"
#include "engine/called_scripts.hpp"
#include "engine/challenge.hpp"
#include "engine/clause_outcomes.hpp"
#include "engine/clauses.hpp"
#include "engine/fix.hpp"
#include "engine/new_files.hpp"
#include "engine/proof_bundle.hpp"
#include "engine/scan_comparison.hpp"
#include "engine/verification_clauses.hpp"

namespace emend {
namespace {

bool changes_analyzers(const Patch& patch) {
  return std::any_of(patch.changes.begin(), patch.changes.end(), [](const FileChange& change) {
    return judging_kind(change.path) == kAnalyzerConfiguration;
  });
}

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
                   "no commit holds it, so the look at the branch's final tree says nothing of it");
  if (final_run == nullptr)
    return unknown("P7", name, "the analyzers were not run on the branch's final tree");
  const std::string problem = rescan_problem(*final_run->rescan, in.issue, in.attempt->patch);
  return problem.empty()
             ? passed("P7", name,
                      in.issue.finding.agent + " does not report it any more, and nothing as bad is new")
             : failed("P7", name, problem);
}

Clause judged_clause(const GateInput& in) {
  const char* name = "judged";
  if (without("P8")) return passed("P8", name, "left out");
  if (!in.policy.challenger_enabled)
    return unknown("P8", name, "fix_challenger.enabled is false, so nobody judged it");
  const std::string sha = in.attempt->patch.sha256();
  if (in.rejected_patches.contains(sha)) return failed("P8", name, "a person rejected exactly this change");
  const std::set<std::string> void_agents = void_challengers(in.verdicts, in.policy.satisfaction_threshold);
  const auto shares_family = [&](const Verdict& verdict) {
    return !verdict.family.empty() && verdict.family == in.attempt->family;
  };
  const Verdict* best = nullptr;
  for (const Verdict& verdict : in.verdicts) {
    if (verdict.issue_id != in.issue.id || verdict.patch_sha256 != sha || !verdict.valid || !verdict.score)
      continue;
    if (!verdict.canary.empty()) continue;
    if (judges_itself(verdict, *in.attempt) && !in.policy.allow_self_judging)
      return failed(
          "P8", name,
          verdict.agent + " judged its own fix, which counts only with fix_challenger.allow_self = true");
    if (void_agents.contains(verdict.agent))
      return failed(
          "P8", name,
          verdict.agent + " approved a worthless change in this session, so its judgement does not count");
    if (*verdict.score < in.policy.satisfaction_threshold) // one that says no outweighs any that says yes
      return failed("P8", name,
                    fmt::format("{} scored it {}, the threshold is {}", verdict.agent, *verdict.score,
                                in.policy.satisfaction_threshold));
    if (best == nullptr || shares_family(*best)) best = &verdict;
  }
  if (best == nullptr) return unknown("P8", name, "no valid verdict on exactly this patch");
  const std::string who = shares_family(*best) ? "; same vendor as the fixer (" + best->family + ")"
                          : best->independent  ? ""
                                               : "; not shown to be of another vendor";
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
  if (!in.commit) return failed("P9", name, "no commit holds it");
  if (!in.taken_back.empty()) return failed("P9", name, "a person took it back: " + in.taken_back);
  if (without("P9")) return passed("P9", name, "left out");
  if (!in.reachable)
    return failed("P9", name, in.commit->sha.substr(0, 12) + " is not reachable from " + in.session.branch);
  if (in.published.empty() || in.published.sha256() != in.expected.sha256())
    return failed("P9", name, "the commit does not hold exactly this patch");
  if (in.commit->patch_sha256 != in.published.sha256())
    return failed("P9", name, "the commit is not the one that was recorded");
  if (!names_issue(in.message, in.issue.code))
    return failed("P9", name, "the commit message does not name " + in.issue.code);
  return passed(
      "P9", name,
      fmt::format("{} on {} holds exactly this patch", in.commit->sha.substr(0, 12), in.session.branch));
}

Clause proof_clause(const GateInput& in, const std::vector<Clause>& so_far) {
  if (first_failure(so_far) != nullptr) return unknown("P10", "proof", "not reached");
  const bool complete = in.attempt && !in.attempt->id.empty() && in.commit && !in.commit->sha.empty() &&
                        !in.session.base.empty();
  return complete ? passed("P10", "proof", "stored in the same transaction as the status")
                  : failed("P10", "proof", "the proof would be incomplete");
}

bool concerns(const Verification& v, const std::string& issue_id, const GateInput& in) {
  return v.issue_id == issue_id || v.kind == VerificationKind::baseline ||
         v.patch_sha256 == in.final_patch_sha256 || v.patch_sha256 == in.final_product_sha256 ||
         v.patch_sha256 == in.whole_patch_sha256;
}

int score_of(const GateInput& in) {
  int score = -1;
  for (const Verdict& verdict : in.verdicts)
    if (in.attempt && verdict.attempt_id == in.attempt->id && verdict.valid && verdict.score)
      score = *verdict.score;
  return score;
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

Result<Patch> commits_diff(Repository& repository, bool planned, const std::string& from,
                           const std::string& to) {
  return planned ? repository.diff(from, to) : repository.published_diff(from, to);
}

// What the branch ends in, relative to the base of the session or, when the last fix was made on top of
// others, to its parent.
Status locate_final(Repository& repository, SessionEvidence& evidence) {
  const CommitRecord& last = evidence.commits.back();
  const auto verified = [&](const std::string& base, const std::string& sha) {
    return std::any_of(evidence.verifications.begin(), evidence.verifications.end(),
                       [&](const Verification& v) {
                         return v.kind != VerificationKind::rescan && v.base == base && v.patch_sha256 == sha;
                       });
  };
  TRY_ASSIGN(const Patch whole, commits_diff(repository, evidence.planned, evidence.session.base, last.sha));
  evidence.whole_patch_sha256 = whole.sha256();
  evidence.final_base = evidence.session.base;
  evidence.final_patch_sha256 = whole.sha256();
  evidence.final_product_sha256 = without_new_tests(whole).sha256();
  if (last.parent == evidence.session.base || verified(evidence.final_base, evidence.final_patch_sha256))
    return {};
  for (std::size_t i = evidence.commits.size();
       i-- > 0;) { // the last commits, made together on top of the others
    const std::string& parent = evidence.commits[i].parent;
    const bool worked_on =
        std::any_of(evidence.verifications.begin(), evidence.verifications.end(),
                    [&](const Verification& v) { return v.base == parent && !v.patch_sha256.empty(); });
    if (!worked_on && i + 1 != evidence.commits.size()) continue;
    TRY_ASSIGN(const Patch top, commits_diff(repository, evidence.planned, parent, last.sha));
    evidence.final_base = parent;
    evidence.final_patch_sha256 = top.sha256();
    evidence.final_product_sha256 = without_new_tests(top).sha256();
    if (verified(parent, evidence.final_patch_sha256)) return {};
  }
  return {};
}

// The last commit is looked for from the branch; the others hang on it by their real parents.
Status find_published(Repository& repository, SessionEvidence& evidence) {
  TRY_ASSIGN(const bool there, repository.reachable(evidence.commits.back().sha, evidence.session.branch));
  if (!there) return {};
  std::vector<std::string> ids;
  for (const CommitRecord& commit : evidence.commits) ids.push_back(commit.sha);
  TRY_ASSIGN(std::vector<CommitFacts> facts, repository.published_commits(ids));
  for (std::size_t i = ids.size(); i-- > 0;) {
    const bool linked = facts[i].parents == std::vector<std::string>{evidence.commits[i].parent};
    const std::string parent = evidence.commits[i].parent;
    evidence.published[ids[i]] = std::move(facts[i]);
    if (!linked || i == 0 || parent != ids[i - 1]) break;
  }
  return {};
}

// A discarded session says nothing about a patch; a rejected fix says all about it.
void note_withdrawals(const std::vector<Withdrawal>& withdrawals, GateInput& in) {
  for (const Withdrawal& one : withdrawals) {
    if (one.session_id == in.session.id) in.taken_back = to_string(one.kind);
    if (one.kind == WithdrawalKind::rejected && !one.patch_sha256.empty())
      in.rejected_patches.insert(one.patch_sha256);
  }
}

// Did nothing before this commit touch its files? Then the commit must hold the very patch that was verified
// and judged.
bool same_origin(const Patch& ours, const Patch& published) {
  return std::equal(ours.changes.begin(), ours.changes.end(), published.changes.begin(),
                    published.changes.end(), [](const FileChange& a, const FileChange& b) {
                      return a.path == b.path && a.old_id == b.old_id && a.old_mode == b.old_mode;
                    });
}

} // namespace

Status gather_commit(Repository& repository, GateInput& in, bool planned) {
  const CommitRecord& commit = *in.commit;
  TRY_ASSIGN(in.published, commits_diff(repository, planned, commit.parent, commit.sha));
  if (commit.parent == in.attempt->base || same_origin(in.attempt->patch, in.published)) {
    in.expected = in.attempt->patch;
    return {};
  }
  TRY_ASSIGN(const Patch earlier, commits_diff(repository, planned, in.attempt->base, commit.parent));
  TRY_ASSIGN(std::optional<Patch> moved, repository.rebase(in.attempt->patch, earlier));
  if (moved) in.expected = *std::move(moved);
  return {};
}

GateDecision decide(const GateInput& in, const Redactor& redactor) {
  GateDecision decision;
  if (!in.attempt || in.base_tree == nullptr) {
    decision.clauses.push_back(failed("P1", "real_change", "there is no attempt to look at"));
  } else {
    decision.clauses =
        static_clauses(in.issue, *in.attempt, Scope(in.policy, *in.base_tree, in.called_scripts), redactor);
    VerificationClauses verification = verification_clauses(in);
    decision.evidence = verification.evidence;
    decision.clauses.push_back(std::move(verification.p4));
    decision.clauses.push_back(std::move(verification.p5));
    decision.clauses.push_back(std::move(verification.p6));
    decision.clauses.push_back(rescanned_clause(in));
    const bool rescanned = decision.clauses.back().state == ClauseState::passed;
    if (rescanned && (decision.evidence == Evidence::verified ||
                      (verification.own_judge && !changes_analyzers(in.attempt->patch))))
      decision.evidence = Evidence::rescanned;
    decision.clauses.push_back(judged_clause(in));
    decision.clauses.push_back(commit_clause(in));
    decision.clauses.push_back(proof_clause(in, decision.clauses));
  }
  if (const Clause* failure = first_failure(decision.clauses)) {
    decision.reason = failure->name;
    decision.detail = failure->detail;
    decision.evidence = Evidence::none;
    return decision;
  }
  if (const Evidence required = required_evidence(in.policy, in.issue, in.attempt->patch, in.called_scripts);
      decision.evidence < required) {
    decision.reason = "evidence_too_weak";
    decision.detail = fmt::format("evidence is {}, resolve.minimum_evidence is {}",
                                  to_string(decision.evidence), to_string(required));
    return decision;
  }
  decision.resolved = true;
  return decision;
}

Result<std::optional<Reproducer>> reproducer_of(Store& store, const std::string& issue_id,
                                                const std::string& session_id) {
  TRY_ASSIGN(std::vector<Reproducer> known, store.reproducers(issue_id));
  std::optional<Reproducer> found;
  for (Reproducer& one : known)
    if (one.session_id == session_id && one.state == ReproducerState::accepted) found = std::move(one);
  return found;
}

namespace {

// Everything but the commits.
Result<SessionEvidence> load_records(Store& store, const std::string& session_id) {
  SessionEvidence evidence;
  TRY_ASSIGN(evidence.session, store.session(session_id));
  TRY_ASSIGN(evidence.units, store.units(session_id));
  TRY_ASSIGN(evidence.attempts, store.attempts_of_session(session_id));
  TRY_ASSIGN(evidence.verifications, store.verifications(session_id));
  TRY_ASSIGN(evidence.verdicts, store.verdicts(session_id));
  for (const std::string& id : evidence.session.issue_ids) {
    TRY_ASSIGN(std::optional<Reproducer> check, reproducer_of(store, id, evidence.session.id));
    if (check) evidence.reproducers[id] = *std::move(check);
    TRY_ASSIGN(std::vector<Withdrawal> withdrawn, store.withdrawals(id, ""));
    if (!withdrawn.empty()) evidence.withdrawals[id] = std::move(withdrawn);
  }
  return evidence;
}

} // namespace

Result<SessionEvidence> load_evidence(Store& store, Repository& repository, const std::string& session_id) {
  TRY_ASSIGN(SessionEvidence evidence, load_records(store, session_id));
  TRY_ASSIGN(evidence.commits, store.commits(session_id));
  if (evidence.commits.empty()) return evidence;
  TRY(find_published(repository, evidence));
  if (!evidence.published.empty()) TRY(locate_final(repository, evidence));
  return evidence;
}

Result<SessionEvidence> load_evidence(Store& store, Repository& repository, const std::string& session_id,
                                      const std::vector<PlannedCommit>& planned) {
  TRY_ASSIGN(SessionEvidence evidence, load_records(store, session_id));
  evidence.planned = true;
  for (const PlannedCommit& commit : planned) {
    evidence.commits.push_back(commit.record);
    evidence.published[commit.record.sha] = {{commit.record.parent}, commit.message};
  }
  if (!planned.empty()) TRY(locate_final(repository, evidence));
  return evidence;
}

Result<GateInput> gather(const SessionEvidence& evidence, Repository& repository, const Issue& issue) {
  GateInput in;
  in.policy = evidence.session.policy;
  in.issue = issue;
  in.session = evidence.session;
  in.verdicts = evidence.verdicts;
  std::erase_if(in.verdicts, [&](const Verdict& verdict) {
    return verdict.issue_id != issue.id && verdict.canary.empty();
  });
  in.final_base = evidence.final_base;
  in.final_patch_sha256 = evidence.final_patch_sha256;
  in.final_product_sha256 = evidence.final_product_sha256;
  in.whole_patch_sha256 = evidence.whole_patch_sha256;
  if (!evidence.commits.empty()) in.last_commit = evidence.commits.back().sha;
  if (const auto check = evidence.reproducers.find(issue.id); check != evidence.reproducers.end())
    in.reproducer = check->second;
  if (const auto withdrawn = evidence.withdrawals.find(issue.id); withdrawn != evidence.withdrawals.end())
    note_withdrawals(withdrawn->second, in);
  for (const Verification& v : evidence.verifications)
    if (concerns(v, issue.id, in)) in.verifications.push_back(v);
  for (const Unit& unit : evidence.units) {
    if (std::find(unit.issue_ids.begin(), unit.issue_ids.end(), issue.id) == unit.issue_ids.end()) continue;
    for (const Attempt& attempt : evidence.attempts) {
      const bool chosen = unit.accepted_attempt.empty() ? attempt.result != AttemptResult::interrupted
                                                        : attempt.id == unit.accepted_attempt;
      if (attempt.issue_id == issue.id && attempt.result != AttemptResult::interrupted) ++in.attempts;
      if (attempt.issue_id == issue.id && chosen) in.attempt = attempt;
    }
  }
  for (const CommitRecord& commit : evidence.commits)
    if (std::find(commit.issue_ids.begin(), commit.issue_ids.end(), issue.id) != commit.issue_ids.end())
      in.commit = commit;
  if (!in.attempt) return in;
  TRY_ASSIGN(in.base_tree, repository.tree(in.attempt->base));
  TRY_ASSIGN(in.called_scripts, called_scripts(repository, in.policy, in.attempt->base));
  // Nothing of ours in the user's repository: nothing may be read from it.
  const auto published = in.commit ? evidence.published.find(in.commit->sha) : evidence.published.end();
  if (published != evidence.published.end()) {
    in.reachable = true;
    in.message = published->second.message;
    TRY(gather_commit(repository, in, evidence.planned));
  }
  return in;
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
    if (!without("P10")) change.proofs.push_back(std::move(proof));
    move.to = IssueStatus::resolved;
    move.actor = Actor::gate;
    move.reason = "fixed";
    move.evidence = std::string(to_string(decision.evidence));
    move.commit = in.commit->sha;
  } else {
    move.to = IssueStatus::failed;
    move.reason = decision.reason;
    move.detail = decision.detail;
  }
  Json data = {{"status", to_string(move.to)},
               {"reason", move.reason},
               {"detail", move.detail},
               {"score", *move.last_score},
               {"evidence", decision.resolved ? Json(*move.evidence) : Json()},
               {"commit", decision.resolved ? Json(*move.commit) : Json()}};
  change.moves.push_back(std::move(move));
  change.events.push_back(context.event("fix_issue_completed", issue.code, std::move(data)));
  unit.status = UnitStatus::committed;
  change.units.push_back(unit);
  crash_point("gate.before_resolved");
  TRY(context.log.apply(std::move(change)));
  return decision;
}

} // namespace emend
