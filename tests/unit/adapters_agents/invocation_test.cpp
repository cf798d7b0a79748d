// How each program is called, word by word: a flag that changes here changes what a real program does.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/adapters_agents/streams.hpp"

namespace emend {

namespace {

DriverRequest request(const char* program) {
  DriverRequest request;
  request.program = {program};
  request.prompt = "the prompt";
  request.home = "/h";
  request.workspace = "/w";
  request.variable = [](const std::string&) { return std::string(); };
  request.has_login = [](const std::string&) { return false; };
  request.user_file = [](const std::string&, const std::string&, const std::string&) {
    return std::string();
  };
  return request;
}

std::string words(const Driver& driver, const DriverRequest& request) {
  std::vector<std::string> quoted;
  for (const std::string& word : driver.invoke(request).argv) quoted.push_back(shell_quote(word));
  return join(quoted, " ");
}

bool has(const std::vector<std::string>& list, const std::string& entry) {
  return std::find(list.begin(), list.end(), entry) != list.end();
}

Json file_of(const Invocation& call, const std::string& path) {
  for (const HomeFile& file : call.files)
    if (file.path == path) return parse_json(file.text).value();
  return nullptr;
}

constexpr const char* kClaudeStart =
    R"~(/b/claude -p --output-format stream-json --verbose --setting-sources user --strict-mcp-config --settings '{"disableAllHooks":true,"permissions":{"deny":["Bash(git push:*)","WebFetch","WebSearch"]}}' )~";

} // namespace

TEST(Invocation, NeverPutsThePromptOnTheCommandLine) {
  for (const Driver* driver : all_drivers()) {
    DriverRequest call = request("p");
    call.prompt = std::string(3'000'000, 'x') + "UNIQUE";
    const Invocation invocation = driver->invoke(call);
    EXPECT_EQ(invocation.stdin_data, call.prompt) << driver->cli.name;
    for (const std::string& word : invocation.argv) EXPECT_LT(word.size(), 10'000U) << driver->cli.name;
  }
}

TEST(Invocation, OfClaude) {
  DriverRequest call = request("/b/claude");
  EXPECT_EQ(words(claude_driver(), call), std::string(kClaudeStart) + "--permission-mode acceptEdits");
  call.permissions = Permissions::read;
  EXPECT_EQ(words(claude_driver(), call),
            std::string(kClaudeStart) + "--tools Read,Glob,Grep --permission-mode default");
  call.permissions = Permissions::full;
  call.model = "opus";
  call.thinking_budget = 20'000;
  call.schema = {{"type", "object"}};
  call.sub_agents = {{"one", {{"description", "d"}, {"prompt", "p"}}}};
  call.max_turns = 30;
  call.max_cost_usd = 1.5;
  call.resume = "id-1";
  EXPECT_EQ(
      words(claude_driver(), call),
      std::string(kClaudeStart) +
          R"(--dangerously-skip-permissions --model opus --effort high --json-schema '{"type":"object"}' )" +
          R"(--agents '{"one":{"description":"d","prompt":"p"}}' --max-turns 30 --max-budget-usd 1.5 --resume id-1)");
  call = request("/b/claude");
  call.fork = "id-2";
  call.allowed_tools = {"Read", "Edit"};
  EXPECT_EQ(words(claude_driver(), call),
            std::string(kClaudeStart) +
                "--tools Read,Edit --permission-mode acceptEdits --resume id-2 --fork-session");
}

TEST(Invocation, OfClaudeBoundsWhatItDoesByItself) {
  DriverRequest call = request("claude");
  call.as_root = true;
  const auto env = driver_environment(claude_driver(), claude_driver().invoke(call)).env;
  for (const char* entry :
       {"IS_SANDBOX=1", "CLAUDE_CODE_MAX_RETRIES=3", "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"})
    EXPECT_TRUE(has(env, entry)) << entry;
  call.as_root = false;
  EXPECT_FALSE(has(claude_driver().invoke(call).env, "IS_SANDBOX=1"));
}

TEST(Invocation, OfGemini) {
  DriverRequest call = request("/b/gemini");
  EXPECT_EQ(words(gemini_driver(), call),
            "/b/gemini --skip-trust -o stream-json --approval-mode auto_edit -m gemini-2.5-pro");
  call.permissions = Permissions::read;
  call.model = "gemini-2.5-flash";
  call.resume = "id";
  EXPECT_EQ(words(gemini_driver(), call),
            "/b/gemini --skip-trust -o stream-json --approval-mode default -m gemini-2.5-flash --resume id");
  call.permissions = Permissions::full;
  call.max_turns = 7;
  const Invocation invocation = gemini_driver().invoke(call);
  EXPECT_TRUE(has(invocation.argv, "yolo"));
  EXPECT_TRUE(has(driver_environment(gemini_driver(), invocation).env, "GEMINI_CLI_NO_RELAUNCH=true"));
  const Json settings = file_of(invocation, ".gemini/settings.json");
  EXPECT_EQ(settings["general"]["maxAttempts"], 3);
  EXPECT_EQ(settings["model"]["maxSessionTurns"], 7);
  EXPECT_EQ(settings["privacy"]["usageStatisticsEnabled"], false);
}

TEST(Invocation, OfGeminiTellsHowMuchToThink) {
  DriverRequest call = request("gemini");
  const auto configs = [&call] {
    return file_of(gemini_driver().invoke(call), ".gemini/settings.json").value("modelConfigs", Json());
  };
  EXPECT_TRUE(configs().is_null()) << "its own choice";
  call.thinking_budget = 4096;
  const Json rule = configs()["customOverrides"][0];
  EXPECT_EQ(rule["match"]["model"], "gemini-2.5-pro") << "the model it is started with";
  EXPECT_EQ(rule["modelConfig"]["generateContentConfig"]["thinkingConfig"], Json({{"thinkingBudget", 4096}}));
  call.model = "gemini-3-pro-preview";
  const auto level = [&] {
    return configs()["customOverrides"][0]["modelConfig"]["generateContentConfig"]["thinkingConfig"];
  };
  EXPECT_EQ(configs()["customOverrides"][0]["match"]["model"], call.model);
  EXPECT_EQ(level(), Json({{"thinkingLevel", "HIGH"}}));
  call.thinking_budget = 1000;
  EXPECT_EQ(level(), Json({{"thinkingLevel", "LOW"}}));
}

TEST(Invocation, OfGeminiPicksTheLoginThereIs) {
  DriverRequest call = request("gemini");
  const auto kind = [&call] {
    return file_of(gemini_driver().invoke(call), ".gemini/settings.json")["security"]["auth"]["selectedType"];
  };
  EXPECT_EQ(kind(), "gemini-api-key");
  call.has_login = [](const std::string& path) { return path == ".gemini/oauth_creds.json"; };
  EXPECT_EQ(kind(), "oauth-personal");
  call.variable = [](const std::string& name) { return name == "GEMINI_API_KEY" ? "k" : ""; };
  EXPECT_EQ(kind(), "gemini-api-key");
}

TEST(Invocation, OfGeminiWritesSubAgentsAsFiles) {
  DriverRequest call = request("gemini");
  call.sub_agents = {{"fixer-single", {{"description", "fixes: one"}, {"prompt", "Fix it."}}},
                     {"../evil", {{"prompt", "x"}}}};
  const auto files = gemini_driver().invoke(call).files;
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[1].path, ".gemini/agents/fixer-single.md");
  EXPECT_EQ(files[1].text,
            "---\nname: fixer-single\ndescription: \"fixes: one\"\nkind: local\n---\nFix it.\n");
}

TEST(Invocation, OfCodex) {
  const std::string start =
      "/b/codex exec --json --skip-git-repo-check -c analytics.enabled=false --disable plugins --disable "
      "apps --disable "
      "unbounded_connection_retries ";
  DriverRequest call = request("/b/codex");
  EXPECT_EQ(words(codex_driver(), call), start + "-s workspace-write -");
  call.permissions = Permissions::read;
  call.schema = {{"type", "object"}};
  EXPECT_EQ(words(codex_driver(), call),
            start + "-s read-only --output-schema /h/.codex/answer-schema.json -");
  EXPECT_EQ(file_of(codex_driver().invoke(call), ".codex/answer-schema.json"), call.schema);
  call = request("/b/codex");
  call.permissions = Permissions::full;
  call.model = "gpt-5.5";
  call.thinking_budget = 1000;
  call.resume = "id";
  EXPECT_EQ(words(codex_driver(), call), start +
                                             "--dangerously-bypass-approvals-and-sandbox -m gpt-5.5 -c "
                                             "'model_reasoning_effort=\"low\"' resume id -");
  call.resume.clear();
  call.fork = "old";
  EXPECT_TRUE(words(codex_driver(), call).ends_with(" fork old -"));
  EXPECT_TRUE(has(codex_driver().invoke(call).env, "CODEX_HOME=/h/.codex"));
}

TEST(Invocation, OfCodexTakesOverTheProviderAndNothingElse) {
  DriverRequest call = request("codex");
  call.user_file = [](const std::string&, const std::string&, const std::string& name) {
    return name != "config.toml" ? "" : R"(model = "gpt-5.5"
model_provider = "mine"
notify = ["/usr/bin/evil"]
developer_instructions = """
model = "other"
"""
[mcp_servers.x]
command = "evil"
[model_providers.mine]
# where it is
base_url = "http://127.0.0.1:1/v1"
env_key = "MY_KEY"
[model_providers.mine.auth]
command = "evil"
[projects."/r"]
trust_level = "trusted"
)";
  };
  call.variable = [](const std::string& name) { return name == "MY_KEY" ? "secret" : ""; };
  const Invocation invocation = codex_driver().invoke(call);
  EXPECT_TRUE(has(invocation.env, "MY_KEY=secret"));
  ASSERT_EQ(invocation.files.size(), 1U);
  EXPECT_FALSE(contains(invocation.files[0].text, "evil"));
  EXPECT_FALSE(contains(invocation.files[0].text, "\"trusted"));
  EXPECT_TRUE(contains(invocation.files[0].text, "[projects.\"/w\"]\ntrust_level = \"untrusted\"\n"));
  EXPECT_TRUE(contains(invocation.files[0].text, "model_provider = \"mine\"\n"));
  EXPECT_TRUE(
      contains(invocation.files[0].text,
               "[model_providers.mine]\nbase_url = \"http://127.0.0.1:1/v1\"\nenv_key = \"MY_KEY\"\n"));
}

