#include "engine/patch/new_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "base/glob.hpp"
#include "engine/patch/code_mask.hpp"
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

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The words of a line, in order.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    if (!is_word_char(line[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < line.size() && is_word_char(line[at])) ++at;
    words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

bool is_one_of(std::string_view word, const std::vector<std::string_view>& known) {
  return std::find(known.begin(), known.end(), word) != known.end();
}

// Words that load another file, in the languages people write.
bool loads(const std::vector<std::string_view>& words) {
  static const std::vector<std::string_view> known = {
      "import",           "from",  "include", "include_once", "require",     "require_once",
      "require_relative", "use",   "mod",     "source",       "load",        "export",
      "extends",          "using", "open",    "autoload",     "add_library", "add_executable"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return is_one_of(word, known); });
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

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// What a file is called by those who load it: its name without endings, or its directory's for the file that
// stands for a directory.
std::string_view loaded_as(std::string_view path) {
  const std::string_view name = file_name(path);
  const std::string_view stem = name.substr(0, name.find('.', 1));
  if (stem != "__init__" && stem != "index" && stem != "mod") return stem;
  const std::string_view directory = path.substr(0, path.size() - name.size());
  return directory.empty() ? stem : file_name(directory.substr(0, directory.size() - 1));
}

constexpr std::size_t kTelling = 3; // letters; shorter names stand in too many lines by chance

std::set<std::string_view> defined_names(std::string_view text) {
  std::set<std::string_view> names;
  for (const std::string_view line : diff_lines("", text).new_lines) {
    const auto words = words_of(line);
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
      if (defines(words[i]) && words[i + 1].size() >= kTelling && !defines(words[i + 1]))
        names.insert(words[i + 1]);
    const auto bracket = line.find("()"); // a function of the shell
    if (!words.empty() && words.front().size() >= kTelling && bracket == words.front().size() &&
        line.starts_with(words.front()))
      names.insert(words.front());
  }
  return names;
}

// Is `word` somewhere in the line with a quote, bracket, slash or dot beside it, as names of files are
// written?
bool named_as_file(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    const std::size_t end = at + word.size();
    const char after = end == line.size() ? ' ' : line[end];
    if (is_word_char(before) || is_word_char(after)) continue;
    if (std::string_view("\"'`/<").find(before) != std::string_view::npos &&
        std::string_view("\"'`/>.").find(after) != std::string_view::npos)
      return true;
  }
  return false;
}

bool line_uses(std::string_view line, const FileChange& file) {
  const std::string_view name = file_name(file.path), stem = loaded_as(file.path);
  if (name.find('.') != std::string_view::npos && line.find(name) != std::string_view::npos) return true;
  const auto words = words_of(line);
  const bool mentioned = is_one_of(stem, words);
  return mentioned && (loads(words) || named_as_file(line, stem));
}

using Names = std::set<std::string, std::less<>>;

// The names a text has in its code, and those of them it defines.
struct Named {
  Names words, defined;
};

Named named(const std::string& path, std::string_view text) {
  const std::string code = code_mask(path, text);
  Named found;
  for (const std::string_view word : words_of(code)) found.words.emplace(word);
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
                     [&](const std::string& line) { return line_uses(line, *made.file); });
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
  std::vector<Changed> users, open;
  for (const FileChange& change : patch.changes)
    if (!change.deleted())
      (change.added() && !is_test_path(change.path) ? open : users).push_back(changed(change));
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
