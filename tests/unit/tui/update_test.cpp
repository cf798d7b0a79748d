// What keys do, without a terminal.
#include "tui/update.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/tui/sample.hpp"
#include "tui/commands.hpp"
#include "tui/detail_text.hpp"
#include "tui/filter.hpp"
#include "tui/inbox.hpp"
#include "tui/insights_text.hpp"
#include "tui/layout.hpp"

namespace emend {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing_support::sample_issue;
using testing_support::sample_issues;
using testing_support::sample_model;
using testing_support::take_issues;

constexpr Size kScreen{120, 40};

struct Keys : ::testing::Test {
  Model model = sample_model();

  std::vector<Wanted> press(const std::vector<std::string>& keys) {
    std::vector<Wanted> all;
    for (const std::string& key : keys)
      for (Wanted& wanted : update(model, {key}, kScreen)) all.push_back(std::move(wanted));
    return all;
  }
  std::vector<Wanted> type(const std::string& text) {
    std::vector<std::string> keys;
    for (const char c : text) keys.emplace_back(1, c);
    return press(keys);
  }
  std::vector<Wanted> command(const std::string& line) {
    press({":"});
    type(line);
    return press({"Enter"});
  }
  [[nodiscard]] std::string chosen() const { return model.chosen() != nullptr ? model.chosen()->code : ""; }
  [[nodiscard]] const Confirm* confirm() const { return std::get_if<Confirm>(&model.overlay); }
};

TEST_F(Keys, PanelsByNumberAndTab) {
  for (const auto& [key, panel] : {std::pair("1", Panel::inbox), std::pair("2", Panel::issues),
                                   std::pair("3", Panel::detail), std::pair("4", Panel::steps)}) {
    press({key});
    EXPECT_EQ(model.focus, panel);
  }
  press({"Tab"});
  EXPECT_EQ(model.focus, Panel::inbox);
  press({"Shift+Tab"});
  EXPECT_EQ(model.focus, Panel::steps);
}

TEST_F(Keys, CtrlKFindsIssuesSessionsFilesSettingsAndCommands) {
  const auto rows = [this] {
    std::vector<std::string> shown;
    for (const Finder::Row& row : std::get<Finder>(model.overlay).rows)
      shown.push_back(row.group + " " + row.text);
    return shown;
  };
  press({"Ctrl+K"});
  type("reaches query");
  EXPECT_THAT(rows(), ElementsAre("Issue BE-002  User input reaches the query"));
  press({"Enter"});
  EXPECT_EQ(chosen(), "BE-002");
  EXPECT_EQ(model.focus, Panel::detail);
  EXPECT_FALSE(model.typing());

  press({"Ctrl+K"});
  type("app.ts");
  EXPECT_THAT(rows(),
              ElementsAre("Issue FE-001  Unused import", "Issue FE-002  Long function", "File web/app.ts"));
  press({"Down", "Down", "Down", "Enter"});
  EXPECT_EQ(model.filter, "file:web/app.ts");

  press({"Ctrl+K"});
  type("session k3f9");
  EXPECT_THAT(rows(), ElementsAre("Session fix/k3f9  running"));
  press({"Enter"});
  EXPECT_EQ(model.wanted_session, "k3f9");

  press({"Ctrl+K"});
  type("setting whitespace");
  EXPECT_THAT(rows(), ElementsAre("Setting whitespace"));
  press({"Enter"});
  EXPECT_EQ(std::get<BottomLine>(model.overlay).line.text, "set whitespace ") << "its value is asked for";
  press({"Esc", "Ctrl+K"});
  type("list the commands");
  press({"Enter"});
  EXPECT_EQ(std::get<Sheet>(model.overlay).title, "Commands");
  press({"Esc", "Ctrl+K"});
  type("nothing is called so");
  EXPECT_THAT(rows(), IsEmpty());
  press({"Enter", "Backspace", "Esc"});
  EXPECT_FALSE(model.typing());
}

TEST_F(Keys, MovingStopsAtTheEnds) {
  press({"k", "Up", "PgUp"});
  EXPECT_EQ(chosen(), "BE-001");
  press({"j", "Down"});
  EXPECT_EQ(chosen(), "BE-003");
  press({"G", "j"});
  EXPECT_EQ(chosen(), "FE-003");
  press({"g"});
  EXPECT_EQ(chosen(), "BE-001");
  press({"PgDn"});
  EXPECT_EQ(chosen(), "FE-003");
  press({"Home", "4", "G"});
  EXPECT_EQ(model.step_cursor, 2u);
}

TEST_F(Keys, APageIsWhatTheFrameShows) {
  std::vector<Issue> many;
  for (int i = 100; i < 300; ++i)
    many.push_back(
        sample_issue("BE-" + std::to_string(i), Severity::high, IssueStatus::open, "src/a.c", i, "title"));
  take_issues(model, many);
  press({"2", "g", "PgDn"});
  EXPECT_EQ(model.issue_cursor,
            static_cast<std::size_t>(layout_for(model, kScreen).of(Panel::issues).height - 2));
  press({"PgUp"});
  EXPECT_EQ(model.issue_cursor, 0u);
}

TEST_F(Keys, EnterOpensAndEscGoesBackOneLayerAtATime) {
  press({"Enter"});
  EXPECT_EQ(model.focus, Panel::detail);
  press({"+"});
  EXPECT_TRUE(model.zoomed);
  press({"Esc"});
  EXPECT_FALSE(model.zoomed);
  EXPECT_EQ(model.focus, Panel::detail);
  press({"Esc"});
  EXPECT_EQ(model.focus, Panel::issues);
  press({" ", "/"});
  type("status:open be");
  press({"Enter"});
  EXPECT_EQ(model.list.size(), 2u);
  press({"Esc"});
  EXPECT_THAT(model.marked, IsEmpty());
  EXPECT_EQ(model.filter, "status:open be");
  press({"Esc"});
  EXPECT_EQ(model.filter, "status:open");
  press({"Esc"});
  EXPECT_EQ(model.filter, "");
  EXPECT_EQ(model.list.size(), 7u);
}

TEST_F(Keys, TheInboxLeadsToWhatItNames) {
  press({"1", "g"});
  ASSERT_EQ(model.inbox[0].need, Need::question);
  press({"Enter"});
  EXPECT_EQ(chosen(), "BE-004");
  EXPECT_EQ(model.focus, Panel::detail);
  press({"1", "j"});
  ASSERT_EQ(model.chosen_need()->need, Need::approval);
  press({"Enter"});
  EXPECT_EQ(model.wanted_session, "a1b2");
  EXPECT_EQ(model.focus, Panel::steps);
  press({"4", "j", "Enter"});
  EXPECT_EQ(chosen(), "BE-001");
}

TEST_F(Keys, WhatIsTypedInOneGoIsFilteredOnce) {
  press({"/"});
  for (const char* key : {"r", "o", "u", "t", "e"}) (void)update(model, {key, 0, 0, true}, kScreen);
  EXPECT_EQ(model.list.size(), 7u) << "the next key is there already";
  press({"s"});
  EXPECT_EQ(model.list.size(), 2u);
  EXPECT_EQ(model.filter, "routes");
}

TEST_F(Keys, FilterNarrowsWhileItIsTypedAndEscTakesItBack) {
  press({"/"});
  type("routes");
  EXPECT_EQ(model.list.size(), 2u);
  press({"Esc"});
  EXPECT_EQ(model.list.size(), 7u);
  press({"/"});
  type("severity:>=high");
  press({"Enter", "n"});
  EXPECT_EQ(chosen(), "BE-002");
  press({"N"});
  EXPECT_EQ(chosen(), "BE-001");
  press({"/", "Ctrl+U"});
  type("severity:huge");
  press({"Enter"});
  EXPECT_TRUE(model.bad_news);
  EXPECT_THAT(model.message, HasSubstr("critical, high"));
}

TEST_F(Keys, TheCursorStaysOnItsIssueWhateverComes) {
  press({"j", "j"});
  ASSERT_EQ(chosen(), "BE-003");
  std::vector<Issue> issues = sample_issues();
  issues.push_back(sample_issue("BE-009", Severity::critical, IssueStatus::open, "src/z.c", 1, "new"));
  take_issues(model, issues);
  EXPECT_EQ(chosen(), "BE-003");
  EXPECT_EQ(model.list.size(), 8u);
  take_issues(model, {issues[2], issues[0]});
  EXPECT_EQ(chosen(), "BE-003");
  read_again(model);
  EXPECT_EQ(chosen(), "BE-003");
}

TEST_F(Keys, ALongListIsReadInPagesAndAFarIssueOpensWithoutThem) {
  std::vector<Issue> many;
  for (int i = 10'000; i < 15'000; ++i)
    many.push_back(
        sample_issue("BE-" + std::to_string(i), Severity::high, IssueStatus::open, "src/a.c", i, "title"));
  take_issues(model, many);
  press({"2", "g", "G"});
  EXPECT_EQ(chosen(), "BE-14999");
  command("open be-12345");
  EXPECT_EQ(chosen(), "BE-12345");
  EXPECT_EQ(model.focus, Panel::detail);
  EXPECT_EQ(model.issue_cursor, 4'999u) << "the list stays where it was";
  press({"2", "k"});
  EXPECT_EQ(chosen(), "BE-14998");
  press({"F"});
  EXPECT_THAT(press({"y"}), ElementsAre(Field(&Wanted::codes, SizeIs(5'000))));
}

TEST_F(Keys, SearchInTheText) {
  press({"p", "/"});
  type("be-001");
  press({"Enter"});
  EXPECT_EQ(model.search, "be-001");
  EXPECT_EQ(model.scroll, 1);
  press({"n"});
  EXPECT_EQ(model.scroll, 1) << "there is only one";
  press({"Esc"});
  EXPECT_EQ(model.search, "");
  press({"n"});
  EXPECT_THAT(model.message, HasSubstr("/ searches"));
}

TEST_F(Keys, SelectingOneByOneAndARange) {
  press({" ", " "});
  EXPECT_THAT(model.marked, ElementsAre("BE-001", "BE-002"));
  press({"k", " "});
  EXPECT_THAT(model.marked, ElementsAre("BE-001"));
  model.marked.clear();
  press({"g", "V", "j", "j", "V"});
  EXPECT_THAT(model.marked, ElementsAre("BE-001", "BE-002", "BE-003"));
}

TEST_F(Keys, TabsOfTheIssue) {
  for (const auto& [key, tab] : {std::pair("v", Tab::diff), std::pair("l", Tab::log),
                                 std::pair("t", Tab::timeline), std::pair("p", Tab::prompt)}) {
    press({key});
    EXPECT_EQ(model.tab, tab);
    EXPECT_EQ(model.focus, Panel::detail);
  }
  press({"]"});
  EXPECT_EQ(model.tab, Tab::issue);
  press({"["});
  EXPECT_EQ(model.tab, Tab::prompt);
}

TEST_F(Keys, HowTheChangeIsShown) {
  press({"v", "u", "w", "}", "}", "{"});
  EXPECT_TRUE(model.diff.split);
  EXPECT_TRUE(model.diff.ignore_space);
  EXPECT_EQ(model.diff.context, 6);
  press({"{", "{", "{"});
  EXPECT_EQ(model.diff.context, 0);
  press({"Right", "Right", "Left"});
  EXPECT_EQ(model.sideways, 8);
}

TEST_F(Keys, ScrollingEndsWithTheTextAndFollowsTheLog) {
  model.detail.log = std::string(4'000, '\n') + "last\n";
  press({"l"});
  EXPECT_TRUE(model.follow);
  press({"k"});
  EXPECT_FALSE(model.follow);
  const int before = model.scroll;
  EXPECT_GT(before, 3'900);
  press({"G"});
  EXPECT_TRUE(model.follow);
  press({"g"});
  EXPECT_EQ(model.scroll, 0);
}

TEST_F(Keys, GoingUpHoldsForALogThatComesLater) {
  press({"l", "g"});
  model.detail.log = "first\n" + std::string(4'000, '\n') + "last\n";
  EXPECT_FALSE(model.follow);
  EXPECT_EQ(model.scroll, 0);
}

TEST_F(Keys, FixAsksAndLeavesOutWhatCannotBeFixed) {
  press({"G", "f"});
  EXPECT_EQ(confirm(), nullptr);
  EXPECT_TRUE(model.bad_news);
  press({"g", "j", "j", "f"});
  ASSERT_NE(confirm(), nullptr);
  EXPECT_THAT(press({"n"}), IsEmpty());
  EXPECT_FALSE(model.typing());
  press({" ", " ", "G", " ", "f"});
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::fix, {"BE-003", "BE-004"}}));
  EXPECT_THAT(model.marked, IsEmpty());
  press({"F"});
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::fix, {"BE-003", "BE-004"}}));
}

TEST_F(Keys, AnAnswerIsTypedInPlace) {
  press({"1", "g", "a"});
  type("KeyErrors");
  press({"Backspace"});
  EXPECT_THAT(press({"Enter"}),
              ElementsAre(Wanted{Deed::answer, {"BE-004"}, "", "BE-004-q1", "", "KeyError"}));
  press({"a", "Down", "Down"});
  EXPECT_THAT(press({"Enter"}),
              ElementsAre(Wanted{Deed::answer, {"BE-004"}, "", "BE-004-q1", "", "KeyError"}));
  press({"a"});
  EXPECT_THAT(press({"Enter"}), IsEmpty()) << "nothing was typed";
  EXPECT_THAT(press({"Ctrl+D"}), ElementsAre(Wanted{Deed::skip, {"BE-004"}, "", "BE-004-q1"}));
  press({"2", "g", "a"});
  EXPECT_THAT(model.message, HasSubstr("no open question"));
}

TEST_F(Keys, ARowOfASessionAnswersForItself) {
  std::vector<Issue> issues = sample_issues();
  issues[1].evidence = "proven";
  take_issues(model, issues);
  model.inbox = {{Need::approval, "", "a1b2", "", "fix/a1b2  starts when you approve its plan"},
                 {Need::ready, "", "k3f9", "", "fix/k3f9  2 fixes to review, 1 proven"},
                 {Need::ready, "", "none", "", "fix/none  1 fix to review"},
                 {Need::taken, "", "k3f9", "", "fix/k3f9  1 fix accepted: merge the branch"},
                 {Need::ready, "", "", "", "and 4 older branches with fixes: the sessions list them"}};
  press({"2", "g", "j", "1", "g", "a"}); // the list has chosen an issue that could be accepted
  ASSERT_NE(confirm(), nullptr);
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::approve, {}, "a1b2"}));
  EXPECT_THAT(press({"j", "a"}), ElementsAre(Wanted{Deed::accept, {"BE-002"}, "k3f9"}));
  EXPECT_THAT(press({"j", "a"}), IsEmpty());
  EXPECT_THAT(model.message, HasSubstr("no fix of session none is proven"));
  EXPECT_THAT(press({"j", "a"}), IsEmpty());
  EXPECT_THAT(model.message, HasSubstr("merge the branch"));
  EXPECT_THAT(press({"j", "a"}), IsEmpty());
  EXPECT_THAT(model.message, HasSubstr("4 older branches"));
  for (const char* key : {"x", "c", "d", "i", "f", "r", "y", "Y", "e", "T"}) {
    EXPECT_THAT(press({key}), IsEmpty()) << key;
    EXPECT_FALSE(model.typing()) << key;
    EXPECT_THAT(model.message, HasSubstr("no single issue")) << key;
  }
  press({"k", "x"});
  EXPECT_THAT(model.message, HasSubstr("Enter shows its issues"));
}

