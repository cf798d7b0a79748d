#include "engine/gate/gate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

using testing::HasSubstr;
using testing::Not;

CommandRun run(const std::string& name, CommandResult result, int tests = 0) {
  CommandRun made;
  made.name = name;
  made.result = result;
  made.exit_code = result == CommandResult::passed ? 0 : 1;
  made.runs = 1;
  made.tests.recognised = tests > 0;
  made.tests.passed = tests;
  return made;
}

constexpr auto green = CommandResult::passed;
constexpr auto red = CommandResult::failed;

// Starts as an input that passes every clause; each test breaks one thing.
class Gate : public testing::Test {
protected:
  Gate() {
    in.policy.commands = {{"test", "make test", {}, 0}};
    in.policy.satisfaction_threshold = 95;
    in.issue.id = "issue-1";
    in.issue.code = "BE-100";
    in.issue.finding.file = "src/a.c";
    in.session.id = "s1";
    in.session.base = "base";
    in.session.branch = "fix/s1";
    tree["src/a.c"] = {kModeFile, "id", 1};
    in.base_tree = &tree;
    in.attempt = Attempt{};
    in.attempt->id = "attempt-1";
    in.attempt->base = "base";
    in.attempt->family = "one";
    set_patch(Patch{{changed("src/a.c", "int x = 1;\n", "int x = 2;\n")}});
    in.verifications = {verification(VerificationKind::baseline, "", "", {run("test", green, 4)}),
                        verification(VerificationKind::alone, "issue-1", sha(), {run("test", green, 4)}),
                        verification(VerificationKind::combined, "", "whole", {run("test", green, 4)}),
                        verification(VerificationKind::probe, "issue-1", sha(), {run("test", red, 4)})};
    Probe guard; // the check was seen failing
    guard.issue_id = "issue-1";
    guard.command = "test";
    guard.kind = kGuard;
    in.verifications.back().probes = {guard};
    in.final_base = "base";
    in.final_patch_sha256 = "whole";
    in.verdicts = {verdict(97)};
    in.reachable = true;
    in.message = "fix: x (BE-100)\n\nwhy\n\nEmend-Issue: BE-100\nEmend-Session: s1\n";
  }

  void set_patch(Patch patch) {
    in.attempt->patch = std::move(patch);
    in.expected = in.published = in.attempt->patch;
    in.commit = CommitRecord{"0123456789abcdef", "base", "s1", {"issue-1"}, sha(), "fix: x"};
    for (Verification& v : in.verifications)
      if (v.kind == VerificationKind::alone || v.kind == VerificationKind::probe) v.patch_sha256 = sha();
    for (Verdict& v : in.verdicts) v.patch_sha256 = sha();
  }
  std::string sha() const { return in.attempt->patch.sha256(); }

  static Verification verification(VerificationKind kind, const std::string& issue, const std::string& patch,
                                   std::vector<CommandRun> runs) {
    Verification made;
    made.kind = kind;
    made.issue_id = issue;
    made.base = "base";
    made.patch_sha256 = patch;
    made.commands = std::move(runs);
    return made;
  }
  Verdict verdict(int score) const {
    Verdict made;
    made.issue_id = "issue-1";
    made.attempt_id = "attempt-1";
    made.patch_sha256 = sha();
    made.agent = "judge";
    made.family = "two";
    made.independent = made.valid = true;
    made.score = score;
    return made;
  }
  Verification& of(VerificationKind kind) {
    for (Verification& v : in.verifications)
      if (v.kind == kind) return v;
    ADD_FAILURE() << "no such verification";
    return in.verifications.front();
  }
  void drop(VerificationKind kind) {
    std::erase_if(in.verifications, [&](const Verification& v) { return v.kind == kind; });
  }
  // The command belongs to the issue and was red on the base: a reproducer.
  void make_reproducer() {
    in.policy.commands[0].paths = {"src/**"};
    of(VerificationKind::baseline).commands = {run("test", red)};
    in.verifications.push_back(
        verification(VerificationKind::without_patch, "issue-1", "", {run("test", red)}));
  }

