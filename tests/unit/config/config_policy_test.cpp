#include <gmock/gmock.h>

#include "tests/unit/config/config_fixture.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

bool is_about_posting(std::string_view key) {
  return key == "pr.post" || key == "pr.suggest" || key == "pr.max_inline" || key == "pr.skip_labels" ||
         key == "pr.skip_drafts";
}

} // namespace

class ConfigPolicyTest : public ConfigFixture {
protected:
  // The user's own file: trusted.
  void user(const std::string& text) { write(base_ / "user" / "config.toml", text); }
};

TEST_F(ConfigPolicyTest, BuiltInPolicyIsTheModelsDefault) {
  const Policy made = load().policy();
  Policy expected;
  expected.instructions = {"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md",
                           "CONTRIBUTING.md"};
  expected.pass_env = {"PATH", "HOME",    "LANG",      "LC_ALL", "TZ",         "CC",         "CXX",
                       "USER", "LOGNAME", "JAVA_HOME", "GOPATH", "CARGO_HOME", "RUSTUP_HOME"};
  EXPECT_GT(made.sandbox.command_limits.memory_bytes, 0) << "a part of the machine's";
  expected.sandbox.command_limits = {made.sandbox.command_limits.memory_bytes, 1000, 10'000'000'000, 0,
                                     500'000'000};
  EXPECT_EQ(to_json(made), to_json(expected));
}

