// Whole sessions with the real coding CLIs: what they do with files, prompts and failing models, not what we
// believe they do.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "tests/support/real_agents.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const Files kProject = {
    {"calc.py", "def add(a, b):\n    return a - b\n"},
    {"check.py", "from calc import add\n\nassert add(2, 3) == 5, \"two and three are five\"\n"}};
constexpr const char* kFixed = "def add(a, b):\n    return a + b\n";

// The fixer's conversation with claude: read, edit, report.
constexpr const char* kClaudeFixes = R"json(
  {"name": "fix-read", "if": {"api": "anthropic", "asks": "private copy of the repository", "results": 0},
   "do": {"text": "Reading.", "calls": [{"tool": "Read", "arguments": {"file_path": "${cwd}/calc.py"}}]}},
  {"name": "fix-edit", "if": {"api": "anthropic", "results": 1},
   "do": {"calls": [{"tool": "Edit", "arguments": {"file_path": "${cwd}/calc.py", "old_string": "a - b", "new_string": "a + b"}}]}},
  {"name": "fix-end", "if": {"api": "anthropic", "asks": "### (?P<code>[A-Z]+-\\d+)", "results": [2, 9]},
   "do": {"json": {"outcomes": [{"id": "${code}", "outcome": "fixed", "explanation": "TELLTALE: I am very sure"}]}}})json";

std::string judge_rule(const std::string& name, const std::string& api, int score,
                       const std::string& more = "") {
  return R"json({"name": ")json" + name + R"json(", )json" + more + R"json("if": {"api": ")json" + api +
         R"json(", "asks": "### (?P<code>[A-Z]+-\\d+).*The review token is (?P<token>[0-9a-f]{16})"},
    "do": {"json": {"review_token": "${token}", "issues": {"${code}": {"score": )json" +
         std::to_string(score) + R"json(, "status": ")json" + (score >= 95 ? "SOLVED" : "IN_PROGRESS") +
         R"json(", "feedback": "say why in a comment", "quality_scores": {"correctness": 90}, "improvements_needed": [)json" +
         (score >= 95 ? "" : "\"a comment\"") + R"json(]}}}}})json";
}

std::string list(const std::vector<std::string>& rules) { return "[" + join(rules, ",") + "]"; }

class RealAgentsFix : public ::testing::Test {
protected:
  RealAgentsFix() : world(kProject) {
    world.policy.commands = {{"smoke", "grep -q 'def add' calc.py", {}, 0},
                             {"check", "python3 -B check.py", {"calc.py"}, 0}};
    world.policy.fix_timeout_ms = world.policy.challenge_timeout_ms = 60'000;
    issues = world.add({World::finding("calc.py", 2, "add subtracts")});
  }
  FixReport fix(RealAgents& agents, const std::string& fixer, const std::string& judge) {
    agents.become_the_users();
    world.policy.fixer = agents.native(fixer);
    world.policy.challenger = agents.native(judge);
    const FixReport report = world.must_fix(issues);
    EXPECT_THAT(agents.leftovers(), IsEmpty()) << "processes outlived the session";
    return report;
  }
  World world;
  std::vector<Issue> issues;
};

void expect_resolved(World& world, const FixReport& report) {
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(world.show(report.session.branch, "calc.py"), kFixed);
}

class ClaudeGenerations : public RealAgentsFix, public ::testing::WithParamInterface<const char*> {};

TEST_P(ClaudeGenerations, FixesAndGeminiJudges) {
  EMEND_NEEDS_AGENT(GetParam());
  EMEND_NEEDS_AGENT("gemini");
  RealAgents agents(list({kClaudeFixes, judge_rule("judge", "gemini", 97)}));
  const auto before = world.manifest();
  const FixReport report = fix(agents, GetParam(), "gemini");
  expect_resolved(world, report);
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "proven");
  EXPECT_EQ(world.manifest(), before) << "the checkout was touched";
  EXPECT_THAT(agents.rules_used(), ElementsAre("fix-read", "fix-edit", "fix-end", "judge"));
  const ModelRequest judged = agents.requests("judge").at(0);
  EXPECT_THAT(judged.body, Not(HasSubstr("TELLTALE"))) << "the judge heard the fixer's own words";
  EXPECT_THAT(judged.body, HasSubstr("return a + b"));
  EXPECT_THAT(judged.tools, Not(Contains("replace"))) << "the judge could edit";
}
INSTANTIATE_TEST_SUITE_P(Versions, ClaudeGenerations, ::testing::Values("claude-197", "claude-325"),
                         [](const auto& version) { return replace_all(version.param, "-", ""); });

