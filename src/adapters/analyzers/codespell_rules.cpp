#include "adapters/analyzers/codespell_rules.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "adapters/analyzers/file_choice.hpp"
#include "base/strings.hpp"
#include "model/known_analyzers.hpp"

namespace emend {

namespace {

std::string_view unquoted(std::string_view text) {
  text = trim(text);
  while (text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    text = trim(text.substr(1, text.size() - 2));
  return text;
}

// Commas and line ends separate; quotes and brackets around are dropped.
std::vector<std::string> entries_of(std::string_view value) {
  std::vector<std::string> entries;
  for (const std::string_view line : lines_of(value)) {
    const std::string_view kept = line.substr(0, std::min(line.find(" #"), line.size()));
    for (const std::string& part : split(kept, ',')) {
      std::string_view entry = trim(part);
      while (!entry.empty() && contains("[]\"'", entry.substr(0, 1))) entry = trim(entry.substr(1));
      while (!entry.empty() && contains("[]\"'", entry.substr(entry.size() - 1)))
        entry = trim(entry.substr(0, entry.size() - 1));
      if (!entry.empty() && entry.front() != '#') entries.emplace_back(entry);
    }
  }
  return entries;
}

std::string same_key(std::string_view key) { return replace_all(to_lower(unquoted(key)), "_", "-"); }

// How many lines from `first` on belong to a value: indented ones, and all of an array or a long string that
// is still open.
std::size_t value_lines(const std::vector<std::string_view>& lines, std::size_t first,
                        std::string_view value) {
  std::size_t count = 0;
  const std::string_view begin = trim(value);
  const std::string_view close = begin.starts_with('[')        ? "]"
                                 : begin.starts_with("\"\"\"") ? "\"\"\""
                                 : begin.starts_with("'''")    ? "'''"
                                                               : "";
  bool open = !close.empty() && begin.find(close, close.size()) == std::string_view::npos;
  for (std::size_t i = first; i < lines.size(); ++i) {
    const bool indented = !lines[i].empty() && (lines[i][0] == ' ' || lines[i][0] == '\t');
    if (!open && (!indented || !close.empty())) break;
    ++count;
    if (open && contains(lines[i], close)) open = false;
  }
  return count;
}

void take(std::set<std::string>& words, const std::vector<std::string>& added) {
  for (const std::string& word : added) words.insert(to_lower(word));
}

void take_word_file(CodespellRules& rules, SourceTree& tree, const std::string& path,
                    const std::string& named_in) {
  const auto file = tree.relative(path);
  const auto text = file ? tree.text(*file) : nullptr;
  if (text == nullptr) {
    rules.unclear = named_in;
    return;
  }
  for (const std::string_view line : lines_of(text->bytes()))
    if (!trim(line).empty()) rules.words.insert(to_lower(trim(line)));
}

// Arguments of codespell: "-L a,b", "--skip=x", "--ignore-words", "words.txt".
void take_arguments(CodespellRules& rules, SourceTree& tree, const std::vector<std::string>& args,
                    const std::string& named_in) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    for (const auto& [brief, full] :
         {std::pair{"-L", "--ignore-words-list"}, {"-I", "--ignore-words"}, {"-S", "--skip"}}) {
      std::string value;
      if ((args[i] == brief || args[i] == full) && i + 1 < args.size())
        value = args[i + 1];
      else if (args[i].starts_with(std::string(full) + "="))
        value = args[i].substr(std::string_view(full).size() + 1);
      else if (args[i].starts_with(brief) && args[i].size() > 2 && !args[i].starts_with("--"))
        value = args[i].substr(2);
      if (value.empty()) continue;
      if (brief == std::string_view("-I"))
        take_word_file(rules, tree, value, named_in);
      else if (brief == std::string_view("-L"))
        take(rules.words, entries_of(value));
      else
        for (std::string& glob : entries_of(value)) rules.skipped.push_back(std::move(glob));
    }
  }
}

// What else makes codespell leave something alone, and is not understood here.
bool leaves_more_alone(const std::string& argument) {
  return argument.starts_with("--ignore-regex") || argument.starts_with("--ignore-multiline-regex") ||
         argument.starts_with("--uri-ignore") || argument.starts_with("--exclude-file") ||
         argument.starts_with("-x") || argument.starts_with("--config") || argument.starts_with("--toml");
}

void take_hook(CodespellRules& rules, SourceTree& tree, const PreCommitHooks& read, const std::string& file) {
  const auto add = [&](std::vector<FilePattern>& list, const std::string& pattern) {
    if (pattern.empty()) return;
    if (auto parsed = FilePattern::parse(pattern))
      list.push_back(*std::move(parsed));
    else
      rules.unclear = file;
  };
  if (read.unclear) rules.unclear = file;
  if (!read.hooks.empty()) add(rules.excluded, read.exclude);
  for (const PreCommitHook& hook : read.hooks) {
    take_arguments(rules, tree, hook.args, file);
    if (hook.unclear || std::any_of(hook.args.begin(), hook.args.end(), leaves_more_alone))
      rules.unclear = file;
    add(rules.excluded, hook.exclude);
    add(rules.only, hook.files);
  }
}

} // namespace

