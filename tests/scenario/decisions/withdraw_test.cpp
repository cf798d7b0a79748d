// A person says no: to one fix, or to a whole session.
#include "engine/branch/acceptance.hpp"
#include "engine/context/event_log.hpp"
#include "engine/forge/comments.hpp"
#include "engine/gate/prove.hpp"
#include "model/session_view.hpp"
#include "tests/scenario/decisions/decided_world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;

class Reject : public DecidedWorld {
protected:
  void SetUp() override { fix_all(); }
  // Refused, with these words, and nothing at all has changed.
  void expect_refused(const Result<Withdrawn>& done, const std::string& why, const std::string& remedy,
                      const std::string& refs_before) {
    ASSERT_FALSE(done) << why;
    EXPECT_EQ(done.error().code, ErrorCode::conflict) << done.error().message;
    EXPECT_THAT(done.error().message, HasSubstr(why));
    EXPECT_THAT(done.error().remedy, HasSubstr(remedy));
    EXPECT_EQ(world.git({"for-each-ref"}), refs_before);
    EXPECT_EQ(issue("BE-002").status, IssueStatus::resolved);
    EXPECT_TRUE(must(world.store().withdrawals("", "")).empty());
  }
};

TEST_F(Reject, UndoesExactlyThatPatchOnTopAndOpensTheIssue) {
  const auto checkout = world.manifest();
  const std::string before = branch_tip();
  const Withdrawn done = must(reject_one("BE-002", "b must stay odd"));
  ASSERT_EQ(done.issues.size(), 1U);
  EXPECT_FALSE(done.again);
  EXPECT_EQ(done.advice, "");
  EXPECT_EQ(done.issues[0].status, IssueStatus::open);
  EXPECT_EQ(done.issues[0].reason, "rejected");
  EXPECT_EQ(done.issues[0].detail, "b must stay odd");
  EXPECT_EQ(issue("BE-001").status, IssueStatus::resolved);
  EXPECT_EQ(issue("BE-003").status, IssueStatus::resolved);
  EXPECT_EQ(world.git({"rev-parse", report.session.branch + "^"}), before + "\n")
      << "one commit on top, nothing rewritten";
  EXPECT_EQ(branch_tip(), done.withdrawals[0].branch_to);
  EXPECT_EQ(world.git({"diff", "--name-only", before, branch_tip()}), "src/b.c\n");
  EXPECT_EQ(world.show(report.session.branch, "src/b.c"), "int b = 1;\n");
  EXPECT_EQ(world.show(report.session.branch, "src/c.c"), "int c = 2;\n");
  const std::string message = world.git({"log", "-1", "--format=%B", report.session.branch});
  EXPECT_THAT(message, HasSubstr("This reverts commit " + commit_of("BE-002")));
  EXPECT_THAT(message, HasSubstr("b must stay odd"));
  EXPECT_THAT(message, HasSubstr("Emend-Rejected: BE-002"));
  EXPECT_EQ(world.manifest(), checkout);
  EXPECT_EQ(world.git({"fsck", "--no-dangling", "--strict"}), "");
  EXPECT_EQ(must(world.store().comments(done.issues[0].id, "")).at(0).text, "b must stay odd");
  EXPECT_EQ(count("fix_issue_rejected"), 1);
  EXPECT_EQ(count("fix_commit_reverted"), 1);
}

TEST_F(Reject, WhatStaysResolvedIsStillProven) {
  must(reject_one("BE-002"));
  for (const char* code : {"BE-001", "BE-003"}) {
    const ProofReport proof = must(prove_issue(world.ports(), world.home, issue(code), {}, {}));
    for (const ProofCheck& check : proof.checks)
      EXPECT_TRUE(check.holds) << code << " " << check.part << ": " << check.detail;
  }
  const ProofReport taken_back = must(prove_issue(world.ports(), world.home, issue("BE-002"), {}, {}));
  EXPECT_FALSE(taken_back.holds());
  EXPECT_THAT(taken_back.checks.at(0).detail, HasSubstr("a person rejected this fix"));
  EXPECT_THAT(taken_back.checks.at(0).detail, HasSubstr("the issue is OPEN"));
}

