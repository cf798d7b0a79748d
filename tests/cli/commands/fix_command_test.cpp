#include <signal.h>

#include "tests/cli/commands/cli_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

class FixCommandTest : public CliFixture {
protected:
  static constexpr const char* kVerify = "[verify]\ncommands = [{name = \"check\", run = \"sh check.sh\"}]\n";
};

TEST_F(FixCommandTest, AFindingBecomesACommitOnABranch) {
  configure(kGoodFix, kGoodVerdict, kVerify);
  const auto result = emend({"fix", "--findings", "-"}, kFindings);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, testing::ContainsRegex("BE-001 +src/a.c:3 +RESOLVED +97 +judged"));
  EXPECT_THAT(result.out, HasSubstr("review it: git diff "));
  EXPECT_THAT(result.out, HasSubstr("nothing was pushed"));
  EXPECT_THAT(result.err, HasSubstr("BE-001  RESOLVED"));
  EXPECT_THAT(*read_file(root_ / "src/a.c"), HasSubstr("i <= n")) << "the checkout is not touched";

  EXPECT_THAT(emend({"sessions"}).out, HasSubstr("passed"));
  const Json sessions = data_of(emend({"sessions", "--json"}), "emend.sessions/v1");
  ASSERT_EQ(sessions.size(), 1U);
  const std::string id = string_or(sessions[0], "id");
  EXPECT_THAT(emend({"sessions", "show", id}).out, HasSubstr("round 1: accepted"));
  EXPECT_THAT(emend({"sessions", "diff", id}).out, HasSubstr("+  while (i < n) i++;\n"));
  EXPECT_THAT(emend({"sessions", "log", id}).out,
              testing::AllOf(HasSubstr("==> 1 fixer "), HasSubstr("==> 2 fix_challenger ")));
  EXPECT_THAT(emend({"sessions", "log", id, "1", "--prompt"}).out,
              testing::AllOf(HasSubstr("BE-001"), Not(HasSubstr("==>"))));
  EXPECT_EQ(data_of(emend({"sessions", "log", id, "--json"}), "emend.runs/v1").size(), 2U);
  EXPECT_EQ(emend({"sessions", "log", id, "no-run"}).exit_code, 2);
  EXPECT_THAT(emend({"sessions", "log", id, "--follow"}).out,
              testing::AllOf(HasSubstr("==> 1 fixer "), HasSubstr("==> 2 fix_challenger ")))
      << "ends with the session";
  EXPECT_EQ(emend({"sessions", "log", id, "--follow", "--prompt"}).exit_code, 2);
  EXPECT_THAT(
      emend({"inbox"}).out,
      testing::AllOf(HasSubstr("1 thing needs you\n\nFor you to decide\n  BE-001  Off by one: judged on "),
                     HasSubstr("emend sessions accept " + id + " BE-001\n")));
  EXPECT_EQ(data_of(emend({"inbox", "--json"}), "emend.inbox/v1")["ready"][0]["fixes"],
            Json::array({"BE-001"}));
  EXPECT_THAT(emend({"sessions", "group", id, "--by", "one"}).out,
              HasSubstr("no two commits of fix/" + id + " can be put together"));
  EXPECT_EQ(emend({"sessions", "group", id, "--by", "issue"}).exit_code, 2);
  EXPECT_THAT(emend({"report"}).out, HasSubstr("RESOLVED"));
  EXPECT_THAT(emend({"report", "--format", "markdown"}).out, HasSubstr("## BE-001: Off by one"));
  EXPECT_EQ(
      emend({"report", "--session", id, "--out", (base_ / "r.json").string(), "--format", "json"}).exit_code,
      0);
  EXPECT_THAT(*read_file(base_ / "r.json"), HasSubstr("emend.session/v1"));
  EXPECT_THAT(emend({"explain", "BE-001"}).out, HasSubstr("P1"));
}

