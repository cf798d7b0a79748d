#include "cli/progress_text.hpp"

#include <gtest/gtest.h>

namespace emend {

namespace {

std::string line(const std::string& type, Json data, ProgressDetail detail = ProgressDetail::all,
                 const std::string& code = "BE-001") {
  Event event;
  event.type = type;
  event.issue_code = code;
  event.data = std::move(data);
  return progress_line(event, detail).value_or("(nothing)");
}

} // namespace

TEST(ProgressLine, TellsTheEndOfAnIssueInALog) {
  const Json data = {{"status", "FAILED"},
                     {"reason", "below_threshold"},
                     {"detail", "score 60 of 95"},
                     {"score", 60},
                     {"evidence", ""}};
  EXPECT_EQ(line("fix_issue_completed", data, ProgressDetail::results), "BE-001  FAILED: score 60 of 95");
  EXPECT_EQ(line("fix_issue_completed",
                 {{"status", "RESOLVED"},
                  {"score", 97},
                  {"evidence", "repaired"},
                  {"marks", Json::array({"shown"})}},
                 ProgressDetail::results),
            "BE-001  RESOLVED: score 97, evidence repaired (shown)");
  EXPECT_EQ(line("fix_issue_completed", {{"status", "RESOLVED"}, {"score", 97}, {"evidence", "proven"}},
                 ProgressDetail::results),
            "BE-001  RESOLVED: score 97, evidence repaired")
      << "of a program that had other words";
  EXPECT_EQ(line("fix_issue_completed", {{"status", "FAILED"}, {"score", -1}}, ProgressDetail::results),
            "BE-001  FAILED");
}

TEST(ProgressLine, StagesAreForTerminalsAndWordsOfAgentsForTheCurious) {
  EXPECT_EQ(line("fix_cycle_started", {{"cycle", 2}, {"max_cycles", 3}}, ProgressDetail::results),
            "(nothing)");
  EXPECT_EQ(line("fix_cycle_started", {{"cycle", 2}, {"max_cycles", 3}}, ProgressDetail::stages),
            "BE-001  round 2");
  EXPECT_EQ(line("fix_issue_streaming", {{"text", "hello"}}, ProgressDetail::stages), "(nothing)");
  EXPECT_EQ(line("fix_issue_streaming", {{"text", "hello"}}, ProgressDetail::all), "BE-001  | hello");
}

TEST(ProgressLine, SaysWhichCommandWasRedBefore) {
  const Json data = {{"kind", "alone"},
                     {"passed", false},
                     {"commands",
                      {{{"name", "unit"}, {"result", "failed"}},
                       {{"name", "lint"}, {"result", "failed"}, {"failed_before", true}}}}};
  EXPECT_EQ(line("fix_verification_result", data),
            "BE-001  verification failed: unit failed, lint failed (failed before)");
}

TEST(ProgressLine, AVerdictIsAScoreOrAProblem) {
  EXPECT_EQ(line("fix_challenger_result", {{"valid", true}, {"score", 90}, {"threshold", 95}}),
            "BE-001  score 90 (needs 95)");
  EXPECT_EQ(line("fix_challenger_result", {{"valid", false}, {"problem", "no JSON"}}),
            "BE-001  no valid verdict - no JSON");
}

TEST(ProgressLine, SurvivesEventsWithOtherShapes) {
  EXPECT_EQ(line("something_new", {}), "(nothing)");
  EXPECT_EQ(line("fix_verification_result", {{"commands", 3}}), "BE-001  verification failed");
  EXPECT_EQ(line("fix_cycle_started", nullptr), "BE-001  round ?");
  EXPECT_EQ(line("fix_session_completed",
                 {{"status", "passed"}, {"summary", {{"resolved", 2}, {"failed", 0}, {"open", 0}}}},
                 ProgressDetail::all, ""),
            "session passed: 2 resolved, 0 failed, 0 open");
}

TEST(ProgressLine, AgentsCannotControlTheTerminal) {
  EXPECT_EQ(line("fix_issue_streaming", {{"text", "\x1b[2Jgone\r\nx"}}), "BE-001  | gone x");
}

} // namespace emend