  // A check of the issue's own, red on the base, green with the patch and in the final tree, red again
  // without it.
  void give_check() {
    in.reproducer = Reproducer{};
    in.reproducer->issue_id = "issue-1";
    in.reproducer->agent = "writer";
    in.reproducer->command = "sh check.sh";
    in.reproducer->marker = "STILL THERE";
    const auto seen = [&](VerificationKind kind, const std::string& patch, CommandResult result) {
      CommandRun made = run("reproducer", result);
      made.runs = 2;
      made.passes = result == green ? 2 : 0;
      made.output = result == green ? "" : "some words\nSTILL THERE\n";
      Verification verification_of_it = verification(kind, "issue-1", patch, {made});
      verification_of_it.reproducer_sha256 = in.reproducer->sha256();
      in.verifications.push_back(verification_of_it);
    };
    seen(VerificationKind::reproducer_base, "", red);
    seen(VerificationKind::reproducer_patched, sha(), green);
    seen(VerificationKind::reproducer_without, "", red);
    seen(VerificationKind::reproducer_patched, "whole", green);
  }
  CommandRun& check_run(VerificationKind kind, const std::string& patch = "") {
    for (Verification& v : in.verifications)
      if (v.kind == kind && v.patch_sha256 == patch) return v.commands.front();
    ADD_FAILURE() << "no such run";
    return in.verifications.front().commands.front();
  }

  GateDecision decision() const { return decide(in, Redactor()); }
  void expect_resolved(Evidence evidence) {
    const GateDecision made = decision();
    EXPECT_TRUE(made.resolved) << made.reason << ": " << made.detail;
    EXPECT_EQ(made.evidence, evidence);
    EXPECT_EQ(made.reason, "");
    EXPECT_EQ(made.clauses.size(), 10U);
  }
  void expect_refused(const std::string& id, const std::string& reason, const std::string& detail) {
    const GateDecision made = decision();
    EXPECT_FALSE(made.resolved);
    EXPECT_EQ(made.reason, reason);
    EXPECT_EQ(made.evidence, Evidence::none);
    EXPECT_THAT(made.detail, HasSubstr(detail));
    for (const Clause& clause : made.clauses) {
      if (clause.id == "P10" && id != "P10") continue; // says it was not reached
      const bool good = clause.state == ClauseState::passed || clause.state == ClauseState::not_required;
      EXPECT_EQ(good, clause.id != id)
          << clause.id << ": exactly the broken clause must refuse: " << clause.detail;
    }
  }

  Tree tree;
  GateInput in;
};

TEST_F(Gate, EverythingPasses) {
  expect_resolved(Evidence::unbroken);
  std::string ids;
  for (const Clause& clause : decision().clauses) ids += clause.id;
  EXPECT_EQ(ids, "P1P2P3P4P5P6P7P8P9P10");
}

TEST_F(Gate, ACheckThatNobodySawFailingTellsNothing) {
  drop(VerificationKind::probe);
  expect_resolved(Evidence::judged);
  make_reproducer();
  expect_resolved(Evidence::judged);
  in.policy.minimum_evidence = "unbroken";
  EXPECT_EQ(decision().reason, "evidence_too_weak");
}

TEST_F(Gate, ARepairNeedsThatTheIssuesOwnCheckWasSeenFailing) {
  make_reproducer();
  in.policy.commands.push_back({"lint", "make lint", {}, 0});
  for (const auto kind : {VerificationKind::baseline, VerificationKind::alone, VerificationKind::combined})
    of(kind).commands.push_back(run("lint", green));
  Verification& probe = of(VerificationKind::probe);
  probe.commands = {run("lint", red)};
  probe.probes.front().command = "lint";
  expect_resolved(Evidence::judged); // another check does not make up for it
}

