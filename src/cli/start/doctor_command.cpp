#include <unistd.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "cli/agents/agent_files.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/review_options.hpp"
#include "cli/maintenance/db_command.hpp"
#include "cli/start/project_guess.hpp"
#include "cli/trust_check.hpp"
#include "engine/agents/agent_roles.hpp"
#include "model/coding_clis.hpp"
#include "model/known_analyzers.hpp"
#include "service/agent_test.hpp"
#include "service/database_place.hpp"

namespace emend {

namespace {

using Facts = std::vector<DoctorFact>;

struct DoctorOptions {
  bool offline = false;
};

constexpr std::int64_t kAnswerLimitMs = 60'000;        // the slowest real ones start in ten seconds
constexpr std::uintmax_t kLittleSpace = 1'000'000'000; // a few private trees of a middling project

DoctorFact missing(std::string check, const Error& error) {
  return {std::move(check), "missing", error.message, error.remedy};
}

// Agents are for what fix --safe leaves over.
DoctorFact unusable(std::string check, const Error& error) {
  return {std::move(check), "warning", error.message, error.remedy};
}

DoctorFact state_fact(CommandContext& context) {
  const auto home = context.home();
  if (!home) return missing("state directory", home.error());
  if (::access(home->c_str(), W_OK) != 0)
    return {"state directory", "missing", *home + " is not writable",
            "set EMEND_HOME to a directory you can write to"};
  std::error_code problem;
  const auto space = fs::space(*home, problem);
  if (problem) return {"state directory", "ok", *home, ""};
  const std::string detail = *home + ", " + std::to_string(space.available / 1'000'000) + " MB free";
  if (space.available < kLittleSpace)
    return {"state directory", "warning", detail, "free some space, or set EMEND_HOME to a larger disk"};
  return {"state directory", "ok", detail, ""};
}

DoctorFact database_fact(CommandContext& context) {
  const auto store = context.store();
  if (!store) return missing("database", store.error());
  const auto home = context.home();
  const auto facts = database_tools().facts(database_address(context.environment(), home.value_or("")));
  if (!facts) return missing("database", facts.error());
  const std::string what = facts->program + ", " + facts->location;
  if (!facts->warning.empty()) return {"database", "warning", what + ": " + facts->warning, facts->remedy};
  return {"database", "ok", what, ""};
}

void add_repository_facts(CommandContext& context, Facts& facts) {
  const auto repository = context.repository();
  if (!repository) {
    facts.push_back(missing("repository", repository.error()));
    return;
  }
  facts.push_back({"repository", "ok", (*repository)->root(), ""});
  for (const std::string& warning : (*repository)->warnings())
    facts.push_back({"repository", "warning", warning, ""});
}

DoctorFact trust_fact(const Config& config) {
  const auto untrusted = config.untrusted();
  if (untrusted.empty()) return {"trust", "ok", "everything is trusted", ""};
  return {"trust", "missing",
          untrusted.front().path +
              (untrusted.front().trusted_before ? " changed since you trusted it" : " is not trusted"),
          "emend trust --show, then emend trust"};
}

// The instructions of agents: built in, unless the repository has its own.
DoctorFact agent_files_fact(CommandContext& context) {
  const auto own = agent_files_at(context, "HEAD");
  if (!own) return {"agent files", "warning", own.error().message, "fix or remove it"};
  if (own->empty()) return {"agent files", "ok", "built in", ""};
  std::vector<std::string> names;
  for (const RepositoryAgent& agent : *own) {
    if (const auto checked = check_agent_file(agent.path, agent.text); !checked)
      return {"agent files", "warning", checked.error().message,
              "fix it, then check again: emend agents files"};
    if (!agent.trusted)
      return {"agent files", "warning",
              agent.path + (agent.trusted_before ? " changed since you trusted it" : " is not trusted"),
              "emend trust --show, then emend trust"};
    names.push_back(agent.name);
  }
  return {"agent files", "ok", "from the repository: " + join(names, ", "), ""};
}

DoctorFact commands_fact(CommandContext& context, const Config& config) {
  std::vector<std::string> names;
  for (const VerifyCommand& command : config.policy().commands) names.push_back(command.name);
  if (!names.empty()) return {"verify commands", "ok", join(names, ", "), ""};
  if (!config.untrusted().empty())
    return {"verify commands", "warning", "configured, but not trusted yet", "emend trust"};
  const auto found = guess_commands(context);
  if (found)
    for (const CommandGuess& guess : found->commands)
      if (guess.not_used.empty()) names.push_back(guess.command);
  if (names.empty())
    return {"verify commands", "warning", "none: fixes are not tested",
            "[verify] commands = [\"make test\"] in emend.toml"};
  return {"verify commands", "warning", "none configured; found: " + join(names, "; "), "emend init"};
}

// One fact per job, made at the same time: each starts a program or two.
Facts facts_of(std::size_t count, const std::function<DoctorFact(std::size_t)>& fact) {
  constexpr std::size_t kAtATime = 4;
  Facts facts(count);
  parallel_for(count, kAtATime, [&](std::size_t i) { facts[i] = fact(i); });
  return facts;
}

// Empty where there is no repository or no commit.
std::vector<std::string> files_of_head(CommandContext& context) {
  auto repository = context.repository();
  const auto head =
      repository ? (*repository)->resolve("HEAD") : Result<std::string>(fail(repository.error()));
  if (!head) return {};
  ScopedTree tree;
  tree.commit = *head;
  return files_of(**repository, tree).value_or(std::vector<std::string>{});
}

// Those that are here, and those the repository has files for.
Facts analyzer_facts(CommandContext& context) {
  auto configured = configured_analyzers(context, Kept::no);
  Analyzers analyzers =
      configured ? *std::move(configured) : context.dependencies().make_analyzers({}); // no repository here
  const std::vector<std::string> files = files_of_head(context);
  std::erase_if(analyzers, [&](const auto& analyzer) {
    const KnownAnalyzer* row = find_known_analyzer(analyzer->name());
    return row != nullptr && row->on_request &&
           std::none_of(files.begin(), files.end(),
                        [&](const std::string& file) { return analyzer->understands(file); });
  });
  return facts_of(analyzers.size(), [&](std::size_t i) -> DoctorFact {
    const std::string check = "analyzer " + std::string(analyzers[i]->name());
    const std::string version = analyzers[i]->version();
    if (version.empty()) return {check, "optional", "not installed", analyzers[i]->remedy()};
    return {check, "ok", version, ""};
  });
}

struct Tool {
  std::string program, what, remedy;
};

// Programs emend can work with and does not need.
std::vector<Tool> optional_tools() {
  std::vector<Tool> tools = {{"node", "for JavaScript analyzers", "apt-get install nodejs"},
                             {"npm", "for JavaScript analyzers", "apt-get install npm"}};
  for (const CodingCli& cli : coding_clis()) tools.push_back({cli.program, "coding agent", cli.install});
  return tools;
}

Facts tool_facts(CommandContext& context) {
  const std::vector<Tool> tools = optional_tools();
  return facts_of(tools.size(), [&](std::size_t i) -> DoctorFact {
    const Tool& tool = tools[i];
    const std::string path = program_in_path(context.environment(), tool.program);
    if (path.empty()) return {tool.program, "optional", tool.what + "; not installed", tool.remedy};
    const auto version = output_of(context, {path, "--version"});
    if (!version)
      return {tool.program, "warning", path + " does not print its version", tool.program + " --version"};
    return {tool.program, "ok", tool.what + " " + first_line(clean_text(trim(*version)), 60), ""};
  });
}

// An agent as far as it can be known without asking it.
DoctorFact agent_fact(CommandContext& context, const Config& config, const std::string& name) {
  const std::string check = "agent " + name;
  const auto binding = config.agent(name);
  if (!binding) return unusable(check, binding.error());
  const auto factory = context.agents();
  if (!factory) return {check, "warning", "cannot be tested outside a repository", ""};
  const auto agent = (*factory)->make(*binding);
  if (!agent) return unusable(check, agent.error());
  return {check, "ok",
          binding->engine == "scripted" ? "plays " + binding->script : join((*agent)->binding().command, " "),
          ""};
}

// What it said when it was asked.
DoctorFact answer_fact(const Config& config, const AgentTest& test) {
  const std::string check = "agent " + test.name;
  const std::string engine = config.agent(test.name).value_or(AgentBinding{}).engine;
  if (test.good()) {
    const std::string model = test.run.model.empty() ? "" : " as " + one_line(test.run.model, 60);
    return {check, "ok", "answered" + model + " in " + format_duration_ms(test.run.process.duration_ms), ""};
  }
  if (!test.problem.empty()) return {check, "warning", test.problem, remedy_for(test, engine)};
  const AgentState& state = test.run.state;
  return {check, "warning", std::string(to_string(state.status)) + ": " + one_line(state.text, 120),
          remedy_for(test, engine)};
}

// Those that can be asked: real agents that could be started. Scripted ones only play a part.
std::vector<std::string> askable(CommandContext& context, const Config& config) {
  const auto factory = context.agents();
  if (!factory) return {};
  std::vector<std::string> names = agents_here(config, **factory);
  std::erase_if(names, [&](const std::string& name) {
    const auto binding = config.agent(name);
    return !binding || binding->engine == "scripted" || !(*factory)->make(*binding);
  });
  return names;
}

std::vector<AgentTest> ask_agents(CommandContext& context, const Config& config, const DoctorOptions& options,
                                  Facts& facts) {
  if (options.offline) return {};
  const std::vector<std::string> names = askable(context, config);
  if (names.empty()) return {};
  context.hint("asking " + one_line(join(names, ", "), 200) + " one short question each: at most " +
               format_duration_ms(kAnswerLimitMs) + " and a fraction of a cent (--offline skips this)");
  const auto ask = [&]() -> Result<std::vector<AgentTest>> {
    TRY_ASSIGN(Repository * repository, context.repository());
    TRY_ASSIGN(AgentFactory * factory, context.agents());
    return test_agents(config, *factory, *repository, names, kAnswerLimitMs, context.dependencies().stop);
  };
  auto tests = ask();
  if (tests) return *std::move(tests);
  facts.push_back(unusable("agents", tests.error()));
  return {};
}

void add_agent_facts(CommandContext& context, const Config& config, const DoctorOptions& options,
                     Facts& facts) {
  const auto required = config.require_agents();
  const std::vector<AgentTest> tests = ask_agents(context, config, options, facts);
  const auto asked = [&](const std::string& name) {
    return std::find_if(tests.begin(), tests.end(), [&](const AgentTest& test) { return test.name == name; });
  };
  for (const std::string& name : config.agent_names())
    if (asked(name) == tests.end()) facts.push_back(agent_fact(context, config, name));
  for (const AgentTest& test : tests) facts.push_back(answer_fact(config, test));
  if (required) {
    const std::string choice = config.choice();
    facts.push_back({"roles", "ok", choice.empty() ? "fixer and judge are configured" : choice, ""});
  } else {
    facts.push_back({"roles", "optional", required.error().message, required.error().remedy});
  }
}

void add_config_facts(CommandContext& context, const DoctorOptions& options, Facts& facts) {
  const auto config = context.config();
  if (!config) {
    facts.push_back(missing("configuration", config.error()));
    return;
  }
  facts.push_back({"configuration", "ok",
                   config->files().empty() ? "no file, built-in values" : join(config->files(), ", "), ""});
  for (const std::string& remark : config->remarks())
    facts.push_back({"configuration", "warning", remark, "write the new word"});
  if (config->policy().sandbox.mode == SandboxMode::off)
    facts.push_back({"sandbox.mode", "warning", "off: " + std::string(describe(SandboxKind::none)),
                     "remove sandbox.mode = \"off\" from the configuration"});
  facts.push_back(trust_fact(*config));
  facts.push_back(agent_files_fact(context));
  facts.push_back(commands_fact(context, *config));
  add_agent_facts(context, *config, options, facts);
}

Tone tone_of(const std::string& state) {
  if (state == "ok") return Tone::good;
  if (state == "optional") return Tone::dim;
  return state == "warning" ? Tone::warn : Tone::bad;
}

void append(Facts& facts, Facts more) { facts.insert(facts.end(), more.begin(), more.end()); }

Facts all_facts(CommandContext& context, const DoctorOptions& options) {
  Facts facts = context.dependencies().system_facts();
  facts.push_back(state_fact(context));
  facts.push_back(database_fact(context));
  add_repository_facts(context, facts);
  add_config_facts(context, options, facts);
  append(facts, analyzer_facts(context));
  append(facts, tool_facts(context));
  return facts;
}

// fix with agents: both roles are filled, and those who fill them have no problem.
bool agents_ready(CommandContext& context, const Facts& facts) {
  const auto config = context.config();
  const auto good = [&](const std::string& check) {
    return std::all_of(facts.begin(), facts.end(),
                       [&](const DoctorFact& fact) { return fact.check != check || fact.state == "ok"; });
  };
  if (!config || !good("roles") || !config->require_agents()) return false;
  const bool judged = config->policy().challenger_enabled;
  return good("agent " + config->fixer_name()) && (!judged || good("agent " + config->challenger_name()));
}

std::string conclusion(bool ready, bool agents) {
  if (!ready) return "Not ready. Fix what is missing above, then run `emend doctor` again.\n";
  if (agents) return "Ready for: emend review, emend fix --safe, emend fix (with agents)\n";
  return "Ready for: emend review, emend fix --safe\n"
         "For emend fix with agents: install or configure one that fixes and one that\n"
         "judges (see emend agents)\n";
}

// What is there, then what to do about the rest: lines to copy, which a narrow column would break.
std::string facts_text(const Facts& facts, const Palette& palette) {
  TextTable table({"check", "state", "detail"}), remedies({});
  for (const DoctorFact& fact : facts) {
    table.add({{fact.check}, {fact.state, tone_of(fact.state)}, {one_line(fact.detail, 160)}});
    if (!fact.remedy.empty()) remedies.add({{fact.check}, {one_line(fact.remedy, 160)}});
  }
  return table.render(palette) + "\n" +
         (remedies.empty() ? "" : "What helps:\n" + remedies.render(palette, "  ") + "\n");
}

Result<ExitStatus> run_doctor(CommandContext& context, const DoctorOptions& options) {
  const Facts facts = all_facts(context, options);
  Json list = Json::array();
  for (const DoctorFact& fact : facts)
    list.push_back(
        {{"check", fact.check}, {"state", fact.state}, {"detail", fact.detail}, {"remedy", fact.remedy}});
  const bool ready = std::none_of(facts.begin(), facts.end(),
                                  [](const DoctorFact& fact) { return fact.state == "missing"; });
  const bool agents = ready && agents_ready(context, facts);
  if (context.global().json) {
    context.print_json("doctor", {{"ready", ready}, {"agents_ready", agents}, {"checks", std::move(list)}});
  } else {
    context.print(facts_text(facts, context.palette()) + conclusion(ready, agents));
  }
  return context.finish(ready ? ExitStatus::done : ExitStatus::unresolved);
}

} // namespace

Command doctor_command() {
  const auto options = std::make_shared<DoctorOptions>();
  Command command;
  command.name = "doctor";
  command.summary = "show what works, what is missing, and how to fix it";
  command.options = {{"--offline", &options->offline, "do not contact the agents; nothing is sent"}};
  command.run = [options](CommandContext& context) { return run_doctor(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