TEST_F(Reject, TwiceIsOnce) {
  must(reject_one("BE-002"));
  const std::string tip = branch_tip();
  const Withdrawn again = must(reject_one("BE-002", "another reason"));
  EXPECT_TRUE(again.again);
  EXPECT_EQ(again.withdrawals.at(0).reason, "not like this");
  EXPECT_EQ(branch_tip(), tip);
  EXPECT_EQ(count("fix_issue_rejected"), 1);
}

TEST_F(Reject, OneAfterTheOtherUntilNothingIsLeft) {
  for (const char* code : {"BE-001", "BE-003", "BE-002"}) must(reject_one(code));
  EXPECT_EQ(world.git({"diff", report.session.base, report.session.branch}), "");
  EXPECT_EQ(world.git({"rev-list", "--count", report.session.base + ".." + report.session.branch}), "6\n");
  for (const char* code : {"BE-001", "BE-002", "BE-003"}) EXPECT_EQ(issue(code).status, IssueStatus::open);
}

TEST_F(Reject, APersonsCommitIsNotPassedOver) {
  world.git({"update-ref", "refs/heads/" + report.session.branch,
             std::string(trim(
                 world.git({"commit-tree", "-p", branch_tip(), "-m", "mine", branch_tip() + "^{tree}"})))});
  const std::string refs = world.git({"for-each-ref"});
  expect_refused(reject_one("BE-002"), "where emend left it",
                 "git revert " + commit_of("BE-002").substr(0, 12), refs);
}

TEST_F(Reject, ABranchSomebodyStandsOnIsNotMoved) {
  world.git({"worktree", "add", "-q", world.home + "/beside", report.session.branch});
  const std::string refs = world.git({"for-each-ref"});
  expect_refused(reject_one("BE-002"), "checked out in " + world.home + "/beside",
                 "emend issues reopen BE-002", refs);
}

TEST_F(Reject, WhatIsInMainIsNotUndoneOnTheBranch) {
  world.git({"update-ref", "refs/heads/main", branch_tip()});
  const std::string refs = world.git({"for-each-ref"});
  expect_refused(reject_one("BE-002"), "is in main already", "git revert", refs);
}

TEST_F(Reject, WithoutABranchThereIsNothingToUndo) {
  world.git({"branch", "-q", "-D", report.session.branch});
  const Withdrawn done = must(reject_one("BE-002"));
  EXPECT_EQ(done.withdrawals.at(0).branch, BranchChange::none);
  EXPECT_EQ(issue("BE-002").status, IssueStatus::open);
  EXPECT_EQ(world.branches(), std::vector<std::string>{"main"});
}

TEST_F(Reject, OnlyAFixOfThatSessionThatIsResolved) {
  EXPECT_EQ(reject(world.ports(), world.home, {}, {report.session.id, "BE-002", "  "}, {}).error().code,
            ErrorCode::usage);
  EXPECT_EQ(reject(world.ports(), world.home, {}, {report.session.id, "BE-099", "x"}, {}).error().code,
            ErrorCode::not_found);
  must(world.manager().reopen("BE-002", ""));
  const auto done = reject_one("BE-002");
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("BE-002 is OPEN: there is no fix to reject"));
}

TEST_F(Reject, ARejectedChangeIsNeverAcceptedAgain) {
  must(reject_one("BE-002", "b must become 3"));
  world.policy.max_fix_cycles = 2;
  const FixReport same = world.must_fix({issue("BE-002")});
  EXPECT_EQ(World::status(same, "BE-002"), "FAILED(rejected)");
  world.fixer(
      "grep -q 'b must become 3' $3 && grep -q 'rejected this change' $3 && sed -i 's/b = 1/b = 3/' "
      "src/b.c\n" +
      std::string(kFixed));
  const FixReport other = world.must_fix({issue("BE-002")});
  EXPECT_EQ(World::status(other, "BE-002"), "RESOLVED")
      << "the reason and the rejected change were in the prompt";
}