TEST_F(Gate, SameInputSameDecision) {
  EXPECT_EQ(dump_json(to_json(decision())), dump_json(to_json(decision())));
}

TEST_F(Gate, JudgedWhenThereAreNoCommands) {
  in.policy.commands.clear();
  in.verifications.clear();
  expect_resolved(Evidence::judged);
  EXPECT_EQ(decision().clauses.at(3).detail, "no checks are configured");
}

TEST_F(Gate, ProvenByACheckOfTheIssuesOwn) {
  give_check();
  expect_resolved(Evidence::repaired);
  in.policy.commands.clear();
  expect_resolved(Evidence::repaired);
  in.policy.minimum_evidence = "repaired";
  expect_resolved(Evidence::repaired);
}

TEST_F(Gate, ACheckThatSaysNoOutweighsEverything) {
  give_check();
  check_run(VerificationKind::reproducer_patched, sha()).result = red;
  expect_refused("P6", "reproduced", "does not pass with the patch");
}

TEST_F(Gate, EachRunOfTheCheckIsNeeded) {
  const auto broken = [this](auto change, const std::string& why) {
    in.verifications.resize(3);
    give_check();
    change();
    expect_refused("P6", "reproduced", why);
  };
  broken([this] { drop(VerificationKind::reproducer_base); }, "did not fail on the base");
  broken([this] { drop(VerificationKind::reproducer_without); }, "does not fail again without the patch");
  broken([this] { in.verifications.pop_back(); }, "does not pass in the branch's final tree");
  broken([this] { check_run(VerificationKind::reproducer_base).output = "a syntax error\n"; },
         "did not fail on the base");
  broken([this] { check_run(VerificationKind::reproducer_base).passes = 1; }, "did not fail on the base");
  broken([this] { check_run(VerificationKind::reproducer_base).result = CommandResult::timed_out; },
         "did not fail on the base");
  broken([this] { check_run(VerificationKind::reproducer_without).result = green; },
         "does not fail again without the patch");
  broken([this] { check_run(VerificationKind::reproducer_patched, sha()).output = "STILL THERE\n"; },
         "does not pass with the patch");
  broken([this] { in.reproducer->command = "another check"; }, "did not fail on the base");
}

TEST_F(Gate, ARunOfTheCheckIsNoVerificationOfTheTree) {
  give_check();
  drop(VerificationKind::combined);
  expect_refused("P4", "verified", "the branch's final tree was not checked");
}

TEST_F(Gate, ProvenWhenAReproducerTurnedGreen) {
  make_reproducer();
  expect_resolved(Evidence::repaired);
}

TEST_F(Gate, NoAttempt) {
  in.attempt.reset();
  EXPECT_FALSE(decision().resolved);
  EXPECT_EQ(decision().reason, "real_change");
}

TEST_F(Gate, NoTree) {
  in.base_tree = nullptr;
  EXPECT_FALSE(decision().resolved);
}

TEST_F(Gate, P1NoRealChange) {
  set_patch(Patch{{changed("src/a.c", "int x;\n", "int x; // ok\n")}});
  expect_refused("P1", "real_change", "only comments");
}

TEST_F(Gate, AnEmptyPatchIsNoFixWhateverElseIsSaid) {
  set_patch({});
  const GateDecision made = decision();
  EXPECT_EQ(made.reason, "real_change");
  EXPECT_EQ(made.detail, "nothing was changed");
  EXPECT_EQ(made.clauses.at(3).detail, "there is no patch to verify");
  EXPECT_EQ(made.clauses.back().state, ClauseState::unknown) << "nothing is proven after a clause failed";
  EXPECT_EQ(made.clauses.back().detail, "not reached");
}

TEST_F(Gate, P2OutOfScope) {
  set_patch(Patch{{changed("src/a.c", "int x = 1;\n", "int x = 2;\n"),
                   changed("src/b.c", "int y = 1;\n", "int y = 2;\n")}});
  in.policy.scope = FixScope::file;
  expect_refused("P2", "in_scope", "src/b.c is outside the scope");
}

