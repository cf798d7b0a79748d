#include "engine/probe/named_value.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::size_t kShortestName = 3;
constexpr std::size_t kLinesBelow = 6; // a test's name stands above what it asserts

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t find_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return at;
  }
  return std::string_view::npos;
}

// The whole id, else as much of its end as the text has: of "tests.test_limit.Suite.test_upper[3]" it is
// "test_upper", of "Limits keep the upper one" it may be "keep the upper one".
std::size_t place_of(std::string_view text, std::string_view id) {
  const auto drop = [&](bool words) {
    while (!id.empty() && is_word(id.front()) == words) id.remove_prefix(1);
  };
  drop(false);
  const std::size_t whole = id.empty() ? std::string_view::npos : find_word(text, id);
  if (whole != std::string_view::npos) return whole;
  id = id.substr(0, id.find_first_of("[(", 1));
  while (!id.empty() && !is_word(id.back())) id.remove_suffix(1);
  while (id.size() >= kShortestName) {
    const std::size_t at = find_word(text, id);
    if (at != std::string_view::npos) return at;
    drop(true);
    drop(false);
  }
  return std::string_view::npos;
}

struct Span {
  std::size_t begin = 0, end = 0;
};

// What a program ends with is nothing that a test expects.
bool is_exit_status(std::string_view before) {
  before = trim(before);
  if (before.ends_with('(')) before = trim(before.substr(0, before.size() - 1));
  for (const std::string_view word : {"return", "exit", "_exit", "Exit", "quick_exit"})
    if (before.ends_with(word) &&
        (before.size() == word.size() || !is_word(before[before.size() - word.size() - 1])))
      return true;
  return false;
}

// Digits that are no part of a name, a fraction or a character.
std::optional<Span> last_number(std::string_view text, std::size_t from, std::size_t to) {
  for (std::size_t end = to; end > from; --end) {
    if (!is_digit(text[end - 1]) || (end < to && (is_word(text[end]) || text[end] == '.'))) continue;
    std::size_t begin = end;
    while (begin > from && is_digit(text[begin - 1])) --begin;
    const char before = begin > from ? text[begin - 1] : ' ';
    const bool plain = !is_word(before) && before != '.' && before != '$' && before != '\'';
    if (plain && !is_exit_status(text.substr(from, begin - from))) return Span{begin, end};
    end = begin + 1;
  }
  return std::nullopt;
}

Twist replaced(std::string_view path, std::string_view text, const Span& number, std::string_view digits) {
  const auto before = text.substr(0, number.begin);
  Twist twist;
  twist.kind = Twist::Kind::data;
  twist.file = std::string(path);
  twist.text = std::string(before) + std::string(digits) + std::string(text.substr(number.end));
  twist.line = twist.last_line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const auto index = static_cast<std::size_t>(twist.line - 1);
  twist.before = std::string(trim(lines_of(text)[index]));
  twist.after = std::string(trim(lines_of(twist.text)[index]));
  return twist;
}

} // namespace

int line_of_test(std::string_view text, std::string_view id) {
  const std::size_t at = place_of(text, id);
  if (at == std::string_view::npos) return 0;
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::optional<Twist> other_number_of(std::string_view path, std::string_view text, std::string_view id,
                                     std::string_view digits) {
  std::size_t at = place_of(text, id);
  if (at == std::string_view::npos) return std::nullopt;
  for (std::size_t i = 0; i <= kLinesBelow && at < text.size(); ++i) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (const auto number = last_number(text, at, end)) return replaced(path, text, *number, digits);
    at = end + 1;
  }
  return std::nullopt;
}

std::optional<Twist> other_number_beside(std::string_view path, std::string_view text, std::string_view name,
                                         std::string_view digits) {
  const std::size_t at = find_word(text, name);
  if (name.size() < kShortestName || at == std::string_view::npos) return std::nullopt;
  const auto number = last_number(text, at + name.size(), std::min(text.find('\n', at), text.size()));
  return number ? std::optional(replaced(path, text, *number, digits)) : std::nullopt;
}

} // namespace emend