TEST_F(Keys, CancelAsksAndSaysWhatIsKept) {
  press({"X"});
  ASSERT_NE(confirm(), nullptr);
  EXPECT_THAT(plain_text(confirm()->about[0]), HasSubstr("2 of 5"));
  EXPECT_THAT(plain_text(confirm()->about[1]), HasSubstr("are kept"));
  EXPECT_THAT(press({"Esc"}), IsEmpty());
  press({"X"});
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::cancel, {}, "k3f9"}));
}

TEST_F(Keys, DecisionsAboutAnIssue) {
  press({"j", "j", "i", "2"});
  type("later");
  EXPECT_THAT(press({"Enter"}), ElementsAre(Wanted{Deed::ignore, {"BE-003"}, "", "", "wont_fix", "later"}));
  press({"d"});
  type("be-001");
  EXPECT_THAT(press({"Enter"}), ElementsAre(Wanted{Deed::duplicate, {"BE-003"}, "", "", "", "BE-001"}));
  press({"c"});
  type("keep it short");
  EXPECT_THAT(press({"Enter"}), ElementsAre(Wanted{Deed::comment, {"BE-003"}, "", "", "", "keep it short"}));
  press({"a"});
  EXPECT_THAT(model.message, HasSubstr("no fix to accept"));
  press({"x"});
  EXPECT_THAT(model.message, HasSubstr("no fix to reject"));
  EXPECT_THAT(press({"k", "a"}), ElementsAre(Wanted{Deed::accept, {"BE-002"}, "k3f9"}));
  press({"x"});
  type("no");
  EXPECT_THAT(press({"Enter"}), ElementsAre(Wanted{Deed::reject, {"BE-002"}, "k3f9", "", "", "no"}));
}

