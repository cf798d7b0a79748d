#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "cli/agents/agent_files_list.hpp"
#include "cli/agents/install_action.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "config/config_files.hpp"
#include "engine/fix/prompt_budget.hpp"
#include "model/coding_clis.hpp"
#include "service/agent_test.hpp"

namespace emend {

namespace {

constexpr std::int64_t kTestLimitMs = 120'000;

struct AgentsOptions {
  std::string name;
  bool read_only = false;
};

// One agent as the list shows it.
struct AgentRow {
  std::string name, engine, program, version, family, problem;
  std::vector<std::string> roles;
  bool configured = false;
};

std::unique_ptr<AgentFactory> factory_here(CommandContext& context) {
  return context.dependencies().make_agents(find_repository_root(fs::current_path().string()));
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> roles_of(const Config& config, const std::string& name) {
  std::vector<std::string> roles;
  if (config.fixer_name() == name) roles.push_back("fixer");
  const Policy policy = config.policy();
  if (policy.challenger_enabled && config.challenger_name() == name) roles.push_back("challenger");
  return roles;
}

AgentRow row_of(const Config& config, AgentFactory& factory, const std::string& name) {
  AgentRow row;
  row.name = name;
  row.configured = has(config.agent_names(), name);
  row.roles = roles_of(config, name);
  const auto binding = config.agent(name);
  if (!binding) {
    row.problem = binding.error().message;
    return row;
  }
  row.engine = binding->engine;
  row.family = binding->family;
  const auto agent = factory.make(*binding);
  if (!agent) {
    row.problem = agent.error().message;
    return row;
  }
  const AgentBinding& ready = (*agent)->binding();
  row.program = ready.engine == "scripted" ? ready.script
                : ready.command.empty()    ? ""
                                           : ready.command.front();
  row.version = factory.version(ready).value_or("");
  return row;
}

std::vector<AgentRow> rows_of(const Config& config, AgentFactory& factory) {
  const auto names = agents_here(config, factory);
  std::vector<AgentRow> rows(names.size());
  parallel_for(names.size(), 4, [&](std::size_t i) {
    rows[i] = row_of(config, factory, names[i]);
  }); // some take seconds to say their version
  return rows;
}

Json json_of(const AgentRow& row) {
  return {{"name", row.name},
          {"engine", row.engine},
          {"program", row.program},
          {"version", row.version},
          {"family", row.family},
          {"roles", row.roles},
          {"configured", row.configured},
          {"problem", row.problem.empty() ? Json() : Json(row.problem)}};
}

std::vector<std::string> shown_roles(const AgentRow& row) {
  std::vector<std::string> roles = row.roles;
  std::replace(roles.begin(), roles.end(), std::string("challenger"), std::string("judge"));
  return roles;
}

Result<ExitStatus> list(CommandContext& context) {
  TRY_ASSIGN(const Config config, context.config());
  const auto factory = factory_here(context);
  const std::vector<AgentRow> rows = rows_of(config, *factory);
  if (context.global().json) {
    Json data = Json::array();
    for (const AgentRow& row : rows) data.push_back(json_of(row));
    context.print_json_list("agents", std::move(data));
    return context.finish(ExitStatus::done);
  }
  TextTable table({"agent", "engine", "roles", "vendor", "version", "program"});
  for (const AgentRow& row : rows) {
    const Cell place =
        row.problem.empty() ? Cell{one_line(row.program, 100)} : Cell{one_line(row.problem, 160), Tone::bad};
    table.add({{one_line(row.name)},
               {row.engine},
               {join(shown_roles(row), ", ")},
               {one_line(row.family, 40)},
               {one_line(row.version, 40)},
               place});
  }
  if (table.empty()) {
    context.print("No agents found: none is configured, and none of " + join(coding_cli_names(), ", ") +
                  " is on PATH.\n");
  } else {
    context.print(table.render(context.palette()));
    if (const std::string choice = config.choice(); !choice.empty()) context.hint(choice);
  }
  return context.finish(ExitStatus::done);
}

std::string limit_text(std::int64_t ms, const char* otherwise) {
  return ms > 0 ? format_duration_ms(ms) : otherwise;
}

// The prompts this agent gets, and how long they are before anything of the project is in them.
std::vector<PromptBudget> prompts_of(const std::vector<std::string>& roles,
                                     const std::vector<PromptBudget>& all) {
  std::vector<PromptBudget> chosen;
  for (const PromptBudget& budget : all) {
    const bool fixes = budget.role == "fixer" || budget.role == "re_fixer";
    const bool judges = budget.role == "fix_challenger";
    if (roles.empty() || (fixes && has(roles, "fixer")) || (judges && has(roles, "challenger")))
      chosen.push_back(budget);
  }
  return chosen;
}

std::string budget_text(const std::vector<PromptBudget>& prompts) {
  std::vector<std::string> parts;
  for (const PromptBudget& one : prompts)
    parts.push_back(fmt::format("{} {} bytes{}", one.role, one.bytes,
                                one.bytes > one.most ? fmt::format(" (more than {})", one.most) : ""));
  return join(parts, ", ") + "; code, findings and conventions come on top";
}

Result<ExitStatus> show(CommandContext& context, const AgentsOptions& options) {
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(const AgentBinding binding, config.agent(options.name));
  const auto factory = factory_here(context);
  const auto roles = roles_of(config, options.name);
  const bool read_only = options.read_only || roles == std::vector<std::string>{"challenger"};
  TRY_ASSIGN(const AgentPlan plan, factory->plan(binding, read_only));
  TRY_ASSIGN(const std::vector<PromptBudget> budgets, prompt_budgets(config.policy()));
  const std::vector<PromptBudget> prompts = prompts_of(roles, budgets);
  if (context.global().json) {
    Json sizes = Json::array();
    for (const PromptBudget& one : prompts)
      sizes.push_back({{"role", one.role}, {"bytes", one.bytes}, {"most", one.most}});
    context.print_json("agent", {{"name", binding.name},
                                 {"engine", binding.engine},
                                 {"model", binding.model},
                                 {"family", binding.family},
                                 {"roles", roles},
                                 {"argv", plan.argv},
                                 {"env", plan.env},
                                 {"logins", plan.logins},
                                 {"permissions", plan.permissions},
                                 {"prompts", sizes},
                                 {"timeout_ms", plan.wall_limit_ms},
                                 {"idle_timeout_ms", plan.idle_limit_ms}});
    return context.finish(ExitStatus::done);
  }
  std::vector<std::string> words;
  for (const std::string& word : plan.argv) words.push_back(shell_quote(word));
  const auto row = [&](const char* name, const std::string& text) {
    context.print(fmt::format("{:<12} {}\n", name, harmless_text(text)));
  };
  row("agent",
      binding.name + " (" + binding.engine + (binding.family.empty() ? "" : ", " + binding.family) + ")");
  row("roles", roles.empty() ? "none" : join(roles, ", "));
  row("model", binding.model.empty() ? "the program's own choice" : binding.model);
  row("runs", join(words, " ") + "  < prompt");
  row("may", plan.permissions.empty() ? "whatever the command does" : plan.permissions);
  row("prompts", budget_text(prompts));
  row("variables", join(plan.env, " "));
  row("login", plan.logins.empty() ? "from variables, or none" : join(plan.logins, ", "));
  row("limits", limit_text(plan.wall_limit_ms, "the role's time") + ", silent for " +
                    limit_text(plan.idle_limit_ms, "any time"));
  return context.finish(ExitStatus::done);
}

std::string cost_text(const Usage& usage) {
  std::string text = fmt::format("{}+{} tokens", usage.input_tokens, usage.output_tokens);
  if (usage.input_tokens == 0 && usage.output_tokens == 0) text = "-";
  if (usage.cost_usd) text += fmt::format(", ${:.4f}", *usage.cost_usd);
  return text;
}

Json json_of(const AgentTest& result) {
  const AgentRun& run = result.run;
  return {{"name", result.name},         {"state", result.problem.empty() ? to_json(run.state) : Json()},
          {"model", run.model},          {"duration_ms", run.process.duration_ms},
          {"usage", to_json(run.usage)}, {"problem", result.problem.empty() ? Json() : Json(result.problem)}};
}

ExitStatus status_of(const std::vector<AgentTest>& results) {
  ExitStatus status = ExitStatus::done;
  for (const AgentTest& result : results) {
    if (result.good()) continue;
    if (result.problem.empty() && result.run.state.status == AgentStatus::not_logged_in)
      return ExitStatus::auth;
    status = ExitStatus::agents_failed;
  }
  return status;
}

Result<ExitStatus> test(CommandContext& context, const AgentsOptions& options) {
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(AgentFactory * factory, context.agents());
  std::vector<std::string> names{options.name};
  if (options.name.empty()) {
    names = agents_here(config, *factory);
    std::erase_if(names, [&](const std::string& name) {
      return config.agent(name).value_or(AgentBinding{}).engine == "scripted";
    });
  }
  if (names.empty()) {
    context.hint("no agents to test: emend agents list");
    return context.finish(ExitStatus::done);
  }
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::vector<AgentTest> results,
             test_agents(config, *factory, *repository, names, kTestLimitMs, context.dependencies().stop));
  Json data = Json::array();
  TextTable table({"agent", "state", "model", "time", "consumed", "detail"});
  for (const AgentTest& result : results) {
    data.push_back(json_of(result));
    const AgentRun& run = result.run;
    const std::string state =
        result.problem.empty() ? std::string(to_string(run.state.status)) : "not tested";
    table.add({{one_line(result.name)},
               {state, result.good() ? Tone::good : Tone::bad},
               {one_line(run.model, 40)},
               {format_duration_ms(run.process.duration_ms)},
               {cost_text(run.usage)},
               {one_line(result.problem.empty() ? run.state.text : result.problem, 200)}});
  }
  if (context.global().json)
    context.print_json_list("agent_tests", std::move(data));
  else
    context.print(table.render(context.palette()));
  return context.finish(status_of(results));
}

} // namespace

Command agents_command() {
  const auto options = std::make_shared<AgentsOptions>();
  Command command = action("agents", "list, show and test the agents that fix and judge", {}, list);
  command.examples =
      "  emend agents\n  emend agents show claude\n  emend agents test gemini\n"
      "  emend agents files fixer > .emend/agents/fixer.md    change its instructions\n"
      "  emend agents install                                 let your coding agents call emend\n";
  command.subcommands = {
      action("list", "list configured and installed agents, their versions and roles (default)", {}, list),
      action("show", "show the command, variables and limits of an agent",
             {{"NAME", &options->name, "the agent", "NAME", {}, true},
              {"--read-only", &options->read_only, "show it for a role that only reads"}},
             [options](CommandContext& c) { return show(c, *options); }),
      action("test", "send one short prompt to an agent, or to all of them; may cost a fraction of a cent",
             {{"NAME", &options->name, "the agent (default: all)", "NAME"}},
             [options](CommandContext& c) { return test(c, *options); }),
      action("files", "show the instructions of each role: built in, or from .emend/agents/NAME.md",
             {{"NAME", &options->name, "print the instructions of this role", "NAME"}},
             [options](CommandContext& c) { return show_agent_files(c, options->name); }),
      install_action(),
  };
  command.storage = options;
  return command;
}

} // namespace emend