TEST_F(Gate, P2Violation) {
  in.attempt->notes = {"violation: hard link: src/a.c"};
  expect_refused("P2", "in_scope", "hard link");
}

TEST_F(Gate, P3HiddenText) {
  set_patch(Patch{{changed("src/a.c", "int x = 1;\n", "int x = 2; // \u202e\n")}});
  expect_refused("P3", "no_cheats", "characters that nobody sees");
}

TEST_F(Gate, P4AloneRed) {
  of(VerificationKind::alone).commands = {run("test", red)};
  expect_refused("P4", "verified", "passed on the base");
}

TEST_F(Gate, P4TheNewestRunOfATreeCounts) {
  in.verifications.push_back(verification(VerificationKind::alone, "issue-1", sha(), {run("test", red)}));
  expect_refused("P4", "verified", "passed on the base");
}

TEST_F(Gate, P4ARunOfAnotherPatchDoesNotCount) {
  of(VerificationKind::alone).patch_sha256 = "other";
  of(VerificationKind::combined).commands.clear();
  expect_refused("P4", "verified", "`test` was not run");
}

TEST_F(Gate, P4ARunForAnotherIssueDoesNotCount) {
  of(VerificationKind::alone).issue_id = "issue-2";
  of(VerificationKind::combined).commands.clear();
  expect_refused("P4", "verified", "`test` was not run");
}

TEST_F(Gate, P4SaysWhenAFixWasLeftOutOfTheCombination) {
  drop(VerificationKind::alone);
  in.commit.reset();
  EXPECT_EQ(decision().reason, "verified");
  EXPECT_THAT(decision().detail, testing::HasSubstr("was not among those that passed"));
}

TEST_F(Gate, P4TheCombinationMayVouchWhenAloneWasSkipped) {
  drop(VerificationKind::alone);
  expect_resolved(Evidence::unbroken);
}

TEST_F(Gate, P4FinalTreeNotVerified) {
  drop(VerificationKind::combined);
  expect_refused("P4", "verified", "the branch's final tree was not checked");
}

TEST_F(Gate, P4FinalTreeIsAnotherOne) {
  in.final_patch_sha256 = "something else";
  expect_refused("P4", "verified", "the branch's final tree was not checked");
}

TEST_F(Gate, P4FinalTreeRed) {
  of(VerificationKind::combined).commands = {run("test", red)};
  expect_refused("P4", "verified", "the branch's final tree fails");
}

TEST_F(Gate, P4FinalTreeLosesTests) {
  of(VerificationKind::combined).commands = {run("test", green, 3)};
  expect_refused("P4", "verified", "4 tests passed on the base, 3");
}

TEST_F(Gate, P4ACommandWasNotRunOnTheFinalTree) {
  of(VerificationKind::combined).commands = {run("other", green)};
  expect_refused("P4", "verified", "was not run on the branch's final tree");
}

TEST_F(Gate, P4FinalTreeOnABaseWithoutABaseline) {
  of(VerificationKind::combined).base = in.final_base = "parent";
  expect_refused("P4", "verified", "were not run on the base of the final tree");
}

TEST_F(Gate, P4NoBaseline) {
  drop(VerificationKind::baseline);
  expect_refused("P4", "verified", "the base was not verified");
}

TEST_F(Gate, P4ABaselineOfAnotherCommitDoesNotCount) {
  of(VerificationKind::baseline).base = "other";
  expect_refused("P4", "verified", "the base was not verified");
}

TEST_F(Gate, P4NoCheckConfirms) {
  of(VerificationKind::baseline).commands = {run("test", red)};
  expect_refused("P4", "verified", "no check could confirm this fix: test already fails on the base");
}

TEST_F(Gate, P4WhereNoCheckAppliesTheJudgeDecides) {
  in.policy.commands[0].paths = {"web/**"};
  expect_resolved(Evidence::judged);
  in.policy.minimum_evidence = "unbroken";
  expect_refused("P4", "verified", "no check applies to src/a.c");
}

