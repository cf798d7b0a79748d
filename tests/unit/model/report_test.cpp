#include "model/report.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [key, value] : object.items()) names.push_back(key);
  return names;
}

Issue issue(std::string id, std::string code, std::string finding_id) {
  Issue one;
  one.id = std::move(id);
  one.code = std::move(code);
  one.finding.id = std::move(finding_id);
  one.finding.file = "src/a.py";
  one.finding.line = 3;
  one.finding.title = "title";
  return one;
}

FixReport sample() {
  FixReport report;
  report.session.id = "abcdefgh";
  report.session.status = SessionStatus::partial;
  report.session.branch = "fix/abcdefgh";
  report.session.base = "b0";
  Issue resolved = issue("u1", "BE-001", "F001");
  resolved.status = IssueStatus::resolved;
  resolved.evidence = "unbroken";
  resolved.last_score = 97;
  resolved.attempts = 1;
  resolved.commit = "c1";
  GateDecision decision;
  decision.resolved = true;
  decision.clauses = {{"P1", "real_change", ClauseState::passed, "1 line"}};
  Issue failed = issue("u2", "BE-002", "");
  failed.status = IssueStatus::failed;
  failed.reason = "verification";
  report.issues = {{resolved, decision}, {failed, {}}};
  report.commits = {{"c1", "b0", "abcdefgh", {"u1", "u9"}, "p", "Fix it"}};
  AgentRunRecord run; // on two issues: each has half of it
  run.issue_ids = {"u1", "u2"};
  run.usage = {20, 10, 0, 0.25, 1};
  run.duration_ms = 40;
  report.runs = {run};
  report.fixes_applied = true;
  report.notes = {"failed before: lint"};
  report.duration_ms = 1234;
  return report;
}

FixCycle cycle() {
  FixCycle one;
  one.issue_code = "BE-001";
  one.attempt.cycle = 2;
  one.attempt.agent = "claude";
  one.attempt.claim = Claim::fixed;
  one.attempt.result = AttemptResult::accepted;
  one.attempt.detail = "ok";
  one.attempt.duration_ms = 50;
  one.attempt.patch.changes = {{"src/a.py", kModeFile, kModeFile, "1", "2", "a\nb\n", "a\nc\nd\n"}};
  Verification verification;
  verification.kind = VerificationKind::alone;
  CommandRun run;
  run.name = "test";
  run.result = CommandResult::passed;
  run.exit_code = 0;
  run.duration_ms = 9;
  verification.commands = {run};
  one.verifications = {verification};
  return one;
}

Verdict verdict(bool valid, std::optional<int> score, std::string feedback) {
  Verdict one;
  one.valid = valid;
  one.score = score;
  one.feedback = std::move(feedback);
  return one;
}

TEST(ReportJson, HasTheAgreedShape) {
  FixReport report = sample();
  report.cycles = {cycle()};
  const Json json = to_json(report);
  EXPECT_EQ(keys(json), (std::vector<std::string>{"session_id", "status", "detail", "branch", "base",
                                                  "sandbox", "grouped_branches", "commits", "issues",
                                                  "evidence", "cycles", "usage", "per_resolved_issue",
                                                  "forecast", "fixes_applied", "notes", "duration_ms"}));
  EXPECT_EQ(json["status"], "partial");
  EXPECT_EQ(json["branch"], "fix/abcdefgh");
  EXPECT_EQ(dump_json(json["commits"]), R"([{"sha":"c1","subject":"Fix it","issues":["BE-001","u9"]}])");
  EXPECT_EQ(
      dump_json(json["issues"][0]),
      R"({"code":"BE-001","id":"F001","uuid":"u1","file":"src/a.py","line":3,"title":"title","severity":"medium","status":"RESOLVED",)"
      R"("reason":null,"detail":"","evidence":"unbroken","marks":[],"score":97,"attempts":1,"commit":"c1","usage":{"cost_usd":0.125,"tokens":15,"agent_time_ms":20,"agent_runs":1},)"
      R"("clauses":[{"id":"P1","name":"real_change","state":"passed","detail":"1 line"}]})");
  EXPECT_EQ(
      dump_json(json["cycles"][0]),
      R"({"issue":"BE-001","cycle":2,"agent":"claude","claim":"fixed","result":"accepted","detail":"ok","changed_files":["src/a.py"],)"
      R"("insertions":2,"deletions":1,"no_changes":false,"verification":[{"kind":"alone","command":"test","result":"passed",)"
      R"("exit_code":0,"duration_ms":9}],"score":null,"judges":[],"feedback":"","duration_ms":50})");
}

