// The JSON of every kept record, byte for byte: databases and proofs of earlier versions hold it, and digests
// are made of it.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "base/files.hpp"
#include "model/attempt.hpp"
#include "model/event.hpp"
#include "model/report.hpp"
#include "model/reproducer.hpp"
#include "model/withdrawal.hpp"
#include "tests/support/paths.hpp"

namespace emend {
namespace {

Finding some_finding() {
  Finding finding;
  finding.id = "F001";
  finding.file = "src/a.py";
  finding.line = 4;
  finding.line_end = 9;
  finding.column = 3;
  finding.column_end = 7;
  finding.severity = Severity::high;
  finding.category = "bug";
  finding.rule = "R1";
  finding.title = "title \xc3\xa4";
  finding.description = "described\n\"here\"";
  finding.suggestion = "suggested";
  finding.agent = "ruff";
  finding.group = "group";
  finding.related_files = {"b.py", "c.py"};
  finding.effort = 5;
  finding.files_count = 2;
  finding.fixit =
      FixIt{"remove it", true, {{"src/a.py", 12, 3, std::string("\xff\x00z", 3)}}, {{"src/a.py", "ab12"}}};
  finding.found_by = {"ruff", "claude"};
  finding.annotations = {"line_past_end"};
  return finding;
}

Clarification some_clarification() {
  return {"issue-1", "BE-001-q1", 2,   "why?", "because", {"yes", "no"}, ClarificationState::answered,
          "yes",     1000,        2000};
}

Issue some_issue() {
  Issue issue;
  issue.id = "issue-1";
  issue.repository_id = "repository-1";
  issue.code = "BE-001";
  issue.fingerprint = "fp";
  issue.content_fingerprint = "cfp";
  issue.line_key = "lk";
  issue.finding = some_finding();
  issue.status = IssueStatus::resolved;
  issue.reason = "reason";
  issue.detail = "detail";
  issue.evidence = "unbroken";
  issue.duplicate_of = "BE-000";
  issue.session_id = "session-1";
  issue.commit = "c0ffee";
  issue.last_score = 97;
  issue.attempts = 3;
  issue.trend = IssueTrend::regressed;
  issue.seen_commit = "5ee5";
  issue.absent_commit = "ab5e";
  issue.created_ms = 1'700'000'000'000;
  issue.updated_ms = 1'700'000'001'000;
  issue.clarifications = {some_clarification()};
  return issue;
}

Patch some_patch() {
  Patch patch;
  patch.changes = {{"a.py", kModeFile, kModeExecutable, "id1", "id2", "old\n", "new\n"},
                   {"odd\xff name", 0, kModeFile, "", "id3", "", std::string("\x00\x01", 2)}};
  return patch;
}

Attempt some_attempt() {
  Attempt attempt;
  attempt.id = "attempt-1";
  attempt.session_id = "session-1";
  attempt.unit_id = "unit-1";
  attempt.issue_id = "issue-1";
  attempt.cycle = 2;
  attempt.agent = "claude";
  attempt.model = "opus";
  attempt.family = "anthropic";
  attempt.ending = "exited";
  attempt.exit_code = 3;
  attempt.claim = Claim::fixed;
  attempt.explanation = "explained";
  attempt.result = AttemptResult::below_threshold;
  attempt.detail = "detail";
  attempt.base = "ba5e";
  attempt.patch = some_patch();
  attempt.notes = {"note"};
  attempt.started_ms = 5'000'000'000;
  attempt.duration_ms = 12;
  return attempt;
}

Verdict some_verdict() {
  Verdict verdict;
  verdict.id = "verdict-1";
  verdict.session_id = "session-1";
  verdict.issue_id = "issue-1";
  verdict.attempt_id = "attempt-1";
  verdict.patch_sha256 = "5a";
  verdict.agent = "gemini";
  verdict.model = "pro";
  verdict.family = "google";
  verdict.canary = "empty";
  verdict.independent = true;
  verdict.valid = true;
  verdict.problem = "problem";
  verdict.score = 96;
  verdict.status_word = "SATISFIED";
  verdict.feedback = "feedback";
  verdict.quality_scores = {{"correctness", 90}, {"style", 80}};
  verdict.improvements_needed = {"more"};
  verdict.answer = "{}";
  verdict.started_ms = 5'000'000'000;
  verdict.duration_ms = 13;
  return verdict;
}

Verification some_verification() {
  Verification verification;
  verification.id = "verification-1";
  verification.session_id = "session-1";
  verification.issue_id = "issue-1";
  verification.kind = VerificationKind::reproducer_patched;
  verification.base = "ba5e";
  verification.patch_sha256 = "5a";
  CommandRun run{"test", "make test", true, CommandResult::contradictory, 0, 3, 2, 0, "out\n", {}, 14};
  run.tests = {true, "pytest", 7, 1, 2, 1, {{"t::a", "passed"}, {"t::b", "failed"}}};
  verification.commands = {run};
  Rescan rescan;
  rescan.tools = {{"ruff", "0.1", "failed", "exit 2", "done", {"a.py"}}};
  rescan.gone = {"issue-1"};
  rescan.remaining = {"issue-2"};
  rescan.fresh = {{"ruff", "F401", "a.py", 3, Severity::low, "unused"}};
  verification.rescan = rescan;
  verification.reproducer_sha256 = "4e";
  verification.started_ms = 5'000'000'000;
  verification.duration_ms = 15;
  return verification;
}

AgentRunRecord some_run() {
  AgentRunRecord run;
  run.id = "run-1";
  run.repository_id = "repository-1";
  run.session_id = "session-1";
  run.role = "fixer";
  run.agent = "claude";
  run.model = "opus";
  run.family = "anthropic";
  run.issue_ids = {"issue-1", "issue-2"};
  run.state = {AgentStatus::rate_limited, "slow down", 429, 5'000'000'001, 60'000};
  run.usage = {10, 20, 5, 0.25, 3};
  run.conversation_usage = {100, 200, 50, std::nullopt, 30};
  run.conversation_id = "conversation";
  run.conversation_dir = "conversations/1";
  run.started_ms = 5'000'000'000;
  run.duration_ms = 16;
  return run;
}

AgentRunStart some_start() {
  return {"run-1",     "repository-1", "session-1", "fixer",    "claude",
          {"issue-1"}, "p.txt",        "l.txt",     "live.txt", 5'000'000'000};
}

Reproducer some_reproducer() {
  Reproducer reproducer;
  reproducer.id = "reproducer-1";
  reproducer.issue_id = "issue-1";
  reproducer.session_id = "session-1";
  reproducer.agent = "gemini";
  reproducer.model = "pro";
  reproducer.family = "google";
  reproducer.files = some_patch();
  reproducer.command = "sh check.sh";
  reproducer.marker = "THERE";
  reproducer.explanation = "explained";
  reproducer.base = "ba5e";
  reproducer.state = ReproducerState::accepted;
  reproducer.reason = "reason";
  reproducer.created_ms = 5'000'000'000;
  return reproducer;
}

GateDecision some_decision() {
  return {
      false,
      Evidence::unbroken,
      {.rescanned = true},
      {{"P1", "real_change", ClauseState::passed, "one"}, {"P2", "scope", ClauseState::not_required, "two"}},
      "scope",
      "detail"};
}

AgentBinding some_agent(const std::string& name) {
  return {name,
          "exec",
          {name, "-p"},
          "script.txt",
          "opus",
          "anthropic",
          1,
          2,
          {"HOME"},
          {"A=1"},
          30,
          40,
          "edit",
          {"Read"},
          NetworkAccess::loopback,
          {1, 2, 3, 4, 5}};
}

Policy some_policy() {
  Policy policy;
  policy.fixer = some_agent("claude");
  policy.challenger = some_agent("gemini");
  policy.fixer_fallbacks = {some_agent("qwen")};
  policy.challenger_fallbacks = {some_agent("codex"), some_agent("opencode")};
  policy.strategy = Strategy::batched;
  policy.batch = {25, 26};
  policy.session_budget = {0.5, 5'000'000'000, 29};
  policy.issue_budget = {0.25, 30, 31};
  policy.scope = FixScope::repository;
  policy.commands = {{"test", "make test", {"src/**"}, 20}};
  policy.verify_mode = VerifyMode::batch;
  policy.pass_env = {"LANG"};
  policy.instructions = {"CLAUDE.md"};
  policy.sandbox = {SandboxMode::required, SandboxKind::landlock, NetworkAccess::none, {1, 2, 3, 4, 5}};
  policy.reproduce = Reproduce::always;
  policy.minimum_evidence = "proven";
  policy.agent_files = {{"fixer", "---\nname: fixer\n---\n"}};
  return policy;
}

Policy without_lists() {
  Policy policy;
  policy.pass_env.clear();
  policy.instructions.clear();
  return policy;
}

FixReport some_report() {
  FixReport report;
  report.session.id = "session-1";
  report.session.status = SessionStatus::partial;
  report.session.branch = "fix/1";
  report.session.base = "ba5e";
  report.cycles = {{"BE-001", "src/a.py", some_attempt(), {some_verification()}, {some_verdict()}, "diff"}};
  report.issues = {{some_issue(), some_decision()}};
  report.commits = {{"c0ffee", "ba5e", "session-1", {"issue-1", "issue-9"}, "5a", "Fix it"}};
  report.runs = {some_run()};
  report.notes = {"note"};
  report.fixes_applied = true;
  report.duration_ms = 17;
  return report;
}

template <typename Record>
using Back = Record (*)(const Json&);

// The record as it is written; and as it is read again when each member in turn is missing or of a wrong
// type.
template <typename Record>
void add(std::string& text, const char* name, const Record& record, Back<Record> back) {
  const Json json = to_json(record);
  text += std::string(name) + " " + dump_json(json) + "\n";
  EXPECT_EQ(dump_json(to_json(back(json))), dump_json(json)) << name;
  for (const auto& [key, value] : json.items()) {
    Json without = Json::object(), wrong = json;
    for (const auto& [other, kept] : json.items())
      if (other != key) without[other] = kept;
    wrong[key] = value.is_object() ? Json(17) : Json::object();
    const std::string read = dump_json(to_json(back(without)));
    text += std::string(name) + " without " + key + " " + dump_json(parse_json(read).value_or(Json())[key]) +
            "\n";
    EXPECT_EQ(dump_json(to_json(back(wrong))), read) << name << " with a wrong " << key;
  }
}

template <typename Record>
void add(std::string& text, const char* name, const Record& record) {
  text += std::string(name) + " " + dump_json(to_json(record)) + "\n";
}

std::string records_with_readers() {
  std::string text;
  Finding plain;
  plain.title = "t";
  add<Finding>(text, "finding", some_finding(), finding_from_json);
  add<Finding>(text, "plain finding", plain, finding_from_json);
  add<FixIt>(text, "fix-it", *some_finding().fixit, fixit_from_json);
  add<Patch>(text, "patch", some_patch(), patch_from_json);
  add<Verdict>(text, "verdict", some_verdict(), verdict_from_json);
  add<Verdict>(text, "plain verdict", {}, verdict_from_json);
  add<Verification>(text, "verification", some_verification(), verification_from_json);
  add<Verification>(text, "plain verification", {}, verification_from_json);
  add<Usage>(text, "usage", some_run().usage, usage_from_json);
  add<AgentState>(text, "agent state", some_run().state, agent_state_from_json);
  add<AgentRunRecord>(text, "agent run", some_run(), agent_run_from_json);
  add<AgentRunStart>(text, "agent run start", some_start(), agent_run_start_from_json);
  add<Reproducer>(text, "reproducer", some_reproducer(), reproducer_from_json);
  add<GateDecision>(text, "decision", some_decision(), gate_decision_from_json);
  add<ResourceLimits>(text, "limits", {1, 2, 3, 4, 5}, resource_limits_from_json);
  add<SandboxPolicy>(text, "sandbox", some_policy().sandbox, sandbox_policy_from_json);
  add<Policy>(text, "policy", some_policy(), policy_from_json);
  return text;
}

std::string other_records() {
  std::string text;
  text += "attempt " + dump_json(to_json(some_attempt(), true)) + "\n";
  text += "plain attempt " + dump_json(to_json(Attempt{}, false)) + "\n";
  add(text, "plain policy", without_lists());
  add(text, "clarification", some_clarification());
  add(text, "plain clarification", Clarification{});
  add(text, "issue", some_issue());
  add(text, "plain issue", Issue{});
  add(text, "comment", Comment{"c", "issue-1", "session-1", "text", "a.py", 4, "new", 1000});
  add(text, "plain comment", Comment{});
  add(text, "event", Event{7, 1000, "session-1", "fix_started", "BE-001", {{"a", 1}}, "d1"});
  add(text, "withdrawal",
      Withdrawal{"w", "session-1", "issue-1", WithdrawalKind::discarded, "r", "c0", "5a", "f", "t",
                 BranchChange::done, 1000});
  Consumed consumed;
  consumed.add(some_run(), 0.5);
  add(text, "consumed", consumed);
  add(text, "report", some_report());
  return text;
}

TEST(Records, AreWrittenAsTheyAlwaysWere) {
  const std::string file = EMEND_TEST_DATA + "/records/records.txt";
  if (std::getenv("EMEND_WRITE_GOLDEN") != nullptr) {
    ASSERT_TRUE(write_file(file, records_with_readers() + other_records(), 0644));
  }
  const std::string kept = read_file(file, 1'000'000).value_or("");
  EXPECT_EQ(records_with_readers() + other_records(), kept);
}

} // namespace
} // namespace emend