TEST_F(Gate, P4WeakEvidenceCanBeAllowed) {
  in.policy.minimum_evidence = "judged";
  of(VerificationKind::baseline).commands = {run("test", red)};
  expect_resolved(Evidence::judged);
}

TEST_F(Gate, P4ARedRunIsNeverAllowed) {
  in.policy.minimum_evidence = "judged";
  of(VerificationKind::alone).commands = {run("test", red)};
  expect_refused("P4", "verified", "passed on the base");
}

TEST_F(Gate, P5LostTests) {
  of(VerificationKind::alone).commands = {run("test", green, 3)};
  expect_refused("P5", "tests_kept", "4 tests passed on the base, 3 with the patch");
}

TEST_F(Gate, P6NotRunWithoutThePatch) {
  make_reproducer();
  drop(VerificationKind::without_patch);
  expect_refused("P6", "reproduced", "was not run again without the patch");
}

TEST_F(Gate, P6NotRedWithoutThePatch) {
  make_reproducer();
  of(VerificationKind::without_patch).commands = {run("test", green)};
  expect_refused("P6", "reproduced", "test does not fail without the patch");
}

// A failing test of another file, and one of the issue's file that the patch repairs.
TEST_F(Gate, ARedBaseIsComparedTestByTest) {
  const auto tested = [](const char* own) {
    CommandRun made = run("test", red, 3);
    made.tests.failed = made.tests.own_failures = std::string(own) == "failed" ? 2 : 1;
    made.tests.passed = 5 - made.tests.failed;
    made.tests.by_id = {{"test_money.c: b", "failed"}, {"test_a.c: x", own}, {"c", "passed"}};
    return made;
  };
  of(VerificationKind::baseline).commands = {tested("failed")};
  of(VerificationKind::alone).commands = of(VerificationKind::combined).commands = {tested("passed")};
  expect_refused("P6", "reproduced", "was not run again without the patch");
  in.verifications.push_back(
      verification(VerificationKind::without_patch, "issue-1", "", {tested("failed")}));
  of(VerificationKind::probe).commands = {tested("failed")};
  of(VerificationKind::probe).probes.front().tests = {"test_a.c: x"};
  expect_resolved(Evidence::repaired);
  of(VerificationKind::without_patch).commands = {tested("passed")};
  expect_resolved(Evidence::unbroken); // the test wavers, and the others confirm the fix
  of(VerificationKind::combined).commands = {tested("failed")};
  expect_refused("P4", "verified", "test_a.c: x passes with this fix alone, but not with the others");
}

TEST_F(Gate, ABaseThatWaversConfirmsAndRefusesNothing) {
  of(VerificationKind::alone).commands = of(VerificationKind::combined).commands = {run("test", red)};
  expect_refused("P4", "verified", "passed on the base");
  Verification newer = of(VerificationKind::baseline);
  newer.commands[0].wavers = true;
  in.verifications.push_back(newer);
  in.policy.minimum_evidence = "judged";
  expect_resolved(Evidence::judged);
}

TEST_F(Gate, P6AnotherCommandWasRunWithoutThePatch) {
  make_reproducer();
  of(VerificationKind::without_patch).commands = {run("other", red)};
  expect_refused("P6", "reproduced", "test does not fail without the patch");
}

TEST_F(Gate, P8NoVerdict) {
  in.verdicts.clear();
  expect_refused("P8", "judged", "no valid verdict on exactly this patch");
}

TEST_F(Gate, P8InvalidVerdict) {
  in.verdicts[0].valid = false;
  expect_refused("P8", "judged", "no valid verdict");
  in.verdicts[0].valid = true;
  in.verdicts[0].score.reset();
  expect_refused("P8", "judged", "no valid verdict");
}

