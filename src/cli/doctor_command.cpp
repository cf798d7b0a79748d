#include <unistd.h>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/state_directory.hpp"
#include "cli/trust_check.hpp"

namespace emend {

namespace {

using Facts = std::vector<DoctorFact>;

DoctorFact missing(std::string check, const Error& error) { return {std::move(check), "missing", error.message, error.remedy}; }

DoctorFact state_fact(CommandContext& context) {
  const auto home = context.home();
  if (!home) return missing("state directory", home.error());
  if (::access(home->c_str(), W_OK) != 0)
    return {"state directory", "missing", *home + " is not writable", "set EMEND_HOME to a directory of your own"};
  return {"state directory", "ok", *home, ""};
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

DoctorFact commands_fact(const Policy& policy) {
  if (policy.commands.empty()) {
    return {"verify commands", "warning", "none: fixes are only judged, not verified", "[verify] commands = [\"make test\"] in emend.toml"};
  }
  std::vector<std::string> names;
  for (const VerifyCommand& command : policy.commands) names.push_back(command.name);
  return {"verify commands", "ok", join(names, ", "), ""};
}

DoctorFact agent_fact(CommandContext& context, const Config& config, const std::string& name) {
  const std::string check = "agent " + name;
  const auto binding = config.agent(name);
  if (!binding) return missing(check, binding.error());
  const auto factory = context.agents();
  if (!factory) return {check, "warning", "cannot be tried outside of a repository", ""};
  const auto agent = (*factory)->make(*binding);
  if (!agent) return missing(check, agent.error());
  return {check, "ok", binding->engine == "scripted" ? "plays " + binding->script : binding->command.front(), ""};
}

void add_agent_facts(CommandContext& context, const Config& config, Facts& facts) {
  const auto required = config.require_agents();
  for (const std::string& name : config.agent_names()) facts.push_back(agent_fact(context, config, name));
  facts.push_back(required ? DoctorFact{"roles", "ok", "fixer and challenger are configured", ""} : missing("roles", required.error()));
}

void add_config_facts(CommandContext& context, Facts& facts) {
  const auto config = context.config();
  if (!config) {
    facts.push_back(missing("configuration", config.error()));
    return;
  }
  facts.push_back({"configuration", "ok", config->files().empty() ? "no file, built-in values" : join(config->files(), ", "), ""});
  facts.push_back(trust_fact(*config));
  facts.push_back(commands_fact(config->policy()));
  add_agent_facts(context, *config, facts);
}

Tone tone_of(const std::string& state) { return state == "ok" ? Tone::good : state == "warning" ? Tone::warn : Tone::bad; }

Result<ExitStatus> run_doctor(CommandContext& context) {
  Facts facts = context.dependencies().system_facts();
  facts.push_back(state_fact(context));
  facts.push_back(database_fact(context));
  add_repository_facts(context, facts);
  add_config_facts(context, facts);

  Json list = Json::array();
  TextTable table({"check", "state", "detail", "remedy"});
  for (const DoctorFact& fact : facts) {
    list.push_back({{"check", fact.check}, {"state", fact.state}, {"detail", fact.detail}, {"remedy", fact.remedy}});
    table.add({{fact.check}, {fact.state, tone_of(fact.state)}, {one_line(fact.detail, 160)}, {one_line(fact.remedy, 160)}});
  }
  const bool ready = std::none_of(facts.begin(), facts.end(), [](const DoctorFact& fact) { return fact.state == "missing"; });
  if (context.global().json) {
    context.print_json("doctor", {{"ready", ready}, {"checks", std::move(list)}});
  } else {
    context.print(table.render(context.palette()) + "\n" + (ready ? "ready: emend fix can run here\n" : "emend fix cannot run here yet\n"));
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
