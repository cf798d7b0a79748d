// What a coding agent hears from us when it wants to stop.
#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;

class HookCommand : public CliFixture {
protected:
  void SetUp() override {
    CliFixture::SetUp();
    write("count.py", "def double(n):\n    return n * 2\n");
    write("test_count.py",
          "import unittest\nfrom count import double\n\n\nclass Count(unittest.TestCase):\n"
          "    def test_double(self):\n        self.assertEqual(double(4), 8)\n");
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
    ASSERT_TRUE(
        write_file(base_ / "state" / "config.toml", "[verify]\ncommands = [\"python3 -m unittest -v\"]\n"));
  }
  void commit(const std::string& message) {
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", message});
  }
  // The checked-out commit has a bug, and one of its two tests says so.
  void begin_with_a_bug() {
    write("count.py", "def double(n):\n    return n * 3\n");
    write("test_count.py",
          "import unittest\nfrom count import double\n\n\nclass Count(unittest.TestCase):\n"
          "    def test_zero(self):\n        self.assertEqual(double(0), 0)\n\n"
          "    def test_double(self):\n        self.assertEqual(double(4), 8)\n");
    commit("a bug");
  }
  void begin(const std::string& source = "startup") {
    const auto result = emend({"hook", "session-start"}, dump_json({{"hook_event_name", "SessionStart"},
                                                                    {"session_id", "s1"},
                                                                    {"cwd", root_.string()},
                                                                    {"source", source}}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
  std::string reason(const ProcessResult& result) { return string_or(answer(result), "reason"); }
  ProcessResult stop(bool active = false, const std::string& name = "Stop") {
    const Json event = {{"hook_event_name", name},
                        {"session_id", "s1"},
                        {"cwd", root_.string()},
                        {"stop_hook_active", active}};
    return emend({"hook", "stop"}, dump_json(event));
  }
  static Json answer(const ProcessResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto json = parse_json(result.out);
    EXPECT_TRUE(json) << result.out << result.err;
    return json ? *json : Json::object();
  }
};

TEST_F(HookCommand, IsSilentWhenNothingChangedOrTheChangeIsAFix) {
  EXPECT_EQ(stop().out, "");
  write("README.md", "words\n");
  EXPECT_EQ(stop().out, "") << "no code";
  write("count.py", "def double(n):\n    return abs(n) * 2\n");
  write("test_less.py",
        "import unittest\nfrom count import double\n\n\nclass Less(unittest.TestCase):\n"
        "    def test_less(self):\n        self.assertEqual(double(-4), 8)\n");
  const auto result = stop();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "") << result.err;
}

TEST_F(HookCommand, AsksOnceWhatShowsThatAnythingWasFixed) {
  write("count.py", "def double(n):  # twice\n    return n * 2\n");
  EXPECT_THAT(answer(stop())["reason"].get<std::string>(), HasSubstr("NOTHING TO CHECK"));
  EXPECT_EQ(stop(true).out, "");
  write("count.py", "def double(n):\n    return n + n\n");
  EXPECT_EQ(stop().out, "") << "asked once in this conversation";
}

TEST_F(HookCommand, WantsATestForAChangeThatPassesEverything) {
  write("count.py", "def double(n):\n    return n + n\n");
  EXPECT_THAT(answer(stop())["reason"].get<std::string>(), HasSubstr("add a test that fails without"));
  EXPECT_EQ(stop(true).out, "");
}

TEST_F(HookCommand, NamesTheLineThatKnowsOnlyTheTestsInput) {
  write("count.py", "def double(n):\n    return n * 3\n");
  git({"add", "-A"});
  git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "a bug"});
  write("count.py", "def double(n):\n    if n == 4:\n        return 8\n    return n * 3\n");
  const std::string reason = answer(stop())["reason"];
  EXPECT_THAT(reason, HasSubstr("PROVEN, but: count.py:2"));
  EXPECT_EQ(stop(true).out, "") << "a doubt is said once";
  EXPECT_EQ(stop().out, "");
  write("count.py", "def double(n):\n    return n * 2\n");
  EXPECT_EQ(stop().out, "") << "a right fix";
}

TEST_F(HookCommand, HoldsBackWhoTakesAnAssertionAway) {
  write("count.py", "def double(n):\n    return n * 3\n");
  write("test_count.py",
        "import unittest\n\n\nclass Count(unittest.TestCase):\n    def test_double(self):\n        pass\n");
  EXPECT_THAT(answer(stop())["reason"].get<std::string>(), HasSubstr("CHEAT"));
}

