#include "engine/patch/new_files.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/glob.hpp"
#include "engine/patch/code_mask.hpp"
#include "engine/patch/file_use.hpp"
#include "engine/patch/protected_paths.hpp"
#include "model/line_diff.hpp"

namespace emend {
namespace {

struct JunkKind {
  const char* what;
  std::vector<std::string> globs;
};

const std::vector<JunkKind>& junk_kinds() {
  static const std::vector<JunkKind> kinds = {
      {"cache",
       {"**/__pycache__/**",
        "__pycache__/**",
        "*.pyc",
        "*.pyo",
        "**/.pytest_cache/**",
        ".pytest_cache/**",
        "**/.mypy_cache/**",
        ".mypy_cache/**",
        "**/.ruff_cache/**",
        ".ruff_cache/**",
        "**/.hypothesis/**",
        ".hypothesis/**",
        "**/.*cache/**",
        ".*cache/**",
        "**/.tox/**",
        ".tox/**",
        "**/.nox/**",
        ".nox/**",
        "**/node_modules/**",
        "node_modules/**",
        "**/.gradle/**",
        ".gradle/**",
        ".eslintcache",
        ".parcel-cache/**",
        "**/*.egg-info/**",
        "*.egg-info/**",
        ".coverage",
        ".coverage.*",
        ".nyc_output/**",
        "*.gcda",
        "*.gcno",
        "*.tsbuildinfo"}},
      {"editor backup",
       {"*~", "*.swp", "*.swo", "*.swn", ".#*", "#*#", "*.orig", "*.rej", "*.bak", ".DS_Store", "Thumbs.db",
        "desktop.ini"}},
      {"log", {"*.log", "nohup.out", "*.pid"}},
      {"compiled output", {"*.o", "*.obj", "*.class", "*.lo", "*.la", "*.d"}},
  };
  return kinds;
}

// What compilers and linkers write, by its first bytes: a program has no fixed name.
bool is_compiled(std::string_view bytes) {
  using namespace std::string_view_literals;
  static constexpr std::array marks = {
      "\x7f"
      "ELF"sv,
      "\xca\xfe\xba\xbe"sv,
      "\xcf\xfa\xed\xfe"sv,
      "\xce\xfa\xed\xfe"sv,
      "!<arch>\n"sv,
      "MZ\x90\0"sv};
  return std::any_of(marks.begin(), marks.end(),
                     [&](std::string_view mark) { return bytes.starts_with(mark); });
}

bool is_one_of(std::string_view word, const std::vector<std::string_view>& known) {
  return std::find(known.begin(), known.end(), word) != known.end();
}

// Words after which a name is defined.
bool defines(std::string_view word) {
  static const std::vector<std::string_view> known = {
      "def",       "class",  "func",   "function", "fn",       "struct", "enum", "union",
      "interface", "trait",  "type",   "typedef",  "const",    "var",    "let",  "define",
      "namespace", "module", "macro",  "record",   "protocol", "object", "void", "int",
      "bool",      "char",   "double", "long",     "auto",     "static"};
  return is_one_of(word, known);
}

std::set<std::string_view> defined_names(std::string_view text) {
  std::set<std::string_view> names;
  for (const std::string_view line : diff_lines("", text).new_lines) {
    const auto words = line_words(line);
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
      if (defines(words[i]) && words[i + 1].size() >= kTellingName && !defines(words[i + 1]))
        names.insert(words[i + 1]);
    const auto bracket = line.find("()"); // a function of the shell
    if (!words.empty() && words.front().size() >= kTellingName && bracket == words.front().size() &&
        line.starts_with(words.front()))
      names.insert(words.front());
  }
  return names;
}

using Names = std::set<std::string, std::less<>>;

// The names a text has in its code, and those of them it defines.
struct Named {
  Names words, defined;
};

Named named(const std::string& path, std::string_view text) {
  const std::string code = code_mask(path, text);
  Named found;
  for (const std::string_view word : line_words(code)) found.words.emplace(word);
  for (const std::string_view name : defined_names(code)) found.defined.emplace(name);
  return found;
}

// A changed file, its names on both sides, and the lines the change added to it, without comments.
struct Changed {
  const FileChange* file;
  std::vector<std::string> added;
  Named before, now;
};

Changed changed(const FileChange& change) {
  Changed made{&change, {}, named(change.path, change.old_content), named(change.path, change.new_content)};
  const std::string code = without_comments(change.path, change.new_content);
  const LineDiff diff = diff_lines(change.old_content, change.new_content), shown = diff_lines("", code);
  for (std::size_t i = 0; i < diff.new_lines.size() && i < shown.new_lines.size(); ++i)
    if (diff.added[i]) made.added.emplace_back(shown.new_lines[i]);
  return made;
}

// Does it use a name that only the new file can give it: one it did not know before, or defined itself?
bool uses_a_name(const Changed& user, const Names& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const bool moved = user.before.defined.contains(name) && !user.now.defined.contains(name);
    return user.now.words.contains(name) && (moved || !user.before.words.contains(name));
  });
}

bool uses(const Changed& user, const Changed& made) {
  return uses_a_name(user, made.now.defined) ||
         std::any_of(user.added.begin(), user.added.end(),
                     [&](const std::string& line) { return line_names_file(line, made.file->path); });
}

} // namespace

std::string_view junk_kind(const FileChange& change) {
  if (!change.added()) return {};
  for (const JunkKind& kind : junk_kinds())
    if (any_glob_match(kind.globs, change.path)) return kind.what;
  return is_compiled(change.new_content) ? "compiled output" : std::string_view{};
}

std::set<std::string, std::less<>> used_new_files(const Patch& patch) {
  std::set<std::string, std::less<>> used;
  const auto must_be_used = [](const FileChange& change) {
    return change.added() && !is_test_path(change.path);
  };
  if (std::none_of(patch.changes.begin(), patch.changes.end(), must_be_used)) return used;
  std::vector<Changed> users, open;
  for (const FileChange& change : patch.changes)
    if (!change.deleted()) (must_be_used(change) ? open : users).push_back(changed(change));
  while (!users.empty() && !open.empty()) { // what a used file uses is used
    const std::vector<Changed> now = std::exchange(users, {});
    std::erase_if(open, [&](const Changed& candidate) {
      if (std::none_of(now.begin(), now.end(), [&](const Changed& user) { return uses(user, candidate); }))
        return false;
      used.insert(candidate.file->path);
      users.push_back(candidate);
      return true;
    });
  }
  return used;
}

} // namespace emend