std::vector<std::string> listed_in(std::string_view text, std::string_view section, std::string_view key) {
  const auto lines = lines_of(text);
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    if (line.starts_with('[')) inside = line.starts_with("[" + std::string(section) + "]");
    const auto equals = line.find_first_of("=:");
    if (!inside || equals == std::string_view::npos || same_key(line.substr(0, equals)) != key) continue;
    std::string value(line.substr(equals + 1));
    const std::size_t more = value_lines(lines, i + 1, value);
    for (std::size_t at = i + 1; at <= i + more; ++at) value += "\n" + std::string(lines[at]);
    return entries_of(value);
  }
  return {};
}

bool CodespellRules::ignores(const std::string& file, const std::string& word) const {
  if (words.contains(to_lower(word))) return true;
  const auto matches = [&](const FilePattern& pattern) { return pattern.matches(file); };
  if (std::any_of(excluded.begin(), excluded.end(), matches)) return true;
  if (!only.empty() && std::none_of(only.begin(), only.end(), matches)) return true;
  // codespell walks the tree and asks for each directory and file, by name and by path.
  std::vector<std::string> names;
  for (std::size_t slash = file.find('/');; slash = file.find('/', slash + 1)) {
    const std::string path = file.substr(0, slash);
    for (const std::string& name : {path, "./" + path, std::string(file_name(path))}) names.push_back(name);
    if (slash == std::string::npos) break;
  }
  return std::any_of(skipped.begin(), skipped.end(), [&](std::string glob) {
    while (glob.size() > 1 && glob.ends_with('/')) glob.pop_back();
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return ::fnmatch(glob.c_str(), name.c_str(), 0) == 0;
    });
  });
}

CodespellRules read_codespell_rules(SourceTree& tree) {
  CodespellRules rules;
  for (const auto& [file, section] : {std::pair{".codespellrc", "codespell"},
                                      {"setup.cfg", "codespell"},
                                      {"pyproject.toml", "tool.codespell"}}) {
    const auto text = tree.text(file);
    if (text == nullptr) continue;
    take(rules.words, listed_in(text->bytes(), section, "ignore-words-list"));
    for (const std::string& path : listed_in(text->bytes(), section, "ignore-words"))
      take_word_file(rules, tree, path, file);
    for (std::string& glob : listed_in(text->bytes(), section, "skip"))
      rules.skipped.push_back(std::move(glob));
  }
  for (const char* file : {".pre-commit-config.yaml", ".pre-commit-config.yml"})
    if (const auto text = tree.text(file))
      take_hook(rules, tree, read_pre_commit(text->bytes(), known_analyzer("codespell")), file);
  return rules;
}

} // namespace emend
