#include "engine/patch/static_clauses.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

using testing::HasSubstr;

class StaticClauses : public testing::Test {
protected:
  StaticClauses() {
    issue.code = "BE-001";
    issue.finding.file = "src/a.c";
    issue.finding.category = "bug";
    attempt.patch = Patch{{changed("src/a.c", "int x = 1;\n", "int x = 2;\n")}};
  }

  std::vector<Clause> clauses() const {
    return static_clauses(issue, attempt, Scope(policy, tree), Redactor());
  }
  Clause clause(std::size_t index) const { return clauses().at(index); }

  Policy policy;
  Tree tree;
  Issue issue;
  Attempt attempt;
};

TEST_F(StaticClauses, AnHonestChangePassesAllThree) {
  const auto all = clauses();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].id + all[1].id + all[2].id, "P1P2P3");
  EXPECT_EQ(first_failure(all), nullptr);
  EXPECT_EQ(all[0].detail, "1 file(s), +1 -1");
}

TEST_F(StaticClauses, NothingChanged) {
  attempt.patch = {};
  EXPECT_EQ(clause(0).state, ClauseState::failed);
  EXPECT_EQ(clause(0).detail, "nothing was changed");
}

TEST_F(StaticClauses, OnlyWords) {
  attempt.patch = Patch{{changed("src/a.c", "int x;\n", "int x; // safe now\n")}};
  EXPECT_EQ(clause(0).state, ClauseState::failed);
  issue.finding.category = "comments";
  EXPECT_EQ(clause(0).state, ClauseState::passed) << "that is what this issue is about";
}

TEST_F(StaticClauses, OneRealChangeIsEnough) {
  attempt.patch.changes.push_back(changed("src/a.h", "int x;\n", "int x; // note\n"));
  EXPECT_EQ(clause(0).state, ClauseState::passed);
}

TEST_F(StaticClauses, OutOfScope) {
  attempt.patch.changes.push_back(changed("tests/a.c", "x\n", "y\n"));
  EXPECT_EQ(clause(1).state, ClauseState::failed);
  EXPECT_EQ(clause(1).name, "in_scope");
  EXPECT_THAT(clause(1).detail, HasSubstr("tests/a.c:1 changes"));
}

TEST_F(StaticClauses, WhatTheWorkspaceScanFoundCounts) {
  attempt.notes = {"left out: x"};
  attempt.notes.push_back(fmt::format("{}hard link: src/a.c", kViolationNote));
  EXPECT_EQ(clause(1).state, ClauseState::failed);
  EXPECT_EQ(clause(1).detail, "hard link: src/a.c");
  attempt.notes = {"a note that mentions violation: no"};
  EXPECT_EQ(clause(1).state, ClauseState::passed);
}

TEST_F(StaticClauses, HiddenTextIsRefusedAndTheLookOfCodeIsNot) {
  attempt.patch = Patch{{changed("src/a.c", "int x = 1;\n", "int x = 2; // \u202e\n")}};
  EXPECT_EQ(clause(2).state, ClauseState::failed);
  EXPECT_EQ(clause(2).name, "no_cheats");
  attempt.patch = Patch{{changed("src/a.c", "int x = 1;\n", "int x = 2; // NOLINT\n")}};
  EXPECT_EQ(clause(2).state, ClauseState::passed);
}

TEST_F(StaticClauses, LongListsAreShortened) {
  for (int i = 0; i < 9; ++i)
    attempt.patch.changes.push_back(changed("lib/" + std::to_string(i) + ".mk", "x\n", "y\n"));
  EXPECT_THAT(clause(1).detail, testing::EndsWith("and 4 more"));
  EXPECT_THAT(clause(1).detail, HasSubstr("lib/4.mk"));
  EXPECT_THAT(clause(1).detail, testing::Not(HasSubstr("lib/5.mk")));
}

TEST(FirstFailure, UnknownIsNotPassed) {
  const std::vector<Clause> clauses = {{"P1", "a", ClauseState::passed, ""},
                                       {"P2", "b", ClauseState::not_required, ""},
                                       {"P3", "c", ClauseState::unknown, ""},
                                       {"P4", "d", ClauseState::failed, ""}};
  ASSERT_NE(first_failure(clauses), nullptr);
  EXPECT_EQ(first_failure(clauses)->id, "P3");
  EXPECT_EQ(first_failure({}), nullptr);
}

} // namespace
} // namespace emend