TEST_F(HookCommand, HoldsABadChangeBackTwiceWithAReasonAndThenLetsGo) {
  write("count.py", "def double(n):\n    return n * 3\n");
  const Json first = answer(stop());
  EXPECT_EQ(first["decision"], "block");
  EXPECT_THAT(first["reason"].get<std::string>(), HasSubstr("test_double"));
  EXPECT_LE(first["reason"].get<std::string>().size(), 800U);
  EXPECT_EQ(answer(stop(true, "AfterAgent"))["decision"], "deny");
  EXPECT_EQ(stop(true).out, "") << "the third time in a row";
  EXPECT_EQ(stop().out, "") << "a question that changed nothing";
  write("count.py", "def double(n):\n    return n * 4\n");
  EXPECT_EQ(answer(stop())["decision"], "block") << "a person spoke since";
}

TEST_F(HookCommand, CountsItselfWhereTheProgramDoesNotSayThatAHookHeldItBack) {
  begin_with_a_bug();
  std::string held;
  for (const char* factor : {"4", "5", "6", "7", "8"}) {
    write("count.py", "def double(n):\n    return 1 + n * " + std::string(factor) + "\n");
    held += stop().out.empty() ? '-' : 'x';
  }
  EXPECT_EQ(held, "xx-xx");
}

TEST_F(HookCommand, SaysAnotherReasonAfterTheFirst) {
  begin_with_a_bug();
  write("count.py", "def double(n):\n    return n + 1\n");
  EXPECT_THAT(reason(stop()), HasSubstr("RED"));
  write("count.py", "def double(n):\n    if n == 4:\n        return 8\n    return n * 3\n");
  EXPECT_THAT(reason(stop(true)), HasSubstr("but: count.py:2"));
  write("count.py", "def double(n):\n    return n * 5\n");
  EXPECT_EQ(stop(true).out, "") << "twice in a row is enough";
}

TEST_F(HookCommand, AsksAfterARedChangeWhatANoOpIsFor) {
  begin_with_a_bug();
  write("count.py", "def double(n):\n    return n + 1\n");
  EXPECT_THAT(reason(stop()), HasSubstr("RED"));
  write("count.py", "def double(n):  # twice\n    return n * 3\n");
  EXPECT_THAT(reason(stop(true)), HasSubstr("NOTHING TO CHECK"));
}

TEST_F(HookCommand, AsksOnceWhereATestIsRedStill) {
  begin_with_a_bug();
  write("count.py", "def double(n):\n    m = n * 3\n    return m\n");
  const std::string said = reason(stop());
  EXPECT_THAT(said, HasSubstr("UNPROVABLE: what failed before fails still: "));
  EXPECT_THAT(said, HasSubstr("test_double"));
  EXPECT_EQ(stop(true).out, "");
  write("count.py", "def double(n):\n    m = 3 * n\n    return m\n");
  EXPECT_EQ(stop().out, "") << "asked once in this conversation";
}

TEST_F(HookCommand, LetsAChangePassThatMendsACheckWhichNamesNoTests) {
  ASSERT_TRUE(write_file(base_ / "state" / "config.toml", "[verify]\ncommands = [\"sh silent.sh\"]\n"));
  write("silent.sh", "python3 -m unittest > /dev/null 2>&1\n");
  begin_with_a_bug();
  write("count.py", "def double(n):\n    return n * 2\n");
  EXPECT_THAT(emend({"check"}).out, testing::StartsWith("UNPROVABLE"));
  EXPECT_EQ(stop().out, "");
  write("count.py", "def double(n):\n    return 3 * n\n");
  EXPECT_THAT(reason(stop()), HasSubstr("UNPROVABLE"));
}

TEST_F(HookCommand, HoldsNobodyBackWhereThereAreNoChecks) {
  ASSERT_TRUE(write_file(base_ / "state" / "config.toml", ""));
  write("count.py", "def double(n):\n    return n * 3\n");
  const Json told = answer(stop());
  EXPECT_THAT(string_or(told, "systemMessage"), HasSubstr("no checks"));
  EXPECT_FALSE(told.contains("decision"));
}

