#include "cli/live_text.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/columns.hpp"
#include "base/strings.hpp"
#include "cli/live_progress.hpp"

namespace emend {

namespace {

class LiveTextTest : public testing::Test {
protected:
  void happen(const std::string& type, const std::string& code = "", Json data = Json::object()) {
    Event event;
    event.type = type;
    event.issue_code = code;
    event.data = std::move(data);
    take(view_, event, now_ms_);
  }
  void start(std::size_t count) {
    Json codes = Json::array();
    for (std::size_t i = 1; i <= count; ++i) codes.push_back("BE-" + std::to_string(i));
    happen("fix_session_started", "", {{"issue_codes", codes}});
  }
  std::string screen(std::size_t columns = 80, std::size_t rows = 24, bool ascii = true) const {
    LiveStyle style;
    style.columns = columns;
    style.rows = rows;
    style.ascii = ascii;
    return join(render_live(view_, now_ms_, style), "\n");
  }
  SessionView view_;
  std::int64_t now_ms_ = 5'000;
};

} // namespace

TEST_F(LiveTextTest, FollowsAnIssueThroughItsStages) {
  EXPECT_EQ(screen(), "") << "nothing runs yet";
  start(2);
  EXPECT_EQ(screen(), "-------------  0/2 done  0:00  0 resolved, 0 failed");
  happen("fix_issue_started", "BE-1", {{"agent", "claude"}, {"cycle", 1}});
  happen("fix_cycle_started", "BE-1", {{"cycle", 1}, {"max_cycles", 3}});
  happen("fix_agent_invoked", "BE-1", {{"agent", "claude"}, {"role", "fixer"}});
  now_ms_ += 42'000;
  EXPECT_EQ(
      screen(),
      "BE-1  ##----------  fixing     0:42  round 1/3  claude is working\n#------------  0/2 done  0:42  "
      "0 resolved, 0 failed");
  happen("fix_issue_streaming", "BE-1", {{"text", "Reading src/a.c\n\x1b[2J now the loop\n\n"}});
  EXPECT_TRUE(contains(screen(), "round 1/3  claude: now the loop\n")) << screen();
  happen("fix_issue_streaming", "BE-1", {{"text", "{\"type\":\"result\"}\n"}});
  happen("fix_issue_streaming", "BE-1", {{"text", "{\n  \"issues\": 1\n}\n"}});
  EXPECT_TRUE(contains(screen(), "claude: now the loop")) << "what is meant for programs is not shown";
  happen("fix_verification_started", "BE-1", {{"kind", "without_patch"}, {"commands", {"unit", "lint"}}});
  EXPECT_TRUE(contains(screen(), "######------  verifying  0:42  round 1/3  without patch: unit, lint\n"))
      << screen();
  happen("fix_challenger_evaluating", "BE-1", {{"agent", "codex"}});
  EXPECT_TRUE(contains(screen(), "########----  judging    0:42  round 1/3  codex is judging\n")) << screen();
  happen("agent_run_completed", "BE-1", {{"usage", {{"cost_usd", 0.25}}}});
  happen("agent_run_completed", "BE-1", {{"usage", {{"cost_usd", 0.17}}}});
  happen("fix_cycle_completed", "BE-1", {{"result", "accepted"}});
  EXPECT_EQ(screen(), "#####--------  0/2 done  0:42  0 resolved, 0 failed, 1 passed  $0.42");
  happen("fix_verification_started", "", {{"kind", "combined"}, {"commands", {"unit"}}});
  EXPECT_TRUE(contains(screen(100), "$0.42  combined: unit"))
      << "what concerns all is told with the whole: " << screen();
  happen("fix_issue_completed", "BE-1", {{"status", "RESOLVED"}});
  happen("fix_issue_completed", "BE-2", {{"status", "FAILED"}});
  EXPECT_TRUE(screen().starts_with("#############  2/2 done  0:42  1 resolved, 1 failed")) << screen();
  happen("fix_session_completed");
  EXPECT_EQ(screen(), "");
}

TEST_F(LiveTextTest, ARefusedRoundGoesOnWithTheNext) {
  start(1);
  happen("fix_cycle_started", "BE-1", {{"cycle", 1}, {"max_cycles", 1}});
  happen("fix_cycle_completed", "BE-1", {{"result", "below_threshold"}});
  EXPECT_TRUE(contains(screen(), "round 1/1  below threshold")) << screen();
  happen("fix_cycle_started", "BE-1", {{"cycle", 2}, {"max_cycles", 1}});
  EXPECT_TRUE(contains(screen(), "0:00  round 2  "))
      << "more than max_cycles when the judge sends it back: " << screen();
}

TEST_F(LiveTextTest, ASessionThatGoesOnCountsWhatWasDone) {
  take_known(view_, "BE-1", "RESOLVED");
  take_known(view_, "BE-2", "");
  happen("fix_issue_started", "BE-2", {{"agent", "claude"}});
  EXPECT_TRUE(contains(screen(), "1/2 done  0:00  1 resolved")) << screen();
}

TEST_F(LiveTextTest, AgentsBeforeTheSessionShowNothing) {
  happen("agent_run_completed", "BE-1", {{"usage", {{"cost_usd", 1.0}}}});
  happen("clarify_questions", "BE-1");
  EXPECT_EQ(screen(), "");
}

TEST_F(LiveTextTest, ShowsAsManyAsFit) {
  start(30);
  for (int i = 1; i <= 20; ++i) happen("fix_issue_started", "BE-" + std::to_string(i), {{"agent", "claude"}});
  const auto lines = split(screen(80, 24), '\n');
  ASSERT_EQ(lines.size(), 12U);
  EXPECT_EQ(lines[10], "+10 more");
  EXPECT_EQ(split(screen(80, 3), '\n').size(), 1U) << "only the whole";
  EXPECT_EQ(split(screen(80, 100), '\n').size(), 21U);
}

TEST_F(LiveTextTest, IsNarrowerThanTheTerminalWhateverHappens) {
  std::mt19937 random(7);
  start(3);
  const std::string long_words = "漢字 " + std::string(500, 'x') + "\x1b]0;title\x07 \r\n\t";
  happen("fix_issue_started", "BE-1", {{"agent", long_words}});
  happen("fix_issue_started", "ÄÖ漢字-" + std::string(50, '9'), {{"agent", "a"}});
  happen("fix_issue_streaming", "BE-1", {{"text", long_words}});
  happen("fix_verification_started", "", {{"kind", long_words}, {"commands", {long_words}}});
  for (int i = 0; i < 50; ++i) {
    std::string bytes;
    for (int n = 0; n < 60; ++n) bytes += static_cast<char>(random() % 256);
    happen("fix_issue_streaming", "BE-2", {{"text", bytes}});
    happen("fix_agent_invoked", "BE-3", {{"agent", bytes}});
    for (const std::size_t columns : {1, 2, 10, 20, 47, 48, 80, 300})
      for (const bool ascii : {true, false})
        for (const std::string& line : split(screen(columns, 24, ascii), '\n')) {
          EXPECT_LE(columns_of(line), std::max<std::size_t>(columns - 1, 1)) << columns << ": " << line;
          for (const char c : line) EXPECT_GE(static_cast<unsigned char>(c), 0x20U) << "a control byte";
        }
  }
}

TEST_F(LiveTextTest, SurvivesEventsWithOtherShapes) {
  for (const char* type :
       {"fix_session_started", "fix_issue_started", "fix_cycle_started", "fix_agent_invoked",
        "fix_issue_streaming", "fix_verification_started", "fix_challenger_evaluating", "fix_cycle_completed",
        "agent_run_completed", "something_new"})
    for (const Json& data :
         {Json(nullptr), Json(3), Json::array({1}),
          Json{{"issue_codes", 3}, {"cycle", "x"}, {"commands", {{"name", 1}}}, {"usage", 7}}}) {
      happen(type, "BE-1", data);
      happen(type, "", data);
    }
  EXPECT_FALSE(screen().empty());
}

TEST(LiveProgress, IsForTerminalsThatCanRedraw) {
  EXPECT_TRUE(can_redraw({"TERM=xterm"}, true));
  EXPECT_FALSE(can_redraw({"TERM=xterm"}, false));
  EXPECT_FALSE(can_redraw({"TERM=dumb"}, true));
  EXPECT_FALSE(can_redraw({}, true));
  EXPECT_FALSE(can_redraw({"TERM=xterm", "CI=true"}, true));
  EXPECT_TRUE(can_redraw({"TERM=xterm", "CI=false"}, true));
}

TEST(LiveProgress, DrawsWithPlainCharactersWithoutUtf8) {
  EXPECT_TRUE(shows_utf8({"LANG=de_DE.UTF-8"}));
  EXPECT_TRUE(shows_utf8({"LC_ALL=C.utf8", "LANG=C"}));
  EXPECT_FALSE(shows_utf8({"LC_ALL=C", "LANG=de_DE.UTF-8"}));
  EXPECT_FALSE(shows_utf8({"LC_CTYPE=POSIX", "LANG=de_DE.UTF-8"}));
  EXPECT_FALSE(shows_utf8({}));
}

} // namespace emend
