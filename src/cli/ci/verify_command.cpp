#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/progress_text.hpp"
#include "cli/report_text.hpp"
#include "cli/trust_check.hpp"

namespace emend {

namespace {

struct VerifyOptions {
  std::vector<std::string> names;
  std::string revision = "HEAD";
  std::optional<int> repeat;
  bool list = false;
};

Status check_names(const Policy& policy, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const VerifyCommand& command : policy.commands) known.push_back(command.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto near = did_you_mean(name, known);
    return fail(ErrorCode::usage,
                "there is no check \"" + name + "\"" + (near ? "; did you mean " + *near + "?" : ""),
                "configured: " + join(known, ", "));
  }
  return {};
}

Result<ExitStatus> list_commands(CommandContext& context, const Policy& policy) {
  Json list = Json::array();
  TextTable table({"command", "runs", "for"});
  for (const VerifyCommand& command : policy.commands) {
    list.push_back({{"name", command.name}, {"run", command.run}, {"paths", command.paths}});
    table.add({{command.name, Tone::strong},
               {one_line(command.run, 200)},
               {command.paths.empty() ? "every file" : join(command.paths, ", ")}});
  }
  if (context.global().json) {
    context.print_json_list("verify_commands", std::move(list));
  } else {
    context.print(table.render(context.palette()));
  }
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> run_verify(CommandContext& context, const VerifyOptions& options) {
  std::vector<ConfigOverride> flags;
  if (options.repeat) flags.push_back({"verify.repeat", std::to_string(*options.repeat), "--repeat"});
  TRY_ASSIGN(const Config config, trusted_config(context, flags));
  const Policy policy = config.policy();
  if (policy.commands.empty()) {
    return fail(ErrorCode::config, "no checks are configured",
                "add to emend.toml, then run `emend trust`:\n\n[verify]\ncommands = [\"make test\"]\n");
  }
  TRY(check_names(policy, options.names));
  if (options.list) return list_commands(context, policy);
  TRY_ASSIGN(SessionManager * manager, context.manager([&context](const Event& event) {
    if (const auto line = progress_line(event, ProgressDetail::results)) context.hint("note: " + *line);
  }));
  TRY_ASSIGN(const auto verification,
             manager->verify(policy, options.revision, options.names, context.dependencies().stop));
  if (context.global().json) {
    context.print_json("verification", to_json(verification));
  } else {
    context.print(verification_text(verification, context.palette()));
  }
  const auto& runs = verification.commands;
  const bool green =
      std::all_of(runs.begin(), runs.end(), [](const CommandRun& run) { return run.passed(); });
  return context.finish(green ? ExitStatus::done : ExitStatus::verification_failed);
}

} // namespace

Command verify_command() {
  const auto options = std::make_shared<VerifyOptions>();
  Command command;
  command.name = "verify";
  command.summary = "run the project's checks on a clean copy of a commit";
  command.examples = "  emend verify\n  emend verify unit --rev main --repeat 3\n";
  command.options = {
      {"NAME", &options->names, "run only these checks", "NAME"},
      {"--rev", &options->revision, "commit to check (default HEAD)", "REF"},
      {"--repeat", NumberTarget{&options->repeat, 1, 100}, "how often each check must pass in a row", "N"},
      {"--list", &options->list, "only list the checks"},
  };
  command.run = [options](CommandContext& context) { return run_verify(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
