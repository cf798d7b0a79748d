#include "engine/patch/related_files.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "engine/patch/apart.hpp"
#include "engine/patch/file_use.hpp"
#include "model/line_diff.hpp"

namespace emend {
namespace {

constexpr std::size_t kMostFiles = 20;

using Words = std::set<std::string_view>;

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string text_of(const Finding& finding) {
  return finding.title + "\n" + finding.description + "\n" + finding.suggestion;
}

// A character that a longer path or name could go on with.
bool goes_on(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

// Does `name` stand in the text as a whole? whole_path: "b/c.py" is not in "a/b/c.py".
bool stands_in(std::string_view text, std::string_view name, bool whole_path) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const std::size_t end = at + name.size();
    const char after = end < text.size() ? text[end] : ' ';
    const char later = end + 1 < text.size() ? text[end + 1] : ' ';
    const bool begins = !goes_on(before) && before != '.' && !(whole_path && before == '/');
    if (begins && !goes_on(after) && !(after == '.' && goes_on(later))) return true;
  }
  return false;
}

Words all_words(std::string_view text) {
  Words words;
  for (const std::string_view line : lines_of(text))
    for (const std::string_view word : line_words(line))
      if (word.size() >= kTellingName) words.insert(word);
  return words;
}

// Data is not read: it would take long, and its words say nothing.
bool is_code(const FileChange& change) {
  constexpr std::size_t kLarge = 1'000'000;
  return !change.binary() && change.old_content.size() + change.new_content.size() < kLarge;
}

// Names that the change takes out of the file, or brings into it.
Words changed_names(const FileChange& change) {
  const Words before = all_words(change.old_content), after = all_words(change.new_content);
  Words names;
  std::set_symmetric_difference(before.begin(), before.end(), after.begin(), after.end(),
                                std::inserter(names, names.end()));
  return names;
}

bool meet(const Words& a, const Words& b) {
  return std::any_of(a.begin(), a.end(), [&](std::string_view word) { return b.contains(word); });
}

// A file, as the base has it and as the change leaves it.
struct Known {
  std::string_view path, before, after;
  Words names;
};

Known known(const FileChange& change) {
  if (!is_code(change)) return {change.path, {}, {}, {}};
  return {change.path, change.old_content, change.new_content, changed_names(change)};
}

bool loads(const Known& file, std::string_view path) {
  return names_file_at(file.before, path) || names_file_at(file.after, path);
}

bool related(const Known& one, const Known& other) {
  return loads(one, other.path) || loads(other, one.path) || meet(one.names, other.names);
}

} // namespace

bool is_document(std::string_view path) {
  static const GlobSet globs({"*.md", "*.rst", "*.adoc", "docs/**", "doc/**", "README*", "CHANGES*",
                              "CHANGELOG*", "NEWS*", "HISTORY*"});
  return globs.matches(path);
}

bool named_in_text(const Finding& finding, std::string_view path) {
  const std::string text = text_of(finding);
  const std::string_view name = name_of(path);
  return stands_in(text, path, true) ||
         (name.find('.', 1) != std::string_view::npos && stands_in(text, name, false));
}

std::vector<std::string> files_of_finding(const Finding& finding, const Tree& base) {
  std::vector<std::string> files;
  const auto add = [&](const std::string& path) {
    if (!path.empty() && files.size() < kMostFiles &&
        std::find(files.begin(), files.end(), path) == files.end())
      files.push_back(path);
  };
  add(finding.file);
  for (const std::string& file : finding.related_files) add(file);
  const std::string text = text_of(finding);
  std::map<std::string_view, std::vector<const std::string*>> by_name;
  for (const auto& [path, entry] : base)
    if (const std::string_view name = name_of(path); name.find('.', 1) != std::string_view::npos)
      by_name[name].push_back(&path);
  for (const auto& [name, paths] : by_name) {
    if (!stands_in(text, name, false)) continue;
    for (const std::string* path : paths)
      if (paths.size() == 1 || stands_in(text, *path, true)) add(*path);
  }
  return files;
}

std::vector<std::string> loaded_files(std::string_view path, std::string_view content, const Tree& base) {
  const Words words = all_words(content); // most files of a tree are not even mentioned
  std::vector<std::string> files;
  for (const auto& [other, entry] : base) {
    if (files.size() == kMostFiles) break;
    const std::string_view name = name_of(other);
    const std::string_view stem = name.substr(0, name.find('.', 1));
    if (!words.contains(stem) || other == path || is_document(other) || !judging_kind(other).empty())
      continue;
    if (names_file_at(content, other)) files.push_back(other);
  }
  return files;
}

std::vector<std::string> unrelated_files(const Finding& finding, const Patch& patch,
                                         const std::string& finding_content) {
  if (finding.file.empty()) return {};
  std::vector<Known> reached = {{finding.file, finding_content, "", {}}}, open;
  for (const FileChange& change : patch.changes) {
    const bool own = change.path == finding.file || named_in_text(finding, change.path) ||
                     std::find(finding.related_files.begin(), finding.related_files.end(), change.path) !=
                         finding.related_files.end();
    const bool beside = is_own_test(finding.file, change) || is_document(change.path);
    if (own || (change.added() && !beside))
      reached.push_back(known(change)); // the change needs its new files, or they are refused
    else if (!beside)
      open.push_back(known(change));
  }
  for (std::size_t i = 0; i < reached.size(); ++i) // grows
    for (auto it = open.begin(); it != open.end();) {
      if (!related(reached[i], *it)) {
        ++it;
        continue;
      }
      Known found = std::move(*it);
      it = open.erase(it);
      reached.push_back(std::move(found));
    }
  std::vector<std::string> unrelated;
  for (const Known& file : open) unrelated.emplace_back(file.path);
  return unrelated;
}

} // namespace emend