TEST(Invocation, OfCodexGivesItTheKeyUnderItsOwnName) {
  DriverRequest call = request("codex");
  call.variable = [](const std::string& name) { return name == "OPENAI_API_KEY" ? "k" : ""; };
  EXPECT_TRUE(has(codex_driver().invoke(call).env, "CODEX_API_KEY=k"));
  call.has_login = [](const std::string& path) { return path == ".codex/auth.json"; };
  EXPECT_FALSE(has(codex_driver().invoke(call).env, "CODEX_API_KEY=k"));
}

TEST(Invocation, OfOpencode) {
  DriverRequest call = request("/b/opencode");
  call.model = "anthropic/claude";
  call.permissions = Permissions::read;
  call.variable = [](const std::string& name) {
    return name == "OPENCODE_CONFIG_CONTENT"
               ? R"({"provider":{"x":{}},"mcp":{"y":{"command":"evil"}},"plugin":["evil"],"permission":"allow"})"
               : "";
  };
  EXPECT_EQ(words(opencode_driver(), call), "/b/opencode run --format json --auto -m anthropic/claude");
  const std::string entry = opencode_driver().invoke(call).env.front();
  ASSERT_TRUE(entry.starts_with("OPENCODE_CONFIG_CONTENT="));
  const Json settings = parse_json(entry.substr(entry.find('=') + 1)).value();
  EXPECT_EQ(settings["permission"], Json({{"edit", "deny"}, {"bash", "deny"}, {"webfetch", "deny"}}));
  EXPECT_TRUE(settings.contains("provider"));
  EXPECT_FALSE(settings.contains("mcp") || settings.contains("plugin"));
}