TEST_F(ConfigPolicyTest, EveryKeyReachesThePolicy) {
  user(
      "[fix]\nagent=\"a\"\nfallback=[\"b\"]\nstrategy=\"batched\"\nbatch_points=9\nbatch_issues=3\ngit_"
      "agents=true\nkeep_conversation=false\n"
      "max_wait=\"0s\"\nretry_wait=\"1ms\"\ndeferred_retries=7\nparallel=8\ntimeout=\"9s\"\nbranch=\"x/"
      "{session}\"\nscope=\"directory\"\nprotected=[\"p\"]\n"
      "new_files=[\"n\"]\nprompt_max_bytes=9000\ncontext_lines=11\nmax_changed_lines=12\nunsafe_fixes=true\n"
      "candidates=3\nautonomy=\"earned\"\nchanged_tests=\"judge\"\ngroup=\"file\"\n"
      "[fix_challenger]\nenabled=false\nagent=\"b\"\nmodel=\"bm\"\nmax_iterations=4\nsatisfaction_threshold="
      "80\ntimeout=\"3m\"\nretries=0\n"
      "thinking_budget=10000\nfallback=[\"a\"]\ncanaries=2\nallow_self=true\npanel=2\nsecond_agent=\"a\"\n"
      "[reproducer]\nwhen=\"always\"\nagent=\"b\"\ntimeout=\"7m\"\n"
      "[budget]\ncost_usd=1.5\ntokens=1000\ntime=\"2h\"\nissue_cost_usd=0.25\nissue_tokens=100\nissue_time="
      "\"90s\"\n"
      "[verify]\ncommands=[\"make\", {name=\"unit\", run=\"ctest\", paths=[\"src/**\"], "
      "timeout=\"1m\"}]\nmode=\"batch\"\nmax_fix_cycles=5\n"
      "repeat=2\ntimeout=60\nenv={A=\"1\", "
      "B=\"2\"}\npass_env=[\"PATH\"]\nmax_output_bytes=2000\ncoverage=\"off\"\n"
      "[resolve.minimum_evidence]\ndefault=\"proven\"\nhigh=\"repaired\"\npaths={\"src/"
      "a.c\"=\"unbroken\"}\n[project]\nconventions=[\"tabs\"]\ninstructions=[\"DOC.md\"]"
      "\n[redact]\npatterns=[\"x+\"]\n"
      "[worker]\nlabel=\"gpu\"\nlocal=false\nlease=\"5s\"\n"
      "[pr]\nvoters=[\"a\", \"b\"]\napprove_threshold=70\ntimeout=\"4m\"\n"
      "[sandbox]\nreadable=[\"/tools\"]\nwritable=[\"/"
      "cache\"]\nshared=[\"/kept\"]\nmode=\"required\"\nnetwork={agents=\"loopback\", commands=\"none\"}\n"
      "[limits]\nmemory_mb=5\nprocesses=6\nfile_mb=7\ncpu_seconds=8\nfree_disk_mb=9\n"
      "[agents.a]\ncommand=[\"one\"]\nfamily=\"f\"\ntimeout=\"5s\"\nidle_timeout=\"2s\"\n"
      "[agents.b]\nengine=\"scripted\"\nscript=\"/s\"\nmodel=\"own\"\n");
  const Config config = load();
  const Policy policy = config.policy();
  Policy expected;
  expected.fixer = {"a", "exec", {"one"}, "", "", "f", 5000, 2000, {}, {}};
  expected.fixer_fallbacks = {{"b", "scripted", {}, "/s", "own"}};
  expected.challenger_fallbacks = {expected.fixer};
  expected.strategy = Strategy::batched;
  expected.batch = {9, 3};
  expected.git_agents = true;
  expected.keep_conversation = false;
  expected.max_wait_ms = 0;
  expected.retry_wait_ms = 1;
  expected.canaries = 2;
  expected.panel = 2;
  expected.second_judge = expected.fixer;
  expected.candidates = 3;
  expected.autonomy = Autonomy::earned;
  expected.changed_tests = ChangedTests::judge;
  expected.session_budget = {1.5, 1000, 7'200'000};
  expected.issue_budget = {0.25, 100, 90'000};
  expected.deferred_retries = 7;
  expected.parallel = 8;
  expected.fix_timeout_ms = 9000;
  expected.branch = "x/{session}";
  expected.scope = FixScope::directory;
  expected.protected_paths = {"p"};
  expected.new_files = {"n"};
  expected.prompt_max_bytes = 9000;
  expected.context_lines = 11;
  expected.max_changed_lines = 12;
  expected.unsafe_fixes = true;
  expected.challenger_enabled = false;
  expected.allow_self_judging = true;
  expected.challenger = {"b", "scripted", {}, "/s", "bm", "", 0, 0, {}, {"THINKING_BUDGET=10000"}, 10000};
  expected.max_iterations = 4;
  expected.satisfaction_threshold = 80;
  expected.challenge_timeout_ms = 180'000;
  expected.challenge_retries = 0;
  expected.commands = {{"check-1", "make", {}, 0}, {"unit", "ctest", {"src/**"}, 60'000}};
  expected.verify_mode = VerifyMode::batch;
  expected.max_fix_cycles = 5;
  expected.repeat = 2;
  expected.verify_timeout_ms = 60'000;
  expected.verify_env = {"A=1", "B=2"};
  expected.pass_env = {"PATH"};
  expected.max_output_bytes = 2000;
  expected.coverage = Coverage::off;
  expected.minimum_evidence = "proven";
  expected.minimum_by_severity = {{"high", "repaired"}};
  expected.minimum_by_path = {{"src/a.c", "unbroken"}};
  expected.conventions = {"tabs"};
  expected.instructions = {"DOC.md"};
  expected.redact_patterns = {"x+"};
  expected.worker_label = "gpu";
  expected.work_here = false;
  expected.grouping = Grouping::file;
  expected.approve_threshold = 70;
  expected.vote_timeout_ms = 240'000;
  expected.sandbox.mode = SandboxMode::required;
  expected.sandbox.command_network = NetworkAccess::none;
  expected.sandbox.command_limits = {5'000'000, 6, 7'000'000, 8, 9'000'000};
  expected.reproduce = Reproduce::always;
  expected.reproducer = {"b", "scripted", {}, "/s", "own"};
  expected.reproduce_timeout_ms = 420'000;
  std::vector<AgentBinding*> bound = {&expected.fixer, &expected.challenger, &expected.second_judge,
                                      &expected.reproducer};
  for (AgentBinding& one : expected.fixer_fallbacks) bound.push_back(&one);
  for (AgentBinding& one : expected.challenger_fallbacks) bound.push_back(&one);
  for (AgentBinding* one : bound) {
    one->network = NetworkAccess::loopback;
    one->limits = expected.sandbox.command_limits;
  }
  EXPECT_EQ(to_json(policy), to_json(expected));
  // Every key was used above, so a key that is parsed and then forgotten fails here.
  for (const auto& [key, setting] : config.settings()) {
    if (key.starts_with("artifacts.")) continue; // no session is pinned to these: see artifacts_test.cpp
    if (key.starts_with("forge.") || key.starts_with("tracker.") || is_about_posting(key))
      continue;                               // nor to these: see forge_config_test.cpp
    if (key.starts_with("review.")) continue; // nor to these: see the next test
    if (key.starts_with("quota.") || key.starts_with("retention."))
      continue; // of the database: quota_test.cpp
    if (key.starts_with("notify.") || key.starts_with("server.") || key.starts_with("sign_in."))
      continue; // of servers: notify_settings_test.cpp, sign_in_test.cpp
    if (key.starts_with("mcp.") || key.starts_with("clarify.") || key.starts_with("hook."))
      continue; // of what coding agents begin: the test below, and tests of those
    EXPECT_NE(setting.origin.kind, ConfigOrigin::Kind::builtin) << key;
  }
}

TEST_F(ConfigPolicyTest, WhatCodingAgentsMayBeginIsThePersonsToSay) {
  EXPECT_EQ(load().most_checks(), 3);
  EXPECT_EQ(load().most_fixes(), 3);
  EXPECT_EQ(load().fixes_an_hour(), 10);
  EXPECT_FALSE(load().takes_passed_on_answers());
  const std::string words =
      "[mcp]\nchecks_at_once=7\nfixes_at_once=0\nfixes_an_hour=100\n[clarify]\naccept_from=\"any\"\n";
  write(root_ / "emend.toml", words);
  EXPECT_EQ(load().most_checks(), 3) << "a repository does not say it for its readers";
  EXPECT_FALSE(load().takes_passed_on_answers());
  user(words);
  const Config config = load();
  EXPECT_EQ(config.most_checks(), 7);
  EXPECT_EQ(config.most_fixes(), 0);
  EXPECT_EQ(config.fixes_an_hour(), 100);
  EXPECT_TRUE(config.takes_passed_on_answers());
}

TEST_F(ConfigPolicyTest, EveryKeyOfReviewsReachesTheRules) {
  user(
      "[review]\nanalyzers=[\"all\",\"-ruff\"]\nexclude=[\"a\"]\ninclude=[\"b\"]\nselect=[\"F\"]\n"
      "ignore=[\"E5\"]\nper_file_ignores={\"t.d/*.py\"=[\"S\"]}\nstrict=true\nmin_severity=\"low\"\n"
      "fail_on=\"never\"\nmax_findings=7\nproject_tools=true\n");
  const Config config = load();
  const ReviewRules rules = config.review_rules();
  using Texts = std::vector<std::string>;
  EXPECT_EQ(rules.analyzers, (Texts{"all", "-ruff"}));
  EXPECT_EQ(rules.exclude, Texts{"a"});
  EXPECT_EQ(rules.include, Texts{"b"});
  EXPECT_EQ(rules.select, Texts{"F"});
  EXPECT_EQ(rules.ignore, Texts{"E5"});
  EXPECT_EQ(rules.per_file_ignores, (std::map<std::string, Texts>{{"t.d/*.py", {"S"}}}));
  EXPECT_TRUE(rules.strict);
  EXPECT_EQ(rules.min_severity, "low");
  EXPECT_EQ(rules.fail_on, "never");
  EXPECT_EQ(rules.max_findings, 7);
  EXPECT_TRUE(config.project_tools());
  for (const auto& [key, setting] : config.settings())
    EXPECT_TRUE(!key.starts_with("review.") || setting.origin.kind != ConfigOrigin::Kind::builtin) << key;
}

TEST_F(ConfigPolicyTest, OldWordsOfLevelsAreReadAndNamed) {
  user("[resolve]\nminimum_evidence = \"verified\"\n");
  const Config config = load();
  EXPECT_EQ(config.policy().minimum_evidence, "unbroken");
  ASSERT_EQ(config.remarks().size(), 1U);
  EXPECT_THAT(config.remarks()[0],
              HasSubstr("config.toml:2: resolve.minimum_evidence: the level \"verified\" is "
                        "called \"unbroken\" now"));
  user("[resolve.minimum_evidence]\ncritical = \"proven\"\npaths = { \"src/a.c\" = \"rescanned\" }\n");
  const Config table = load();
  EXPECT_EQ(table.policy().minimum_evidence, "");
  EXPECT_EQ(table.policy().minimum_by_severity.at("critical"), "proven") << "a word of today";
  EXPECT_EQ(table.policy().minimum_by_path.at("src/a.c"), "unbroken");
  EXPECT_EQ(table.remarks().size(), 1U);
  user("[resolve]\nminimum_evidence = \"repaired\"\n");
  EXPECT_TRUE(load().remarks().empty());
}

TEST_F(ConfigPolicyTest, MapsMergeOverFiles) {
  user("[verify]\nenv = {A = \"1\", B = \"2\"}\n");
  trust(write(root_ / "emend.toml", "[verify.env]\nB = \"3\"\n"));
  EXPECT_THAT(load().policy().verify_env, ElementsAre("A=1", "B=3"));
}

TEST_F(ConfigPolicyTest, AMissingFixerIsAnErrorWithTheLinesToWrite) {
  const auto required = load().require_agents();
  ASSERT_FALSE(required);
  EXPECT_EQ(required.error().code, ErrorCode::config);
  EXPECT_THAT(required.error().remedy, HasSubstr("[fix]\nagent = \"claude\"\n"));
  EXPECT_EQ(load().choice(), "");
}

TEST_F(ConfigPolicyTest, AMissingOrDisabledChallengerIsAnError) {
  user("[fix]\nagent = \"a\"\n[agents.a]\ncommand = [\"x\"]\n");
  const auto required = load().require_agents();
  ASSERT_FALSE(required);
  EXPECT_THAT(required.error().remedy, HasSubstr("[fix_challenger]\nagent = "));
  sources_.overrides = {{"fix_challenger.enabled", "false", "--set"}};
  const auto disabled = load().require_agents();
  ASSERT_FALSE(disabled) << "the gate would refuse every fix";
  EXPECT_EQ(disabled.error().code, ErrorCode::config);
  EXPECT_THAT(disabled.error().message, HasSubstr("fix_challenger.enabled is false"));
}

TEST_F(ConfigPolicyTest, AnUndefinedOrIncompleteAgentIsTold) {
  user("[fix]\nagent = \"claud\"\n[agents.claude]\nengine = \"exec\"\n[agents.s]\nengine = \"scripted\"\n");
  EXPECT_THAT(load().require_agents().error().message, HasSubstr("did you mean \"claude\"?"));
  EXPECT_THAT(load().agent("claude").error().message, HasSubstr("has no command"));
  EXPECT_THAT(load().agent("s").error().message, HasSubstr("has no script"));
}

TEST_F(ConfigPolicyTest, ACodingAgentNeedsNoSection) {
  user(
      "[fix]\nagent = \"claude\"\n[agents.gemini]\nmodel = \"gemini-2.5-flash\"\nthinking_budget = "
      "4000\nmax_turns = 9\n"
      "permissions = \"edit\"\nallowed_tools = [\"a\"]\n");
  const AgentBinding claude = load().agent("claude").value();
  EXPECT_EQ(claude.engine, "claude");
  EXPECT_EQ(claude.family, "anthropic");
  EXPECT_TRUE(claude.command.empty());
  const AgentBinding gemini = load().agent("gemini").value();
  EXPECT_EQ(gemini.engine, "gemini");
  EXPECT_EQ(gemini.family, "google");
  EXPECT_EQ(gemini.thinking_budget, 4000);
  EXPECT_EQ(gemini.max_turns, 9);
  EXPECT_EQ(gemini.permissions, "edit");
  EXPECT_EQ(gemini.allowed_tools, std::vector<std::string>{"a"});
}

TEST_F(ConfigPolicyTest, TheFamilyFollowsTheModel) {
  user(
      "[agents.o]\nengine = \"opencode\"\nmodel = \"anthropic/claude-sonnet-5\"\n[agents.p]\nengine = "
      "\"opencode\"\n"
      "[agents.q]\nengine = \"claude\"\nfamily = \"mine\"\n");
  EXPECT_EQ(load().agent("o")->family, "anthropic");
  EXPECT_EQ(load().agent("p")->family, "");
  EXPECT_EQ(load().agent("q")->family, "mine");
}

TEST_F(ConfigPolicyTest, InstalledAgentsAreChosenWhenNothingIsConfigured) {
  sources_.installed = {"claude", "gemini"};
  EXPECT_TRUE(load().require_agents());
  EXPECT_EQ(load().policy().fixer.name, "claude");
  EXPECT_EQ(load().policy().challenger.name, "gemini");
  EXPECT_EQ(load().choice(),
            "nothing configured: fixing with claude, judging with gemini (found on this machine)");
  sources_.installed = {"claude"};
  EXPECT_EQ(load().policy().challenger.name, "claude");
  EXPECT_THAT(load().choice(), HasSubstr("judging with claude (same vendor)"));
  sources_.installed = {"claude", "opencode"};
  EXPECT_EQ(load().policy().challenger.name, "opencode") << "an unknown vendor before the same one";
}

TEST_F(ConfigPolicyTest, TheJudgeIsOfAnotherVendorThanAConfiguredFixer) {
  sources_.installed = {"claude", "codex", "gemini"};
  user("[fix]\nagent = \"codex\"\n");
  EXPECT_EQ(load().policy().challenger.name, "claude");
  EXPECT_EQ(load().choice(), "nothing configured: judging with claude (found on this machine)");
  user("[fix]\nagent = \"codex\"\n[fix_challenger]\nagent = \"gemini\"\n");
  EXPECT_EQ(load().choice(), "");
}

TEST_F(ConfigPolicyTest, AProtocolSpeakerIsNamedOnTheCommandLineOnly) {
  sources_.overrides = {{"fix.agent", "\"acp:gemini --acp\"", "--agent"}};
  const AgentBinding binding = load().agent("acp:gemini --acp").value();
  EXPECT_EQ(binding.engine, "acp");
  EXPECT_THAT(binding.command, ElementsAre("gemini", "--acp"));
  EXPECT_FALSE(load().agent("acp:"));
  sources_.overrides.clear();
  write(root_ / "emend.toml", "[fix]\nagent = \"acp:evil\"\n");
  EXPECT_THAT(load().require_agents().error().message, HasSubstr("only on the command line"));
}

TEST_F(ConfigPolicyTest, ARepositoryMayNotWidenWhatAgentsMayDo) {
  write(root_ / "emend.toml", "[agents.claude]\npermissions = \"full\"\nallowed_tools = [\"Bash\"]\n");
  EXPECT_EQ(load().agent("claude")->permissions, "");
  EXPECT_TRUE(load().agent("claude")->allowed_tools.empty());
  EXPECT_FALSE(load().untrusted().empty());
}

} // namespace emend
