#include "cli/maintenance/completion_command.hpp"

#include "base/files.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/maintenance/completion_text.hpp"
#include "cli/maintenance/man_text.hpp"

namespace emend {

namespace {

Result<ExitStatus> print_completion(CommandContext& context, const std::string& shell) {
  GlobalOptions unused;
  const std::vector<Command> commands = all_commands();
  const std::vector<Option> global = global_options(unused);
  if (shell == "bash") context.print(bash_completion(commands, global));
  if (shell == "zsh") context.print(zsh_completion(commands, global));
  if (shell == "fish") context.print(fish_completion(commands, global));
  return context.finish(ExitStatus::done);
}

// As they are installed below share/.
Result<ExitStatus> write_pages(CommandContext& context, const fs::path& directory) {
  GlobalOptions unused;
  const std::vector<Command> commands = all_commands();
  const std::vector<Option> global = global_options(unused);
  TRY(write_file(directory / "bash-completion/completions/emend", bash_completion(commands, global), 0644));
  TRY(write_file(directory / "zsh/vendor-completions/_emend", zsh_completion(commands, global), 0644));
  TRY(write_file(directory / "fish/vendor_completions.d/emend.fish", fish_completion(commands, global),
                 0644));
  for (const ManPage& page : man_pages(commands, global, context.dependencies().version))
    TRY(write_file(directory / "man/man1" / page.name, page.text, 0644));
  return context.finish(ExitStatus::done);
}

} // namespace

Command completion_command() {
  const auto shell = std::make_shared<std::string>();
  Command command;
  command.name = "completion";
  command.summary = "print the shell completion script for bash, zsh or fish";
  command.examples =
      "  source <(emend completion bash)                       for this shell; put it in ~/.bashrc for all\n"
      "  emend completion zsh > ~/.zfunc/_emend                a directory in your fpath\n"
      "  emend completion fish > ~/.config/fish/completions/emend.fish\n";
  command.options = {{"SHELL", shell.get(), "bash, zsh or fish", "SHELL", {"bash", "zsh", "fish"}, true}};
  command.run = [shell](CommandContext& context) { return print_completion(context, *shell); };
  command.storage = shell;
  return command;
}

Command pages_command() {
  const auto directory = std::make_shared<std::string>();
  Command command;
  command.name = "__pages";
  command.summary = "write completions and manual pages into a directory, for packaging";
  command.options = {{"DIR", directory.get(), "target directory", "DIR", {}, true}};
  command.run = [directory](CommandContext& context) { return write_pages(context, *directory); };
  command.storage = directory;
  return command;
}

} // namespace emend
