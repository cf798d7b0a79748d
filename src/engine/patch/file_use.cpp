#include "engine/patch/file_use.hpp"

#include <algorithm>
#include <cctype>

#include "base/strings.hpp"

namespace emend {
namespace {

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

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

} // namespace

std::vector<std::string_view> line_words(std::string_view line) {
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

bool line_names_file(std::string_view line, std::string_view path) {
  const std::string_view name = file_name(path), stem = loaded_as(path);
  if (name.find('.') != std::string_view::npos && line.find(name) != std::string_view::npos) return true;
  const auto words = line_words(line);
  return is_one_of(stem, words) && (loads(words) || named_as_file(line, stem));
}

bool names_file_at(std::string_view text, std::string_view path) {
  const auto lines = lines_of(text);
  return std::any_of(lines.begin(), lines.end(),
                     [&](std::string_view line) { return line_names_file(line, path); });
}

} // namespace emend