TEST_F(HookCommand, HoldsBackWhoTakesOnlyAnAssertionAway) {
  write("test_count.py",
        "import unittest\n\n\nclass Count(unittest.TestCase):\n    def test_double(self):\n        pass\n");
  EXPECT_THAT(reason(stop()), HasSubstr("CHEAT"));
}

TEST_F(HookCommand, LeavesAPersonsUnfinishedWorkAlone) {
  write("count.py", "def double(n):\n    return n * 3\n");
  begin();
  EXPECT_EQ(stop().out, "") << "a question that changed nothing";
  commit("unfinished");
  EXPECT_EQ(stop().out, "") << "the same files, committed";
  write("count.py", "def double(n):\n    return n * 4\n");
  EXPECT_THAT(reason(stop()), HasSubstr("RED"));
}

TEST_F(HookCommand, ChecksWhatTheAgentHasCommitted) {
  begin();
  write("count.py", "def double(n):\n    return n * 3\n");
  commit("done");
  EXPECT_THAT(reason(stop()), HasSubstr("RED"));
  write("count.py", "def double(n):\n    return n * 4\n");
  git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-a", "--amend", "-m", "done"});
  EXPECT_THAT(reason(stop(true)), HasSubstr("RED"));
}

TEST_F(HookCommand, ChecksACommitThatTheAgentHasAmended) {
  begin();
  write("count.py", "def double(n):\n    return n * 3\n");
  git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-a", "--amend", "-m", "more"});
  EXPECT_NE(stop().out, "");
}

TEST_F(HookCommand, DoesNotCheckOlderWorkThatWasCheckedOut) {
  git({"checkout", "-q", "-b", "other"});
  write("count.py", "def double(n):\n    return n * 3\n");
  environment_ = {"GIT_COMMITTER_DATE=2020-01-01T00:00:00Z"};
  commit("unfinished");
  git({"checkout", "-q", "main"});
  write("README.md", "words\n");
  commit("words");
  environment_.clear();
  begin();
  git({"checkout", "-q", "other"});
  EXPECT_EQ(stop().out, "");
  write("count.py", "def double(n):  # thrice\n    return n * 3\n");
  EXPECT_THAT(reason(stop()), HasSubstr("NOTHING TO CHECK")) << "held against what was checked out";
}

TEST_F(HookCommand, KnowsWhereItBeganWhenTheConversationIsMadeShorter) {
  begin();
  write("count.py", "def double(n):\n    return n * 3\n");
  begin("compact");
  EXPECT_THAT(reason(stop()), HasSubstr("RED"));
}

TEST_F(HookCommand, LetsGoWhenTheChecksTakeTooLongAndDoesNotTryForEver) {
  ASSERT_TRUE(write_file(base_ / "state" / "config.toml",
                         "[verify]\ncommands = [\"sleep 300\"]\n[hook]\ntimeout = \"1s\"\n"));
  const auto change = [&](const std::string& factor) {
    write("count.py", "def double(n):\n    return n * " + factor + "\n");
    return stop();
  };
  EXPECT_THAT(string_or(answer(change("3")), "systemMessage"), HasSubstr("no verdict in time"));
  EXPECT_EQ(stop().out, "") << "the same files are not tried again";
  EXPECT_THAT(string_or(answer(change("4")), "systemMessage"), HasSubstr("not checked any more"));
  ASSERT_TRUE(
      write_file(base_ / "state" / "config.toml", "[verify]\ncommands = [\"python3 -m unittest -v\"]\n"));
  EXPECT_EQ(change("5").out, "") << "two of them are enough for a conversation";
}

// Nobody could count how often the agent was held back.
TEST_F(HookCommand, HoldsNobodyBackWhereNothingCanBeRemembered) {
  ASSERT_TRUE(write_file(base_ / "state" / "hooks", "no directory"));
  write("count.py", "def double(n):\n    return n * 3\n");
  for (int i = 0; i < 2; ++i) {
    const Json told = answer(stop());
    EXPECT_THAT(string_or(told, "systemMessage"), HasSubstr("did not check this change"));
    EXPECT_FALSE(told.contains("decision"));
  }
}