// What codex does in a fixer's place.
constexpr const char* kCodexFixes = R"json(
  {"name": "patch", "if": {"api": "responses", "results": 0}, "do": {"calls": [{"tool": "apply_patch",
      "input": "*** Begin Patch\n*** Update File: calc.py\n@@\n def add(a, b):\n-    return a - b\n+    return a + b\n*** End Patch"}]}},
  {"name": "report", "if": {"api": "responses", "asks": "### (?P<code>[A-Z]+-\\d+)"},
      "do": {"json": {"outcomes": [{"id": "${code}", "outcome": "fixed", "explanation": "done"}]}}})json";

TEST_F(RealAgentsFix, GeminiAndCodexJudgeTogether) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("gemini");
  EMEND_NEEDS_AGENT("codex");
  RealAgents agents(
      list({kClaudeFixes, judge_rule("first", "gemini", 98), judge_rule("second", "responses", 93)}));
  agents.become_the_users();
  world.policy.panel = 2;
  world.policy.second_judge = agents.native("codex");
  const FixReport report = fix(agents, "claude-325", "gemini");
  expect_resolved(world, report);
  EXPECT_EQ(World::outcome(report, "BE-001").issue.last_score, 95) << "95.5 on average";
  ASSERT_EQ(report.cycles.size(), 1U);
  EXPECT_EQ(report.cycles[0].verdicts.size(), 2U);
  EXPECT_THAT(agents.requests("second").at(0).body, Not(HasSubstr("TELLTALE")));
}

TEST_F(RealAgentsFix, ClaudeAndCodexMakeTheSameChangeAndOneGoesOn) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("codex");
  EMEND_NEEDS_SANDBOX("codex");
  EMEND_NEEDS_AGENT("gemini");
  RealAgents agents(list({kClaudeFixes, kCodexFixes, judge_rule("judge", "gemini", 97)}));
  agents.become_the_users();
  world.policy.candidates = 2;
  world.policy.fixer_fallbacks = {agents.native("codex")};
  const FixReport report = fix(agents, "claude-325", "gemini");
  expect_resolved(world, report);
  ASSERT_EQ(report.cycles.size(), 2U);
  EXPECT_EQ(agents.requests("judge").size(), 1U) << "the same change is judged once";
  EXPECT_THAT(agents.rules_used(), Contains("patch"));
}

TEST_F(RealAgentsFix, CodexFixesAndClaudeJudges) {
  EMEND_NEEDS_AGENT("codex");
  EMEND_NEEDS_SANDBOX("codex");
  EMEND_NEEDS_AGENT("claude-325");
  RealAgents agents(list({kCodexFixes, judge_rule("judge", "anthropic", 96)}));
  expect_resolved(world, fix(agents, "codex", "claude-325"));
  EXPECT_THAT(agents.rules_used(), ElementsAre("patch", "report", "judge"));
}

TEST_F(RealAgentsFix, LowScoreMakesTheFixerTryAgainWithTheFeedback) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("gemini");
  const std::string again = R"json(
    {"name": "refix-edit", "if": {"api": "anthropic", "says": "say why in a comment", "results": 2}, "do": {"calls": [{"tool": "Bash",
     "arguments": {"command": "printf 'def add(a, b):\\n    return a + b  # the sum\\n' > calc.py", "description": "Rewrite"}}]}},
    {"name": "refix-end", "if": {"api": "anthropic", "says": "say why in a comment", "results": 3},
     "do": {"json": {"outcomes": [{"id": "BE-001", "outcome": "fixed", "explanation": "commented"}]}}})json";
  RealAgents agents(list({again, kClaudeFixes, judge_rule("strict", "gemini", 60, R"json("times": 1, )json"),
                          judge_rule("content", "gemini", 98)}));
  const FixReport report = fix(agents, "claude-325", "gemini");
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(world.show(report.session.branch, "calc.py"), "def add(a, b):\n    return a + b  # the sum\n");
  EXPECT_THAT(agents.rules_used(),
              ElementsAre("fix-read", "fix-edit", "fix-end", "strict", "refix-edit", "refix-end", "content"));
  EXPECT_THAT(agents.requests("refix-edit").at(0).body, HasSubstr("TELLTALE"))
      << "the re-fix must go on with the fixer's conversation";
  EXPECT_THAT(agents.requests("content").at(0).body, Not(HasSubstr("say why in a comment")))
      << "the second verdict must be made afresh";
}

