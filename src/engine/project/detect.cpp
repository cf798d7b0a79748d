#include "engine/project/detect.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.hpp"
#include "model/coding_clis.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostHints = 8;
constexpr std::size_t kLongestHint = 200;

bool starts_with_a_tool(std::string_view line) {
  static constexpr std::array<std::string_view, 24> kTools = {
      "make",   "cmake", "ctest", "ninja",  "meson",  "npm",       "npx",    "pnpm",
      "yarn",   "bun",   "cargo", "go",     "python", "python3",   "pytest", "tox",
      "poetry", "uv",    "mvn",   "./mvnw", "gradle", "./gradlew", "bazel",  "just"};
  const std::string_view word = line.substr(0, line.find(' '));
  return std::find(kTools.begin(), kTools.end(), word) != kTools.end();
}

bool speaks_of_checking(std::string_view line) {
  for (const std::string_view word :
       {"test", "tests", "pytest", "ctest", "check", "build", "lint", "vet", "typecheck", "verify"})
    if (has_word(line, word)) return true;
  return false;
}

// "$ make test" -> "make test"; empty when the line is no command of that kind.
std::string command_in(std::string_view line) {
  line = trim(line);
  if (line.starts_with("$ ")) line = trim(line.substr(2));
  if (line.empty() || line.size() > kLongestHint || line.ends_with('\\')) return {};
  return starts_with_a_tool(line) && speaks_of_checking(line) ? clean_text(line) : std::string();
}

// Commands in fenced code blocks, and list items that are one `command`.
void add_hints(const std::string& file, std::string_view text, std::set<std::string>& known,
               Detected& found) {
  bool fenced = false;
  int number = 0;
  for (const std::string_view raw : lines_of(text)) {
    ++number;
    std::string_view line = trim(raw);
    if (line.starts_with("```") || line.starts_with("~~~")) {
      fenced = !fenced;
      continue;
    }
    if (!fenced) {
      const auto open = line.find('`'), close = line.find('`', open + 1);
      if (open == std::string_view::npos || close == std::string_view::npos ||
          !(line.starts_with('-') || line.starts_with('*')))
        continue;
      line = line.substr(open + 1, close - open - 1);
    }
    const std::string command = command_in(line);
    if (!command.empty() && found.hints.size() < kMostHints && known.insert(command).second)
      found.hints.push_back({command, file, number});
  }
}

void make_names_unique(std::vector<CommandGuess>& guesses) {
  std::set<std::string> taken;
  for (CommandGuess& guess : guesses) {
    std::string name = guess.name;
    for (int i = 2; !taken.insert(name).second; ++i) name = guess.name + "-" + std::to_string(i);
    guess.name = name;
  }
}

} // namespace

void detect_hints(const ProjectFiles& files, Detected& found) {
  std::set<std::string> known;
  for (const CommandGuess& guess : found.commands) known.insert(guess.command);
  std::vector<std::string> places = of_all_coding_clis(&CodingCli::instructions);
  places.insert(places.begin(), "AGENTS.md");
  places.insert(places.end(), {"CONTRIBUTING.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md"});
  for (const std::string& file : places) add_hints(file, files.text(file), known, found);
}

Detected detect_commands(const std::vector<std::string>& paths, const FileReader& read) {
  const ProjectFiles files(paths, read);
  Detected found;
  detect_cmake(files, found);
  detect_meson(files, found);
  detect_node(files, found);
  detect_cargo(files, found);
  detect_go(files, found);
  detect_java(files, found);
  detect_python(files, found);
  detect_make(files, found);
  detect_shell(files, found);
  make_names_unique(found.commands);
  detect_hints(files, found);
  return found;
}

} // namespace emend