TEST_F(FixCommandTest, AJudgeThatGivesUpSaysWhy) {
  configure(
      kGoodFix,
      R"({"role":"fix_challenger","do":[{"stderr":"starting"},{"stderr":"quota used up, key ghp_0123456789abcdefghijABCDEFGHIJ012345"}],"exit":1})",
      kVerify);
  EXPECT_EQ(emend({"fix", "--findings", "-"}, kFindings).exit_code, 5);
  const std::string told = emend({"explain", "BE-001"}).out;
  EXPECT_THAT(told, HasSubstr("exited with 1: quota used up"));
  EXPECT_THAT(told, Not(HasSubstr("ghp_0123")));
}

TEST_F(FixCommandTest, GroupedByRuleThereIsASecondBranchWithFewerCommits) {
  write("src/b.c", "int second(int n) {\n  return n > 10;\n}\n");
  git({"add", "."});
  git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "second"});
  configure(
      R"({"role":"fixer","issue":"BE-002","do":[{"replace":{"path":"src/b.c","old":"n > 10","new":"n >= 10"}}],"answer":{"issues":{"{issue}":{"status":"fixed"}}}},)" +
          std::string(kGoodFix),
      kGoodVerdict, kVerify);
  const std::string findings =
      R"({"findings":[{"id":"F001","file":"src/a.c","line":3,"severity":"major","title":"Off by one","issue":"too far","rule":"bounds"},)"
      R"({"id":"F002","file":"src/b.c","line":2,"severity":"major","title":"Limit","issue":"too short","rule":"bounds"}]})";
  EXPECT_EQ(emend({"fix", "--findings", "-", "--group", "colour"}, findings).exit_code, 2);
  const auto result = emend({"fix", "--findings", "-", "--group", "rule"}, findings);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("-by-rule"));
  EXPECT_THAT(result.out, HasSubstr("(the same files in 1 commit, one for each rule)"));
  const auto branches =
      run_spec(spec({"git", "for-each-ref", "--format=%(refname:short)", "refs/heads/fix"}));
  std::vector<std::string> names;
  for (const std::string_view line : lines_of(branches.out)) names.emplace_back(trim(line));
  ASSERT_EQ(names.size(), 2U) << branches.out;
  EXPECT_EQ(names[1], names[0] + "-by-rule");
  EXPECT_EQ(run_spec(spec({"git", "rev-list", "--count", "main.." + names[0]})).out, "2\n");
  EXPECT_EQ(run_spec(spec({"git", "rev-list", "--count", "main.." + names[1]})).out, "1\n");
  EXPECT_EQ(run_spec(spec({"git", "diff", names[0], names[1]})).out, "");
}

TEST_F(FixCommandTest, JsonIsOneObjectAndNothingElse) {
  configure(kGoodFix, kGoodVerdict, kVerify);
  const auto result = emend({"--json", "fix", "--findings", "-"}, kFindings);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json data = data_of(result, "emend.session/v1");
  EXPECT_EQ(data["status"], Json("passed"));
  EXPECT_EQ(data["issues"][0]["status"], Json("RESOLVED"));
  EXPECT_EQ(data["issues"][0]["id"], Json("F001"));
}

TEST_F(FixCommandTest, DiffPrintsThePatchAfterTheResult) {
  configure(kGoodFix, kGoodVerdict, kVerify);
  EXPECT_EQ(emend({"fix", "--diff", "--json", "--all-open"}).exit_code, 2);
  EXPECT_THAT(emend({"fix", "--findings", "-", "--diff"}, kFindings).out,
              HasSubstr("-  while (i <= n) i++;\n+  while (i < n) i++;\n"));
}

TEST_F(FixCommandTest, QuietSaysNothingOnStderr) {
  configure(kGoodFix, kGoodVerdict, kVerify);
  const auto result = emend({"fix", "-q", "--findings", "-"}, kFindings);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
}