TEST_F(RealAgentsFix, AWordWithoutAnEditIsNotAFix) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("gemini");
  world.policy.max_fix_cycles = 1;
  RealAgents agents(list(
      {R"json({"name": "brag", "if": {"api": "anthropic"}, "do": {"json": {"outcomes": [{"id": "BE-001", "outcome": "fixed", "explanation": "86/86"}]}}})json",
       judge_rule("judge", "gemini", 100)}));
  const FixReport report = fix(agents, "claude-325", "gemini");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(no_change)");
  EXPECT_THAT(agents.rules_used(), Not(Contains("judge")));
}

struct Trouble {
  const char* name;
  const char* action;
  AgentStatus state;
};
void PrintTo(const Trouble& trouble, std::ostream* out) {
  *out << trouble.name;
} // an address would be part of the test's name
class ModelTrouble : public RealAgentsFix, public ::testing::WithParamInterface<Trouble> {};

TEST_P(ModelTrouble, IsNoAttemptWhenTheAgentCouldNotWorkAndNothingIsCommitted) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("gemini");
  world.policy.max_fix_cycles = 1;
  world.policy.max_wait_ms = 0;
  RealAgents agents(list({std::string(R"json({"name": "trouble", "do": )json") + GetParam().action + "}"}));
  const FixReport report = fix(agents, "claude-325", "gemini");
  ASSERT_FALSE(report.runs.empty());
  EXPECT_EQ(to_string(report.runs.at(0).state.status), to_string(GetParam().state));
  const Issue& issue = World::outcome(report, "BE-001").issue;
  if (report.runs.at(0).state.unavailable()) {
    EXPECT_EQ(report.session.status, SessionStatus::stopped);
    EXPECT_EQ(issue.status, IssueStatus::open);
    EXPECT_EQ(issue.reason, to_string(GetParam().state));
    EXPECT_EQ(issue.attempts, 0);
  } else {
    EXPECT_EQ(World::status(report, "BE-001"), "FAILED(agent_failed)");
  }
  EXPECT_EQ(world.branches(), std::vector<std::string>{"main"});
}
INSTANTIATE_TEST_SUITE_P(
    Kinds, ModelTrouble,
    ::testing::Values(Trouble{"RateLimit", R"json({"status": 429, "headers": {"retry-after": "300"}})json",
                              AgentStatus::rate_limited},
                      Trouble{"ServerError", R"json({"status": 500})json", AgentStatus::overloaded},
                      Trouble{"Overloaded", R"json({"status": 529})json", AgentStatus::overloaded},
                      Trouble{"BadKey", R"json({"status": 401})json", AgentStatus::not_logged_in},
                      Trouble{"CutStream",
                              R"json({"text": "never to be finished, alas", "chunk": 4, "cut": 4})json",
                              AgentStatus::unreachable}),
    [](const auto& kind) { return std::string(kind.param.name); });

TEST_F(RealAgentsFix, ASilentModelIsEndedByTheTimeLimit) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("gemini");
  world.policy.max_fix_cycles = 1;
  world.policy.fix_timeout_ms = 3'000;
  RealAgents agents(list({R"json({"name": "silent", "do": {"text": "too late", "hang": 2}})json"}));
  const FixReport report = fix(agents, "claude-325", "gemini");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(agent_failed)");
  agents.settle();
  EXPECT_EQ(agents.requests("silent").at(0).outcome, "client gone");
}

TEST_F(RealAgentsFix, AJudgeWhoseModelFailsIsNoVerdict) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("codex");
  world.policy.max_fix_cycles = 1;
  world.policy.challenge_retries = 0;
  world.policy.max_wait_ms = 0;
  RealAgents agents(list(
      {kClaudeFixes, R"json({"name": "limit", "if": {"api": "responses"}, "do": {"status": 429}})json"}));
  const FixReport report = fix(agents, "claude-325", "codex");
  EXPECT_EQ(report.session.status, SessionStatus::stopped);
  EXPECT_EQ(World::outcome(report, "BE-001").issue.status, IssueStatus::open)
      << "nobody judged it, and that is not the fix's fault";
  EXPECT_EQ(world.branches(), std::vector<std::string>{"main"});
}