TEST(ReportJson, SaysWhatAResolvedIssueTook) {
  FixReport report = sample(); // one of two is resolved
  report.session.duration_ms = 400;
  const Consumed all = consumed_by(report.runs);
  const Json cost = to_json(report)["per_resolved_issue"];
  EXPECT_EQ(cost["strategy"], "per-issue");
  EXPECT_EQ(cost["resolved"], 1);
  EXPECT_DOUBLE_EQ(cost["cost_usd"].get<double>(), all.cost_usd);
  EXPECT_EQ(cost["tokens"], all.tokens) << "what failed counts as well";
  EXPECT_EQ(cost["wall_ms"], 400);
  report.issues.clear();
  EXPECT_TRUE(to_json(report)["per_resolved_issue"].is_null());
}

TEST(ReportJson, SaysHowFarOffTheForecastWas) {
  FixReport report = sample();
  EXPECT_TRUE(to_json(report)["forecast"].is_null());
  const Consumed all = consumed_by(report.runs);
  report.forecast = FixForecast{2, 6, 4, all.tokens * 2, {}, 0};
  EXPECT_EQ(to_json(report)["forecast"]["off_percent"]["tokens"], -50);
  EXPECT_EQ(to_json(report)["forecast"]["known_runs"], 4);
}

TEST(EvidenceShares, AreOfWhatIsResolved) {
  FixReport report = sample(); // one verified, one failed
  for (const char* level : {"proven", "unbroken"}) {
    Issue more = issue("u3", "BE-003", "");
    more.status = IssueStatus::merged;
    more.evidence = level;
    report.issues.push_back({more, {}});
  }
  const std::vector<EvidenceShare> shares = evidence_shares(report);
  ASSERT_EQ(shares.size(), 4U);
  EXPECT_EQ(shares[0].level, Evidence::proven);
  EXPECT_EQ(shares[0].count, 1);
  EXPECT_DOUBLE_EQ(shares[0].percent, 33.3);
  EXPECT_EQ(shares[2].count, 2);
  EXPECT_DOUBLE_EQ(shares[2].percent, 66.7);
  EXPECT_EQ(dump_json(to_json(report)["evidence"]["judged"]), R"({"count":0,"percent":0.0})");
  EXPECT_EQ(evidence_shares(FixReport{})[0].percent, 0) << "nothing is resolved";
}

TEST(ReportJson, WhatIsNotThereIsNull) {
  const Json unresolved = to_json(sample())["issues"][1];
  EXPECT_EQ(unresolved["id"], "u2"); // no id of the finding's own
  EXPECT_EQ(unresolved["reason"], "verification");
  for (const char* key : {"evidence", "score", "commit"}) EXPECT_TRUE(unresolved[key].is_null()) << key;
  EXPECT_EQ(unresolved["clauses"], Json::array());
  FixReport nothing = sample();
  nothing.commits.clear();
  EXPECT_TRUE(to_json(nothing)["branch"].is_null());
}

TEST(ReportJson, AnEmptyPatchIsNoChange) {
  FixReport report = sample();
  report.cycles = {cycle()};
  report.cycles[0].attempt.patch.changes.clear();
  const Json json = to_json(report)["cycles"][0];
  EXPECT_EQ(json["no_changes"], true);
  EXPECT_EQ(json["changed_files"], Json::array());
}

TEST(ReportJson, ACycleStandsOnItsLowestValidVerdict) {
  FixReport report = sample();
  report.cycles = {cycle(), cycle()};
  report.cycles[0].verdicts = {verdict(false, {}, "garbled"), verdict(true, 98, "fine"),
                               verdict(true, 60, "no"), verdict(true, 99, "good")};
  report.cycles[1].verdicts = {verdict(false, {}, "first"), verdict(false, {}, "second")};
  const Json json = to_json(report)["cycles"];
  EXPECT_EQ(json[0]["score"], 60);
  EXPECT_EQ(json[0]["feedback"], "no");
  EXPECT_TRUE(json[1]["score"].is_null());
  EXPECT_EQ(json[1]["feedback"], "second");
}

} // namespace
} // namespace emend
