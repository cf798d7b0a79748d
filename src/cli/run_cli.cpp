#include <csignal>
#include <exception>
#include <system_error>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/completion_command.hpp"
#include "cli/context.hpp"
#include "cli/db_command.hpp"
#include "cli/open_command.hpp"
#include "cli/terminal.hpp"
#include "cli/tui_command.hpp"
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

Result<ExitStatus> run(const std::vector<std::string>& arguments, const CliDependencies& dependencies) {
  const std::vector<Command> commands = all_commands();
  GlobalOptions global;
  TRY_ASSIGN(const ParsedCommandLine parsed, parse_command_line(commands, global, arguments));
  TRY(enter_directory(global.directory));
  CommandContext context(dependencies, global);
  if (parsed.command != nullptr) {
    auto status = parsed.command->run(context);
    context.settle_artifacts();
    return status;
  }
  if (global.version) return version_command().run(context);
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
  return {init_command(),    review_command(), import_command(),   clarify_command(),   plan_command(),
          fix_command(),     pr_command(),     issues_command(),   baseline_command(),  report_command(),
          explain_command(), prove_command(),  sessions_command(), artifacts_command(), db_command(),
          serve_command(),   open_command(),   tui_command(),      worker_command(),    verify_command(),
          trust_command(),   agents_command(), config_command(),   doctor_command(),    completion_command(),
          version_command(), pages_command()};
}

int run_cli(int argc, char** argv, const CliDependencies& dependencies) {
  try {
    const auto result = run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc), dependencies);
    if (!result) tell(result.error());
    const ExitStatus status = result ? *result : exit_status(result.error().code);
    return static_cast<int>(with_signal(status, dependencies));
  } catch (const std::system_error& refused) { // no thread to be had
    tell({ErrorCode::io, std::string("the system refused: ") + refused.what(),
          "see what this machine is short of (ulimit -a, free memory), then try again"});
    return static_cast<int>(ExitStatus::cannot_run);
  } catch (const std::exception& fault) {
    tell({ErrorCode::internal, std::string("a fault of emend itself: ") + fault.what(),
          "please report it with the command you typed"});
    return static_cast<int>(ExitStatus::cannot_run);
  }
}

} // namespace emend