TEST_F(Gate, P8BelowThreshold) {
  in.verdicts = {verdict(94)};
  expect_refused("P8", "judged", "judge scored it 94, the threshold is 95");
}

TEST_F(Gate, P8APanelsAverageDecides) {
  in.policy.panel = 2;
  Verdict other = verdict(90);
  other.agent = "second";
  other.family = "three";
  in.verdicts = {verdict(100), other};
  expect_resolved(Evidence::unbroken);
  in.verdicts[0].score = 99;
  expect_refused("P8", "judged", "judge 99, second 90: 94 on average, the threshold is 95");
  in.verdicts = {verdict(100)};
  expect_refused("P8", "judged", "2 judges of different vendors must vote");
  other.family = "two";
  other.score = 100;
  in.verdicts.push_back(other);
  expect_refused("P8", "judged", "2 judges of different vendors must vote");
}

TEST_F(Gate, P8ExactlyTheThreshold) {
  in.verdicts = {verdict(95)};
  expect_resolved(Evidence::unbroken);
}

TEST_F(Gate, P8VerdictOnAnotherPatch) {
  in.verdicts[0].patch_sha256 = "other";
  expect_refused("P8", "judged", "no valid verdict on exactly this patch");
}

TEST_F(Gate, P8VerdictOnAnotherIssue) {
  in.verdicts[0].issue_id = "issue-2";
  expect_refused("P8", "judged", "no valid verdict on exactly this patch");
}

TEST_F(Gate, P8SameVendorIsSaid) {
  in.verdicts[0].family = "one";
  expect_resolved(Evidence::unbroken);
  const GateDecision made = decide(in, Redactor{});
  for (const Clause& clause : made.clauses)
    if (clause.id == "P8") {
      EXPECT_THAT(clause.detail, HasSubstr("same vendor as the fixer (one)"));
    }
}

TEST_F(Gate, P8AnAgentThatJudgesItselfNeedsAPerson) {
  in.verdicts[0].agent = in.attempt->agent = "mine";
  in.verdicts[0].model = in.attempt->model = "m-1";
  expect_refused("P8", "judged", "judged its own fix");
  in.verdicts[0].model.clear();
  expect_refused("P8", "judged", "judged its own fix");
  in.policy.allow_self_judging = true;
  expect_resolved(Evidence::unbroken);
}

TEST_F(Gate, P8AJudgeThatApprovedACanaryIsVoid) {
  Verdict canary = verdict(96);
  canary.id = "canary";
  canary.canary = "empty";
  canary.attempt_id.clear();
  canary.issue_id = "another issue";
  canary.patch_sha256 = Patch{}.sha256();
  in.verdicts.push_back(canary);
  expect_refused("P8", "judged", "approved a worthless change");
  in.verdicts.back().score = 94;
  expect_resolved(Evidence::unbroken);
}

TEST_F(Gate, P8ACanarysVerdictIsNobodysApproval) {
  in.verdicts[0].canary = "reverted";
  in.verdicts[0].score = 10;
  expect_refused("P8", "judged", "no valid verdict");
}

TEST_F(Gate, P8UnknownFamiliesAreSaidButPass) {
  in.verdicts[0].family.clear();
  in.verdicts[0].independent = false;
  in.attempt->family.clear();
  expect_resolved(Evidence::unbroken);
}

TEST_F(Gate, P8OneOfAnotherFamilySuffices) {
  in.verdicts.push_back(verdict(99));
  in.verdicts[1].family = "one";
  expect_resolved(Evidence::unbroken);
  std::swap(in.verdicts[0], in.verdicts[1]);
  expect_resolved(Evidence::unbroken);
}

TEST_F(Gate, P8Disabled) {
  in.policy.challenger_enabled = false;
  expect_refused("P8", "judged", "no judge scored it");
}

TEST_F(Gate, P8OneThatSaysNoOutweighsAnyThatSaysYes) {
  in.verdicts = {verdict(100), verdict(40), verdict(100)};
  expect_refused("P8", "judged", "scored it 40");
}

