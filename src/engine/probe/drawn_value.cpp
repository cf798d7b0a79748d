#include "engine/probe/drawn_value.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include "base/strings.hpp"

namespace emend::probe {
namespace {

constexpr std::size_t kMostDigits = 15; // of a number that is reckoned with

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return is_digit(c) || is_letter(c) || c == '_'; }

// The digits of a draw, again and again.
class Digits {
public:
  explicit Digits(std::string_view digits) : digits_(digits.empty() ? "1" : digits) {}

  // 0 ... below - 1
  std::size_t next(std::size_t below) {
    const std::size_t turn = at_ / digits_.size(); // else a short draw repeats itself
    const auto digit = static_cast<std::size_t>(digits_[at_ % digits_.size()] - '0');
    const auto other = static_cast<std::size_t>(digits_[(at_ * 3 + 1) % digits_.size()] - '0');
    ++at_;
    return (digit * 10 + other + 7 * turn) % below;
  }

private:
  std::string digits_;
  std::size_t at_ = 0;
};

// "10", "10L", "2.50": what is reckoned with and what stands around it.
struct Number {
  std::string digits, rest; // of "2.50f" it is "2" and ".50f"
};

std::optional<Number> number_of(std::string_view literal) {
  const auto end =
      static_cast<std::size_t>(std::find_if_not(literal.begin(), literal.end(), is_digit) - literal.begin());
  const std::string_view rest = literal.substr(end);
  const bool padded = end > 1 && literal[0] == '0';
  const bool plain = rest.find_first_not_of(".0123456789fFuUlL") == std::string_view::npos;
  if (end == 0 || end > kMostDigits || padded || !plain) return std::nullopt;
  return Number{std::string(literal.substr(0, end)), std::string(rest)};
}

// One or two away.
std::string neighbour(const std::string& digits, Digits& draw) {
  const long long value = std::stoll(digits), step = 1 + static_cast<long long>(draw.next(2));
  return std::to_string(draw.next(2) == 0 && value >= step ? value - step : value + step);
}

// As many digits, others.
std::string same_length(const std::string& digits, Digits& draw) {
  std::string other;
  for (std::size_t i = 0; i < digits.size(); ++i)
    other += static_cast<char>(i == 0 && digits.size() > 1 ? '1' + draw.next(9) : '0' + draw.next(10));
  return other == digits ? neighbour(digits, draw) : other;
}

char another(char c, Digits& draw) {
  if (is_digit(c))
    return static_cast<char>('0' + (static_cast<std::size_t>(c - '0') + 1 + draw.next(9)) % 10);
  const char first = std::isupper(static_cast<unsigned char>(c)) != 0 ? 'A' : 'a';
  return static_cast<char>(first + (static_cast<std::size_t>(c - first) + 1 + draw.next(25)) % 26);
}

bool is_plain(char c) { return is_digit(c) || is_letter(c); }

// Nothing in it that a language reads as something else.
bool is_simple(std::string_view content) {
  return std::all_of(content.begin(), content.end(), [](char c) {
    return c >= ' ' && c != 0x7f && std::string_view("\\\"'`$%{}#").find(c) == std::string_view::npos;
  });
}

// How runners and people say that two values differ.
bool compares(std::string_view line) {
  static constexpr std::array<std::string_view, 16> kMarks = {
      "!=",    "==",     "not equal", "expected", "got",   "actual", "received", "want",
      "left:", "right:", "which is",  "returned", " not ", "was",    "instead",  "value"};
  const std::string low = to_lower(line);
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [&](std::string_view mark) { return contains(low, mark); });
}

// The values of a line: numbers, with their sign, or texts between quotes.
std::vector<std::string> numbers_in(std::string_view line) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < line.size();) {
    if (!is_digit(line[i])) {
      ++i;
      continue;
    }
    std::size_t begin = i;
    while (i < line.size() &&
           (is_digit(line[i]) || (line[i] == '.' && i + 1 < line.size() && is_digit(line[i + 1]))))
      ++i;
    const bool part =
        (begin > 0 && (is_word(line[begin - 1]) || line[begin - 1] == '.' || line[begin - 1] == ':')) ||
        (i < line.size() && (is_word(line[i]) || line[i] == '('));
    if (part) continue;
    if (begin > 0 && line[begin - 1] == '-' && (begin < 2 || !is_word(line[begin - 2]))) --begin;
    found.emplace_back(line.substr(begin, i - begin));
  }
  return found;
}

std::vector<std::string> texts_in(std::string_view line) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '"' && line[i] != '\'') continue;
    const std::size_t end = line.find(line[i], i + 1);
    if (end == std::string_view::npos) continue;
    found.emplace_back(line.substr(i + 1, end - i - 1));
    i = end;
  }
  return found;
}

// In a line that has the expected value as well, or else in one that only says what there was.
std::string answered(std::string_view said, std::string_view expected,
                     std::vector<std::string> (*values_in)(std::string_view)) {
  std::string alone;
  for (const std::string_view line : lines_of(said)) {
    if (!compares(line)) continue;
    const std::vector<std::string> values = values_in(line);
    const bool both = std::find(values.begin(), values.end(), expected) != values.end();
    for (const std::string& value : values) {
      if (value == expected) continue;
      if (both) return value;
      if (alone.empty()) alone = value;
    }
  }
  return alone;
}

} // namespace

std::string answered_number(std::string_view said, std::string_view expected) {
  return answered(said, expected, numbers_in);
}

std::string answered_text(std::string_view said, std::string_view expected) {
  return answered(said, expected, texts_in);
}

std::string other_number(std::string_view literal, const Draw& draw) {
  const std::optional<Number> number = number_of(literal);
  if (!number) return std::string(draw.digits);
  const bool whole = number->rest.find('.') == std::string::npos;
  const std::string expected = whole ? number->digits : std::string(literal);
  const std::string before = answered_number(draw.said, expected);
  const bool fits = !before.empty() && contains(before, ".") != whole && before.size() <= kMostDigits;
  if (fits) return before + (whole ? number->rest : "");
  Digits digits(draw.digits);
  const bool near = digits.next(4) != 0;
  return (near ? neighbour(number->digits, digits) : same_length(number->digits, digits)) + number->rest;
}

std::string other_text(std::string_view content, const Draw& draw) {
  if (!is_simple(content)) return {};
  const std::string before = answered_text(draw.said, content);
  if (!before.empty() && is_simple(before)) return before;
  if (draw.shorter && content.size() > 1 && content.back() != ' ')
    return std::string(content.substr(0, content.size() - 1));
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < content.size(); ++i)
    if (is_plain(content[i])) places.push_back(i);
  if (places.empty()) return {};
  Digits digits(draw.digits);
  std::string other(content);
  if (digits.next(2) == 0) {
    char& one = other[places[digits.next(places.size())]];
    one = another(one, digits);
  } else {
    for (const std::size_t at : places) other[at] = another(other[at], digits);
  }
  return other;
}

} // namespace emend::probe
