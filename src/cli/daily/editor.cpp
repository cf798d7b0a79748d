#include "cli/daily/editor.hpp"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/environment.hpp"
#include "base/strings.hpp"
#include "cli/spawn_attributes.hpp"
#include "cli/terminal.hpp"

extern char** environ;

namespace emend {

namespace {

Result<std::string> editor_command(const CommandContext& context) {
  for (const char* name : {"VISUAL", "EDITOR"})
    if (std::string command = variable(context.environment(), name); !trim(command).empty()) return command;
  if (context.may_ask()) return std::string("vi");
  return fail(ErrorCode::needs_input, "no editor is set: VISUAL and EDITOR are both empty",
              "set EDITOR, or plan without --edit");
}

} // namespace

Result<std::vector<std::string>> split_command(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n')) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == quote)
      quote = '\0';
    else if (quote == '\0' && (c == '\'' || c == '"'))
      quote = c;
    else if (c == '\\' && quote != '\'' && i + 1 < text.size())
      word += text[++i];
    else
      word += c;
  }
  if (quote != '\0')
    return fail(ErrorCode::usage, "the editor command has an unclosed quote: " + text,
                "correct VISUAL or EDITOR");
  if (in_word) words.push_back(std::move(word));
  return words;
}

namespace {

Result<int> run_and_wait(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const SpawnAttributes attributes;
  pid_t child = 0;
  const int problem = ::posix_spawnp(&child, argv[0], nullptr, attributes.get(), argv.data(), environ);
  if (problem != 0)
    return fail(ErrorCode::usage, "cannot start the editor " + words.front() + ": " + std::strerror(problem),
                "set EDITOR to an installed program");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

bool takes_a_line(const std::string& program) {
  const std::string name = fs::path(program).filename().string();
  for (const char* known :
       {"vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "ne", "mg"})
    if (name == known) return true;
  return false;
}

} // namespace

Status edit_file(CommandContext& context, const fs::path& file) {
  TRY_ASSIGN(const std::string command, editor_command(context));
  TRY_ASSIGN(std::vector<std::string> words, split_command(command));
  const std::string program = words.front();
  words.push_back(file.string());
  TRY_ASSIGN(const int status, run_and_wait(std::move(words)));
  if (context.dependencies().stop.stop_requested())
    return fail(ErrorCode::cancelled, "stopped while the plan was being edited");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return fail(ErrorCode::usage, "the editor " + program + " failed, so no plan was created");
  return {};
}

Status open_in_editor(CommandContext& context, const fs::path& file, int line) {
  TRY_ASSIGN(const std::string command, editor_command(context));
  TRY_ASSIGN(std::vector<std::string> words, split_command(command));
  if (line > 0 && takes_a_line(words.front())) words.push_back("+" + std::to_string(line));
  words.push_back(file.string());
  TRY(run_and_wait(std::move(words)));
  return {};
}

} // namespace emend
