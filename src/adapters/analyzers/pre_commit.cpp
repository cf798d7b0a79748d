#include "adapters/analyzers/pre_commit.hpp"

#include <re2/re2.h>

#include <algorithm>

#include "adapters/analyzers/command_words.hpp"
#include "adapters/analyzers/file_choice.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"
#include "formats/yaml.hpp"

namespace emend {

namespace {

using Words = std::vector<std::string>;

const Json::array_t& list_in(const Json& map, std::string_view key) {
  static const Json::array_t kNone;
  const Json* list = find_member(map, key);
  return list == nullptr || !list->is_array() ? kNone : list->get_ref<const Json::array_t&>();
}

std::string text_of(const Json& scalar) {
  return scalar.is_string() ? scalar.get<std::string>() : string_or(scalar, "folded");
}

std::string text_in(const Json& map, std::string_view key) {
  const Json* found = find_member(map, key);
  return found == nullptr ? "" : text_of(*found);
}

bool holds(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "php" stands in "bash -c 'php -l'", not in "phpstan" or "php-cs-fixer".
bool mentions(std::string_view text, std::string_view name) {
  const auto goes_on = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_' || text[at] == '-');
  };
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
    if ((at == 0 || !goes_on(at - 1)) && !goes_on(at + name.size())) return true;
  return false;
}

// "poetry run mypy", "npx eslint", "python3 -m codespell": what follows is the program and its arguments.
void drop_launcher(Words& command) {
  static const std::vector<Words> kLaunchers = {
      {"npx"},           {"bunx"},         {"pnpx"},           {"uvx"},          {"yarn"},
      {"npm", "exec"},   {"pnpm", "exec"}, {"poetry", "run"},  {"uv", "run"},    {"pdm", "run"},
      {"pipenv", "run"}, {"hatch", "run"}, {"bundle", "exec"}, {"python", "-m"}, {"python3", "-m"}};
  for (const Words& launcher : kLaunchers) {
    if (command.size() <= launcher.size() || !std::equal(launcher.begin(), launcher.end(), command.begin()))
      continue;
    command.erase(command.begin(), command.begin() + static_cast<std::ptrdiff_t>(launcher.size()));
    if (command.front() == "--" && command.size() > 1) command.erase(command.begin());
    return;
  }
}

bool starts_program(const Words& command, const KnownAnalyzer& tool) {
  if (command.empty()) return false;
  const std::string_view program = file_name(command.front());
  return program == tool.name || (program.starts_with(tool.name) && holds(tool.programs, program));
}

// `ruff check` is what the analyzer does, `ruff format` and `php build.php` are something else.
bool does_the_same(const Words& command, const KnownAnalyzer& tool) {
  if (command.size() < 2 || command[1].starts_with('-')) return true;
  if (tool.runs_scripts) return false;
  const bool has_own = !tool.arguments.empty() && !tool.arguments.front().starts_with('-');
  return !has_own || command[1] == tool.arguments.front() || holds(tool.hooks, tool.name + "-" + command[1]);
}

// nullopt: it does not run this analyzer.
std::optional<PreCommitHook> hook_of(const Json& map, const KnownAnalyzer& tool) {
  const std::string entry = text_in(map, "entry"), id = text_in(map, "id");
  const bool by_id = id == tool.name || holds(tool.hooks, id);
  Words command = command_words(entry);
  drop_launcher(command);
  const bool starts = starts_program(command, tool);
  if (starts && !does_the_same(command, tool)) return std::nullopt;
  if (!by_id && !starts && (tool.runs_scripts || !mentions(entry, tool.name))) return std::nullopt;
  PreCommitHook hook{{}, text_in(map, "files"), text_in(map, "exclude")};
  if (starts)
    hook.args.assign(command.begin() + 1, command.end());
  else if (!command.empty())
    hook.unclear = true; // a script, a shell
  for (const Json& argument : list_in(map, "args")) hook.args.push_back(text_of(argument));
  if (const std::string one = text_in(map, "args"); !one.empty()) hook.args.push_back(one);
  return hook;
}

// How an entry of `not_from_hook` meets an argument.
enum class Meets { not_at_all, alone, with_value_after };

Meets meets(std::string_view entry, std::string_view word) {
  if (entry.ends_with('*'))
    return word.starts_with(entry.substr(0, entry.size() - 1)) ? Meets::alone : Meets::not_at_all;
  const bool takes_value = entry.ends_with('=');
  const std::string_view name = entry.substr(0, entry.size() - (takes_value ? 1 : 0));
  if (word == name) return takes_value ? Meets::with_value_after : Meets::alone;
  const bool joined = word.starts_with(std::string(name) + "=") ||
                      (takes_value && name.size() == 2 && word.starts_with(name));
  return joined ? Meets::alone : Meets::not_at_all;
}

Meets meets_any(const Words& entries, std::string_view word) {
  for (const std::string& entry : entries)
    if (const Meets how = meets(entry, word); how != Meets::not_at_all) return how;
  return Meets::not_at_all;
}

bool any_matches(const std::vector<FilePattern>& patterns, const std::string& file) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const FilePattern& pattern) { return pattern.matches(file); });
}

} // namespace

