// The second half of the pipeline: accepted fixes are put together, pass the gate and become commits of a
// branch.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "engine/branch/git_proposals.hpp"
#include "engine/gate/gate.hpp"
#include "engine/judge/challenge.hpp"
#include "engine/judge/rubric.hpp"
#include "engine/session/pipeline.hpp"
#include "engine/verify/comparison.hpp"
#include "engine/verify/probing.hpp"

#include "model/panel.hpp"

namespace emend {
namespace {

constexpr const char* kStackedFeedback =
    "Another fix passed first and changed the same lines. It is in your working directory now; fix "
    "this issue on top of it.";

} // namespace

Result<AcceptedFix> Pipeline::accepted_fix(const Unit& unit) {
  AcceptedFix fix{unit, issues_.at(unit.issue_ids.front()), {}, 0, {Evidence::judged, {}}};
  TRY_ASSIGN(fix.attempt, context_.ports.store.attempt(unit.accepted_attempt));
  return fix;
}

Result<std::vector<AcceptedFix>> Pipeline::accepted_fixes() {
  std::vector<AcceptedFix> fixes;
  TRY_ASSIGN(const std::vector<Verdict> verdicts, context_.ports.store.verdicts(context_.session.id));
  for (const Unit& unit : units_) {
    if (unit.accepted_attempt.empty()) continue;
    TRY_ASSIGN(AcceptedFix fix, accepted_fix(unit));
    std::vector<Verdict> votes;
    for (const Verdict& verdict : verdicts)
      if (verdict.attempt_id == fix.attempt.id) votes.push_back(verdict);
    if (const auto joint = joint_verdict(votes, context_.policy().panel)) fix.score = *joint->score;
    fixes.push_back(std::move(fix));
  }
  return fixes;
}

Unit& Pipeline::unit_of(const AcceptedFix& fix) {
  return *std::find_if(units_.begin(), units_.end(),
                       [&](const Unit& unit) { return unit.id == fix.unit.id; });
}

Status Pipeline::commit_fixes(std::stop_token stop) {
  TRY_ASSIGN(const std::vector<CommitRecord> before, published_before(context_));
  if (!before.empty()) return publish_branch(context_, before);
  if (steps_.empty()) TRY(settle_units(nullptr, stop));
  for (const PlanStep& step : steps_)
    if (!cancelled_) TRY(run_step(step, stop));
  if (cancelled_ || planned_.empty()) return {};
  std::vector<CommitRecord> commits;
  for (const PlannedCommit& commit : planned_) commits.push_back(commit.record);
  return publish_branch(context_, commits);
}

// The accepted fixes, of one step of the plan or all, become commits; those that do not fit together are made
// again on top.
Status Pipeline::settle_units(const PlanStep* step, std::stop_token stop) {
  TRY_ASSIGN(const std::vector<AcceptedFix> fixes, accepted_fixes());
  std::vector<AcceptedFix> on_base, again;
  for (const AcceptedFix& fix : fixes)
    if (step == nullptr || in_step(fix.unit, *step)) (fix.unit.base == tip_ ? on_base : again).push_back(fix);
  for (const Unit& unit : units_) { // interrupted while being fixed again
    const bool chosen = step == nullptr || (in_step(unit, *step) && unit.base != tip_);
    if (chosen && unit.stacked && unit.accepted_attempt.empty() && unit.status != UnitStatus::finished)
      again.push_back({unit, issue_of(unit), {}, 0, {Evidence::judged, {}}});
  }
  TRY(settle(on_base, again, stop));
  while (!again.empty() && !cancelled_ && !context_.queue_stop()) TRY(stack(again, stop));
  return {};
}

CombineOrder Pipeline::order_on_tip(const std::vector<AcceptedFix>& fixes) const {
  CombineOrder order;
  order.base = tip_;
  order.fixes = fixes;
  for (const PlannedCommit& commit : planned_)
    for (const std::string& id : commit.record.issue_ids) order.settled.push_back(issues_.at(id));
  return order;
}

// Fixes made on the tip become commits on it, as far as they pass together and the gate takes them; those
// that must be made again are added to `again`. What the gate refuses is taken out and the rest is put
// together anew, until the gate takes all of it: no commit is ever published that it would refuse.
Status Pipeline::settle(const std::vector<AcceptedFix>& fixes, std::vector<AcceptedFix>& again,
                        std::stop_token stop) {
  CombineOrder order = order_on_tip(fixes);
  if (tip_ != context_.session.base) {
    TRY_ASSIGN(order.before, context_.ports.repository.diff(context_.session.base, tip_));
  }
  while (true) {
    TRY_ASSIGN(Combination combination,
               combine(context_, stages_.verifier, stages_.rescanner, stages_.reproduction, order, stop));
    cancelled_ = combination.cancelled;
    if (cancelled_) return {};
    for (AcceptedFix& fix : combination.conflicting) {
      unit_of(fix).feedback = dump_json(Json{{"failure", ""}, {"feedback", kStackedFeedback}});
      again.push_back(std::move(fix));
    }
    for (const Combination::Dropped& dropped : combination.dropped) TRY(drop(dropped, again));
    if (combination.kept.empty()) return {};
    TRY(probe_together(combination, stop));
    if (cancelled_) return {};
    TRY(judge_by_rubric(combination));
    TRY_ASSIGN(order.fixes, take_out_refused(combination));
    if (order.fixes.size() == combination.kept.size()) return put_on_branch(combination, stop);
  }
}

// Asks the gate about the branch as it would be with these fixes on it. Returns those it takes, and notes in
// `combination` how sure it is of each; the others have failed. A fix that makes the gate refuse, or be less
// sure of, one that is on the branch already is refused.
Result<std::vector<AcceptedFix>> Pipeline::take_out_refused(Combination& combination) {
  TRY_ASSIGN(const std::vector<PlannedCommit> made, make_commits(context_, tip_, combination.kept));
  std::vector<PlannedCommit> branch = planned_;
  branch.insert(branch.end(), made.begin(), made.end());
  TRY_ASSIGN(const SessionEvidence evidence,
             load_evidence(context_.ports.store, context_.ports.repository, context_.session.id, branch));
  const auto decision_of = [&](const std::string& id) -> Result<GateDecision> {
    TRY_ASSIGN(const GateInput in, gather(evidence, context_.ports.repository, issues_.at(id)));
    return decide(in, context_.redactor);
  };
  std::vector<AcceptedFix> taken;
  for (AcceptedFix& fix : combination.kept) {
    TRY_ASSIGN(const GateDecision decision, decision_of(fix.issue.id));
    fix.standing = {decision.evidence, decision.marks};
    if (decision.resolved)
      taken.push_back(fix);
    else
      TRY(give_up(fix, decision.reason, decision.detail));
  }
  if (taken.size() != combination.kept.size()) return taken;
  for (const PlannedCommit& commit : planned_)
    for (const std::string& id : commit.record.issue_ids) {
      TRY_ASSIGN(const GateDecision decision, decision_of(id));
      if (decision.resolved && decision.evidence == decided_.at(id)) continue;
      TRY(give_up(taken.back(), "combination_failed",
                  "with it, " + issues_.at(id).code + " would lose its evidence: " + decision.detail));
      taken.pop_back();
      return taken;
    }
  return taken;
}

// Still in the engine's own store: the branch appears when all is settled.
Status Pipeline::put_on_branch(const Combination& combination, std::stop_token stop) {
  if (context_.policy().git_agents && stages_.fixer != nullptr)
    for (const AcceptedFix& fix : combination.kept)
      TRY(propose_message(context_, stages_.fixer->first_agent(), fix, stop));
  TRY_ASSIGN(const std::vector<PlannedCommit> made, make_commits(context_, tip_, combination.kept));
  planned_.insert(planned_.end(), made.begin(), made.end());
  for (const AcceptedFix& fix : combination.kept) decided_[fix.issue.id] = fix.standing.level;
  const std::string parent = std::exchange(tip_, planned_.back().record.sha);
  TRY_ASSIGN(const Patch whole, context_.ports.repository.diff(parent, tip_));
  if (whole.sha256() != combination.patch.sha256())
    return fail(ErrorCode::internal, "the commits together are not what was verified");
  if (combination.verified) TRY(stages_.verifier.adopt_baseline(tip_, *combination.verified));
  return {};
}

// The tests that the fixes repaired, turned around on the tree all of them come to, in one run: fixes that
// were checked alone have shown what one turn does, and show what the other does. The gate reads it.
Status Pipeline::probe_together(const Combination& combination, std::stop_token stop) {
  if (!combination.product_verified) return {};
  TRY_ASSIGN(const auto baseline, stages_.verifier.baseline(tip_, {}));
  const ProbedTree tree{tip_, combination.product, *baseline, *combination.product_verified};
  std::vector<ProbedFix> fixes;
  for (const AcceptedFix& fix : combination.kept)
    fixes.push_back({fix.issue, compare(commands_for(context_.policy(), fix.issue), *baseline,
                                        *combination.product_verified, about_fix(fix.issue, fix.attempt))});
  Prober prober(context_, stages_.verifier);
  TRY_ASSIGN(bool ran, batch_ ? prober.probe(tree, fixes, stop) : prober.probe_otherwise(tree, fixes, stop));
  if (ran) {
    TRY_ASSIGN(ran, batch_ ? prober.probe_otherwise(tree, fixes, stop) : prober.probe(tree, fixes, stop));
  }
  if (ran && batch_) {
    TRY_ASSIGN(ran, prober.probe_data(tree, fixes, stop));
  }
  cancelled_ = !ran;
  return {};
}

// Where the rubric judges, the combination is what it looks at.
Status Pipeline::judge_by_rubric(Combination& combination) {
  const bool by_rubric = stages_.challenger == nullptr && context_.policy().challenger_enabled;
  if (!by_rubric || !combination.rescan) return {};
  TRY_ASSIGN(const std::vector<Verdict> verdicts, context_.ports.store.verdicts(context_.session.id));
  for (AcceptedFix& fix : combination.kept) {
    const bool judged = std::any_of(verdicts.begin(), verdicts.end(), [&](const Verdict& verdict) {
      return verdict.attempt_id == fix.attempt.id;
    });
    if (judged) continue;
    TRY_ASSIGN(const bool confirmed, checks_confirm(combination, fix.issue));
    const Verdict verdict = rubric_verdict(context_, fix.issue, fix.attempt, *combination.rescan,
                                           confirmed ? std::optional<bool>(true) : std::nullopt);
    TRY(store_verdict(context_, fix.issue, verdict));
    fix.score = verdict.score.value_or(0);
  }
  return {};
}

// Does one of the project's own checks speak for the fix? Those that fail on the base, too, say nothing.
Result<bool> Pipeline::checks_confirm(const Combination& combination, const Issue& issue) {
  if (!combination.verified) return false;
  TRY_ASSIGN(const auto baseline, stages_.verifier.baseline(tip_, {}));
  return compare(commands_for(context_.policy(), issue), *baseline, *combination.verified).passed;
}

// Fixes for one round, the others go to `later`. An interrupted round goes on with those that are on this tip
// already. Of fixes by agents that change the same file only one is taken: they would conflict once more.
std::vector<AcceptedFix> Pipeline::next_round(const std::vector<AcceptedFix>& again,
                                              std::vector<AcceptedFix>& later) {
  const auto is_here = [&](const AcceptedFix& fix) {
    const Unit& unit = unit_of(fix);
    return unit.stacked && unit.base == tip_;
  };
  const bool interrupted = std::any_of(again.begin(), again.end(), is_here);
  std::vector<AcceptedFix> round;
  std::set<std::string> files;
  for (const AcceptedFix& fix : again) {
    std::set<std::string> own = {fix.issue.finding.file};
    for (const FileChange& change : fix.attempt.patch.changes) own.insert(change.path);
    const bool meets =
        std::any_of(own.begin(), own.end(), [&](const auto& file) { return files.contains(file); });
    const bool taken = interrupted ? is_here(fix) : stages_.fixer == nullptr || !meets;
    if (taken) files.merge(own);
    (taken ? round : later).push_back(fix);
  }
  return round;
}

// One round for fixes that could not be put together with others: they are made anew on the branch as it is
// now, several at a time, and put together there. Agents' fixes are checked one by one, because they failed
// together.
Status Pipeline::stack(std::vector<AcceptedFix>& again, std::stop_token stop) {
  std::vector<AcceptedFix> later;
  for (const AcceptedFix& fix : next_round(again, later)) TRY(put_on_tip(unit_of(fix), fix.issue));
  const bool batch = batch_ && stages_.fixer == nullptr;
  TRY(UnitQueue(context_, stages_, batch).run(units_, issues_, {true, nullptr, tip_}, stop));
  cancelled_ = stop.stop_requested();
  if (cancelled_) return {};
  TRY_ASSIGN(const std::vector<AcceptedFix> fixes, accepted_fixes());
  std::vector<AcceptedFix> ready;
  for (const AcceptedFix& fix : fixes)
    if (fix.unit.stacked && fix.unit.base == tip_) ready.push_back(fix);
  const std::string before = tip_;
  const std::size_t waiting = later.size();
  TRY(settle(ready, later, stop));
  // Nothing of this round could be kept: another one would end the same way.
  if (tip_ == before && !cancelled_) TRY(give_up_stacked(later, waiting, ready.size()));
  again = std::move(later);
  return {};
}

// Those behind the first `waiting`, which wait for the next round.
Status Pipeline::give_up_stacked(std::vector<AcceptedFix>& later, std::size_t waiting, std::size_t tried) {
  if (stages_.fixer != nullptr && tried > 1)
    return {}; // agents are told why, and try again one after the other
  for (std::size_t i = waiting; i < later.size(); ++i)
    TRY(stages_.fixer == nullptr
            ? give_up(later[i], "conflict", "its edits conflict with another fix")
            : give_up(later[i], "combination_failed", "this fix fails on top of the other fixes"));
  later.resize(waiting);
  return {};
}

// In batch mode a dropped fix was never checked alone: it may try again with the failure in hand. Otherwise
// it is out.
Status Pipeline::drop(const Combination::Dropped& dropped, std::vector<AcceptedFix>& again) {
  AcceptedFix fix = dropped.fix;
  Unit& unit = unit_of(fix);
  unit.accepted_attempt.clear();
  unit.status = UnitStatus::pending; // it may stand on the tip already
  unit.feedback = dump_json(Json{{"failure", dropped.failure},
                                 {"feedback", "Verification failed with your change: " + dropped.detail}});
  if (batch_ && stages_.fixer != nullptr && ++unit.verify_failures < context_.policy().max_fix_cycles) {
    fix.unit = unit;
    again.push_back(std::move(fix));
    return {};
  }
  if (batch_ || dropped.alone) return give_up(fix, "verification_failed", dropped.detail);
  // Checks whose `paths` name other files run on the final tree only.
  const bool all_ran = commands_for(context_.policy(), fix.issue).size() == context_.policy().commands.size();
  return give_up(
      fix, "combination_failed",
      fmt::format("{}: {}. To fix it on top of the other fixes: emend fix {} --base {}",
                  all_ran ? "this fix works alone but fails together with the others"
                          : "the checks of its own file pass, but not all checks of the final tree",
                  dropped.detail, fix.issue.code, context_.session.branch));
}

Status Pipeline::give_up(const AcceptedFix& fix, const std::string& reason, const std::string& detail) {
  return fail_unit(context_, unit_of(fix), fix.issue, reason, detail, fix.score > 0 ? fix.score : -1);
}

// The unit works on the branch as it is now. What it has there already is kept.
Status Pipeline::put_on_tip(Unit& unit, const Issue& issue) {
  if (unit.stacked && unit.base == tip_) return {};
  unit.stacked = true;
  unit.base = tip_;
  unit.status = UnitStatus::pending;
  unit.accepted_attempt.clear();
  if (stages_.fixer != nullptr && unit.cycles > 0)
    context_.notice(fmt::format("{} is fixed again on top of the other fixes", issue.code));
  Change change;
  change.units.push_back(unit);
  return context_.log.apply(std::move(change));
}

} // namespace emend
