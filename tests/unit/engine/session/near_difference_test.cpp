// How two changes answer the same check, held against each other.
#include "engine/session/near_difference.hpp"

#include <gmock/gmock.h>

namespace emend {
namespace {

using testing::HasSubstr;

CommandRun says(const std::map<std::string, std::string>& values) {
  CommandRun run;
  run.runs = run.passes = 1;
  run.result = CommandResult::passed;
  run.values.by_name = values;
  return run;
}

CommandRun ends(CommandResult result, const std::string& output = "") {
  CommandRun run;
  run.runs = 1;
  run.passes = result == CommandResult::passed ? 1 : 0;
  run.result = result;
  run.output = output;
  return run;
}

TEST(NearDifference, ValuesThatBothSayClearlyAreHeldAgainstEachOther) {
  Reproducer check;
  check.command = "python3 values.py \"$1\" 4";
  check.expected = {{"half", "2", false, false}};
  Reproducer near = check;
  near.command = "python3 values.py \"$1\" 5";
  const auto differ = [&](const CommandRun& one, const CommandRun& other) {
    return answers_differ(check, near, {"first", one}, {"second", other});
  };
  EXPECT_FALSE(differ(says({{"half", "2"}}), says({{"half", "2"}})).any());
  EXPECT_FALSE(differ(says({{"half", "2"}}), says({})).any()) << "one says nothing";
  CommandRun unclear = says({{"half", "2.5"}});
  unclear.values.unclear = {"half"};
  EXPECT_FALSE(differ(says({{"half", "2"}}), unclear).any());
  const Disagreement found = differ(says({{"half", "2"}}), says({{"half", "2.5"}}));
  ASSERT_EQ(found.answers.size(), 2U);
  EXPECT_THAT(found.what, HasSubstr("the change of first answers `2` and that of second answers `2.5`"));
  EXPECT_THAT(found.what, HasSubstr(near.command));
  EXPECT_EQ(found.answers[1].command, near.command);
  EXPECT_EQ(found.answers[1].expected, (std::vector<ExpectedValue>{{"half", "2.5", false, false}}));
  EXPECT_TRUE(found.answers[1].green(says({{"half", "2.5"}})));
  EXPECT_TRUE(found.answers[1].red(says({{"half", "2"}})));
  EXPECT_NE(found.answers[0].explanation, found.answers[1].explanation);
}

TEST(NearDifference, ACheckThatOnlyPassesOrFailsTellsThemApartAsWell) {
  Reproducer check;
  check.command = "sh ask.sh 4";
  check.marker = "REPRODUCED x";
  Reproducer near = check;
  near.command = "sh ask.sh 5";
  const CommandRun green = ends(CommandResult::passed), red = ends(CommandResult::failed, "REPRODUCED x\n");
  EXPECT_FALSE(answers_differ(check, near, {"first", green}, {"second", green}).any());
  EXPECT_FALSE(answers_differ(check, near, {"first", red}, {"second", red}).any());
  EXPECT_FALSE(answers_differ(check, near, {"first", green}, {"second", ends(CommandResult::failed)}).any())
      << "it broke, and says nothing";
  const Disagreement found = answers_differ(check, near, {"first", red}, {"second", green});
  ASSERT_EQ(found.answers.size(), 2U);
  EXPECT_THAT(found.what, HasSubstr("the hidden check with `sh ask.sh 5` passes with the change of second"));
  EXPECT_EQ(found.answers[0].agent, "second");
  EXPECT_TRUE(found.answers[0].red(red));
  EXPECT_THAT(found.answers[1].command, HasSubstr("! (\nsh ask.sh 5\n)"));
  EXPECT_TRUE(found.answers[1].green(ends(CommandResult::passed, "REPRODUCED x\n"))) << "turned around";
}

} // namespace
} // namespace emend
