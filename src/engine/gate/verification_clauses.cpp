#include "engine/gate/verification_clauses.hpp"

#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "engine/gate/reproducer_clause.hpp"
#include "engine/patch/clause_outcomes.hpp"
#include "engine/patch/scope.hpp"
#include "engine/verify/comparison.hpp"
#include "engine/verify/elsewhere.hpp"
#include "engine/verify/own_tests.hpp"
#include "engine/verify/probe_reading.hpp"
#include "engine/verify/requirement.hpp"
#include "engine/verify/without_fix.hpp"

namespace emend {
namespace {

// The newest run of a kind on exactly this tree.
const Verification* find_run(const GateInput& in, VerificationKind kind, const std::string& base,
                             const std::string& patch_sha, const std::string& issue_id) {
  const Verification* found = nullptr;
  for (const Verification& v : in.verifications)
    if (v.kind == kind && v.base == base && v.patch_sha256 == patch_sha && v.issue_id == issue_id) found = &v;
  return found;
}

// Of the project's own commands, in contrast to analyzers and reproducers.
bool runs_commands(VerificationKind kind) {
  return kind == VerificationKind::baseline || kind == VerificationKind::alone ||
         kind == VerificationKind::combined || kind == VerificationKind::without_patch;
}

// A run of any kind on the tree the branch ends in, or (with final_product_sha256) on that tree without the
// tests the fixes bring along.
const Verification* find_final(const GateInput& in, const std::string& patch_sha) {
  const Verification* found = nullptr;
  for (const Verification& v : in.verifications)
    if (runs_commands(v.kind) && !v.patch_sha256.empty() && v.base == in.final_base &&
        v.patch_sha256 == patch_sha)
      found = &v;
  return found;
}

// What the alone run says, completed by the run on the whole combination where the alone one was skipped
// (verify.mode = batch).
Verification confirming_run(const std::vector<VerifyCommand>& commands, const Verification* alone,
                            const Verification* combined) {
  Verification joined;
  for (const VerifyCommand& command : commands) {
    const CommandRun* run = alone == nullptr ? nullptr : alone->find(command.name);
    if (run == nullptr && combined != nullptr) run = combined->find(command.name);
    if (run != nullptr) joined.commands.push_back(*run);
  }
  return joined;
}

// The values of a hidden check were compared where the fix cannot reach.
bool compared_outside(const GateInput& in) {
  return in.reproducer && in.reproducer->independent() && reproducer_clause(in).state == ClauseState::passed;
}

// If no check can confirm the fix, the evidence is `judged` at best; the policy says whether that suffices.
// A reproducer can confirm it instead.
VerificationClauses not_verified(const GateInput& in, const std::string& why) {
  const char* name = "verified";
  Clause reproduced =
      in.reproducer && !in.attempt->patch.empty() ? reproducer_clause(in) : spared("P6", "reproduced", why);
  const bool repaired = reproduced.state == ClauseState::passed;
  const bool enough = repaired || judge_may_decide(in.policy, in.issue, in.attempt->patch);
  return {enough ? spared("P4", name, why) : failed("P4", name, why),
          spared("P5", "tests_kept", why),
          std::move(reproduced),
          {.alive = repaired,
           .reproduced = repaired,
           .marks = {.independent = repaired && compared_outside(in)}}};
}

// The issue's own commands and, whatever their paths say, every other one that passes on the base.
std::vector<VerifyCommand> commands_on_final(const GateInput& in, const Verification& baseline) {
  std::vector<VerifyCommand> chosen;
  for (const VerifyCommand& command : in.policy.commands) {
    const CommandRun* before = baseline.find(command.name);
    const bool guards_others = in.every_check_on_final && before != nullptr && before->passed();
    if (command.applies_to(in.issue.finding.file) || guards_others) chosen.push_back(command);
  }
  return chosen;
}

Clause final_tree_clause(const GateInput& in, const Comparison& alone) {
  const Verification* final_run = find_final(in, in.final_patch_sha256);
  if (final_run == nullptr) return failed("P4", "verified", "the branch's final tree was not checked");
  const Verification* baseline = find_run(in, VerificationKind::baseline, final_run->base, "", "");
  if (baseline == nullptr)
    return failed("P4", "verified", "the checks were not run on the base of the final tree");
  const auto commands = commands_on_final(in, *baseline);
  for (const VerifyCommand& command : commands)
    if (final_run->find(command.name) == nullptr)
      return failed("P4", "verified", command.name + " was not run on the branch's final tree");
  // On top of other fixes a reproducer is green on the base already; it only has to stay green.
  Comparison comparison = compare(commands, *baseline, *final_run, left_by_fix(in.issue, *in.attempt));
  for (std::string& sentence : broken_again(alone, *final_run))
    comparison.failures.push_back(std::move(sentence));
  if (!comparison.failures.empty() || !comparison.lost_tests.empty())
    return failed("P4", "verified",
                  "the branch's final tree fails: " + join(comparison.failures, "; ") +
                      join(comparison.lost_tests, "; "));
  const Verification* there =
      find_run(in, VerificationKind::elsewhere, in.final_base, in.final_patch_sha256, "");
  if (there != nullptr)
    if (const auto red = fails_elsewhere(*final_run, *there); !red.empty())
      return failed("P4", "verified", join(red, "; "));
  std::string detail = "the checks pass with this fix alone and in the branch's final tree";
  if (!alone.red_before.empty()) detail += "; failed before, not counted: " + join(alone.red_before, ", ");
  return passed("P4", "verified", detail);
}

// " (test_a, test_b and 3 more)"
std::string repaired_names(const Comparison& comparison) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> ids;
  for (const TestOf& test : comparison.repaired) ids.push_back(test.id);
  if (ids.empty()) return {};
  const std::size_t more = ids.size() - std::min(ids.size(), kNamed);
  ids.resize(ids.size() - more);
  return " (" + join(ids, ", ") + (more > 0 ? " and " + std::to_string(more) + " more)" : ")");
}

Clause reproduced_clause(const GateInput& in, const Comparison& comparison, const ApartPatch& parts,
                         const Verification& baseline) {
  if (in.reproducer) {
    Clause clause = reproducer_clause(in);
    if (clause.state != ClauseState::not_required || comparison.reproducers.empty()) return clause;
  }
  if (comparison.reproducers.empty()) return spared("P6", "reproduced", "no reproducer failed on the base");
  const Verification* without = telling_without(
      in.verifications, {in.issue.id, in.issue.finding.file, in.attempt->base, parts}, comparison, baseline);
  if (without == nullptr)
    return failed("P6", "reproduced", "the reproducer was not run again without the patch");
  const FailsAgain again = fails_again(commands_for(in.policy, in.issue), comparison, *without);
  if (!again.refusal.empty()) return failed("P6", "reproduced", again.refusal);
  if (!again.reproduced) return spared("P6", "reproduced", again.detail);
  return passed("P6", "reproduced",
                join(comparison.reproducers, ", ") + repaired_names(comparison) +
                    ": fails on the base, passes with the patch, fails again without it");
}

// What the probes come to on each tree that was probed for this issue: the fix alone, or with others.
std::vector<Probed> probes_of(const GateInput& in, const std::string& product_sha, const Verification& runs,
                              const Verification& baseline) {
  std::vector<Probed> all = {
      probed_by(in.verifications, in.issue.id, in.attempt->base, product_sha, runs, baseline)};
  std::set<std::pair<std::string, std::string>> trees;
  for (const Verification& run : in.verifications)
    if (probes_issue(run, in.issue.id) && !run.patch_sha256.empty())
      trees.insert({run.base, run.patch_sha256});
  for (const auto& [base, sha] : trees) {
    const Verification* plain = find_run(in, VerificationKind::combined, base, sha, "");
    const Verification* before = find_run(in, VerificationKind::baseline, base, "", "");
    if (plain != nullptr && before != nullptr)
      all.push_back(probed_by(in.verifications, in.issue.id, base, sha, *plain, *before));
  }
  return all;
}

// A check that cannot fail speaks for nobody, and neither does one that nobody saw failing. Where that is the
// issue's own, which passes now, other checks do not make up for it. A reproducer from outside the tree is
// nothing the patch can have prepared for.
void hold_against_probes(const GateInput& in, const std::string& product_sha, const Comparison& comparison,
                         const Verification& runs, const Verification& baseline, VerificationClauses& out) {
  std::set<std::string> alive;
  bool doubted = false;
  for (const Probed& probed : probes_of(in, product_sha, runs, baseline)) {
    alive.insert(probed.alive.begin(), probed.alive.end());
    doubted = doubted || (probed.doubted && !in.old_levels);
    out.support.probed = out.support.probed || (probed.end == Probed::End::passed && probed.exact);
    if (probed.end != Probed::End::failed) continue;
    const std::string why = "the check cannot fail with this fix: " + probed.detail;
    if (out.p6.state == ClauseState::passed)
      out.p6 = failed("P6", "reproduced", why);
    else
      out.p4 = failed("P4", "verified", why);
  }
  const bool from_outside = in.reproducer && reproducer_clause(in).state == ClauseState::passed;
  const bool own_alive = in.old_levels || from_outside || is_alive(alive, comparison.reproducers);
  out.support.alive =
      from_outside || (!alive.empty() && !doubted && (comparison.reproducers.empty() || own_alive));
  out.support.reproduced = out.p6.state == ClauseState::passed && own_alive;
  if (out.support.probed && out.p6.state == ClauseState::passed)
    out.p6.detail += "; turned around, it fails as it must";
}

// An issue about a test may change that test; then it takes the base's own tests, or somebody else, to
// confirm the patch.
void discount_changed_judges(const GateInput& in, const std::vector<VerifyCommand>& commands,
                             const Verification& baseline, VerificationClauses& out) {
  ApartPatch parts = apart(in.issue.finding.file, in.attempt->patch, in.called_scripts, in.opened);
  if (parts.judges.empty() && parts.product.empty())
    parts.judges = std::move(parts.own_tests); // it only adds tests
  if (parts.judges.empty() || out.p4.state != ClauseState::passed) return;
  const std::string names = path_list(parts.judges);
  const Verification* frozen = parts.product.empty() ? nullptr
                                                     : find_run(in, VerificationKind::alone, in.attempt->base,
                                                                parts.product.sha256(), in.issue.id);
  if (frozen != nullptr && compare(commands, baseline, *frozen, left_by_fix(in.issue, *in.attempt)).passed) {
    out.p4.detail += "; also with " + names + " of the base";
    return;
  }
  out.support.own_judge = true;
  out.p4.detail += "; the patch changes " + names + ", so its checks do not count as evidence: judged only";
  out.p6 = spared("P6", "reproduced", "the patch changes " + names + ", which is part of the check");
}

// The tests the patch brings along: what they show, from the stored runs alone. They are seen on the base
// alone or, in a batch, together with those of the other fixes.
void note_own_tests(const GateInput& in, const std::vector<VerifyCommand>& commands,
                    const Verification& baseline, const Verification& patched, const ApartPatch& parts,
                    VerificationClauses& out) {
  if (parts.own_tests.empty() || out.p4.state != ClauseState::passed) return;
  const Verification* alone =
      find_run(in, VerificationKind::own_tests_base, in.attempt->base, parts.own_tests.sha256(), in.issue.id);
  const Verification* together =
      in.commit && in.final_base == in.attempt->base
          ? find_run(in, VerificationKind::own_tests_base, in.final_base, in.final_tests_sha256, "")
          : nullptr;
  if (alone == nullptr && together == nullptr) return; // older proofs have no such run
  const OwnTests seen = alone != nullptr
                            ? shown_by(commands, baseline, *alone, patched, {})
                            : shown_by(commands, baseline, *together, patched, added_tests(parts.own_tests));
  out.support.marks.shown = seen.shown;
  out.p4.detail += "; " + seen.sentence();
}

VerificationClauses broken(const GateInput& in, const Verification* alone, const Comparison& comparison,
                           const std::string& where) {
  const bool left_out =
      alone == nullptr && !in.commit; // checked with others only, and none of the runs that passed had it
  VerificationClauses out;
  out.p4 = comparison.failures.empty()
               ? passed("P4", "verified", "everything that passed on the base still passes")
           : left_out
               ? failed("P4", "verified",
                        "it was checked together with other fixes, and was not among those that passed")
               : failed("P4", "verified", where + join(comparison.failures, "; "));
  out.p5 = comparison.lost_tests.empty()
               ? passed("P5", "tests_kept", "every test that passed still passes")
               : failed("P5", "tests_kept", where + join(comparison.lost_tests, "; "));
  out.p6 = spared("P6", "reproduced", "not reached");
  return out;
}

} // namespace

