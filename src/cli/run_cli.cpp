#include <csignal>
#include <exception>
#include <system_error>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/tui_command.hpp"
#include "cli/maintenance/completion_command.hpp"
#include "cli/maintenance/db_command.hpp"
#include "cli/server/open_command.hpp"
#include "cli/terminal.hpp"
#include "config/config_files.hpp"

namespace emend {

namespace {

void tell(const Error& error) {
  std::string text = "emend: " + harmless_text(error.message) + "\n";
  if (!error.remedy.empty()) text += std::string(trim(harmless_text(error.remedy))) + "\n";
  write_stderr(text);
}

// A signal explains everything that ended early because of it.
ExitStatus with_signal(ExitStatus status, const CliDependencies& dependencies) {
  const int signal = dependencies.stop_signal ? dependencies.stop_signal() : 0;
  if (signal == 0 || status == ExitStatus::done) return status;
  return signal == SIGTERM ? ExitStatus::terminated : ExitStatus::interrupted;
}

Status enter_directory(const std::string& directory) {
  if (directory.empty()) return {};
  std::error_code problem;
  fs::current_path(directory, problem);
  if (problem) return fail(ErrorCode::usage, "-C: cannot enter " + directory + ": " + problem.message());
  return {};
}

// A person at a terminal, in a repository: everything there is to see is one screen away.
bool wants_screen(const CommandContext& context) {
  return context.output_is_terminal() && context.may_ask() &&
         !find_repository_root(fs::current_path().string()).empty();
}

Result<ExitStatus> without_command(const ParsedCommandLine& parsed, CommandContext& context) {
  if (context.global().version) return version_command().run(context);
  if (parsed.bare && wants_screen(context)) return tui_command().run(context);
  // Without a command in a pipe, nobody is there to read help: a script forgot something.
  if (parsed.bare && !context.output_is_terminal()) {
    write_stderr(parsed.help_text);
    return ExitStatus::usage;
  }
  context.print(parsed.help_text);
  return context.finish(ExitStatus::done);
}

} // namespace

std::vector<Command> all_commands() {
  std::vector<Command> all;
  const auto group = [&all](const char* title, const std::vector<Command>& commands) {
    for (const Command& command : commands) all.emplace_back(command).group = title;
  };
  group("Start", {init_command(), trust_command(), doctor_command(), analyzers_command()});
  group("Daily work",
        {inbox_command(), review_command(), fix_command(), apply_command(), check_command(), issues_command(),
         explain_command(), report_command(), insights_command(), sessions_command(), clarify_command(),
         plan_command(), prove_command(), tui_command()});
  group("CI and pull requests",
        {verify_command(), baseline_command(), import_command(), pr_command(), ci_command()});
  group("Agents", {agents_command(), mcp_command(), lsp_command(), hook_command()});
  group("Server", {serve_command(), open_command(), worker_command(), people_command(), tokens_command(),
                   notify_command(), audit_command()});
  group("Maintenance", {config_command(), db_command(), backup_command(), restore_command(), gc_command(),
                        artifacts_command(), completion_command(), version_command(), pages_command()});
  return all;
}

int run_cli(int argc, char** argv, const CliDependencies& dependencies) {
  try {
    const std::vector<Command> commands = all_commands();
    GlobalOptions global;
    const auto parsed = parse_command_line(commands, global,
                                           std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
    const Status ready = parsed ? enter_directory(global.directory) : Status(fail(parsed.error()));
    Result<ExitStatus> result = ExitStatus::done;
    if (ready) {
      CommandContext context(dependencies, global);
      result = parsed->command != nullptr ? parsed->command->run(context) : without_command(*parsed, context);
      context.settle_artifacts();
    } else {
      result = fail(ready.error());
    }
    if (!result) tell(result.error());
    const ExitStatus status = result ? *result : exit_status(result.error().code);
    return static_cast<int>(with_signal(status, dependencies));
  } catch (const std::system_error& refused) { // no thread to be had
    tell({ErrorCode::io, std::string("system error: ") + refused.what(),
          "check the limits of this machine (ulimit -a, free memory), then try again"});
    return static_cast<int>(ExitStatus::cannot_run);
  } catch (const std::exception& fault) {
    tell({ErrorCode::internal, std::string("internal error: ") + fault.what(),
          "this is a bug in emend. Please report it with the command you used"});
    return static_cast<int>(ExitStatus::cannot_run);
  }
}

} // namespace emend