TEST_F(Keys, AnExistingTestIsOpenedForItsIssue) {
  press({"j", "j", "T"});
  EXPECT_THAT(model.message, HasSubstr("wants to change an existing test"));
  Detail detail;
  detail.code = "BE-003";
  detail.wanted_tests = {{"tests/test_x.py", "test_limit", "from `9` to `10`"}};
  take_detail(model, detail);
  press({"T", "1"});
  type("it asserts the bug");
  EXPECT_THAT(press({"Enter"}),
              ElementsAre(Wanted{
                  Deed::open_test, {"BE-003"}, "", "tests/test_x.py::test_limit", "", "it asserts the bug"}));
}

TEST_F(Keys, TryingAgainMeansWhatTheStateNeeds) {
  press({"j", "r"});
  EXPECT_THAT(model.message, HasSubstr("reject its fix first"));
  press({"j", "j", "j", "r"});
  ASSERT_EQ(chosen(), "FE-001");
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::fix, {"FE-001"}}));
  press({"j", "r"});
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::reopen, {"FE-002"}}));
  press({"g", "j", "j"});
  std::vector<Issue> issues = sample_issues();
  issues[2].session_id = "k3f9";
  take_issues(model, issues);
  Detail detail;
  detail.code = "BE-003";
  detail.taken_back = "not like this";
  take_detail(model, detail);
  press({"r"});
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::refix, {"BE-003"}, "k3f9"}));
  press({"4", "r"});
  EXPECT_THAT(model.message, HasSubstr("only an interrupted session"));
  model.sessions = {{"k3f9", SessionStatus::interrupted, "fix/k3f9", "", 5}};
  press({"r"});
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::resume, {}, "k3f9"}));
}

