// From the first question to the commit with the real claude, gemini and codex, in every strategy: clarify,
// plan, fix, challenge, re-fix.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "engine/plan/clarify.hpp"
#include "engine/plan/plan_agent.hpp"
#include "tests/support/real_agents.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const Files kProject = {{"add.py", "def add(a, b):\n    return a - b\n"},
                        {"mul.py", "def mul(a, b):\n    return a + b\n"},
                        {"check_add.py", "from add import add\n\nassert add(2, 3) == 5\n"},
                        {"check_mul.py", "from mul import mul\n\nassert mul(2, 3) == 6\n"}};

// One rule of the model. Texts are JSON already.
std::string rule(const std::string& name, const std::string& conditions, const std::string& action,
                 int times = 0) {
  return R"({"name": ")" + name + R"(", )" + (times > 0 ? "\"times\": " + std::to_string(times) + ", " : "") +
         R"("if": {)" + conditions + R"(}, "do": )" + action + "}";
}
std::string shell(const std::string& command) {
  return R"json({"calls": [{"tool": "Bash", "arguments": {"command": )json" + dump_json(Json(command)) +
         R"json(, "description": "Edit"}}]})json";
}
std::string outcomes(const std::vector<std::string>& codes) {
  Json list = Json::array();
  for (const std::string& code : codes)
    list.push_back({{"id", code}, {"outcome", "fixed"}, {"explanation", "TELLTALE"}});
  return dump_json(Json{{"json", {{"outcomes", list}}}});
}
std::string verdict(int score) {
  return dump_json(Json{{"json",
                         {{"review_token", "${token}"},
                          {"issues",
                           {{"${code}",
                             {{"score", score},
                              {"status", score >= 95 ? "SOLVED" : "IN_PROGRESS"},
                              {"feedback", "NAME-IT: say what it returns"}}}}}}}});
}

constexpr const char* kFixAdd = "sed -i 's/a - b/a + b/' add.py";
constexpr const char* kFixMul = "sed -i 's/a + b/a * b/' mul.py";
constexpr const char* kComment = "printf 'def mul(a, b):\\n    return a * b  # the product\\n' > mul.py";

// Codex judges the batches, gemini the rest.
const char* judge_of(Strategy strategy) { return strategy == Strategy::batched ? "codex" : "gemini"; }
std::string judge_api(Strategy strategy) {
  return strategy == Strategy::batched ? "\"api\": \"responses\", " : "\"api\": \"gemini\", ";
}

std::vector<std::string> preparing_rules(Strategy strategy) {
  const std::string ask = R"("api": "anthropic", "latest": "questions_by_issue")",
                    plan = R"("api": "anthropic", "latest": "execution_steps")";
  return {
      rule(
          "clarify", ask,
          R"json({"json": {"questions_by_issue": [{"issue_code": "BE-001", "questions": [{"question": "Is zero allowed?", "context": "add.py"}]}, {"issue_code": "BE-002", "questions": []}], "ready_to_plan": false}})json",
          1),
      rule(
          "clear", ask,
          R"json({"json": {"questions_by_issue": [{"issue_code": "BE-001", "questions": []}], "ready_to_plan": true}})json"),
      rule(
          "plan", plan,
          R"json({"json": {"execution_steps": [{"reason": "different files, parallel", "issues": ["BE-001", "BE-002"]}], "todos": {"BE-001": {"plan": {"approach": "patch", "steps": ["PLANNED: turn minus into plus"]}}}}})json"),
      // The product is judged too low once, then made better: the re-fix.
      rule("low",
           judge_api(strategy) +
               R"json("asks": "### (?P<code>BE-002).*The review token is (?P<token>[0-9a-f]{16})")json",
           verdict(70), 1),
      rule("judge",
           judge_api(strategy) +
               R"json("asks": "### (?P<code>[A-Z]+-\\d+).*The review token is (?P<token>[0-9a-f]{16})")json",
           verdict(97)),
      rule("refix", R"json("api": "anthropic", "latest": "NAME-IT")json", shell(kComment)),
      rule("refixed", R"json("api": "anthropic", "says": "NAME-IT")json", outcomes({"BE-002"})),
  };
}