TEST_F(HookCommand, WaitsNoSecondTimeForFilesWhoseCheckWasEndedInTheMiddle) {
  ASSERT_TRUE(write_file(base_ / "state" / "config.toml", "[verify]\ncommands = [\"sleep 300\"]\n"));
  write("count.py", "def double(n):\n    return n * 3\n");
  ASSERT_TRUE(
      write_file(base_ / "event.json",
                 dump_json({{"hook_event_name", "Stop"}, {"session_id", "s1"}, {"cwd", root_.string()}})));
  const std::string begun =
      "cd '" + base_.string() + "' && { '" + EMEND_BINARY +
      "' hook stop < event.json & } && until grep -qs '\"timeouts\":1' state/hooks/*; do "
      "kill -0 $! || exit 1; sleep 0.05; done; kill -9 $!";
  EXPECT_EQ(run_spec(spec({"sh", "-c", begun})).exit_code, 0);
  EXPECT_EQ(stop().out, "");
  ASSERT_TRUE(
      write_file(base_ / "state" / "config.toml", "[verify]\ncommands = [\"python3 -m unittest -v\"]\n"));
  write("count.py", "def double(n):\n    return n * 4\n");
  EXPECT_THAT(reason(stop()), HasSubstr("RED")) << "other files are checked";
}

TEST_F(HookCommand, ChecksTheSameFilesWhenItsOwnTroubleIsGone) {
  ASSERT_TRUE(write_file(base_ / "state" / "config.toml", "[verify\n"));
  write("count.py", "def double(n):\n    return n * 3\n");
  for (int i = 0; i < 3; ++i) EXPECT_THAT(stop().out, testing::Not(HasSubstr("decision")));
  ASSERT_TRUE(
      write_file(base_ / "state" / "config.toml", "[verify]\ncommands = [\"python3 -m unittest -v\"]\n"));
  EXPECT_THAT(reason(stop()), HasSubstr("RED"));
}

TEST_F(HookCommand, NeverHoldsAnybodyBackForTroubleOfItsOwn) {
  write("count.py", "def double(n):\n    return n * 3\n");
  EXPECT_EQ(emend({"hook", "stop"}, "not json").exit_code, 0);
  EXPECT_EQ(emend({"hook", "stop"}, "[]").out, "");
  ASSERT_TRUE(write_file(base_ / "state" / "config.toml", "[verify\n"));
  const auto broken = stop();
  EXPECT_THAT(answer(broken)["systemMessage"].get<std::string>(), HasSubstr("did not check this change"));
  EXPECT_FALSE(answer(broken).contains("decision"));
  EXPECT_EQ(stop().out, "") << "the person was told once";
  environment_ = {"EMEND_INSIDE=1"};
  EXPECT_EQ(stop().out, "") << "an agent that emend started";
}

// What is said when a conversation begins.
class SessionStartHook : public CliFixture {
protected:
  std::string start() {
    const auto result = emend({"hook", "session-start"},
                              dump_json({{"hook_event_name", "SessionStart"}, {"cwd", root_.string()}}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto json = parse_json(result.out);
    return json ? (*json)["hookSpecificOutput"]["additionalContext"].get<std::string>() : result.out;
  }
};

TEST_F(SessionStartHook, SaysOnceWhatKeepsChecksFromRunning) {
  EXPECT_THAT(start(), HasSubstr("emend init"));
  EXPECT_EQ(start(), "");
  write("emend.toml", "[verify]\ncommands = [\"true\"]\n");
  EXPECT_THAT(start(), HasSubstr("emend trust"));
  EXPECT_EQ(start(), "");
  EXPECT_FALSE(fs::exists(base_ / "state" / "emend.db")) << "looking makes no database";
}

TEST_F(SessionStartHook, CountsWhatNeedsAPerson) {
  configure(kGoodFix, kGoodVerdict, "[verify]\ncommands = [\"sh check.sh\"]\n");
  EXPECT_EQ(start(), "");
  ASSERT_TRUE(write_file(base_ / "findings.json", kFindings));
  ASSERT_EQ(emend({"fix", "--findings", (base_ / "findings.json").string()}).exit_code, 0);
  EXPECT_THAT(start(), HasSubstr("1 thing here needs a person"));
  EXPECT_THAT(start(), HasSubstr("fixes on branches: 1"));
  environment_ = {"EMEND_INSIDE=1"};
  EXPECT_EQ(start(), "") << "an agent that emend started";
}

TEST_F(SessionStartHook, KeepsNobodyFromStarting) {
  EXPECT_EQ(emend({"hook", "session-start"}, "no event").exit_code, 0);
  ASSERT_TRUE(write_file(base_ / "state" / "config.toml", "[verify\n"));
  EXPECT_EQ(start(), "");
}

} // namespace emend
