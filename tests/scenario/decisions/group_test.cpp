// A second branch with fewer commits: the same files, and what is proven stays where it is.
#include "engine/branch/grouped_branch.hpp"
#include "tests/scenario/decisions/decided_world.hpp"

namespace emend::testing_support {
namespace {

using testing::HasSubstr;
using testing::Not;

class Grouped : public DecidedWorld {
protected:
  Grouped() : DecidedWorld({}, {"too-small", "other", "too-small"}) {}
  GroupedSession group(Grouping by) {
    return must(group_session(world.ports(), world.home, world.on_event, report.session.id, by));
  }
  std::string subjects(const std::string& branch) {
    return world.git({"log", "--reverse", "--format=%s", report.session.base + ".." + branch});
  }
  int commits(const std::string& branch) {
    return std::stoi(world.git({"rev-list", "--count", report.session.base + ".." + branch}));
  }
  std::string difference(const std::string& branch) {
    return world.git({"diff", report.session.branch, branch});
  }
};

TEST_F(Grouped, OneCommitForEachRuleWithTheSameFilesAndEveryIssueNamed) {
  fix_all();
  const std::string tip = branch_tip();
  const auto checkout = world.manifest();
  const GroupedSession made = group(Grouping::rule);
  ASSERT_TRUE(made.branch);
  const std::string branch = made.branch->branch;
  EXPECT_EQ(branch, report.session.branch + "-by-rule");
  EXPECT_EQ(commits(branch), 2) << subjects(branch);
  EXPECT_EQ(difference(branch), "");
  EXPECT_THAT(subjects(branch), HasSubstr("2 findings of too-small"));
  const std::string message = world.git({"log", "-1", "--format=%B", branch + "~1"});
  for (const Issue& one : {issues[0], issues[2]}) {
    EXPECT_THAT(message, HasSubstr("Emend-Issue: " + one.code + "\n"));
    EXPECT_THAT(message, HasSubstr("Emend-Proven-Commit: " + commit_of(one.code)));
  }
  EXPECT_THAT(message, Not(HasSubstr("Emend-Proof: ")));
  EXPECT_EQ(branch_tip(), tip) << "the proven branch is as it was";
  EXPECT_EQ(commits(report.session.branch), 3);
  EXPECT_EQ(world.manifest(), checkout);
  EXPECT_TRUE(group(Grouping::rule).again);
}

TEST_F(Grouped, AllInOneAndNothingWhereNoTwoGoTogether) {
  fix_all();
  const GroupedSession one = group(Grouping::one);
  ASSERT_TRUE(one.branch);
  EXPECT_EQ(commits(one.branch->branch), 1);
  EXPECT_EQ(difference(one.branch->branch), "");
  EXPECT_FALSE(group(Grouping::file).branch) << "each fix is in a file of its own";
}

TEST_F(Grouped, TheOptionMakesTheBranchAtTheEndOfTheSession) {
  world.policy.grouping = Grouping::rule;
  fix_all();
  ASSERT_EQ(report.grouped.size(), 1U) << join(report.notes, "\n");
  EXPECT_EQ(report.grouped[0].commits, 2U);
  EXPECT_EQ(difference(report.grouped[0].branch), "");
}

TEST_F(Grouped, ARejectedFixLeavesTheGroupedBranchToo) {
  fix_all();
  const std::string branch = group(Grouping::rule).branch->branch;
  must(reject_one(issues[1].code));
  EXPECT_EQ(difference(branch), "") << "it follows the session's branch";
  EXPECT_EQ(commits(branch), 3) << "and undoes the fix by a commit of its own";
  must(discard_all());
  EXPECT_EQ(world.branches(), std::vector<std::string>{"main"});
}

TEST_F(Grouped, ABranchSomebodyElseMadeIsLeftAlone) {
  fix_all();
  const std::string name = report.session.branch + "-by-rule";
  world.git({"branch", name, report.session.base});
  const auto made =
      group_session(world.ports(), world.home, world.on_event, report.session.id, Grouping::rule);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::conflict);
  EXPECT_EQ(world.git({"rev-parse", name}), world.git({"rev-parse", report.session.base}));
}

// Fixes of one file with another one between them: the bytes decide what can be moved.
TEST(GroupedInOneFile, WhatIsInTheWayKeepsItsOrder) {
  World world({{"src/a.c", "int a = 1;\n\n\n\n\n\n\nint b = 1;\n\n\n\n\n\n\nint c = 1;\n"},
               {"ok.sh", "grep -q int src/a.c\n"}});
  world.policy.commands = {{"ok", "sh ok.sh", {}, 0}};
  world.policy.parallel = 1;
  std::vector<Finding> findings = {World::finding("src/a.c", 1, "a must be 2"),
                                   World::finding("src/a.c", 8, "b must be 2"),
                                   World::finding("src/a.c", 15, "c must be 2")};
  findings[0].rule = findings[2].rule = "too-small";
  const auto issues = world.add(findings);
  world.fixer(
      "case $2 in BE-001) sed -i 's/a = 1/a = 2/' src/a.c;; BE-002) sed -i 's/b = 1/b = 2/' src/a.c;; *) "
      "sed -i 's/c = 1/c = 2/' src/a.c;; esac\n" +
      std::string(kFixed));
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(report.session.status, SessionStatus::passed) << join(report.notes, "\n");
  const GroupedSession made =
      must(group_session(world.ports(), world.home, world.on_event, report.session.id, Grouping::rule));
  ASSERT_TRUE(made.branch);
  EXPECT_EQ(world.git({"rev-list", "--count", report.session.base + ".." + made.branch->branch}), "2\n");
  EXPECT_EQ(world.git({"diff", report.session.branch, made.branch->branch}), "");
}

} // namespace
} // namespace emend::testing_support
