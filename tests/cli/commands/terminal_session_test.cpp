#include "tests/cli/commands/terminal_fixture.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

class TerminalSessionTest : public TerminalFixture {};

TEST_F(TerminalSessionTest, BareIsTheScreenInARepositoryAndHelpElsewhere) {
  Seen seen = at_terminal({}, "Inbox", "q");
  EXPECT_EQ(seen.exit_code, 0) << seen.screen;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"-C", "/"}, {"--no-input"}}) {
    seen = at_terminal(arguments);
    EXPECT_EQ(seen.exit_code, 0);
    EXPECT_THAT(seen.screen, HasSubstr("doctor"));
  }
}

TEST_F(TerminalSessionTest, AsksBeforeRunningARepositorysCommandsAndRemembersAYes) {
  const fs::path mark = base_ / "marks" / "mark";
  fs::create_directories(mark.parent_path());
  write("emend.toml", "[sandbox]\nshared = [\"" + mark.parent_path().string() +
                          "\"]\n[verify]\ncommands = [{name = \"mark\", run = \"echo ran > '" +
                          mark.string() + "'\"}]\n");
  Seen seen = at_terminal({"verify"}, "[y/N]", "n\n");
  EXPECT_EQ(seen.exit_code, 7) << seen.screen;
  EXPECT_THAT(seen.screen, HasSubstr("mark = echo ran"));
  EXPECT_FALSE(fs::exists(mark));
  seen = at_terminal({"verify"}, "[y/N]", "y\n");
  EXPECT_EQ(seen.exit_code, 0) << seen.screen;
  EXPECT_TRUE(fs::exists(mark));
  EXPECT_EQ(emend({"verify"}).exit_code, 0);
}

TEST_F(TerminalSessionTest, CtrlCAtTheQuestionLeaves) {
  write("emend.toml", "[verify]\ncommands = [\"true\"]\n");
  EXPECT_EQ(at_terminal({"verify"}, "[y/N]", "\x03").exit_code, 130);
}

TEST_F(TerminalSessionTest, DoesNotAskWhenToldNotTo) {
  write("emend.toml", "[verify]\ncommands = [\"true\"]\n");
  EXPECT_EQ(at_terminal({"verify", "--no-input"}).exit_code, 7);
  environment_ = {"CI=true"};
  EXPECT_EQ(at_terminal({"verify"}).exit_code, 7);
}

TEST_F(TerminalSessionTest, ColoursOnlyWhereTheyAreWelcome) {
  EXPECT_THAT(at_terminal({"doctor", "--offline"}).screen, HasSubstr("\x1b["));
  EXPECT_THAT(at_terminal({"doctor", "--offline", "--color", "never"}).screen, Not(HasSubstr("\x1b[")));
  environment_ = {"NO_COLOR=1"};
  EXPECT_THAT(at_terminal({"doctor", "--offline"}).screen, Not(HasSubstr("\x1b[")));
}

TEST_F(TerminalSessionTest, InitAsksWhetherToUseItsGuesses) {
  fs::remove(root_ / ".gitignore");
  // Enter: use them; Enter: .gitignore too; y: trust.
  Seen seen = at_terminal({"init"}, "use them? [Y/n]", "\n\ny\n");
  EXPECT_EQ(seen.exit_code, 0) << seen.screen;
  EXPECT_TRUE(fs::exists(root_ / ".gitignore"));
  EXPECT_THAT(emend({"trust", "--show"}).out, HasSubstr("(trusted)"));
  EXPECT_THAT(seen.screen, Not(HasSubstr("emend trust  "))) << "the next step is done already";

  fs::remove(root_ / "emend.toml");
  seen = at_terminal({"init"}, "use them? [Y/n]", "n\n");
  EXPECT_EQ(seen.exit_code, 0) << seen.screen;
  EXPECT_THAT(read_file(root_ / "emend.toml").value_or(""), HasSubstr("Not used: you said no."));
  EXPECT_THAT(emend({"trust", "--show"}).out, HasSubstr("Nothing to trust"));
}

TEST_F(TerminalSessionTest, AClosedKeyboardSaysNo) {
  const Seen seen = at_terminal({"init"}, "use them? [Y/n]", "\x04\x04\x04");
  EXPECT_EQ(seen.exit_code, 0) << seen.screen;
  EXPECT_THAT(read_file(root_ / "emend.toml").value_or(""), HasSubstr("Not used: you said no."));
}

