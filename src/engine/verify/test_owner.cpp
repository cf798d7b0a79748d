#include "engine/verify/test_owner.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/strings.hpp"

namespace emend {
namespace {

bool is(int (*kind)(int), char c) { return kind(static_cast<unsigned char>(c)) != 0; }
bool in_word(char c) { return is(std::isalnum, c) || c == '_'; }

// "test_stringUtils2" -> test, string, utils2; a word in capitals stays whole.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!is(std::isalnum, c)) {
      open = false;
      continue;
    }
    const bool begins = i > 0 && is(std::isupper, c) &&
                        (is(std::islower, text[i - 1]) || is(std::isdigit, text[i - 1]) ||
                         (i + 1 < text.size() && is(std::islower, text[i + 1])));
    if (!open || begins) words.emplace_back();
    words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    open = true;
  }
  return words;
}

std::string_view stem_of(std::string_view file) {
  const auto slash = file.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? file : file.substr(slash + 1);
  return name.substr(0, name.find('.', 1));
}

// Stands in the text as a word of its own.
bool stands_in(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !in_word(text[at - 1]) || !in_word(word.front());
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !in_word(text[end]) || !in_word(word.back()))) return true;
  }
  return false;
}

// A part of an id that nobody writes by chance: it has more in it than small letters.
bool telling(std::string_view part) {
  constexpr std::size_t kShortest = 5;
  return part.size() >= kShortest &&
         !std::all_of(part.begin(), part.end(), [](char c) { return is(std::islower, c); });
}

} // namespace

bool names_file(std::string_view id, std::string_view file) {
  const std::vector<std::string> wanted = words_of(stem_of(file));
  if (wanted.empty()) return false;
  const std::string whole = join(wanted, "");
  const std::vector<std::string> words = words_of(id);
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    std::string run;
    for (std::size_t end = begin; end < words.size() && run.size() < whole.size(); ++end) run += words[end];
    if (run == whole) return true;
  }
  return false;
}

bool mentions_test(std::string_view text, std::string_view id) {
  if (id.empty()) return false;
  if (telling(id) && stands_in(text, id)) return true;
  for (const char* separators : {" ()[]>:#\\,", " ()[]>:#\\,./"}) {
    std::string_view rest = id;
    while (!rest.empty()) {
      const auto end = std::min(rest.find_first_of(separators), rest.size());
      const std::string_view part = rest.substr(0, end);
      if (telling(part) && stands_in(text, part)) return true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return false;
}

} // namespace emend