TEST_F(Gate, P9NoCommit) {
  in.commit.reset();
  expect_refused("P9", "in_commit", "no commit contains it");
}

TEST_F(Gate, P9NotReachable) {
  in.reachable = false;
  expect_refused("P9", "in_commit", "0123456789ab is not reachable from fix/s1");
}

TEST_F(Gate, P9OtherBytes) {
  in.published = Patch{{changed("src/a.c", "int x = 1;\n", "int x = 3;\n")}};
  in.commit->patch_sha256 = in.published.sha256();
  expect_refused("P9", "in_commit", "does not contain exactly this patch");
}

TEST_F(Gate, P9MoreThanThePatch) {
  in.published.changes.push_back(created("src/b.c", "int y;\n"));
  in.commit->patch_sha256 = in.published.sha256();
  expect_refused("P9", "in_commit", "does not contain exactly this patch");
}

TEST_F(Gate, P9NothingWasRead) {
  in.published = in.expected = {};
  in.commit->patch_sha256 = in.published.sha256();
  expect_refused("P9", "in_commit", "does not contain exactly this patch");
}

TEST_F(Gate, P9RecordedHashDiffers) {
  in.commit->patch_sha256 = "other";
  expect_refused("P9", "in_commit", "not the one that was recorded");
}

TEST_F(Gate, P9MessageWithoutTheTrailer) {
  for (const char* message :
       {"", "fix: x (BE-100)\n", "fix\n\nEmend-Issue: BE-1000\n", "fix\n\nEmend-Issue: BE-10\n",
        "fix\n\nsee Emend-Issue: BE-100\n", "fix\n\nEmend-Issue: BE-100\n\nEmend-Issue: BE-007\n"}) {
    in.message = message;
    expect_refused("P9", "in_commit", "does not name BE-100");
  }
  in.message = "fix\n\nEmend-Issue: BE-099\nEmend-Issue: BE-100";
  expect_resolved(Evidence::unbroken);
}

TEST_F(Gate, P10IncompleteProof) {
  in.attempt->id.clear();
  expect_refused("P10", "proof", "incomplete");
  in.attempt->id = "attempt-1";
  in.session.base.clear();
  expect_refused("P10", "proof", "incomplete");
  in.session.base = "base";
  in.commit->sha.clear();
  expect_refused("P10", "proof", "incomplete");
}

TEST_F(Gate, EvidenceTooWeak) {
  in.policy.minimum_evidence = "repaired";
  const GateDecision made = decision();
  EXPECT_FALSE(made.resolved);
  EXPECT_EQ(made.reason, "evidence_too_weak");
  EXPECT_THAT(made.detail, HasSubstr("evidence is unbroken, resolve.minimum_evidence is repaired"));
  make_reproducer();
  expect_resolved(Evidence::repaired);
}

TEST_F(Gate, CommandsThatFailedBeforeAreNamed) {
  in.policy.commands.push_back({"lint", "make lint", {}, 0});
  for (const auto kind : {VerificationKind::baseline, VerificationKind::alone, VerificationKind::combined})
    of(kind).commands.push_back(run("lint", red));
  expect_resolved(Evidence::unbroken);
  EXPECT_THAT(decision().clauses.at(3).detail, HasSubstr("failed before, not counted: lint"));
}

TEST_F(Gate, TheFinalTreePassesEveryCheckThatPassesOnTheBase) {
  in.policy.commands.push_back({"docs", "make docs", {"docs/**"}, 0}); // of other files
  of(VerificationKind::baseline).commands.push_back(run("docs", green));
  expect_refused("P4", "verified", "docs was not run on the branch's final tree");
  of(VerificationKind::combined).commands.push_back(run("docs", red));
  expect_refused("P4", "verified", "the branch's final tree fails: `docs`");
  of(VerificationKind::combined).commands.back() = run("docs", green);
  expect_resolved(Evidence::unbroken);
}

