#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/files.hpp"
#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/project_guess.hpp"
#include "cli/trust_check.hpp"

namespace emend {

namespace {

using Facts = std::vector<DoctorFact>;

constexpr std::uintmax_t kLittleSpace = 1'000'000'000; // a few private trees of a middling project

DoctorFact missing(std::string check, const Error& error) { return {std::move(check), "missing", error.message, error.remedy}; }

// Agents are for what fix --safe leaves over.
DoctorFact unusable(std::string check, const Error& error) { return {std::move(check), "warning", error.message, error.remedy}; }

DoctorFact state_fact(CommandContext& context) {
  const auto home = context.home();
  if (!home) return missing("state directory", home.error());
  if (::access(home->c_str(), W_OK) != 0)
    return {"state directory", "missing", *home + " is not writable", "set EMEND_HOME to a directory of your own"};
  std::error_code problem;
  const auto space = fs::space(*home, problem);
  if (problem) return {"state directory", "ok", *home, ""};
  const std::string detail = *home + ", " + std::to_string(space.available / 1'000'000) + " MB free";
  if (space.available < kLittleSpace) return {"state directory", "warning", detail, "make room, or set EMEND_HOME to a roomier place"};
  return {"state directory", "ok", detail, ""};
}

DoctorFact database_fact(CommandContext& context) {
  const auto store = context.store();
  if (!store) return missing("database", store.error());
  return {"database", "ok", "emend.db opens", ""};
}

void add_repository_facts(CommandContext& context, Facts& facts) {
  const auto repository = context.repository();
  if (!repository) {
    facts.push_back(missing("repository", repository.error()));
    return;
  }
  facts.push_back({"repository", "ok", (*repository)->root(), ""});
  for (const std::string& warning : (*repository)->warnings()) facts.push_back({"repository", "warning", warning, ""});
}

DoctorFact trust_fact(const Config& config) {
  const auto untrusted = config.untrusted();
  if (untrusted.empty()) return {"trust", "ok", "no commands wait for permission", ""};
  return {"trust", "missing",
          untrusted.front().path + (untrusted.front().trusted_before ? " changed since you trusted it" : " is not trusted"),
          "emend trust --show, then emend trust"};
}

DoctorFact commands_fact(CommandContext& context, const Config& config) {
  std::vector<std::string> names;
  for (const VerifyCommand& command : config.policy().commands) names.push_back(command.name);
  if (!names.empty()) return {"verify commands", "ok", join(names, ", "), ""};
  if (!config.untrusted().empty()) return {"verify commands", "warning", "configured, but not trusted yet", "emend trust"};
  const auto found = guess_commands(context);
  if (found)
    for (const CommandGuess& guess : found->commands)
      if (guess.not_used.empty()) names.push_back(guess.command);
  if (names.empty())
    return {"verify commands", "warning", "none: fixes are not tested", "[verify] commands = [\"make test\"] in emend.toml"};
  return {"verify commands", "warning", "none configured; found: " + join(names, "; "), "emend init"};
}

// One fact per job, made at the same time: each starts a program or two.
Facts facts_of(std::size_t count, const std::function<DoctorFact(std::size_t)>& fact) {
  constexpr std::size_t kAtATime = 4;
  Facts facts(count);
  parallel_for(count, kAtATime, [&](std::size_t i) { facts[i] = fact(i); });
  return facts;
}

Facts analyzer_facts(CommandContext& context) {
  const auto analyzers = context.dependencies().make_analyzers();
  return facts_of(analyzers.size(), [&](std::size_t i) -> DoctorFact {
    const std::string check = "analyzer " + std::string(analyzers[i]->name());
    const std::string version = analyzers[i]->version();
    if (version.empty()) return {check, "optional", "not installed", analyzers[i]->remedy()};
    return {check, "ok", version, ""};
  });
}

struct Tool {
  const char* program;
  const char* what;
  const char* remedy;
};

// Programs emend can work with and does not need.
constexpr std::array<Tool, 7> kTools = {{{"node", "for JavaScript analyzers", "apt-get install nodejs"},
                                         {"npm", "for JavaScript analyzers", "apt-get install npm"},
                                         {"claude", "coding agent", "npm install --global @anthropic-ai/claude-code"},
                                         {"gemini", "coding agent", "npm install --global @google/gemini-cli"},
                                         {"codex", "coding agent", "npm install --global @openai/codex"},
                                         {"opencode", "coding agent", "npm install --global opencode-ai"},
                                         {"qwen", "coding agent", "npm install --global @qwen-code/qwen-code"}}};

Facts tool_facts(CommandContext& context) {
  return facts_of(kTools.size(), [&](std::size_t i) -> DoctorFact {
    const Tool& tool = kTools[i];
    const std::string path = program_in_path(context.environment(), tool.program);
    if (path.empty()) return {tool.program, "optional", std::string(tool.what) + "; not found, which is fine", tool.remedy};
    const auto version = output_of(context, {path, "--version"});
    if (!version) return {tool.program, "warning", path + " does not tell its version", std::string(tool.program) + " --version"};
    return {tool.program, "ok", std::string(tool.what) + " " + first_line(clean_text(trim(*version)), 60), ""};
  });
}

DoctorFact agent_fact(CommandContext& context, const Config& config, const std::string& name) {
  const std::string check = "agent " + name;
  const auto binding = config.agent(name);
  if (!binding) return unusable(check, binding.error());
  const auto factory = context.agents();
  if (!factory) return {check, "warning", "cannot be tried outside of a repository", ""};
  const auto agent = (*factory)->make(*binding);
  if (!agent) return unusable(check, agent.error());
  return {check, "ok", binding->engine == "scripted" ? "plays " + binding->script : join((*agent)->binding().command, " "), ""};
}

void add_agent_facts(CommandContext& context, const Config& config, Facts& facts) {
  const auto required = config.require_agents();
  for (const std::string& name : config.agent_names()) facts.push_back(agent_fact(context, config, name));
  if (required) {
    const std::string choice = config.choice();
    facts.push_back({"roles", "ok", choice.empty() ? "fixer and challenger are configured" : choice, ""});
  } else {
    facts.push_back({"roles", "optional", required.error().message, required.error().remedy});
  }
}

void add_config_facts(CommandContext& context, Facts& facts) {
  const auto config = context.config();
  if (!config) {
    facts.push_back(missing("configuration", config.error()));
    return;
  }
  facts.push_back({"configuration", "ok", config->files().empty() ? "no file, built-in values" : join(config->files(), ", "), ""});
  facts.push_back(trust_fact(*config));
  facts.push_back(commands_fact(context, *config));
  add_agent_facts(context, *config, facts);
}

Tone tone_of(const std::string& state) {
  if (state == "ok") return Tone::good;
  if (state == "optional") return Tone::dim;
  return state == "warning" ? Tone::warn : Tone::bad;
}

void append(Facts& facts, Facts more) { facts.insert(facts.end(), more.begin(), more.end()); }

Facts all_facts(CommandContext& context) {
  Facts facts = context.dependencies().system_facts();
  facts.push_back(state_fact(context));
  facts.push_back(database_fact(context));
  add_repository_facts(context, facts);
  add_config_facts(context, facts);
  append(facts, analyzer_facts(context));
  append(facts, tool_facts(context));
  return facts;
}

// fix with agents: both roles are filled and no agent has a problem.
bool agents_ready(const Facts& facts) {
  return std::all_of(facts.begin(), facts.end(), [](const DoctorFact& fact) {
    return fact.state == "ok" || (fact.check != "roles" && !fact.check.starts_with("agent "));
  });
}

std::string conclusion(bool ready, bool agents) {
  if (!ready) return "not ready: mend what is missing above, then emend doctor again\n";
  if (agents) return "ready: emend review, emend fix --safe, emend fix with agents\n";
  return "ready: emend review, emend fix --safe\nemend fix with agents: install or configure one that fixes and one that judges (see emend "
         "agents)\n";
}

Result<ExitStatus> run_doctor(CommandContext& context) {
  const Facts facts = all_facts(context);
  Json list = Json::array();
  TextTable table({"check", "state", "detail", "remedy"});
  for (const DoctorFact& fact : facts) {
    list.push_back({{"check", fact.check}, {"state", fact.state}, {"detail", fact.detail}, {"remedy", fact.remedy}});
    table.add({{fact.check}, {fact.state, tone_of(fact.state)}, {one_line(fact.detail, 160)}, {one_line(fact.remedy, 160)}});
  }
  const bool ready = std::none_of(facts.begin(), facts.end(), [](const DoctorFact& fact) { return fact.state == "missing"; });
  const bool agents = ready && agents_ready(facts);
  if (context.global().json) {
    context.print_json("doctor", {{"ready", ready}, {"agents_ready", agents}, {"checks", std::move(list)}});
  } else {
    context.print(table.render(context.palette()) + "\n" + conclusion(ready, agents));
  }
  return context.finish(ready ? ExitStatus::done : ExitStatus::unresolved);
}

} // namespace

Command doctor_command() {
  Command command;
  command.name = "doctor";
  command.summary = "is this machine and repository ready?";
  command.run = run_doctor;
  return command;
}

} // namespace emend