// "(?x)": blanks and comments in it do not count. What looks ahead or behind is refused by RE2.
std::optional<FilePattern> FilePattern::parse(std::string text) {
  text = std::string(trim(text));
  for (const std::string_view mode : {"(?x)", "(?ix)", "(?xi)"}) {
    if (!text.starts_with(mode)) continue;
    std::string packed = contains(mode, "i") ? "(?i)" : "";
    for (const std::string_view line : lines_of(std::string_view(text).substr(mode.size())))
      for (const char c : line.substr(0, std::min(line.find('#'), line.size())))
        if (c != ' ' && c != '\t' && c != '\r') packed += c;
    text = packed;
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto regex = std::make_shared<const re2::RE2>(replace_all(text, "\\Z", "\\z"), options);
  if (!regex->ok()) return std::nullopt;
  return FilePattern(std::move(regex));
}

bool FilePattern::matches(const std::string& file) const { return re2::RE2::PartialMatch(file, *regex_); }

PreCommitHooks read_pre_commit(std::string_view text, const KnownAnalyzer& tool) {
  PreCommitHooks read;
  const auto documents = parse_yaml(text);
  read.unclear = (!documents || documents->size() > 1) && contains(text, tool.name);
  if (!documents || documents->size() != 1) return read;
  const Json& root = documents->front().root;
  read.exclude = text_in(root, "exclude");
  for (const Json& repository : list_in(root, "repos"))
    for (const Json& hook : list_in(repository, "hooks"))
      if (auto found = hook_of(hook, tool)) read.hooks.push_back(*std::move(found));
  return read;
}

std::vector<std::string> arguments_to_take(const KnownAnalyzer& tool, const std::vector<std::string>& words) {
  Words taken;
  bool value_may_follow = false;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    if (!word.starts_with('-')) {
      if (value_may_follow) taken.push_back(word);
      value_may_follow = false;
      continue;
    }
    const Meets how = meets_any(tool.not_from_hook, word);
    if (how == Meets::with_value_after && i + 1 < words.size() && !words[i + 1].starts_with('-')) ++i;
    value_may_follow = how == Meets::not_at_all && !contains(word, "=");
    if (how == Meets::not_at_all) taken.push_back(word);
  }
  return taken;
}

// What is left out by one hook may be there for another.
bool HookRules::leaves_out(const std::string& file) const {
  const auto leaves = [&](const Files& hook) {
    return any_matches(hook.excluded, file) || (!hook.only.empty() && !any_matches(hook.only, file));
  };
  return any_matches(excluded, file) || (!hooks.empty() && std::all_of(hooks.begin(), hooks.end(), leaves));
}

// A pattern that means nothing here leaves nothing out.
HookRules read_hook(SourceTree& tree, const KnownAnalyzer& tool) {
  HookRules rules;
  const auto text = tree.text(".pre-commit-config.yaml");
  if (text == nullptr) return rules;
  const PreCommitHooks read = read_pre_commit(text->bytes(), tool);
  const auto add = [](std::vector<FilePattern>& list, const std::string& pattern) {
    if (auto parsed = pattern.empty() ? std::nullopt : FilePattern::parse(pattern)) list.push_back(*parsed);
  };
  if (!read.hooks.empty()) add(rules.excluded, read.exclude);
  for (const PreCommitHook& hook : read.hooks) {
    add(rules.hooks.emplace_back().excluded, hook.exclude);
    add(rules.hooks.back().only, hook.files);
    if (!hook.unclear && rules.arguments.empty()) rules.arguments = arguments_to_take(tool, hook.args);
  }
  return rules;
}

} // namespace emend