TEST_F(Keys, ApprovingAPlan) {
  press({"A"});
  EXPECT_THAT(model.message, HasSubstr("no plan waits"));
  press({"1", "g", "j", "A"});
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::approve, {}, "a1b2"}));
}

TEST_F(Keys, WhatBecameOfTheFixes) {
  press({":"});
  EXPECT_THAT(type("insights rule"), ElementsAre());
  EXPECT_THAT(press({"Enter"}), ElementsAre(Wanted{.deed = Deed::insights, .text = "rule"}));
  press({":"});
  type("insights mood");
  EXPECT_THAT(press({"Enter"}), ElementsAre());
  EXPECT_THAT(model.message, HasSubstr("agent, model, rule, language, evidence"));
}

TEST_F(Keys, TheReportOfASessionAndABranchWithFewerCommits) {
  press({":"});
  type("report k3f9");
  EXPECT_THAT(press({"Enter"}), ElementsAre(Wanted{.deed = Deed::report, .session = "k3f9"}));
  press({":"});
  type("group file k3f9");
  EXPECT_THAT(press({"Enter"}), ElementsAre(Wanted{.deed = Deed::group, .session = "k3f9", .text = "file"}));
  press({":"});
  type("group shoe k3f9");
  EXPECT_THAT(press({"Enter"}), ElementsAre());
  EXPECT_THAT(model.message, HasSubstr("rule, file, one"));
}