VerificationClauses verification_clauses(const GateInput& in) {
  if (in.policy.commands.empty()) return not_verified(in, "no checks are configured");
  const Attempt& attempt = *in.attempt;
  if (attempt.patch.empty()) return not_verified(in, "there is no patch to verify");
  const auto commands = commands_for(in.policy, in.issue);
  if (commands.empty()) return not_verified(in, "no check applies to " + in.issue.finding.file);
  const Verification* baseline = find_run(in, VerificationKind::baseline, attempt.base, "", "");
  if (baseline == nullptr) return not_verified(in, "the base was not verified, so nothing can be compared");
  const auto seen = [&](const Verification* alone,
                        const std::string& final_sha) { // the final tree says nothing of what is not in it
    return confirming_run(commands, alone, in.commit ? find_final(in, final_sha) : nullptr);
  };
  const auto holds = [](const Comparison& comparison) {
    return comparison.failures.empty() && comparison.lost_tests.empty();
  };
  const Verification* alone =
      find_run(in, VerificationKind::alone, attempt.base, attempt.patch.sha256(), in.issue.id);
  const Verification runs = seen(alone, in.final_patch_sha256);
  const auto about = [&](const Verification* alone_run) { // who repaired a test is known of a run alone only
    About fix = about_fix(in.issue, attempt);
    for (const VerifyCommand& command : commands)
      if (alone_run == nullptr || alone_run->find(command.name) == nullptr) fix.together.insert(command.name);
    return fix;
  };
  Comparison comparison = compare(commands, *baseline, runs, about(alone));
  if (!holds(comparison)) return broken(in, alone, comparison, "");
  // Tests the patch brings along say nothing for it: the existing ones are held against the rest of it.
  Verification product_runs = runs;
  std::string product_sha = attempt.patch.sha256();
  const ApartPatch parts = apart(in.issue.finding.file, attempt.patch, in.called_scripts, in.opened);
  if (const auto red = failing_own_tests(commands, *baseline, runs);
      !parts.own_tests.empty() && !red.empty()) {
    comparison.failures.push_back("a test that the change adds fails with the change: " + join(red, ", "));
    return broken(in, alone, comparison, "");
  }
  if (!parts.own_tests.empty() && parts.judges.empty() && !parts.product.empty()) {
    const Verification* product =
        find_run(in, VerificationKind::alone, attempt.base, parts.product.sha256(), in.issue.id);
    product_sha = parts.product.sha256();
    product_runs = seen(product, in.final_product_sha256);
    comparison = compare(commands, *baseline, product_runs, about(product));
    if (!holds(comparison)) return broken(in, product, comparison, "without the tests it adds: ");
  }
  if (!comparison.passed) return not_verified(in, unconfirmed(comparison));
  VerificationClauses out;
  out.p5 = passed("P5", "tests_kept", "every test that passed still passes");
  out.p6 = reproduced_clause(in, comparison, parts, *baseline);
  out.p4 = final_tree_clause(in, comparison);
  hold_against_probes(in, product_sha, comparison, product_runs, *baseline, out);
  out.support.confirmed = out.p4.state == ClauseState::passed;
  out.support.marks.independent = out.support.reproduced && compared_outside(in);
  discount_changed_judges(in, commands, *baseline, out);
  note_own_tests(in, commands, *baseline, runs, parts, out);
  return out;
}

} // namespace emend
