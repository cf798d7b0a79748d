#include "engine/fix/situation.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::HasSubstr;

CommandRun ran(CommandResult result, std::int64_t ms) {
  CommandRun run;
  run.name = "test";
  run.result = result;
  run.duration_ms = ms;
  return run;
}

TEST(Situation, HowACheckStandsOnTheBase) {
  EXPECT_EQ(check_note(ran(CommandResult::passed, 400)), "passes on the base, under a second");
  EXPECT_EQ(check_note(ran(CommandResult::passed, 12'400)), "passes on the base, 12 s");
  CommandRun red = ran(CommandResult::failed, 2'000);
  EXPECT_EQ(check_note(red), "fails on the base, 2 s");
  red.tests.recognised = true;
  red.tests.passed = 17;
  red.tests.failed = 3;
  EXPECT_EQ(check_note(red), "fails on the base: 3 of 20 tests; the others must go on passing; 2 s");
  red.wavers = true;
  EXPECT_THAT(check_note(red), HasSubstr("not used"));
}

TEST(Situation, TestsThatFailOnTheBase) {
  Verification baseline;
  const std::vector<VerifyCommand> commands = {{"tests", "make test", {}, 0}};
  EXPECT_EQ(red_before_text(baseline, commands), "");
  baseline.commands.push_back(ran(CommandResult::failed, 1));
  baseline.commands.back().name = "tests";
  auto& tests = baseline.commands.back().tests.by_id;
  tests = {{"a::one", "failed"}, {"a::two", "passed"}, {"a::three", "skipped"}};
  EXPECT_EQ(red_before_text(baseline, commands), "- a::one\n");
  EXPECT_EQ(red_before_text(baseline, {}), "") << "checks of other files say nothing about this issue";
  for (int i = 0; i < 30; ++i) tests[fmt::format("b::{:02}", i)] = "failed";
  EXPECT_THAT(red_before_text(baseline, commands), HasSubstr("- b::18\n- and 11 more\n"));
}

} // namespace
} // namespace emend