TEST(EvidenceLamps, FourOfThemAsTheDashboardHasThem) {
  const auto lamps = [](std::string_view level, bool ascii) {
    return plain_text(evidence_lamps(level, glyphs_for(ascii)));
  };
  EXPECT_EQ(lamps("proven", false), "●●●◆");
  EXPECT_EQ(lamps("repaired", false), "●●●◇");
  EXPECT_EQ(lamps("unbroken", false), "○●○◇");
  EXPECT_EQ(lamps("judged", false), "○○○◇");
  EXPECT_EQ(lamps("proven", true), "x+xx");
  EXPECT_EQ(lamps("unbroken", true), ".+..");
  EXPECT_EQ(lamps("", false), "");
}

TEST(InsightsLines, ARowForEachGroup) {
  FixOutcome merged, reverted;
  merged.agent = reverted.agent = "claude";
  merged.fate = FixFate::merged;
  reverted.fate = FixFate::reverted;
  const std::vector<Line> lines = insights_lines({merged, reverted}, "agent");
  ASSERT_GE(lines.size(), 2U);
  EXPECT_THAT(lines[0][0].text, HasSubstr("reverted"));
  EXPECT_THAT(lines[1][0].text, HasSubstr("claude"));
  EXPECT_EQ(lines[1][1].role, Shade::bad);
  EXPECT_THAT(lines[1][2].text, HasSubstr("50%"));
  EXPECT_THAT(insights_lines({}, "agent")[0][0].text, HasSubstr("No fix"));
}