TEST_F(Reject, TheSessionCannotTakeItUpAgain) {
  must(reject_one("BE-002"));
  Session session = must(world.store().session(report.session.id));
  session.status = SessionStatus::cancelled;
  Change change;
  change.sessions.push_back(session);
  must(world.store().apply(change, 1));
  const auto resumed = world.manager().resume(session.id, {});
  ASSERT_FALSE(resumed);
  EXPECT_THAT(resumed.error().message, HasSubstr("were rejected"));
  EXPECT_EQ(issue("BE-002").status, IssueStatus::open);
  const FixReport now = must(world.manager().report(session.id));
  EXPECT_FALSE(World::outcome(now, "BE-002").decision.resolved);
  EXPECT_EQ(World::outcome(now, "BE-002").decision.reason, "judged");
}

class RejectNeeded : public DecidedWorld {
protected:
  RejectNeeded()
      : DecidedWorld({{"both.sh", "test \"$(grep -c 'c = 2' src/c.c)\" = 0 || grep -q 'b = 2' src/b.c\n"}}) {
    world.policy.commands.push_back({"both", "sh both.sh", {}, 0});
    world.policy.verify_mode = VerifyMode::batch;
  }
};

TEST_F(RejectNeeded, AFixOthersNeedStaysAndTheyAreNamed) {
  fix_all();
  const std::string tip = branch_tip();
  const auto done = reject_one("BE-002");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::conflict);
  EXPECT_THAT(done.error().message, HasSubstr("without the fix of BE-002 the other fixes fail: `both`"));
  EXPECT_THAT(done.error().message, HasSubstr("fixes after it: BE-003"));
  EXPECT_EQ(branch_tip(), tip);
  EXPECT_EQ(issue("BE-002").status, IssueStatus::resolved);
  must(reject_one("BE-003"));
  must(reject_one("BE-002"));
}

TEST(RejectStacked, LaterFixesOfTheSameLinesAreNamed) {
  World world(Files{{"src/a.c", "int a = 1, b = 1;\n"}, {"ok.sh", "grep -q 'int a' src/a.c\n"}});
  world.policy.commands = {{"ok", "sh ok.sh", {}, 0}};
  const auto issues = world.add({World::finding("src/a.c", 1, "a"), World::finding("src/a.c", 1, "b")});
  world.fixer(
      "case $2 in BE-001) sed -i 's/a = 1/a = 2/' src/a.c;; *) sed -i 's/b = 1/b = 2/' src/a.c;; esac\n" +
      std::string(kFixed));
  const FixReport report = world.must_fix(issues);
  const auto done = reject(world.ports(), world.home, {}, {report.session.id, "BE-001", "no"}, {});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("later fixes change the same lines (BE-002)"));
}

TEST(RejectShared, IssuesOfOneCommitGoBackTogether) {
  World world(Files{{"src/a.c", "int a = 1;\n"}, {"ok.sh", "grep -q 'int a' src/a.c\n"}});
  world.policy.commands = {{"ok", "sh ok.sh", {}, 0}};
  const auto issues = world.add(
      {World::finding("src/a.c", 1, "a is wrong"), World::finding("src/a.c", 1, "the same in other words")});
  world.fixer("sed -i 's/a = 1/a = 2/' src/a.c\n" + std::string(kFixed));
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(report.commits.size(), 1U);
  const Withdrawn done = must(reject(world.ports(), world.home, {}, {report.session.id, "BE-002", "no"}, {}));
  EXPECT_EQ(done.issues.size(), 2U);
  for (const Issue& issue : done.issues) EXPECT_EQ(issue.status, IssueStatus::open) << issue.code;
  EXPECT_EQ(world.git({"diff", report.session.base, report.session.branch}), "");
}

// --- discard

