// The text of the first emend.toml.
#include <algorithm>

#include "base/json.hpp"
#include "base/strings.hpp"
#include "service/project_setup.hpp"

namespace emend {

namespace {

// JSON's strings are TOML's, but for one control character.
std::string toml_string(std::string_view text) {
  return replace_all(dump_json(Json(std::string(text))), "\x7f", "\\u007f");
}

std::string one_line(std::string_view text) {
  constexpr std::size_t kMost = 400;
  std::string cleaned = clean_text(text);
  for (char& c : cleaned)
    if (c == '\n' || c == '\t') c = ' ';
  return first_line(trim(cleaned), kMost);
}

std::string comment(std::string_view text) { return "# " + replace_all(one_line(text), "\x7f", "?") + "\n"; }

std::string command_line(const CommandGuess& guess) {
  std::string line = "{ name = " + toml_string(guess.name) + ", run = " + toml_string(guess.command);
  if (!guess.paths.empty()) {
    std::vector<std::string> quoted;
    for (const std::string& path : guess.paths) quoted.push_back(toml_string(path));
    line += ", paths = [" + join(quoted, ", ") + "]";
  }
  return line + " },";
}

// Without a command to run the key stays out altogether: it would ask for trust in nothing.
std::string commands_text(const std::vector<CommandGuess>& guesses) {
  const bool any = std::any_of(guesses.begin(), guesses.end(),
                               [](const CommandGuess& guess) { return guess.not_used.empty(); });
  const std::string mark = any ? "" : "# ";
  std::string text = mark + "commands = [\n";
  for (const CommandGuess& guess : guesses) {
    text += "  " + comment(guess.reason);
    if (!guess.not_used.empty()) text += "  " + comment("Not used: " + guess.not_used + ".");
    text += std::string("  ") + (guess.not_used.empty() ? "" : "# ") + command_line(guess) + "\n";
  }
  return text + mark + "]\n";
}

// Commands have no network unless somebody says so.
std::string network_text(const Detected& found) {
  std::vector<std::string> loading;
  for (const CommandGuess& guess : found.commands)
    if (guess.not_used.empty() && !guess.downloads.empty() &&
        std::find(loading.begin(), loading.end(), guess.downloads) == loading.end())
      loading.push_back(guess.downloads);
  if (loading.empty()) return {};
  return "\n[sandbox.network]\n" +
         comment(join(loading, ", ") +
                 " downloads packages, and commands have no network by default. With everything in a cache "
                 "of this machine, \"loopback\" will do.") +
         "commands = \"all\"\n";
}

std::string hints_text(const Detected& found) {
  std::string text;
  if (!found.hints.empty()) text += "\n# Found in the documentation, not tried. Move up what fits.\n";
  for (const CommandHint& hint : found.hints)
    text += comment("  " + hint.file + ":" + std::to_string(hint.line) + "  " + hint.command);
  for (const std::string& note : found.notes) text += comment("Note: " + note + ".");
  return text;
}

constexpr std::string_view kHead =
    "# emend.toml: how emend checks this project. Written by `emend init`, yours to edit, meant to be "
    "committed.\n"
    "# `emend config show --origin` prints every setting and where it comes from. An unknown key is an "
    "error.\n"
    "# The commands below run only after you allow them with `emend trust`. After a change of this file "
    "emend asks again.\n"
    "\n"
    "[verify]\n";

constexpr std::string_view kTail =
    "\n"
    "# `emend review` and `emend fix --safe` need nothing more. Other issues need coding agents. Agents on "
    "your PATH\n"
    "# (claude, codex, gemini, ...: see `emend agents`) are found automatically. To choose one, or to add "
    "your own:\n"
    "#\n"
    "# [fix]\n"
    "# agent = \"fixer\"\n"
    "# protected = [\"docs/**\"]        # files a fix must never change, in addition to tests and build "
    "files\n"
    "#\n"
    "# [fix_challenger]\n"
    "# agent = \"judge\"               # scores every fix; should be from another vendor than the fixer\n"
    "#\n"
    "# [agents.fixer]\n"
    "# command = [\"my-agent\", \"--print\"]\n"
    "# family = \"one\"\n"
    "#\n"
    "# [agents.judge]\n"
    "# command = [\"another-agent\", \"--print\"]\n"
    "# family = \"another\"\n";

} // namespace

std::string config_file_text(const Detected& found) {
  std::string text(kHead);
  if (found.commands.empty()) {
    text +=
        "# No checks were found. Without checks a fix is only judged, never tested. For "
        "example:\n"
        "# commands = [\"make test\"]\n";
  } else {
    text += "# They run in this order in a clean copy of the commit: once without the fix, once with it.\n" +
            commands_text(found.commands);
  }
  text += "# timeout = \"15m\"               # for one command\n";
  return text + network_text(found) + hints_text(found) + std::string(kTail);
}

} // namespace emend