TEST(InsightsLines, TheWayToAutonomy) {
  FixOutcome merged;
  merged.agent = "claude";
  merged.rule = "F401";
  merged.fate = FixFate::merged;
  const auto last = [](const std::vector<FixOutcome>& outcomes) {
    const std::vector<Line> lines = insights_lines(outcomes, "agent");
    return lines.at(lines.size() - 3); // before a blank and the hint
  };
  EXPECT_THAT(plain_text(last({merged})), HasSubstr("1 of 20 merged"));
  const Line earned = last(std::vector<FixOutcome>(20, merged));
  EXPECT_THAT(plain_text(earned), AllOf(HasSubstr("claude"), HasSubstr("F401"), HasSubstr("earned")));
  EXPECT_EQ(earned.back().role, Shade::good);
}

TEST(AttemptLines, CandidatesContestedVerdictsAndVotes) {
  Model model = sample_model();
  (void)choose_issue(model, "FE-001");
  Detail detail;
  detail.code = "FE-001";
  detail.tries = {{1, "claude", "below_threshold", "scored 79"},
                  {1, "codex", "not_chosen", "passed too"},
                  {2, "claude", "accepted", ""}};
  detail.tries[0].candidate = detail.tries[1].candidate = true;
  detail.tries[2].contested = true;
  detail.tries[2].votes = "codex 93, gemini 98: 95 on average";
  take_detail(model, detail);
  std::string text;
  for (const Line& line : detail_body(model, 100, glyphs_for(false))) text += plain_text(line) + "\n";
  EXPECT_THAT(text, HasSubstr("1. candidate of claude: below threshold - scored 79"));
  EXPECT_THAT(text, HasSubstr("1. candidate of codex: not chosen - passed too"));
  EXPECT_THAT(text, HasSubstr("2. claude: accepted, contested (codex 93, gemini 98: 95 on average)"));
}

TEST_F(Keys, TheRest) {
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::copy_link, {"BE-001"}}));
  EXPECT_THAT(press({"Y"})[0].text, HasSubstr("src/api/routes.py:42"));
  EXPECT_THAT(press({"e"}), ElementsAre(Wanted{Deed::edit, {"BE-001"}}));
  EXPECT_THAT(press({"o"}), ElementsAre(Wanted{Deed::browse}));
  EXPECT_THAT(press({"@"}), ElementsAre(Wanted{Deed::commands}));
  EXPECT_THAT(press({"Ctrl+Z"}), ElementsAre(Wanted{Deed::suspend}));
  EXPECT_THAT(press({"q"}), ElementsAre(Wanted{Deed::quit}));
  EXPECT_THAT(press({"Ctrl+C"}), ElementsAre(Wanted{Deed::quit}));
  press({"."});
  EXPECT_TRUE(model.paused);
  press({"+", "_"});
  EXPECT_FALSE(model.zoomed);
  press({"ß"});
  EXPECT_THAT(model.message, HasSubstr("press ? for help"));
}

TEST_F(Keys, HelpOpensScrollsAndCloses) {
  press({"?"});
  ASSERT_TRUE(std::holds_alternative<Sheet>(model.overlay));
  press({"j", "j", "k"});
  EXPECT_EQ(std::get<Sheet>(model.overlay).scroll, 1);
  press({"G", "PgDn"});
  EXPECT_LT(std::get<Sheet>(model.overlay).scroll,
            static_cast<int>(std::get<Sheet>(model.overlay).lines.size()));
  press({"?"});
  EXPECT_FALSE(model.typing());
}

TEST_F(Keys, CommandsCompleteAndAreRemembered) {
  press({":"});
  type("fi");
  press({"Tab"});
  EXPECT_THAT(std::get<BottomLine>(model.overlay).offers, ElementsAre("fix", "filter"));
  type("x be-00");
  press({"Tab"});
  EXPECT_THAT(std::get<BottomLine>(model.overlay).offers, SizeIs(4));
  type("3");
  press({"Tab"});
  EXPECT_EQ(std::get<BottomLine>(model.overlay).line.text, "fix BE-003 ");
  press({"Enter"});
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::fix, {"BE-003"}}));
  press({":", "Up"});
  EXPECT_EQ(std::get<BottomLine>(model.overlay).line.text, "fix BE-003 ");
  press({"Down", "Esc"});
  EXPECT_FALSE(model.typing());
}