std::vector<std::string> fixing_rules(Strategy strategy) {
  if (strategy == Strategy::per_issue)
    return {rule("fix-add", R"json("api": "anthropic", "latest": "### BE-001")json", shell(kFixAdd)),
            rule("fix-mul", R"json("api": "anthropic", "latest": "### BE-002")json", shell(kFixMul)),
            rule("fixed-add", R"json("api": "anthropic", "says": "Every id in BE-001 must appear")json",
                 outcomes({"BE-001"})),
            rule("fixed-mul", R"json("api": "anthropic", "says": "Every id in BE-002 must appear")json",
                 outcomes({"BE-002"}))};
  if (strategy == Strategy::batched)
    return {rule("fix-both", R"json("api": "anthropic", "latest": "### BE-001[\\s\\S]*### BE-002")json",
                 shell(std::string(kFixAdd) + " && " + kFixMul)),
            rule("fixed-both", R"json("api": "anthropic")json", outcomes({"BE-001", "BE-002"}))};
  return {
      rule("todo-add", R"json("asks": "SUB-ADD (?P<todo>/\\S+json)", "results": 0)json",
           R"json({"wait_ms": 800, "calls": [{"tool": "Read", "arguments": {"file_path": "${todo}"}}]})json"),
      rule("todo-mul", R"json("asks": "SUB-MUL (?P<todo>/\\S+json)", "results": 0)json",
           R"json({"wait_ms": 800, "calls": [{"tool": "Read", "arguments": {"file_path": "${todo}"}}]})json"),
      rule("sub-add", R"json("asks": "SUB-ADD", "results": 1)json", shell(kFixAdd)),
      rule("sub-mul", R"json("asks": "SUB-MUL", "results": 1)json", shell(kFixMul)),
      rule("sub-end", R"json("asks": "SUB-(ADD|MUL)")json", R"json({"json": {"outcome": "fixed"}})json"),
      rule(
          "start", R"json("api": "anthropic", "latest": "(?P<dir>/\\S+)/fix_todo_BE-001.json")json",
          R"json({"calls": [{"tool": "Agent", "arguments": {"description": "Fix BE-001", "prompt": "SUB-ADD ${dir}/fix_todo_BE-001.json", "subagent_type": "fixer_single"}},
                                 {"tool": "Agent", "arguments": {"description": "Fix BE-002", "prompt": "SUB-MUL ${dir}/fix_todo_BE-002.json", "subagent_type": "fixer_single"}}]})json"),
      rule("all-fixed", R"json("api": "anthropic")json", outcomes({"BE-001", "BE-002"}))};
}

class RealStrategies : public ::testing::TestWithParam<Strategy> {
protected:
  RealStrategies() : world(kProject) {
    world.policy.commands = {{"smoke", "python3 -B -c 'import add, mul'", {}, 0},
                             {"add", "python3 -B check_add.py", {"add.py"}, 0},
                             {"mul", "python3 -B check_mul.py", {"mul.py"}, 0}};
    world.policy.fix_timeout_ms = world.policy.challenge_timeout_ms = 60'000;
    issues =
        world.add({World::finding("add.py", 2, "add subtracts"), World::finding("mul.py", 2, "mul adds")});
  }
  World world;
  std::vector<Issue> issues;
};

