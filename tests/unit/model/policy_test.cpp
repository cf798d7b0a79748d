#include "model/policy.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

// Every member differs from its default, so a member that is forgotten shows.
Policy unusual() {
  Policy policy;
  policy.fixer = {"claude",
                  "exec",
                  {"claude", "-p"},
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
  policy.challenger = {"gemini",
                       "scripted",
                       {"g"},
                       "s",
                       "pro",
                       "google",
                       3,
                       4,
                       {"PATH"},
                       {"B=2"},
                       30,
                       40,
                       "edit",
                       {"Read"},
                       NetworkAccess::none,
                       {6, 7, 8, 9, 10}};
  policy.fixer_fallbacks = {policy.challenger};
  policy.challenger_fallbacks = {policy.fixer, policy.challenger};
  policy.strategy = Strategy::batched;
  policy.batch = {25, 26};
  policy.git_agents = true;
  policy.keep_conversation = false;
  policy.max_wait_ms = 27;
  policy.retry_wait_ms = 28;
  policy.canaries = 2;
  policy.panel = 2;
  policy.second_judge = policy.challenger;
  policy.candidates = 3;
  policy.autonomy = Autonomy::earned;
  policy.session_budget = {0.5, 5'000'000'000, 29};
  policy.issue_budget = {0.25, 30, 31};
  policy.deferred_retries = 11;
  policy.parallel = 12;
  policy.fix_timeout_ms = 5'000'000'000;
  policy.branch = "b/{session}";
  policy.scope = FixScope::repository;
  policy.changed_tests = ChangedTests::judge;
  policy.protected_paths = {"p"};
  policy.new_files = {"n"};
  policy.prompt_max_bytes = 13;
  policy.context_lines = 14;
  policy.max_changed_lines = 15;
  policy.unsafe_fixes = true;
  policy.conventions = {"c"};
  policy.instructions = {"CLAUDE.md"};
  policy.challenger_enabled = false;
  policy.max_iterations = 16;
  policy.satisfaction_threshold = 17;
  policy.challenge_timeout_ms = 18;
  policy.challenge_retries = 19;
  policy.commands = {{"test", "make test", {"src/**"}, 20}};
  policy.max_fix_cycles = 21;
  policy.verify_mode = VerifyMode::batch;
  policy.repeat = 22;
  policy.verify_timeout_ms = 23;
  policy.pass_env = {"LANG"};
  policy.verify_env = {"C=3"};
  policy.max_output_bytes = 24;
  policy.sandbox = {SandboxMode::required, SandboxKind::landlock, NetworkAccess::none, {1, 2, 3, 4, 5}};
  policy.reproduce = Reproduce::always;
  policy.reproducer = policy.fixer;
  policy.reproduce_timeout_ms = 32;
  policy.minimum_evidence = "proven";
  policy.approve_threshold = 70;
  policy.vote_timeout_ms = 1;
  policy.allow_self_judging = true;
  policy.worker_label = "gpu";
  policy.work_here = false;
  policy.redact_patterns = {"x+"};
  policy.agent_files = {{"fixer", "---\nname: fixer\n---\n"}};
  return policy;
}

TEST(PolicyJson, RoundTripsEverything) {
  const Json json = to_json(unusual()), standard = to_json(Policy{});
  EXPECT_EQ(json.size(), 57u);
  for (const auto& [key, value] : json.items())
    EXPECT_NE(value, standard[key]) << key << " is not exercised by this test";
  for (const char* agent : {"fixer", "challenger"}) {
    EXPECT_EQ(json[agent].size(), 16u);
    for (const auto& [key, value] : json[agent].items()) EXPECT_NE(value, standard[agent][key]) << key;
  }
  const Json back = to_json(policy_from_json(parse_json(dump_json(json)).value()));
  EXPECT_EQ(back, json);
}

TEST(PolicyJson, MissingMembersKeepTheirDefaults) {
  EXPECT_EQ(to_json(policy_from_json(Json::object())), to_json(Policy{}));
}

TEST(AskedEvidence, IsTheStrongestThatIsWrittenDown) {
  Policy policy;
  Finding finding;
  finding.file = "src/auth/login.c";
  finding.severity = Severity::critical;
  EXPECT_EQ(policy.asked_evidence(finding), std::nullopt);
  policy.minimum_evidence = "proven";
  EXPECT_EQ(policy.asked_evidence(finding), Evidence::proven);
  policy.minimum_evidence = "unbroken";
  policy.minimum_by_severity["critical"] = "repaired";
  EXPECT_EQ(policy.asked_evidence(finding), Evidence::repaired);
  policy.minimum_by_path["src/auth/**"] = "proven";
  EXPECT_EQ(policy.asked_evidence(finding), Evidence::proven);
  policy.minimum_by_path["src/auth/**"] = "judged";
  EXPECT_EQ(policy.asked_evidence(finding), Evidence::repaired) << "a path does not weaken a severity";
  finding.severity = Severity::low;
  EXPECT_EQ(policy.asked_evidence(finding), Evidence::judged) << "but what holds for everything else";
  finding.file = "src/main.c";
  EXPECT_EQ(policy.asked_evidence(finding), Evidence::unbroken);
  policy.minimum_by_path["src/auth/**"] = "proven";
  EXPECT_EQ(policy.asked_evidence(finding, {"src/main.c", "src/auth/a.c"}), Evidence::proven)
      << "what the fix changes counts as well";
}

TEST(AskedEvidence, DecidesWhetherAnAgentWritesReproducers) {
  Policy policy;
  Finding finding;
  finding.file = "src/main.c";
  EXPECT_FALSE(policy.asks_for_reproducers());
  policy.minimum_evidence = "unbroken";
  EXPECT_FALSE(policy.asks_for_reproducers());
  policy.minimum_by_path["src/auth/**"] = "repaired";
  EXPECT_TRUE(policy.asks_for_reproducers());
  EXPECT_FALSE(policy.asks_for_reproducer(finding));
  finding.file = "src/auth/login.c";
  EXPECT_TRUE(policy.asks_for_reproducer(finding));
  policy.reproduce = Reproduce::never;
  EXPECT_FALSE(policy.asks_for_reproducer(finding));
  EXPECT_FALSE(policy.asks_for_reproducers());
  policy.reproduce = Reproduce::always;
  finding.file = "src/main.c";
  EXPECT_TRUE(policy.asks_for_reproducer(finding));
}

TEST(PolicyNames, AreTheConfigurationsWords) {
  EXPECT_EQ(to_string(VerifyMode::automatic), "auto");
  EXPECT_EQ(to_string(VerifyMode::each), "each");
  EXPECT_EQ(to_string(VerifyMode::batch), "batch");
  EXPECT_EQ(to_string(FixScope::file), "file");
  EXPECT_EQ(to_string(FixScope::directory), "directory");
}

} // namespace
} // namespace emend