TEST_F(Keys, EveryCommandDoesWhatItSays) {
  EXPECT_THAT(command("answer BE-004-q1 use KeyError"),
              ElementsAre(Wanted{Deed::answer, {}, "", "BE-004-q1", "", "use KeyError"}));
  EXPECT_THAT(command("skip BE-004-q1"), ElementsAre(Wanted{Deed::skip, {}, "", "BE-004-q1"}));
  EXPECT_THAT(command("ignore be-003 by_design so it is"),
              ElementsAre(Wanted{Deed::ignore, {"BE-003"}, "", "", "by_design", "so it is"}));
  EXPECT_THAT(command("reopen FE-002 again"),
              ElementsAre(Wanted{Deed::reopen, {"FE-002"}, "", "", "", "again"}));
  EXPECT_THAT(command("duplicate BE-002 be-001"),
              ElementsAre(Wanted{Deed::duplicate, {"BE-002"}, "", "", "", "BE-001"}));
  EXPECT_THAT(command("comment BE-002 hello there"),
              ElementsAre(Wanted{Deed::comment, {"BE-002"}, "", "", "", "hello there"}));
  EXPECT_THAT(command("accept BE-002"), ElementsAre(Wanted{Deed::accept, {"BE-002"}, "k3f9"}));
  EXPECT_THAT(command("accept proven"), ElementsAre());
  EXPECT_THAT(model.message, HasSubstr("no fix of session k3f9 is proven"));
  std::vector<Issue> issues = sample_issues();
  issues[1].evidence = "proven";
  take_issues(model, issues);
  EXPECT_THAT(command("accept proven"), ElementsAre(Wanted{Deed::accept, {"BE-002"}, "k3f9"}));
  EXPECT_THAT(command("reject BE-002 no"),
              ElementsAre(Wanted{Deed::reject, {"BE-002"}, "k3f9", "", "", "no"}));
  EXPECT_THAT(command("resume k3"), ElementsAre(Wanted{Deed::resume, {}, "k3f9"}));
  EXPECT_THAT(command("quit"), ElementsAre(Wanted{Deed::quit}));
  EXPECT_THAT(command("q"), ElementsAre(Wanted{Deed::quit}));
  command("fix all");
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::fix, {"BE-003", "BE-004"}}));
  command("fix be-003 max_cost_usd=2 jobs=3");
  EXPECT_THAT(press({"y"}),
              ElementsAre(Wanted{Deed::fix, {"BE-003"}, "", "", "", "", {"max_cost_usd=2", "jobs=3"}}));
  command("cancel");
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::cancel, {}, "k3f9"}));
  command("approve a1");
  EXPECT_THAT(press({"y"}), ElementsAre(Wanted{Deed::approve, {}, "a1b2"}));
  command("session a1b2");
  EXPECT_EQ(model.wanted_session, "a1b2");
  command("open fe-001");
  EXPECT_EQ(chosen(), "FE-001");
  command("be-002");
  EXPECT_EQ(chosen(), "BE-002");
  command("filter status:open");
  EXPECT_EQ(model.list.size(), 2u);
  command("set diff split");
  EXPECT_TRUE(model.diff.split);
  command("set whitespace hide");
  command("set context 7");
  EXPECT_EQ(model.diff, (DiffStyle{true, true, 7}));
  command("help");
  EXPECT_EQ(std::get<Sheet>(model.overlay).lines.size(), command_help().size());
}

TEST_F(Keys, MistypedCommandsSayWhatIsMeant) {
  command("ignor");
  EXPECT_THAT(model.message, HasSubstr("did you mean ignore?"));
  command("fix BE-999");
  EXPECT_THAT(model.message, HasSubstr("no issue BE-999"));
  command("ignore BE-001 because");
  EXPECT_THAT(model.message, HasSubstr("false_positive"));
  command("set colour blue");
  EXPECT_THAT(model.message, HasSubstr(":set diff split"));
  command("session zzz");
  EXPECT_THAT(model.message, HasSubstr("no session zzz"));
}

TEST_F(Keys, TheMouseChoosesAndScrolls) {
  const Layout layout = layout_for(model, kScreen);
  (void)update(model, {"Click", layout.issues.x + 5, layout.issues.y + 3}, kScreen);
  EXPECT_EQ(chosen(), "BE-003");
  (void)update(model, {"WheelDown", layout.issues.x + 5, layout.issues.y + 3}, kScreen);
  EXPECT_EQ(chosen(), "FE-002");
  (void)update(model, {"Click", layout.inbox.x + 2, layout.inbox.y + 1}, kScreen);
  EXPECT_EQ(model.focus, Panel::inbox);
}

TEST_F(Keys, NothingToDoWithNothing) {
  model = Model{};
  for (const KeyHelp& help : key_help()) {
    (void)update(model, {help.keys.substr(0, help.keys.find(' '))}, kScreen);
    (void)update(model, {"Esc"}, kScreen);
  }
  press({"f",    "Esc", "a",     "Esc", "x",     "Esc", "Enter", "Esc", "V", "n", "G",
         "PgDn", "1",   "Enter", "4",   "Enter", "r",   "A",     "X",   "y", "Y", "e"});
  EXPECT_EQ(chosen(), "");
}

