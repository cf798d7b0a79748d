#include "cli/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;

// A small tree of commands, so that these tests are about parsing and not about the product's flags.
class CommandLineTest : public testing::Test {
protected:
  CommandLineTest() {
    const auto nothing = [](CommandContext&) -> Result<ExitStatus> { return ExitStatus::done; };
    Command cook;
    cook.name = "cook";
    cook.summary = "cook something";
    cook.options = {{"DISH", &dishes, "what"},
                    {"--salt", NumberTarget{&salt, 0, 10}, "spoons", "N"},
                    {"--style,--how", &style, "way", "STYLE", {"fried", "boiled"}},
                    {"--fast", &fast, "hurry"}};
    cook.run = nothing;
    Command wash{"wash", "wash things", "", {}, {}, nullptr, nullptr};
    Command cup{"cup", "a cup", "", {{"WHICH", &style, "which", "WHICH", {}, true}}, {}, nothing, nullptr};
    wash.subcommands = {cup};
    commands = {cook, wash};
  }

  Result<ParsedCommandLine> parse(const std::vector<std::string>& arguments) {
    return parse_command_line(commands, global, arguments);
  }
  std::string error(const std::vector<std::string>& arguments) {
    const auto parsed = parse(arguments);
    EXPECT_FALSE(parsed);
    if (parsed) return "";
    EXPECT_EQ(parsed.error().code, ErrorCode::usage);
    return parsed.error().message;
  }

  std::vector<Command> commands;
  GlobalOptions global;
  std::vector<std::string> dishes;
  std::optional<int> salt;
  std::string style;
  bool fast = false;
};

TEST_F(CommandLineTest, FillsTheTargetsOfTheChosenCommand) {
  const auto parsed = parse({"cook", "soup", "--salt", "3", "rice", "--how=boiled", "--fast"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->command->name, "cook");
  EXPECT_THAT(dishes, ElementsAre("soup", "rice"));
  EXPECT_EQ(salt, 3);
  EXPECT_EQ(style, "boiled");
  EXPECT_TRUE(fast);
}

TEST_F(CommandLineTest, GlobalFlagsWorkBeforeAndAfterTheCommand) {
  ASSERT_TRUE(parse({"-C", "x", "--set", "a=1", "cook", "soup", "--json", "--set", "b=2", "-q"}));
  EXPECT_EQ(global.directory, "x");
  EXPECT_TRUE(global.json);
  EXPECT_TRUE(global.quiet);
  EXPECT_THAT(dishes, ElementsAre("soup"));
}

TEST_F(CommandLineTest, ARepeatedFlagTakesOneWordEachTime) {
  ASSERT_TRUE(parse({"cook", "--set", "a=1", "--set", "b=[1, 2]", "soup"}));
  EXPECT_THAT(global.set, ElementsAre("a=1", "b=[1, 2]"));
  EXPECT_THAT(dishes, ElementsAre("soup"));
}

TEST_F(CommandLineTest, SetBeforeAndAfterTheCommandAddsUp) {
  ASSERT_TRUE(parse({"--set", "a=1", "cook", "--set", "b=2"}));
  EXPECT_THAT(global.set, ElementsAre("a=1", "b=2"));
}

TEST_F(CommandLineTest, UnknownWordsAreNamedWithTheNearestKnownOne) {
  EXPECT_EQ(error({"cok"}), "unknown command \"cok\"; did you mean cook?");
  EXPECT_EQ(error({"cook", "--slat", "3"}), "unknown flag --slat for emend cook; did you mean --salt?");
  EXPECT_EQ(error({"cook", "--slat=3"}), "unknown flag --slat for emend cook; did you mean --salt?");
  EXPECT_EQ(error({"--jsn"}), "unknown flag --jsn; did you mean --json?");
  EXPECT_EQ(error({"wash", "cub"}), "unknown command \"cub\" for emend wash; did you mean cup?");
  EXPECT_EQ(error({"wash", "cup", "a", "b"}), "unexpected argument \"b\" for emend wash cup");
}

TEST_F(CommandLineTest, ValuesAreChecked) {
  EXPECT_THAT(error({"cook", "--salt", "11"}),
              HasSubstr("--salt: expected a number from 0 to 10, got \"11\""));
  EXPECT_THAT(error({"cook", "--salt", "-1"}), HasSubstr("--salt"));
  EXPECT_THAT(error({"cook", "--salt", "3x"}), HasSubstr("--salt"));
  EXPECT_THAT(error({"cook", "--style", "frid"}), HasSubstr("did you mean fried?"));
  EXPECT_THAT(error({"cook", "--salt"}), HasSubstr("--salt"));
  EXPECT_THAT(error({"wash", "cup"}), HasSubstr("WHICH"));
}

TEST_F(CommandLineTest, ACommandThatNeedsASubcommandSaysWhich) {
  EXPECT_EQ(error({"wash"}), "emend wash needs one of: cup");
}

TEST_F(CommandLineTest, HelpIsText) {
  auto parsed = parse({"cook", "--help"});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->command, nullptr);
  EXPECT_THAT(parsed->help_text, HasSubstr("Usage: emend cook [OPTIONS]"));
  EXPECT_THAT(parsed->help_text, HasSubstr("--style,--how fried|boiled"));
  EXPECT_THAT(parse({"wash", "cup", "-h"})->help_text, HasSubstr("Usage: emend wash cup"));
  EXPECT_FALSE(parsed->bare);
  parsed = parse({});
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->bare);
  EXPECT_THAT(parsed->help_text, HasSubstr("cook something"));
}

TEST_F(CommandLineTest, VersionNeedsNoCommand) {
  const auto parsed = parse({"-V"});
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(global.version);
  EXPECT_FALSE(parsed->bare);
}

} // namespace emend
