#include "engine/patch/called_scripts.hpp"

#include <re2/re2.h>

#include <map>
#include <set>

#include "base/files.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::size_t kMostTargets = 500;

struct Target {
  std::vector<std::string> needs;
  std::string recipe;
};

// Enough of a Makefile to know which recipe lines a target runs. Variables are not expanded.
class Makefile {
public:
  explicit Makefile(const std::string& text) {
    const std::string whole = replace_all(text, "\\\n", " ");
    std::vector<std::string> names;
    for (const std::string_view line : lines_of(whole)) {
      if (line.starts_with('\t')) {
        for (const std::string& name : names) targets_[name].recipe += recipe_line(line) + "\n";
        continue;
      }
      const auto colon = line.find(':');
      const bool rule = colon != std::string_view::npos && colon > 0 && !trim(line).starts_with('#') &&
                        line.find('=') > colon && line.substr(colon, 2) != ":=" &&
                        line.substr(colon, 3) != "::=";
      if (trim(line).empty() || trim(line).starts_with('#')) continue;
      names.clear();
      if (!rule) continue;
      names = words(line.substr(0, colon));
      std::string_view needs = line.substr(colon + 1);
      std::string inline_recipe;
      if (const auto semicolon = needs.find(';'); semicolon != std::string_view::npos) {
        inline_recipe = needs.substr(semicolon + 1);
        needs = needs.substr(0, semicolon);
      }
      for (const std::string& name : names) {
        Target& target = targets_[name];
        if (first_.empty() && !name.starts_with('.')) first_ = name;
        for (const std::string& need : words(needs)) target.needs.push_back(need);
        target.recipe += inline_recipe + "\n";
      }
    }
  }

  // The recipes of these targets and of all they need; none named = the first target.
  [[nodiscard]] std::string recipes(std::vector<std::string> wanted) const {
    if (wanted.empty()) wanted.push_back(first_);
    std::string text;
    std::set<std::string> seen;
    while (!wanted.empty() && seen.size() < kMostTargets) {
      const std::string name = std::move(wanted.back());
      wanted.pop_back();
      const auto target = targets_.find(name);
      if (target == targets_.end() || !seen.insert(name).second) continue;
      text += target->second.recipe;
      wanted.insert(wanted.end(), target->second.needs.begin(), target->second.needs.end());
    }
    return text;
  }

  [[nodiscard]] static std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> found;
    for (const std::string& word : split(replace_all(std::string(text), "\t", " "), ' '))
      if (!word.empty()) found.push_back(word);
    return found;
  }

private:
  // @ and - before a recipe's command belong to make.
  static std::string recipe_line(std::string_view line) {
    const auto start = line.find_first_not_of("\t @-+");
    std::string command(start == std::string_view::npos ? "" : line.substr(start));
    static const RE2 variable(R"(\$[({][\w.-]+[)}])");
    RE2::GlobalReplace(&command, variable, "VARIABLE");
    return replace_all(std::move(command), "$$", "$");
  }

  std::map<std::string, Target> targets_;
  std::string first_;
};

// One simple command of a command line, word by word.
std::vector<std::vector<std::string>> simple_commands(std::string_view line) {
  std::vector<std::vector<std::string>> commands(1);
  std::string text(line);
  for (char& c : text)
    if (c == ';' || c == '&' || c == '|' || c == '(' || c == ')' || c == '{' || c == '}') c = '\n';
  for (const std::string_view part : lines_of(text)) commands.push_back(Makefile::words(part));
  return commands;
}

class Callers {
public:
  Callers(const Tree& base, const std::function<Result<std::string>(std::string_view)>& read)
      : base_(base), read_(read) {}

  // What a command line runs, `depth` callers deep.
  void follow(std::string_view line, std::string directory, int depth) {
    if (depth > 3) return;
    for (const auto& words : simple_commands(line)) {
      std::size_t at = 0;
      while (at < words.size() && words[at].find('=') != std::string::npos) ++at;
      if (at == words.size()) continue;
      const std::string& program = words[at];
      const std::vector<std::string> rest(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
      if (program == "cd" && !rest.empty())
        directory = joined(directory, rest.front());
      else if (program == "make" || program == "gmake")
        follow_make(rest, directory, depth);
      else if (program == "npm" || program == "yarn" || program == "pnpm" || program == "bun")
        follow_package(rest, directory, depth);
    }
  }

  PathSet found;

private:
  static std::string joined(const std::string& directory, const std::string& path) {
    const std::string whole = (fs::path(directory) / path).lexically_normal().generic_string();
    return whole == "." ? std::string{} : whole;
  }

  void take(const std::string& line, const std::string& directory, int depth) {
    for (const std::string& word : executed_words(line))
      if (const std::string path = joined(directory, word); base_.contains(path)) found.insert(path);
    follow(line, directory, depth + 1);
  }

  void follow_make(const std::vector<std::string>& words, std::string directory, int depth) {
    std::vector<std::string> targets;
    std::string file;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool has_next = i + 1 < words.size();
      if (words[i] == "-C" && has_next)
        directory = joined(directory, words[++i]);
      else if (words[i] == "-f" && has_next)
        file = words[++i];
      else if (!words[i].starts_with('-') && words[i].find('=') == std::string::npos &&
               !parse_unsigned(words[i]))
        targets.push_back(words[i]);
    }
    for (const std::string& name : file.empty()
                                       ? std::vector<std::string>{"GNUmakefile", "makefile", "Makefile"}
                                       : std::vector<std::string>{file}) {
      const std::string path = joined(directory, name);
      const auto text = base_.contains(path) ? read_(path) : Result<std::string>(std::string{});
      if (!text || text->empty()) continue;
      const std::string recipes = Makefile(*text).recipes(targets);
      for (const std::string_view line : lines_of(recipes)) take(std::string(line), directory, depth);
      return;
    }
  }

  void follow_package(const std::vector<std::string>& words, const std::string& directory, int depth) {
    std::string name;
    for (const std::string& word : words)
      if (!word.starts_with('-') && word != "run" && word != "run-script" && name.empty())
        name = word == "t" ? "test" : word;
    const std::string path = joined(directory, "package.json");
    const auto text =
        base_.contains(path) && !name.empty() ? read_(path) : Result<std::string>(std::string{});
    const auto json = text ? parse_json(*text) : Result<Json>(Json());
    const Json* scripts = json ? find_member(*json, "scripts") : nullptr;
    if (scripts == nullptr) return;
    for (const std::string& script : {"pre" + name, name, "post" + name})
      if (const std::string line = string_or(*scripts, script); !line.empty()) take(line, directory, depth);
  }

  const Tree& base_;
  const std::function<Result<std::string>(std::string_view)>& read_;
};

} // namespace

PathSet called_scripts(const std::vector<VerifyCommand>& commands, const Tree& base,
                       const std::function<Result<std::string>(std::string_view path)>& read) {
  Callers callers(base, read);
  for (const VerifyCommand& command : commands) callers.follow(command.run, "", 0);
  return callers.found;
}

Result<PathSet> called_scripts(CommittedFiles& repository, const Policy& policy, const std::string& commit) {
  TRY_ASSIGN(const Tree* tree, repository.tree(commit));
  return called_scripts(policy.commands, *tree,
                        [&](std::string_view path) { return repository.read(commit, path); });
}

} // namespace emend
