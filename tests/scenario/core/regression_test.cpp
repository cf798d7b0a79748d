// An issue that was fixed and is found again: by right while the fix is on its branch, as a regression once
// the fix was there.
#include "engine/intake/known_issues.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

class Regression : public ::testing::Test {
protected:
  Regression() : world(Files{{"a.c", "int f = 1;\n"}, {"b.c", "int g = 1;\n"}}) {
    world.fixer(
        "cat > /dev/null; echo 'int f = 2;' > a.c; echo "
        "'{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  }
  Issue found_again() { return world.add({found}).at(0); }

  World world;
  Finding found = [] {
    Finding finding = World::finding("a.c", 1, "f must be 2");
    finding.rule = "two";
    return finding;
  }();
};

TEST_F(Regression, AFixOnABranchKeepsItsIssueResolvedAndOneThatWasUndoneReopensIt) {
  const auto issues = world.add({found});
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED");
  Issue issue = found_again();
  EXPECT_EQ(issue.status, IssueStatus::resolved) << "main does not have the fix yet";

  world.git({"merge", "-q", "--no-ff", "-m", "merge the fix", report.session.branch});
  world.write("a.c", "int f = 1;\n");
  world.git({"commit", "-q", "-a", "-m", "undo it"});
  world.reopen();
  issue = found_again();
  EXPECT_EQ(issue.code, "BE-001");
  EXPECT_EQ(issue.status, IssueStatus::open);
  EXPECT_EQ(issue.reason, "regressed");
  EXPECT_EQ(issue.trend, IssueTrend::regressed);
  EXPECT_EQ(must(world.store().issues({.repository_id = issue.repository_id, .trend = IssueTrend::regressed}))
                .size(),
            1U);
  bool told = false;
  for (const Event& event : must(world.store().events_after(0, "", 0)))
    told = told || (event.type == "issue_updated" && event.issue_code == "BE-001" &&
                    string_or(event.data, "reason") == "regressed");
  EXPECT_TRUE(told);

  EXPECT_EQ(found_again().trend, IssueTrend::regressed) << "until it is fixed again";
  world.reopen();
  const FixReport second = world.must_fix({found_again()});
  EXPECT_EQ(World::status(second, "BE-001"), "RESOLVED");
  EXPECT_TRUE(
      must(world.store().issues({.repository_id = issue.repository_id, .trend = IssueTrend::regressed}))
          .empty());
}

TEST_F(Regression, WhatAPersonDismissedStaysDismissed) {
  const auto issues = world.add({found});
  must(world.manager().ignore(issues[0].code, "wont_fix", ""));
  const Issue issue = found_again();
  EXPECT_EQ(issue.status, IssueStatus::ignored);
  EXPECT_EQ(issue.id, issues[0].id);
}

} // namespace
} // namespace emend::testing_support