TEST(Inbox, WhatNeedsAPersonComesFirst) {
  const Model model = sample_model();
  std::vector<Need> needs;
  for (const InboxEntry& entry : model.inbox) needs.push_back(entry.need);
  EXPECT_THAT(needs, ElementsAre(Need::question, Need::approval, Need::failed, Need::running));
  EXPECT_EQ(model.waiting, 3) << "what runs waits for nobody";
  Needs waiting;
  Session session;
  session.branch = "fix/k3f9";
  waiting.ready = {{session, {sample_issues()[1]}}};
  waiting.taken = {{session, {sample_issues()[1], sample_issues()[0]}}};
  waiting.failed_total = 60;
  const auto over = inbox_of(waiting, {{"k3f9", SessionStatus::partial, "fix/k3f9", "abc", 5}});
  ASSERT_THAT(over, SizeIs(3));
  EXPECT_THAT(over[0].text, HasSubstr("60 more"));
  EXPECT_EQ(over[1].need, Need::ready);
  EXPECT_THAT(over[1].text, EndsWith("1 fix to review"));
  waiting.ready[0].fixes[0].evidence = "proven";
  EXPECT_THAT(inbox_of(waiting, {})[1].text, EndsWith("1 fix to review, 1 proven"));
  EXPECT_EQ(over[2].need, Need::taken);
  EXPECT_THAT(over[2].text, HasSubstr("2 fixes accepted: merge the branch"));
}

TEST(FilterWords, OfTheDashboard) {
  const Filter filter(
      "off status:OPEN severity:>=high file:src/net rule:SC2086 tool:shellcheck is:regressed one");
  EXPECT_EQ(filter.problem(), "");
  const IssueSearch& search = filter.search();
  EXPECT_EQ(search.text, "off one");
  EXPECT_THAT(search.statuses, ElementsAre(IssueStatus::open));
  EXPECT_THAT(search.severities, ElementsAre("critical", "high"));
  EXPECT_EQ(search.file_glob, "*src/net*");
  EXPECT_THAT(search.rules, ElementsAre("SC2086"));
  EXPECT_THAT(search.tools, ElementsAre("shellcheck"));
  EXPECT_EQ(search.trend, IssueTrend::regressed);
  EXPECT_EQ(Filter("file:src/*.c").search().file_glob, "src/*.c");
  EXPECT_EQ(Filter("Which: one std::move").search().text, "Which: one std::move");
  for (const char* wrong : {"severity:huge", "status:done", "is:odd"})
    EXPECT_NE(Filter(wrong).problem(), "") << wrong;
}

Event event_of(const std::string& type, Json data) {
  Event event;
  event.type = type;
  event.issue_code = "BE-001";
  event.time_ms = 1'000;
  event.data = std::move(data);
  return event;
}

TEST(Timeline, GivesChecksScoreAndPhase) {
  std::vector<Event> events = {
      event_of("fix_cycle_started", {{"cycle", 1}}),
      event_of("fix_verification_started", {{"kind", "alone"}}),
      event_of("fix_verification_result",
               {{"kind", "alone"},
                {"commands",
                 {{{"name", "lint"}, {"result", "failed"}, {"duration_ms", 300}, {"failed_before", true}}}}}),
      event_of("fix_challenger_evaluating", {{"agent", "judge"}}),
      event_of("fix_challenger_result", {{"valid", true},
                                         {"score", 88},
                                         {"threshold", 90},
                                         {"quality_scores", {{"style", 80}, {"odd", "x"}}}}),
  };
  const auto tell = [](const Event& event) { return std::optional("BE-001  " + event.type); };
  Detail detail;
  add_timeline(events, tell, detail);
  EXPECT_EQ(detail.phase, "judging");
  ASSERT_THAT(detail.checks, SizeIs(1));
  EXPECT_TRUE(detail.checks[0].failed_before);
  EXPECT_EQ(*detail.verdict->score, 88);
  EXPECT_THAT(detail.verdict->quality_scores, SizeIs(1));
  EXPECT_EQ(detail.timeline[0].text, "fix_cycle_started");
  events.push_back(event_of("fix_cycle_started", {{"cycle", 2}}));
  Detail next;
  add_timeline(events, tell, next);
  EXPECT_EQ(next.phase, "fixing");
  EXPECT_THAT(next.checks, IsEmpty());
  EXPECT_FALSE(next.verdict);
}

} // namespace
} // namespace emend
