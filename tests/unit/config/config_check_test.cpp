#include <gmock/gmock.h>

#include "tests/unit/config/config_fixture.hpp"

namespace emend {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class ConfigCheckTest : public ConfigFixture {
protected:
  std::string error_of(const std::string& text) {
    file_ = write(root_ / "emend.toml", text);
    const std::string message = load_error();
    EXPECT_THAT(message, StartsWith(file_.string() + ":")) << message;
    return message.substr(std::min(message.size(), file_.string().size() + 1));
  }
  fs::path file_;
};

TEST_F(ConfigCheckTest, UnknownKeysAreErrorsWithTheNearestName) {
  EXPECT_EQ(error_of("[fix]\nagent = \"a\"\nparalel = 3\n"),
            "3: unknown key \"fix.paralel\"; did you mean \"fix.parallel\"?");
  EXPECT_THAT(error_of("[agents.claude]\ncomand = [\"x\"]\n"),
              HasSubstr("did you mean \"agents.claude.command\"?"));
  EXPECT_THAT(error_of("[nonsense]\n"), HasSubstr("1: unknown key \"nonsense\""));
  EXPECT_THAT(error_of("x = 1\n"), HasSubstr("unknown key \"x\""));
}

TEST_F(ConfigCheckTest, EmptySectionsAreFineAndSectionsAreNoValues) {
  write(root_ / "emend.toml", "[fix]\n[verify]\n[agents]\n[agents.claude]\n[verify.env]\n");
  load();
  EXPECT_THAT(error_of("fix = 3\n"), HasSubstr("\"fix\" is a section"));
}

TEST_F(ConfigCheckTest, WrongTypesSayWhatIsExpected) {
  EXPECT_EQ(error_of("[fix]\nparallel = \"two\"\n"), "2: fix.parallel: expected an integer, got a string");
  EXPECT_THAT(error_of("[fix]\nparallel = true\n"), EndsWith("got a boolean"));
  EXPECT_THAT(error_of("[fix]\nagent = [\"a\"]\n"), EndsWith("expected a string, got an array"));
  EXPECT_THAT(error_of("[fix_challenger]\nenabled = 1\n"), HasSubstr("expected true or false"));
  EXPECT_THAT(error_of("[fix]\nprotected = [1]\n"), HasSubstr("expected a list of strings"));
  EXPECT_THAT(error_of("[fix]\ntimeout = \"soon\"\n"), HasSubstr("a duration such as"));
  EXPECT_THAT(error_of("[fix]\nagent = 2020-01-01\n"), HasSubstr("dates"));
}

TEST_F(ConfigCheckTest, NumbersOutOfRangeAreRefused) {
  EXPECT_EQ(error_of("[fix_challenger]\nsatisfaction_threshold = 101\n"),
            "2: fix_challenger.satisfaction_threshold: 101 is not in 0..100");
  EXPECT_THAT(error_of("[fix_challenger]\nsatisfaction_threshold = 95.5\n"), HasSubstr("whole number"));
  EXPECT_THAT(error_of("[fix_challenger]\nsatisfaction_threshold = nan\n"), HasSubstr("whole number"));
  EXPECT_THAT(error_of("[fix]\nparallel = 0\n"), HasSubstr("not in 1..64"));
  EXPECT_THAT(error_of("[fix]\nparallel = -1\n"), HasSubstr("not in"));
  EXPECT_THAT(error_of("[fix]\nparallel = 4294967298\n"), HasSubstr("not in"));
  EXPECT_THAT(error_of("[fix]\ntimeout = \"0s\"\n"), HasSubstr("not between"));
}

TEST_F(ConfigCheckTest, LevelsOfEvidenceAreChecked) {
  EXPECT_EQ(error_of("[resolve]\nminimum_evidence = \"sure\"\n"),
            "2: resolve.minimum_evidence: \"sure\" is not one of \"judged\", \"unbroken\", \"repaired\", "
            "\"proven\"");
  EXPECT_THAT(error_of("[resolve]\nminimum_evidence = \"none\"\n"), HasSubstr("is not one of"));
  EXPECT_THAT(error_of("[resolve]\nminimum_evidence = 3\n"),
              HasSubstr("expected a level, or a table with default, severities and paths"));
  EXPECT_THAT(error_of("[resolve.minimum_evidence]\ncritcal = \"proven\"\n"),
              HasSubstr("did you mean \"critical\"?"));
  EXPECT_THAT(error_of("[resolve.minimum_evidence]\npaths = \"src\"\n"),
              HasSubstr("must be a table of globs"));
  EXPECT_THAT(error_of("[resolve.minimum_evidence]\npaths = { \"src/**\" = \"sure\" }\n"),
              HasSubstr("is not one of"));
}

TEST_F(ConfigCheckTest, AWholeFractionIsANumber) {
  write(root_ / "emend.toml", "[fix_challenger]\nsatisfaction_threshold = 90.0\n");
  trust(root_ / "emend.toml");
  EXPECT_EQ(load().policy().satisfaction_threshold, 90);
}

TEST_F(ConfigCheckTest, ChoicesAreListed) {
  EXPECT_EQ(error_of("[verify]\nmode = \"eech\"\n"),
            "2: verify.mode: \"eech\" is not one of \"auto\", \"each\", \"batch\"");
  EXPECT_THAT(error_of("[fix]\nstrategy = \"serial\"\n"), HasSubstr("per-issue"));
}

TEST_F(ConfigCheckTest, ABudgetIsAFiniteNumberThatIsNotNegative) {
  EXPECT_THAT(error_of("[budget]\ncost_usd = -0.5\n"), HasSubstr("-0.5 is not in 0"));
  EXPECT_THAT(error_of("[budget]\ncost_usd = inf\n"), HasSubstr("is not in 0"));
  EXPECT_THAT(error_of("[budget]\ncost_usd = \"2\"\n"), HasSubstr("expected a number"));
  EXPECT_THAT(error_of("[budget]\ntime = \"8d\"\n"), HasSubstr("8d"));
  trust(write(root_ / "emend.toml", "[budget]\ncost_usd = 2\ntime = 0\n"));
  EXPECT_EQ(load().policy().session_budget.cost_usd, 2.0);
  EXPECT_EQ(load().policy().session_budget.time_ms, 0);
}

TEST_F(ConfigCheckTest, BrokenTomlNamesTheLine) {
  EXPECT_THAT(error_of("[fix]\nagent = \n"), StartsWith("2: "));
}

TEST_F(ConfigCheckTest, NulBytesAreRefusedEverywhere) {
  EXPECT_THAT(error_of("[fix]\nagent = \"a\\u0000b\"\n"), HasSubstr("NUL"));
  EXPECT_THAT(error_of("[verify]\ncommands = [\"make\\u0000x\"]\n"), HasSubstr("NUL"));
  EXPECT_THAT(error_of("[agents.a]\ncommand = [\"x\\u0000\"]\n"), HasSubstr("NUL"));
  EXPECT_THAT(error_of("[agents.\"a\\u0000\"]\ncommand = [\"x\"]\n"), HasSubstr("key"));
}

TEST_F(ConfigCheckTest, NamesOfAgentsAndVariablesMustBeUsable) {
  EXPECT_THAT(error_of("[agents.\"a b\"]\nmodel = \"x\"\n"), HasSubstr("not a usable name for an agent"));
  EXPECT_THAT(error_of("[verify]\nenv = {\"A=B\" = \"x\"}\n"), HasSubstr("not a usable name for a variable"));
  EXPECT_THAT(error_of("[agents.\"a.b\"]\nmodel = \"x\"\n"), HasSubstr("dot"));
}

TEST_F(ConfigCheckTest, AModelCannotSmuggleAFlag) {
  EXPECT_THAT(error_of("[agents.a]\nmodel = \"--yolo\"\n"), HasSubstr("may not start with '-'"));
  EXPECT_THAT(error_of("[fix_challenger]\nmodel = \"-x\"\n"), HasSubstr("may not start with '-'"));
}

TEST_F(ConfigCheckTest, CommandsAreChecked) {
  EXPECT_THAT(error_of("[verify]\ncommands = [{name=\"a\", run=\"x\"}, {name=\"a\", run=\"y\"}]\n"),
              HasSubstr("two commands have the name \"a\""));
  EXPECT_THAT(error_of("[verify]\ncommands = [{name=\"check-2\", run=\"x\"}, \"y\"]\n"),
              HasSubstr("check-2"));
  EXPECT_THAT(error_of("[verify]\ncommands = [{name=\"a\", rum=\"x\"}]\n"),
              HasSubstr("did you mean \"run\"?"));
  EXPECT_THAT(error_of("[verify]\ncommands = [{name=\"a\"}]\n"), HasSubstr("nothing to run"));
  EXPECT_THAT(error_of("[verify]\ncommands = [\"  \"]\n"), HasSubstr("nothing to run"));
  EXPECT_THAT(error_of("[verify]\ncommands = [3]\n"), HasSubstr("expected a list of commands"));
  EXPECT_THAT(error_of("[verify]\ncommands = [{name=\"a\", run=\"x\", timeout=\"never\"}]\n"),
              HasSubstr("duration"));
  EXPECT_THAT(error_of("[verify]\ncommands = [{name=\"a\", run=\"x\", paths=\"*.c\"}]\n"),
              HasSubstr("list of strings"));
}

TEST_F(ConfigCheckTest, AProgramWithArgumentsIsAList) {
  EXPECT_THAT(error_of("[agents.a]\ncommand = \"claude -p\"\n"), HasSubstr("as a list"));
  EXPECT_THAT(error_of("[agents.a]\ncommand = []\n"), HasSubstr("program is missing"));
}

TEST_F(ConfigCheckTest, TwoNamesOfOneKeyInOneFileAreAnError) {
  EXPECT_THAT(error_of("[project]\nverification_commands = [\"a\"]\n[verify]\ncommands = [\"b\"]\n"),
              HasSubstr("verify.commands is already set in line 2"));
}

TEST_F(ConfigCheckTest, ABadRedactionPatternIsFoundAtOnce) {
  trust(write(root_ / "emend.toml", "[redact]\npatterns = [\"(\"]\n"));
  EXPECT_THAT(load_error(), HasSubstr("redact.patterns"));
}

} // namespace emend