// A project with a check of its own, something to fix without AI, and no configuration.
class FirstFixTest : public TerminalSessionTest {
protected:
  void SetUp() override {
    TerminalSessionTest::SetUp();
    write("Makefile", "test:\n\tgrep -q first src/a.c\n");
    write("notes.txt", "the last line has no end");
    git({"add", "."});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
  }
  bool is_configured() { return fs::exists(root_ / "emend.toml"); }
};

TEST_F(FirstFixTest, OffersTheChecksItFound) {
  Seen seen = at_terminal({"fix", "--safe"}, "use them? [Y/n/edit]", "\n");
  EXPECT_EQ(seen.exit_code, 0) << seen.screen;
  for (const char* words :
       {"No checks are configured. Found:", "make test", "trusted and written to emend.toml", "RESOLVED"})
    EXPECT_THAT(seen.screen, HasSubstr(words));
  EXPECT_THAT(emend({"trust", "--show"}).out, HasSubstr("(trusted)"));
  seen = at_terminal({"fix", "--safe"});
  EXPECT_THAT(seen.screen, Not(HasSubstr("use them?"))) << "asked once";
}

TEST_F(FirstFixTest, ANoGoesOnWithoutThem) {
  const Seen seen = at_terminal({"fix", "--safe"}, "use them? [Y/n/edit]", "n\n");
  EXPECT_EQ(seen.exit_code, 0) << seen.screen;
  EXPECT_FALSE(is_configured());
}

TEST_F(FirstFixTest, WhatIsEditedIsAskedAboutAgain) {
  environment_ = {"EDITOR=sed -i 's/make test/make -s test/'"};
  const Seen seen = at_terminal({"fix", "--safe"}, "use them? [Y/n/edit]", "edit\ny\n");
  EXPECT_EQ(seen.exit_code, 0) << seen.screen;
  EXPECT_THAT(seen.screen, HasSubstr("make -s test"));
  EXPECT_THAT(emend({"trust", "--show"}).out, HasSubstr("(trusted)"));
}

TEST_F(FirstFixTest, UnattendedItDoesNotAskAndSaysHow) {
  const ProcessResult result = emend({"fix", "--safe"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("emend init"));
  EXPECT_THAT(result.err, HasSubstr("make test"));
  EXPECT_THAT(result.out, HasSubstr("RESOLVED"));
  EXPECT_FALSE(is_configured());
}

TEST_F(TerminalSessionTest, ClarifyAsksOneQuestionAfterTheOther) {
  configure(
      R"({"role":"fix_clarifier","cycle":1,"answer":{"questions_by_issue":[{"issue_code":"BE-001","questions":[)"
      R"({"question":"Which bound?","suggestions":["i < n","n - 1"]},{"question":"And below zero?"}]}]}},)"
      R"({"role":"fix_clarifier","answer":{"questions_by_issue":[],"ready_to_plan":true}})",
      kGoodVerdict);
  ASSERT_EQ(emend({"issues", "add", "--findings", "-"}, kFindings).exit_code, 0);
  // The second suggestion; back; the first one; own words for the other question.
  const Seen seen = at_terminal({"clarify", "BE-001"}, "q quit>", "2\nb\n1\nstop there\n");
  EXPECT_EQ(seen.exit_code, 0) << seen.screen;
  EXPECT_THAT(seen.screen, HasSubstr("1) i < n"));
  EXPECT_THAT(seen.screen, HasSubstr("while (i <= n)")) << "the code is shown";
  EXPECT_THAT(seen.screen, HasSubstr("ready to plan"));
  const Json issue = data_of(emend({"issues", "show", "BE-001", "--json"}), "emend.issue/v1");
  EXPECT_EQ(issue["clarifications"][0]["answer"], Json("i < n"));
  EXPECT_EQ(issue["clarifications"][1]["answer"], Json("stop there"));
}

TEST_F(TerminalSessionTest, LeavingClarifyKeepsTheAnswersSoFar) {
  configure(R"({"role":"fix_clarifier","answer":{"questions_by_issue":[{"issue_code":"BE-001","questions":[)"
            R"({"question":"Which bound?"},{"question":"And below zero?"}]}]}})",
            kGoodVerdict);
  ASSERT_EQ(emend({"issues", "add", "--findings", "-"}, kFindings).exit_code, 0);
  EXPECT_EQ(at_terminal({"clarify", "BE-001"}, "q quit>", "mine\nq\n").exit_code, 7);
  const Json issue = data_of(emend({"issues", "show", "BE-001", "--json"}), "emend.issue/v1");
  EXPECT_EQ(issue["clarifications"][0]["answer"], Json("mine"));
  EXPECT_EQ(issue["clarifications"][1]["state"], Json("asked"));
}

} // namespace emend