TEST_F(FixCommandTest, NothingToDoIsASuccess) {
  auto result = emend({"fix", "--findings", "-"}, "{\"findings\": []}");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "No findings: nothing to do.\n");
  result = emend({"fix", "--findings", "-", "--json"}, "{\"findings\": []}");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(data_of(result, "emend.session/v1")["status"], Json("passed"));
  configure(kGoodFix, kGoodVerdict);
  EXPECT_EQ(emend({"fix", "--all-open"}).exit_code, 0);
}

TEST_F(FixCommandTest, ZeroCyclesSkipFixing) {
  configure(kGoodFix, kGoodVerdict, kVerify);
  const auto result = emend({"fix", "--findings", "-", "--max-fix-cycles", "0", "--json"}, kFindings);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json data = data_of(result, "emend.session/v1");
  EXPECT_EQ(data["status"], Json("passed"));
  EXPECT_TRUE(data["cycles"].empty());
  EXPECT_THAT(emend({"sessions"}).out, HasSubstr("no sessions"));
}

TEST_F(FixCommandTest, SettledIssuesAreSkippedByName) {
  configure(kGoodFix, kGoodVerdict, kVerify);
  ASSERT_EQ(emend({"fix", "--findings", "-"}, kFindings).exit_code, 0);
  const auto result = emend({"fix", "BE-001"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("skipped BE-001: it is RESOLVED"));
  EXPECT_EQ(emend({"fix", "BE-077"}).exit_code, 2);
}

TEST_F(FixCommandTest, MissingAgentsAreExitTwoWithTheLinesToWrite) {
  const auto result = emend({"fix", "--findings", "-"}, kFindings);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("[fix]\nagent = \"claude\""));
  EXPECT_THAT(emend({"issues"}).out, HasSubstr("no issues")) << "nothing ran";
}

TEST_F(FixCommandTest, DryRunPrintsThePromptAndRunsNothing) {
  configure(R"({"role":"*","exit":3})", kGoodVerdict, kVerify);
  const auto result = emend({"fix", "--findings", "-", "--dry-run"}, kFindings);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("The loop runs too far."));
  EXPECT_THAT(result.out, HasSubstr("===== NEW-001  fixer"));
  EXPECT_THAT(emend({"issues"}).out, HasSubstr("no issues")) << "nothing is stored";
  ASSERT_EQ(emend({"import", "-"}, kFindings).exit_code, 0);
  const Json prompts = data_of(emend({"fix", "BE-001", "--dry-run", "--json"}), "emend.prompts/v1");
  EXPECT_EQ(prompts[0]["issue_code"], Json("BE-001"));
  EXPECT_EQ(data_of(emend({"fix", "--findings", "-", "--dry-run", "--json"}, kFindings),
                    "emend.prompts/v1")[0]["issue_code"],
            Json("BE-001"))
      << "a known one is recognised";
  EXPECT_THAT(emend({"sessions"}).out, HasSubstr("no sessions"));
}