TEST_P(RealStrategies, FromTheFirstQuestionToTheCommit) {
  EMEND_NEEDS_AGENT("claude-325");
  EMEND_NEEDS_AGENT(judge_of(GetParam()));
  std::vector<std::string> rules = preparing_rules(GetParam());
  for (const std::string& one : fixing_rules(GetParam())) rules.push_back(one);
  RealAgents agents("[" + join(rules, ",") + "]");
  agents.become_the_users();
  world.policy.fixer = agents.native("claude-325");
  world.policy.challenger = agents.native(judge_of(GetParam()));
  world.policy.strategy = GetParam();
  const auto before = world.manifest();

  // Clarify, answer, clarify again.
  ClarifyRequest ask;
  ask.issue_ids = {issues[0].id, issues[1].id};
  ask.policy = world.policy;
  Clarity clarity = must(clarify(world.ports(), world.home, {}, ask, {}));
  ASSERT_TRUE(clarity.has_questions());
  must(record_answers(world.ports(), world.policy, {}, {{"BE-001-q1", "ANSWERED: yes", false}}));
  ask.session_id = clarity.session_id;
  ask.issue_ids = {issues[0].id};
  clarity = must(clarify(world.ports(), world.home, {}, ask, {}));
  EXPECT_FALSE(clarity.has_questions());

  // Plan with the agent's help.
  PlanRequest plan;
  for (const Issue& issue : issues)
    plan.issues.push_back(must(world.store().issue(issue.repository_id, issue.id)));
  plan.policy = world.policy;
  plan.strategy = GetParam();
  const RefinedPlan refined = must(refine_plan(world.ports(), world.home, plan, {}));
  EXPECT_TRUE(refined.refined) << join(refined.refusals, "; ");

  FixRequest request;
  request.issue_ids = {issues[0].id, issues[1].id};
  request.policy = world.policy;
  request.plan = refined.plan.files;
  const FixReport report = must(world.manager().fix(request, {}));
  for (const Issue& issue : issues)
    EXPECT_EQ(World::status(report, issue.code), "RESOLVED")
        << World::outcome(report, issue.code).issue.detail << " | " << join(agents.rules_used(), " ");
  EXPECT_EQ(world.show(report.session.branch, "add.py"), "def add(a, b):\n    return a + b\n");
  EXPECT_EQ(world.show(report.session.branch, "mul.py"), "def mul(a, b):\n    return a * b  # the product\n");
  EXPECT_THAT(report.commits, SizeIs(2));
  EXPECT_EQ(world.manifest(), before) << "the checkout was touched";
  EXPECT_THAT(agents.rules_used(), Contains("low"));
  EXPECT_THAT(agents.rules_used(), Contains("refix"));
  for (const ModelRequest& judged : agents.requests("judge"))
    EXPECT_THAT(judged.body, Not(HasSubstr("TELLTALE"))) << "the judge heard the fixer";
  // The conversation went on from the first question to the re-fix.
  EXPECT_THAT(agents.requests("plan").at(0).body, HasSubstr("Is zero allowed?"));
  const char* first_fix = GetParam() == Strategy::per_issue ? "fix-add"
                          : GetParam() == Strategy::batched ? "fix-both"
                                                            : "start";
  EXPECT_THAT(agents.requests(first_fix).at(0).body, HasSubstr("execution_steps"))
      << "the fix knows what was planned";
  EXPECT_THAT(agents.requests(first_fix).at(0).body, HasSubstr("ANSWERED: yes"));
  EXPECT_THAT(agents.requests("refix").at(0).body, HasSubstr("TELLTALE")) << "the re-fix knows the fix";
  // What it cost, by the agents' own word.
  EXPECT_GT(consumed_by(report.runs, issues[0].id).tokens, 0);
  EXPECT_TRUE(consumed_by(report.runs).priced);
  if (GetParam() == Strategy::one_call) {
    EXPECT_TRUE(agents.requests("todo-add").at(0).overlaps(agents.requests("todo-mul").at(0)))
        << "the sub-agents of one step must work at the same time";
    // In a copied tree claude may only edit there, and not read beside it: its sub-agents then know what the
    // first agent told them.
    if (overlay_supported(EMEND_EXEC_BINARY, fs::temp_directory_path().string())) {
      EXPECT_THAT(agents.requests("sub-add").at(0).body, HasSubstr("add subtracts"))
          << "the sub-agent read its TODO file";
    }
    EXPECT_THAT(agents.requests("start"), SizeIs(1));
  }
  EXPECT_THAT(agents.leftovers(), IsEmpty());
}
INSTANTIATE_TEST_SUITE_P(Each, RealStrategies,
                         ::testing::Values(Strategy::per_issue, Strategy::batched, Strategy::one_call),
                         [](const auto& strategy) {
                           return replace_all(std::string(to_string(strategy.param)), "-", "");
                         });

} // namespace
} // namespace emend::testing_support