TEST(Invocation, OfQwen) {
  DriverRequest call = request("/b/qwen");
  call.resume = "id";
  EXPECT_EQ(words(qwen_driver(), call),
            "/b/qwen -o stream-json --approval-mode auto-edit --auth-type openai --resume id");
  call.has_login = [](const std::string&) { return true; };
  call.permissions = Permissions::read;
  EXPECT_EQ(words(qwen_driver(), call),
            "/b/qwen -o stream-json --approval-mode default --auth-type qwen-oauth --resume id");
}

TEST(Invocation, KeepsArgumentsOfTheUsersOwnFirst) {
  DriverRequest call = request("/b/codex");
  call.program = {"/b/codex", "-c", "model_provider=\"x\""};
  EXPECT_TRUE(words(codex_driver(), call).starts_with("/b/codex -c 'model_provider=\"x\"' exec --json "));
}

TEST(Permissions, FollowTheRequestTheBindingAndTheTree) {
  AgentBinding binding;
  EXPECT_EQ(permissions_for(binding, false, true), Permissions::full);
  EXPECT_EQ(permissions_for(binding, false, false), Permissions::edit)
      << "commands could reach beyond a tree that is only a copy";
  binding.permissions = "full";
  EXPECT_EQ(permissions_for(binding, false, false), Permissions::full);
  EXPECT_EQ(permissions_for(binding, true, true), Permissions::read)
      << "nothing is stronger than a request to only look";
  binding.permissions = "edit";
  EXPECT_EQ(permissions_for(binding, false, true), Permissions::edit);
}

} // namespace emend