class Discard : public DecidedWorld {
protected:
  void SetUp() override { fix_all(); }
};

TEST_F(Discard, OpensEverythingAndRemovesTheBranch) {
  const std::string tip = branch_tip();
  const auto checkout = world.manifest();
  const Withdrawn done = must(discard_all());
  EXPECT_EQ(done.issues.size(), 3U);
  for (const Issue& each : done.issues) {
    EXPECT_EQ(each.status, IssueStatus::open);
    EXPECT_EQ(each.reason, "discarded");
  }
  EXPECT_EQ(world.branches(), std::vector<std::string>{"main"});
  EXPECT_EQ(done.withdrawals.at(0).branch_from, tip);
  EXPECT_EQ(count("fix_branch_removed"), 1);
  EXPECT_EQ(count("fix_issue_discarded"), 3);
  EXPECT_EQ(world.manifest(), checkout);
  EXPECT_TRUE(must(discard_all()).again);
  EXPECT_TRUE(fs::exists(bundle_path(world.home, report.session.id, "BE-001"))) << "proofs stay";
  EXPECT_THAT(must(prove_issue(world.ports(), world.home, issue("BE-001"), {}, {})).checks.at(0).detail,
              HasSubstr("a person discarded this fix"));
  const FixReport again = world.must_fix({issue("BE-001")});
  EXPECT_EQ(World::status(again, "BE-001"), "RESOLVED") << "a discarded change is not a wrong one";
}

TEST_F(Discard, AfterARejectTheRest) {
  must(reject_one("BE-002"));
  must(discard_all());
  EXPECT_EQ(issue("BE-002").reason, "rejected");
  EXPECT_EQ(issue("BE-001").reason, "discarded");
  EXPECT_EQ(world.branches(), std::vector<std::string>{"main"});
}

TEST_F(Discard, LeavesABranchOthersWorkOn) {
  world.git({"worktree", "add", "-q", world.home + "/beside", report.session.branch});
  const std::string tip = branch_tip();
  const Withdrawn done = must(discard_all());
  EXPECT_EQ(issue("BE-001").status, IssueStatus::open);
  EXPECT_EQ(branch_tip(), tip);
  EXPECT_EQ(done.withdrawals.at(0).branch, BranchChange::kept);
  EXPECT_THAT(done.advice, HasSubstr("git branch -D"));
}

TEST_F(Discard, WaitsForASessionThatHasNotEnded) {
  Session session = must(world.store().session(report.session.id));
  session.status = SessionStatus::interrupted;
  Change change;
  change.sessions.push_back(session);
  must(world.store().apply(change, 1));
  const auto done = discard_all();
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("has not ended"));
  EXPECT_THAT(done.error().remedy, HasSubstr("emend sessions cancel"));
}

TEST_F(DecidedWorld, AcceptingIsWrittenDownOnce) {
  fix_all();
  const auto accept_one = [&](const std::string& code) {
    return accept_fix(world.ports(), world.on_event, report.session.id, code);
  };
  const std::string tip = branch_tip();
  EXPECT_FALSE(must(accept_one("BE-001")).again);
  EXPECT_TRUE(must(accept_one("BE-001")).again);
  EXPECT_EQ(count("fix_issue_accepted"), 1);
  EXPECT_EQ(must(session_view(world.store(), report.session.id)).accepted, std::set<std::string>{"BE-001"});
  EXPECT_EQ(branch_tip(), tip);
  EXPECT_EQ(issue("BE-001").status, IssueStatus::resolved);
}

TEST_F(DecidedWorld, OnlyAFixThatStandsCanBeAccepted) {
  fix_all();
  must(reject_one("BE-002"));
  const auto refused = accept_fix(world.ports(), world.on_event, report.session.id, "BE-002");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_FALSE(accept_fix(world.ports(), world.on_event, report.session.id, "BE-999"));
  EXPECT_EQ(count("fix_issue_accepted"), 0);
}

} // namespace
} // namespace emend::testing_support