TEST_F(RealAgentsFix, AnotherJudgeTakesOverFromOneAtItsLimit) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("codex");
  EMEND_NEEDS_AGENT("gemini");
  world.policy.max_wait_ms = 0;
  RealAgents agents(
      list({kClaudeFixes, R"json({"name": "limit", "if": {"api": "responses"}, "do": {"status": 429}})json",
            judge_rule("judge", "gemini", 97)}));
  agents.become_the_users();
  world.policy.challenger_fallbacks = {agents.native("gemini")};
  const FixReport report = fix(agents, "claude-325", "codex");
  expect_resolved(world, report);
  EXPECT_EQ(report.cycles.at(0).verdicts.at(0).agent, agents.native("gemini").name);
  EXPECT_THAT(report.notes, Contains(HasSubstr("takes over")));
}

TEST_F(RealAgentsFix, AShortOutageIsWaitedForAndIsNoAttempt) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("gemini");
  world.policy.retry_wait_ms = 10;
  world.policy.max_fix_cycles = 1;
  RealAgents agents(
      list({R"json({"name": "outage", "times": 3, "if": {"api": "anthropic"}, "do": {"status": 529}})json",
            kClaudeFixes, judge_rule("judge", "gemini", 97)}));
  const FixReport report = fix(agents, "claude-325", "gemini");
  expect_resolved(world, report);
  EXPECT_EQ(World::outcome(report, "BE-001").issue.attempts, 1);
}

// The same by the program people run, configured as they would.
TEST_F(RealAgentsFix, TheProgramWithAConfigurationFile) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("gemini");
  RealAgents agents(list({kClaudeFixes, judge_rule("judge", "gemini", 97)}));
  const auto table = [](const AgentBinding& agent) {
    std::string text = "[agents." + agent.name + "]\ncommand = " + dump_json(Json(agent.command)) +
                       "\nfamily = \"" + agent.family + "\"\n[agents." + agent.name + ".env]\n";
    for (const std::string& variable : agent.env)
      text += variable.substr(0, variable.find('=')) + " = " +
              dump_json(Json(variable.substr(variable.find('=') + 1))) + "\n";
    return text;
  };
  // Agents with a home of their own, so that must be theirs to write to.
  must(write_file(world.scripts + "/emend.toml",
                  "[sandbox]\nshared = [\"" + agents.home() +
                      "\"]\n[fix]\nagent = \"claude\"\n[fix_challenger]\ncanaries = 0\nagent = "
                      "\"gemini\"\n[verify]\ncommands = [\"grep -q add calc.py\", { run = "
                      "\"python3 -B check.py\", paths = [\"calc.py\"] }]\n" +
                      table(agents.claude()) + table(agents.gemini())));
  must(write_file(world.scripts + "/findings.json",
                  R"json([{"file": "calc.py", "line": 2, "issue": "add subtracts"}])json"));
  const ProcessResult run = world.emend(
      {"--config", world.scripts + "/emend.toml", "fix", "--findings", world.scripts + "/findings.json"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  ASSERT_EQ(world.branches().size(), 2U);
  EXPECT_EQ(world.show(world.branches()[0], "calc.py"), kFixed);
  EXPECT_THAT(agents.leftovers(), IsEmpty());
}

// claude and gemini on PATH, an endpoint and keys in the environment, and nothing else.
TEST_F(RealAgentsFix, TheProgramWithoutAnyConfiguration) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT("gemini");
  RealAgents agents(list({kClaudeFixes, judge_rule("judge", "gemini", 97)}));
  must(write_file(world.scripts + "/findings.json",
                  R"json([{"file": "calc.py", "line": 2, "issue": "add subtracts"}])json"));
  std::vector<std::string> environment = agents.environment();
  const auto folder = [](const char* cli) {
    return fs::path(RealAgents::program(cli)).parent_path().string();
  };
  environment.push_back("PATH=" + folder("claude-325") + ":" + folder("gemini") +
                        ":/usr/local/bin:/usr/bin:/bin");
  const ProcessResult run = world.emend({"fix", "--findings", world.scripts + "/findings.json", "--set",
                                         "fix_challenger.canaries=0"}, // its judge approves of everything
                                        environment);
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_THAT(run.out + run.err, ::testing::AllOf(HasSubstr("claude"), HasSubstr("gemini")))
      << "it must say whom it chose";
  EXPECT_THAT(run.out, ::testing::ContainsRegex("BE-001 .*\\$0\\.[0-9]+ +[0-9.]+ s"))
      << "cost and time of the issue";
  ASSERT_EQ(world.branches().size(), 2U);
  EXPECT_EQ(world.show(world.branches()[0], "calc.py"), kFixed);
  EXPECT_THAT(agents.rules_used(), ElementsAre("fix-read", "fix-edit", "fix-end", "judge"));
}

} // namespace
} // namespace emend::testing_support
