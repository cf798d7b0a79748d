#include "adapters/analyzers/codespell_rules.hpp"

#include <fnmatch.h>
#include <re2/re2.h>

#include <algorithm>

#include "adapters/analyzers/file_choice.hpp"
#include "base/strings.hpp"

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
    add(rules.excluded, hook.exclude);
    add(rules.only, hook.files);
  }
}

// Lines of YAML with what is needed of their shape.
class YamlLines {
public:
  explicit YamlLines(std::string_view text) : lines_(lines_of(text)) {}

  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  // Without a comment and blanks at the end.
  [[nodiscard]] std::string_view line(std::size_t i) const {
    std::string_view text = lines_[i];
    char quote = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (quote != 0)
        quote = text[at] == quote ? '\0' : quote;
      else if (text[at] == '"' || text[at] == '\'')
        quote = text[at];
      else if (text[at] == '#' && (at == 0 || text[at - 1] == ' '))
        return rtrim(text.substr(0, at));
    }
    return rtrim(text);
  }
  [[nodiscard]] std::string_view raw(std::size_t i) const { return lines_[i]; }
  // Where the words of the line begin; npos when it has none.
  [[nodiscard]] std::size_t indent(std::size_t i) const { return line(i).find_first_not_of(' '); }
  // The same behind the "- " of a list.
  [[nodiscard]] std::size_t column(std::size_t i) const {
    std::size_t at = indent(i);
    while (at != std::string_view::npos && line(i).substr(at).starts_with("- "))
      at = line(i).find_first_not_of(' ', at + 1);
    return at;
  }
  // The value of "key: value" at the column; nullopt when it is something else.
  [[nodiscard]] std::optional<std::string_view> value(std::size_t i, std::size_t at,
                                                      std::string_view key) const {
    if (column(i) != at) return std::nullopt;
    const std::string_view text = line(i).substr(at);
    const auto colon = text.find(':');
    if (colon == std::string_view::npos || unquoted(text.substr(0, colon)) != key) return std::nullopt;
    return trim(text.substr(colon + 1));
  }

private:
  static std::string_view rtrim(std::string_view text) {
    return text.substr(0, text.find_last_not_of(" \t\r") + 1);
  }

  std::vector<std::string_view> lines_;
};

// A plain, quoted or block scalar that begins at line i; lines that belong to it are indented deeper than its
// key.
std::string yaml_scalar(const YamlLines& yaml, std::size_t i, std::size_t key_column,
                        std::string_view first) {
  const bool block = first.starts_with('|') || first.starts_with('>');
  std::string value(block ? "" : first);
  for (++i; i < yaml.size(); ++i) {
    const std::size_t indent = yaml.raw(i).find_first_not_of(' ');
    if (indent == std::string_view::npos) continue;
    if (indent <= key_column) break;
    value += "\n" + std::string(block ? yaml.raw(i) : yaml.line(i));
  }
  return std::string(unquoted(value));
}

// "[a, 'b']" over any number of lines, or "- a" on lines of their own.
std::vector<std::string> yaml_list(const YamlLines& yaml, std::size_t i, std::size_t key_column,
                                   std::string_view first) {
  std::vector<std::string> items;
  if (first.empty()) {
    for (++i; i < yaml.size(); ++i) {
      const std::size_t indent = yaml.indent(i);
      if (indent == std::string_view::npos) continue;
      const std::string_view text = yaml.line(i).substr(indent);
      if (indent < key_column || (indent == key_column && !text.starts_with('-'))) break;
      if (text.starts_with("- "))
        items.emplace_back(unquoted(text.substr(2)));
      else if (!items.empty())
        items.back() += " " + std::string(trim(text)); // a long one goes on
    }
    return items;
  }
  std::string flow(first);
  while (flow.find(']') == std::string::npos && ++i < yaml.size())
    flow += " " + std::string(trim(yaml.line(i)));
  std::string item;
  char quote = 0;
  for (const char c : flow.substr(flow.starts_with('[') ? 1 : 0)) {
    if (quote == 0 && (c == ',' || c == ']')) {
      if (!trim(item).empty()) items.emplace_back(unquoted(item));
      item.clear();
      if (c == ']') break;
      continue;
    }
    if (quote != 0)
      quote = c == quote ? '\0' : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    item += c;
  }
  if (!flow.starts_with('[')) items = {std::string(unquoted(flow))};
  return items;
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

PreCommitHooks read_pre_commit(std::string_view text, std::string_view id) {
  PreCommitHooks read;
  const YamlLines yaml(text);
  for (std::size_t i = 0; i < yaml.size(); ++i) {
    const std::size_t column = yaml.column(i);
    if (column == std::string_view::npos) continue;
    if (const auto exclude = yaml.value(i, 0, "exclude"); exclude && yaml.indent(i) == 0)
      read.exclude = yaml_scalar(yaml, i, 0, *exclude);
    const auto named = yaml.value(i, column, "id");
    const bool flow =
        contains(yaml.line(i), "{") && contains(yaml.line(i), "id:") && contains(yaml.line(i), id);
    if (flow) read.unclear = true;
    if (!named || unquoted(*named) != id) continue;
    std::size_t first = i, end = i + 1;
    while (first > 0 && yaml.indent(first) >= column) --first; // up to the line with the "-"
    while (end < yaml.size() && yaml.indent(end) >= column) ++end;
    PreCommitHook hook;
    for (std::size_t at = first; at < end; ++at) {
      if (const auto args = yaml.value(at, column, "args")) hook.args = yaml_list(yaml, at, column, *args);
      if (const auto files = yaml.value(at, column, "files"))
        hook.files = yaml_scalar(yaml, at, column, *files);
      if (const auto exclude = yaml.value(at, column, "exclude"))
        hook.exclude = yaml_scalar(yaml, at, column, *exclude);
    }
    read.hooks.push_back(std::move(hook));
  }
  return read;
}

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
      take_hook(rules, tree, read_pre_commit(text->bytes(), "codespell"), file);
  return rules;
}

} // namespace emend
