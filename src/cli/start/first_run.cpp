#include "cli/start/first_run.hpp"

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "cli/daily/editor.hpp"
#include "cli/start/project_guess.hpp"
#include "cli/terminal.hpp"
#include "cli/trust_check.hpp"
#include "service/project_setup.hpp"

namespace emend {

namespace {

enum class Choice { use, leave, edit };

std::string found_text(const Detected& found) {
  std::string text;
  for (const CommandGuess& guess : found.commands)
    if (guess.not_used.empty())
      text += "\n  " + one_line(guess.name, 60) + ": " + one_line(guess.command, 200) +
              (guess.downloads.empty()
                   ? ""
                   : "  (needs the network: " + one_line(guess.downloads, 60) + " downloads packages)");
  return text;
}

Result<Choice> ask_choice(std::stop_token stop) {
  while (true) {
    TRY_ASSIGN(const auto line, ask_line("use them? [Y/n/edit] ", stop));
    const std::string answer = line ? to_lower(trim(*line)) : "n"; // a closed keyboard is no yes
    if (answer.empty() || answer == "y" || answer == "yes") return Choice::use;
    if (answer == "n" || answer == "no") return Choice::leave;
    if (answer == "e" || answer == "edit") return Choice::edit;
  }
}

// Only the bytes whose commands were shown.
Status trust_written(CommandContext& context, const std::vector<ConfigOverride>& flags,
                     const std::string& sha256) {
  TRY_ASSIGN(const Config config, context.config(flags));
  std::vector<CommandFile> files = config.untrusted();
  std::erase_if(files, [&](const CommandFile& file) { return file.sha256 != sha256; });
  return trust_files(context, files);
}

Status write_down(CommandContext& context, const std::vector<ConfigOverride>& flags, const fs::path& root,
                  const Detected& found, Choice choice) {
  const fs::path path = root / "emend.toml";
  const std::string text = config_file_text(found);
  TRY(write_file(path, text, 0644));
  if (choice == Choice::edit)
    return edit_file(context, path); // what is in it then is shown, and asked about, like any other file
  TRY(trust_written(context, flags, sha256_hex(text)));
  context.hint("trusted and written to emend.toml");
  return {};
}

} // namespace

Status offer_checks(CommandContext& context, const std::vector<ConfigOverride>& flags) {
  const GlobalOptions& global = context.global();
  TRY_ASSIGN(const Config config, context.config(flags));
  if (!config.policy().commands.empty() || !config.untrusted().empty() || global.isolated ||
      !global.config_file.empty())
    return {};
  TRY_ASSIGN(Repository * repository, context.repository());
  const fs::path root = repository->root();
  if (!existing_config(root).empty()) return {};
  TRY_ASSIGN(const Detected found, guess_commands(context));
  if (!any_used(found)) {
    context.hint(
        "no checks are configured, and none were found: nothing of this project will run. To add "
        "checks: emend init");
    return {};
  }
  if (!context.may_ask()) {
    context.hint(
        "no checks are configured: nothing of this project will run. Found; to use them, run emend "
        "init and emend trust:" +
        found_text(found));
    return {};
  }
  write_stderr("No checks are configured. Found:" + found_text(found) + "\n");
  TRY_ASSIGN(const Choice choice, ask_choice(context.dependencies().stop));
  return choice == Choice::leave ? Status{} : write_down(context, flags, root, found, choice);
}

} // namespace emend