TEST_F(FixCommandTest, DryRunOfSafeFixesReviewsNothing) {
  const auto result = emend({"fix", "--safe", "--dry-run"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, Not(HasSubstr("reviewing the whole repository"))) << "a review would be stored";
  EXPECT_THAT(emend({"issues"}).out, HasSubstr("no issues"));
}

TEST_F(FixCommandTest, WithoutAJudgeNothingIsStarted) {
  configure(kGoodFix, kGoodVerdict, std::string(kVerify) + "[fix_challenger]\nenabled = false\n");
  const auto config = replace_all(*read_file(base_ / "state" / "config.toml"),
                                  "[fix_challenger]\nagent = \"judge\"\ncanaries = 0\n", "");
  ASSERT_TRUE(write_file(base_ / "state" / "config.toml", config));
  const auto result = emend({"fix", "--findings", "-"}, kFindings);
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_THAT(result.err, HasSubstr("fix_challenger.enabled is false: without a judge no fix can pass"));
  EXPECT_THAT(emend({"sessions"}).out, HasSubstr("no sessions"));
  EXPECT_THAT(emend({"issues"}).out, HasSubstr("no issues"));
}

TEST_F(FixCommandTest, ACheckThatCannotBeStartedIsExitTwoBeforeAnAgentIsPaid) {
  configure(kGoodFix, kGoodVerdict,
            "[verify]\ncommands = [{name = \"ghost\", run = \"no-such-program-at-all --version\"}]\n");
  const auto result = emend({"fix", "--findings", "-"}, kFindings);
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_THAT(result.err, HasSubstr("the check `ghost` cannot be started"));
  EXPECT_THAT(result.err, HasSubstr("no-such-program-at-all"));
  EXPECT_THAT(emend({"issues"}).out, HasSubstr("OPEN"));
  const Json sessions = data_of(emend({"sessions", "--json"}), "emend.sessions/v1");
  ASSERT_EQ(sessions.size(), 1U);
  EXPECT_THAT(emend({"sessions", "log", string_or(sessions[0], "id")}).err, HasSubstr("no agent has run"));
}

TEST_F(FixCommandTest, ALowScoreIsExitOneUnlessZeroIsAskedFor) {
  configure(
      kGoodFix,
      R"({"role":"fix_challenger","answer":{"review_token":"{review_token}","issues":{"{issue}":{"score":40,"status":"SOLVED"}}}})",
      kVerify);
  const std::string once = "fix_challenger.max_iterations=1"; // the script knows one change
  auto result = emend({"fix", "--findings", "-", "--set", once}, kFindings);
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("no commit was made"));
  ASSERT_EQ(emend({"issues", "reopen", "BE-001"}).exit_code, 0);
  EXPECT_EQ(emend({"fix", "BE-001", "--exit-zero", "--set", once}).exit_code, 0);
}

TEST_F(FixCommandTest, AFailingVerificationIsExitSix) {
  configure(kGoodFix, kGoodVerdict,
            "[verify]\ncommands = [{name = \"check\", run = \"! grep -q 'i < n' src/a.c\"}]\n");
  EXPECT_EQ(emend({"fix", "--findings", "-", "--max-fix-cycles", "1"}, kFindings).exit_code, 6);
}

TEST_F(FixCommandTest, AnAgentThatOnlyFailsIsExitFive) {
  configure(R"({"role":"*","exit":3})", kGoodVerdict, kVerify);
  EXPECT_EQ(emend({"fix", "--findings", "-"}, kFindings).exit_code, 5);
}

TEST_F(FixCommandTest, CtrlCKeepsWhatIsDoneAndResumeGoesOn) {
  configure(R"({"role":"fixer","cycle":1,"do":[{"print":"thinking"},{"sleep_ms":600000}]})", kGoodVerdict,
            kVerify);
  ProcessSpec running = spec({EMEND_BINARY, "fix", "-v", "--findings", "-"}, kFindings);
  int pid = 0;
  bool sent = false;
  running.on_start = [&pid](int started, std::int64_t) { pid = started; };
  running.on_line = [&](std::string_view line, bool is_stderr) {
    if (sent || !is_stderr || line.find("thinking") == std::string_view::npos) return;
    sent = true;
    ::kill(pid, SIGINT);
  };
  running.wall_limit_ms = 120'000;
  const auto stopped = run_spec(running);
  EXPECT_TRUE(sent);
  EXPECT_EQ(stopped.exit_code, 130) << stopped.out << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("what is done is kept"));
  EXPECT_THAT(stopped.err, HasSubstr("emend sessions resume "));

  configure(kGoodFix, kGoodVerdict, kVerify);
  const Json sessions = data_of(emend({"sessions", "--json"}), "emend.sessions/v1");
  ASSERT_EQ(sessions.size(), 1U);
  EXPECT_EQ(sessions[0]["status"], Json("cancelled"));
  const auto resumed = emend({"sessions", "resume", string_or(sessions[0], "id")});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.out << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("RESOLVED"));
}

} // namespace emend
