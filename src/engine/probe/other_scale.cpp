#include "engine/probe/other_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "engine/probe/names.hpp"
#include "engine/probe/source.hpp"

namespace emend {
namespace {

using probe::Range;
using probe::Source;
using probe::Token;
using probe::Tongue;
using Kind = Token::Kind;

// The two sides of an equality: one is a literal, the other is computed.
struct Sides {
  Range literal, computed;
};

bool is_any(const Source& source, std::size_t index, const std::set<std::string_view>& all) {
  return index < source.size() && !source.kind_is(index, Kind::text) && all.contains(source.tokens[index].at);
}

// Digits alone, and so few that no whole number of 32 bits runs over when it is multiplied.
bool is_number(std::string_view text) {
  constexpr std::size_t kMostDigits = 6;
  return !text.empty() && text.size() <= kMostDigits && (text.size() == 1 || text.front() != '0') &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_plain_text(std::string_view text) {
  return text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front() &&
         !text.starts_with("\"\"\"") && !text.starts_with("'''");
}

bool is_number_literal(const Source& source, Range range) {
  if (range.end - range.begin == 2 && source.is(range.begin, "-")) ++range.begin;
  return range.end - range.begin == 1 && !source.kind_is(range.begin, Kind::text) &&
         is_number(source.tokens[range.begin].at);
}

bool is_text_literal(const Source& source, Range range) {
  return range.end - range.begin == 1 && source.kind_is(range.begin, Kind::text);
}

bool is_literal(const Source& source, Range range) {
  return is_number_literal(source, range) || is_text_literal(source, range);
}

bool calls(const Source& source, Range range) {
  for (std::size_t i = range.begin; i < range.end; ++i)
    if (source.is(i, "(") && i > range.begin && source.kind_is(i - 1, Kind::word)) return true;
  return false;
}

// A value that can be reckoned with as it stands: names, calls, members and sums of them.
bool is_value(const Source& source, Range range) {
  static const std::set<std::string_view> kInside = {".", "->", "::", "?.", "+", "-", "*", "/"};
  static const std::set<std::string_view> kNotValues = {
      "and", "or",   "not",  "in",   "is",     "lambda", "if",       "else", "yield", "return",
      "new", "case", "goto", "null", "throws", "async",  "function", "fn",   "func"};
  if (range.empty() || range.end > source.size()) return false;
  for (std::size_t i = range.begin; i < range.end; i = source.after(i)) {
    const Token& token = source.tokens[i];
    if (token.kind == Kind::number) continue;
    if (token.kind == Kind::word && kNotValues.contains(token.at)) return false;
    const bool group = (source.is(i, "(") || source.is(i, "[")) && source.after(i) <= range.end;
    if (token.kind != Kind::word && !group && !is_any(source, i, kInside)) return false;
  }
  return true;
}

// Names that say that what is close, in order or of another kind is equal, too.
bool is_lenient(std::string_view name) {
  static const std::set<std::string> kWords = {
      "almost", "approx", "close",  "near",  "within", "delta", "length", "len", "count",   "contains",
      "has",    "raises", "throws", "error", "size",   "str",   "streq",  "ptr", "greater", "less",
      "above",  "below",  "least",  "most",  "than",   "gt",    "lt",     "ge",  "le"};
  const auto words = probe::words_of(name);
  return std::any_of(words.begin(), words.end(), [](const auto& word) { return kWords.contains(word); });
}

// assertEqual(f(3), 10), assert.Equal(t, 10, f(3)), CHECK("name", f(3), 10)
std::optional<Sides> sides_of_call(const Source& source, std::size_t open) {
  if (open == 0 || !source.is(open, "(") || source.partners[open] >= source.size()) return std::nullopt;
  std::size_t name = open - 1;
  if (source.is(name, "!") && name > 0) --name;
  if (!source.kind_is(name, Kind::word)) return std::nullopt;
  const std::string_view called = source.tokens[name].at;
  const Tongue tongue = source.language.tongue;
  static const std::set<std::string_view> kCompares = {"==", "!=", "===", "!==", "<", ">", "<=", ">="};
  // A function of the project may have such a word in its name, too: same_chars("a", "b") == true.
  if (is_any(source, source.partners[open] + 1, kCompares)) return std::nullopt;
  // An order, or what else has an opposite and is no equality, need not hold of other values: assertGreater.
  const bool understood = probe::opposite_name(called, tongue).has_value();
  const bool equality = understood && probe::names_equality(called);
  const bool own = !understood && probe::names_assertion(called, tongue); // of the project
  if (is_lenient(called) || (!equality && !own)) return std::nullopt;
  auto arguments = source.arguments_in({open + 1, source.partners[open]});
  if (tongue == Tongue::go && !arguments.empty()) arguments.erase(arguments.begin()); // t
  const bool two = equality && arguments.size() == 2;
  const bool native = tongue == Tongue::c || tongue == Tongue::cpp;
  std::optional<Sides> found;
  std::vector<Range> others;
  Range literal;
  for (const Range& part : arguments) {
    const bool counts = is_number_literal(source, part) || (two && !native && is_text_literal(source, part));
    if (counts && literal.empty())
      literal = part;
    else if (!is_text_literal(source, part))
      others.push_back(part);
    else if (two)
      return std::nullopt;
  }
  const bool known = others.size() == 1 && is_value(source, others.front()) &&
                     (equality || (arguments.size() > 1 && calls(source, others.front())));
  return known && !literal.empty() ? std::optional(Sides{literal, others.front()}) : std::nullopt;
}

// expect(f(3)).toBe(10), expect(f(3)).to.equal(10), assertThat(f(3)).isEqualTo(10)
std::optional<Sides> sides_of_chain(const Source& source, std::size_t open) {
  static const std::set<std::string_view> kEqual = {
      "toBe", "toEqual", "toStrictEqual", "equal", "equals", "eql", "be", "eq", "isEqualTo"};
  static const std::set<std::string_view> kBetween = {"to", "not", "be", "deep", "strictly", "is", "not_to"};
  static const std::set<std::string_view> kBegins = {"expect", "assertThat"};
  if (open < 5 || !source.is(open, "(") || !is_any(source, open - 1, kEqual)) return std::nullopt;
  const auto wanted = source.arguments_in({open + 1, source.partners[open]});
  if (source.partners[open] >= source.size() || wanted.size() != 1 || !is_literal(source, wanted[0]))
    return std::nullopt;
  std::size_t at = open - 2;
  while (at > 2 && (source.is(at, ".") || is_any(source, at, kBetween))) --at;
  if (!source.is(at, ")") || source.partners[at] == 0 || source.partners[at] >= at) return std::nullopt;
  const std::size_t begin = source.partners[at];
  const auto actual = source.arguments_in({begin + 1, at});
  if (!is_any(source, begin - 1, kBegins) || actual.size() != 1 || !is_value(source, actual[0]))
    return std::nullopt;
  return Sides{wanted[0], actual[0]};
}

// assert f(3) == 10, if (f(3) != 10)
std::optional<Sides> sides_of_operator(const Source& source, std::size_t index) {
  static const std::set<std::string_view> kMarks = {"==", "!=", "===", "!=="};
  static const std::set<std::string_view> kEnds = {")", ",", ";", ":", "{", "&&", "||"};
  static const std::set<std::string_view> kBegins = {"(",     ",", "&&", "||", "assert", "if",
                                                     "while", ";", "{",  "}",  "return"};
  if (!is_any(source, index, kMarks)) return std::nullopt;
  const std::size_t behind = source.is(index + 1, "-") ? index + 3 : index + 2;
  const Range literal{index + 1, behind};
  const bool ends =
      behind >= source.size() || source.kind_is(behind, Kind::line_end) || is_any(source, behind, kEnds);
  if (behind > source.size() || !ends || !is_literal(source, literal)) return std::nullopt;
  std::size_t begin = index;
  while (begin > 0) {
    const std::size_t before = begin - 1;
    const bool closes = source.is(before, ")") || source.is(before, "]");
    if (closes && source.partners[before] < before) {
      begin = source.partners[before];
      continue;
    }
    const bool ended = source.kind_is(before, Kind::line_end) || is_any(source, before, kBegins);
    if (ended || !is_value(source, {before, begin})) break;
    begin = before;
  }
  const bool whole =
      begin > 0 && (source.kind_is(begin - 1, Kind::line_end) || is_any(source, begin - 1, kBegins));
  const Range computed{begin, index};
  if (!whole || !is_value(source, computed)) return std::nullopt;
  static const std::set<Tongue> kNamesWillDo = {Tongue::python, Tongue::javascript, Tongue::go};
  const bool native = source.language.tongue == Tongue::c || source.language.tongue == Tongue::cpp;
  if (native && is_text_literal(source, literal)) return std::nullopt; // addresses
  const bool will_do = kNamesWillDo.contains(source.language.tongue) || calls(source, computed);
  return will_do ? std::optional(Sides{literal, computed}) : std::nullopt;
}

// strcmp(f(3), "ab") == 0, EXPECT_STREQ("ab", f(3))
std::optional<Sides> sides_of_texts(const Source& source, std::size_t open) {
  const bool native = source.language.tongue == Tongue::c || source.language.tongue == Tongue::cpp;
  if (!native || open == 0 || !source.is(open, "(") || !source.kind_is(open - 1, Kind::word))
    return std::nullopt;
  if (source.partners[open] >= source.size()) return std::nullopt;
  const std::string_view called = source.tokens[open - 1].at;
  const auto words = probe::words_of(called);
  const bool asserts = std::find(words.begin(), words.end(), "streq") != words.end();
  const auto arguments = source.arguments_in({open + 1, source.partners[open]});
  if ((called != "strcmp" && !asserts) || arguments.size() != 2) return std::nullopt;
  for (const std::size_t at : {0U, 1U}) {
    const Range &literal = arguments[at], &computed = arguments[1 - at];
    if (is_text_literal(source, literal) && is_value(source, computed) && !is_text_literal(source, computed))
      return Sides{literal, computed};
  }
  return std::nullopt;
}

// How a value is changed, the same for both sides.
class Scaling {
public:
  Scaling(Tongue tongue, std::size_t seed)
      : tongue_(tongue),
        factor_(101 + 2 * ((seed * 131) % 450)),
        summand_(11 + seed * 37 % 89),
        mask_(17 + seed * 29 % 110),
        word_(fmt::format("q{}z", 100 + seed * 53 % 900)) {}

  // What goes before and behind one side.
  [[nodiscard]] std::optional<std::pair<std::string, std::string>> around(const Source& source,
                                                                          const Sides& sides) const {
    const bool native = tongue_ == Tongue::c || tongue_ == Tongue::cpp;
    if (is_text_literal(source, sides.literal)) {
      const std::string_view text = source.tokens[sides.literal.begin].at;
      if (native && text.size() > 2 && text.front() == '"' && text[1] != '\\') // without their first letter
        return std::pair<std::string, std::string>{"((", ") + 1)"};
      if (!is_plain_text(source.tokens[sides.literal.begin].at) || !joins_texts()) return std::nullopt;
      const bool php = tongue_ == Tongue::php;
      return std::pair<std::string, std::string>{"((", fmt::format("){}\"{}\")", php ? " . " : " + ", word_)};
    }
    if (tongue_ == Tongue::rust) return std::pair<std::string, std::string>{"", fmt::format(" ^ {}", mask_)};
    const std::string_view literal = source.text_of(sides.literal);
    // What is compared with nothing may be an address.
    if (native && literal == "0")
      return std::pair<std::string, std::string>{"((",
                                                 fmt::format(") ? {} : {})", factor_ + summand_, summand_)};
    // What is equal has one hash, and nothing can be reckoned back from it.
    if (tongue_ == Tongue::python)
      return std::pair<std::string, std::string>{"hash(((", fmt::format("), {}))", factor_)};
    if (tongue_ == Tongue::javascript)
      return std::pair<std::string, std::string>{
          fmt::format("((v) => Number(v) * {} + (Number(v) ^ {}))(", factor_, mask_), ")"};
    const std::size_t factor = literal.size() > kFewDigits || tongue_ == Tongue::go ? kSmallFactor : factor_;
    return std::pair<std::string, std::string>{"((", fmt::format(") * {} + {})", factor, summand_)};
  }

private:
  // What comes out has no more than 24 bits: a float holds it as it is. Go counts in the type of the value,
  // which may be a small one.
  static constexpr std::size_t kFewDigits = 4, kSmallFactor = 13;

  [[nodiscard]] bool joins_texts() const {
    return tongue_ == Tongue::python || tongue_ == Tongue::javascript || tongue_ == Tongue::java ||
           tongue_ == Tongue::php || tongue_ == Tongue::go;
  }

  Tongue tongue_;
  std::size_t factor_, summand_, mask_; // an odd factor keeps apart what differs, in any number of bits
  std::string word_;
};

void put_around(const Source& source, Range range, const std::pair<std::string, std::string>& words,
                std::vector<probe::Edit>& edits) {
  const std::size_t begin = source.tokens[range.begin].begin, end = source.tokens[range.end - 1].end;
  edits.push_back({begin, begin, words.first});
  edits.push_back({end, end, words.second});
}

// check name "$(f 3)" 10, [ "$(f 3)" = 10 ]: both get the same digits behind them.
std::vector<probe::Edit> shell_edits(const Source& source, std::size_t seed) {
  static const std::set<std::string_view> kTests = {"[", "[[", "test"};
  std::vector<probe::Edit> edits;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const bool begins = source.kind_is(i, Kind::word) && probe::begins_statement(source, i);
    const bool condition = begins || (i > 0 && is_any(source, i - 1, {"if", "!", "while"}));
    const std::string_view called = source.tokens[i].at;
    const bool tests = condition && kTests.contains(called);
    if (!tests && (!begins || is_lenient(called) || !probe::names_assertion(called, Tongue::shell))) continue;
    std::vector<std::size_t> numbers, computed;
    for (std::size_t k = i + 1; k < source.size() && source.kind_is(k, Kind::word); ++k) {
      const std::string_view word = source.tokens[k].at;
      if (is_number(word)) numbers.push_back(k);
      if (word.starts_with("\"$") && word.ends_with('"') && word.size() > 3) computed.push_back(k);
    }
    if (numbers.size() != 1 || computed.size() != 1) continue;
    const std::size_t operation = std::min(numbers[0], computed[0]) + 1;
    const bool equality = is_any(source, operation, {"=", "==", "!=", "-eq", "-ne"});
    if (tests && (!equality || std::max(numbers[0], computed[0]) != operation + 1)) continue;
    std::string digits; // no 8 and no 9: a number that begins with 0 is octal
    for (std::size_t n = 0, drawn = seed + i; n < 4; ++n, drawn /= 3)
      digits += static_cast<char>('1' + (drawn * 5 + n) % 7);
    for (const std::size_t at : {numbers[0], computed[0]})
      edits.push_back({source.tokens[at].end, source.tokens[at].end, digits});
  }
  return edits;
}

} // namespace

std::string on_other_scale(std::string_view path, std::string_view text, std::size_t seed) {
  const probe::Language* language = probe::language_of(path, text);
  if (language == nullptr || text.find('\0') != std::string_view::npos) return std::string(text);
  const Source source(text, *language);
  if (language->tongue == Tongue::shell) return probe::edited(text, shell_edits(source, seed));
  std::vector<probe::Edit> edits;
  std::size_t done = 0; // bytes: a place inside of another one is left alone
  for (std::size_t i = 0; i < source.size(); ++i) {
    std::optional<Sides> sides = sides_of_operator(source, i);
    if (!sides) sides = sides_of_chain(source, i);
    if (!sides) sides = sides_of_call(source, i);
    if (!sides) sides = sides_of_texts(source, i);
    if (!sides) continue;
    const auto words = Scaling(language->tongue, seed + i).around(source, *sides);
    const std::size_t begin =
        std::min(source.tokens[sides->literal.begin].begin, source.tokens[sides->computed.begin].begin);
    if (!words || begin < done) continue;
    put_around(source, sides->computed, *words, edits);
    put_around(source, sides->literal, *words, edits);
    done = std::max(source.tokens[sides->literal.end - 1].end, source.tokens[sides->computed.end - 1].end);
  }
  return probe::edited(text, std::move(edits));
}

} // namespace emend