TEST_F(Gate, AStackedFixIsComparedWithItsOwnBase) {
  // Made on top of another fix: its base is the parent commit, and so is the final tree's.
  in.attempt->base = in.final_base = in.commit->parent = "parent";
  for (const auto kind : {VerificationKind::baseline, VerificationKind::alone, VerificationKind::combined,
                          VerificationKind::probe})
    of(kind).base = "parent";
  expect_resolved(Evidence::unbroken);
  of(VerificationKind::baseline).base = "base";
  EXPECT_FALSE(decision().resolved);
}

// A fix with a test in an existing file, seen as the loop sees it.
class GateOwnTests : public Gate {
protected:
  GateOwnTests() {
    const std::string before = "int main(void) {\n  assert(f() == 1);\n}\n";
    set_patch(Patch{{changed("src/a.c", "int x = 1;\n", "int x = 2;\n"),
                     changed("tests/a.c", before, before + "void test_x(void) {\n  assert(x == 2);\n}\n")}});
    const ApartPatch parts = apart("src/a.c", in.attempt->patch);
    in.verifications.push_back(
        verification(VerificationKind::alone, "issue-1", parts.product.sha256(), {run("test", green, 4)}));
    in.final_product_sha256 = "product";
    in.verifications.push_back(verification(VerificationKind::own_tests_base, "issue-1",
                                            parts.own_tests.sha256(), {run("test", red)}));
    in.final_tests_sha256 = "tests";
  }
  std::string p4() { return decide(in, redactor).clauses[3].detail; }
  Redactor redactor;
};

TEST_F(GateOwnTests, AreShownByStoredRunsAlone) {
  EXPECT_TRUE(decide(in, redactor).resolved) << decide(in, redactor).detail;
  EXPECT_THAT(p4(), HasSubstr("the tests it adds fail without the fix and pass with it"));
  of(VerificationKind::own_tests_base).commands = {run("test", green, 5)};
  EXPECT_THAT(p4(), HasSubstr("they show nothing"));
  EXPECT_TRUE(decide(in, redactor).resolved) << "they are kept whatever they show";
  drop(VerificationKind::own_tests_base);
  EXPECT_TRUE(decide(in, redactor).resolved);
  EXPECT_THAT(p4(), Not(HasSubstr("the tests it adds"))) << "what was not run is not spoken of";
}

TEST_F(GateOwnTests, InABatchAreSeenTogetherWithTheOthers) {
  drop(VerificationKind::own_tests_base);
  in.verifications.push_back(verification(VerificationKind::own_tests_base, "", "tests", {run("test", red)}));
  EXPECT_THAT(p4(), HasSubstr("the tests it adds fail without the fix and pass with it"));
}

TEST_F(GateOwnTests, TheBasesTestsMustPassOnTheProductSide) {
  std::erase_if(in.verifications, [&](const Verification& v) {
    return v.kind == VerificationKind::alone && v.patch_sha256 != sha();
  });
  EXPECT_FALSE(decide(in, redactor).resolved);
}

TEST_F(GateOwnTests, AnExistingTestMayChangeOnlyWhenItWasOpened) {
  set_patch(Patch{{changed("src/a.c", "int x = 1;\n", "int x = 2;\n"),
                   changed("tests/a.c", "void test_x(void) {\n  assert(x == 1);\n}\n",
                           "void test_x(void) {\n  assert(x == 2);\n}\n")}});
  EXPECT_EQ(decide(in, redactor).reason, "in_scope");
  in.opened = {OpenedTest{.issue_id = "issue-1", .file = "tests/a.c", .test = "test_x"}};
  const Patch product = apart("src/a.c", in.attempt->patch, {}, in.opened).product;
  in.verifications.push_back(
      verification(VerificationKind::alone, "issue-1", product.sha256(), {run("test", green, 4)}));
  EXPECT_TRUE(decide(in, redactor).resolved) << decide(in, redactor).detail;
}

} // namespace
} // namespace emend
