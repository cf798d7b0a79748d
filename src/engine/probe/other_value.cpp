#include "engine/probe/other_value.hpp"

#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "engine/probe/names.hpp"
#include "engine/probe/source.hpp"

namespace emend {
namespace {

using probe::Source;
using probe::Token;
using Kind = Token::Kind;

bool is_equality(const Source& source, std::size_t index) {
  static const std::set<std::string_view> kMarks = {"==", "===", "-eq"};
  if (index >= source.size() || source.kind_is(index, Kind::text)) return false;
  const bool shell = source.language.tongue == probe::Tongue::shell;
  return kMarks.contains(source.tokens[index].at) || (shell && source.is(index, "="));
}

// One character stands for itself there.
bool has_characters(probe::Tongue tongue) {
  using probe::Tongue;
  return tongue == Tongue::c || tongue == Tongue::cpp || tongue == Tongue::java || tongue == Tongue::go ||
         tongue == Tongue::rust;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// A number behind a minus is no other one with a second minus.
std::string other_number(const Source& source, const Token& token, const probe::Draw& draw) {
  const bool negative = token.begin > 0 && source.text[token.begin - 1] == '-';
  return probe::other_number(token.at, negative ? probe::Draw{draw.digits} : draw);
}

// What stands for the literal; empty = it is none, or nothing can.
std::string replacement(const Source& source, const Token& token, const probe::Draw& draw) {
  const std::string value(draw.digits);
  if (token.kind == Kind::number) return other_number(source, token, draw);
  const bool shell = source.language.tongue == probe::Tongue::shell;
  if (shell && token.kind == Kind::word) {
    if (token.at.find_first_of("$`*?[(") != std::string_view::npos) return {};
    return is_number(token.at) ? other_number(source, token, draw) : value;
  }
  if (token.kind != Kind::text || token.at.size() < 2) return {};
  const char quote = token.at.back();
  const bool plain = token.at.front() == quote && (quote == '"' || quote == '\'');
  const bool character = quote == '\'' && has_characters(source.language.tongue);
  if (!plain || character || token.at.starts_with("\"\"\"") || token.at.starts_with("'''")) return {};
  const std::string_view content = token.at.substr(1, token.at.size() - 2);
  const std::string other =
      shell && is_number(content) ? probe::other_number(content, draw) : probe::other_text(content, draw);
  return quote + (other.empty() ? "v" + value : other) + quote;
}

// A comparison that is content with what is close says nothing about a neighbour.
bool is_tolerant(const Source& source, std::size_t begin, std::size_t end) {
  static const std::set<std::string_view> kWords = {"almost", "approx", "approximately", "close",    "near",
                                                    "within", "about",  "delta",         "tolerance"};
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Token& token = source.tokens[i];
    if (token.kind != Kind::word || token.begin < begin || token.end > end) continue;
    const auto words = probe::words_of(token.at);
    if (std::any_of(words.begin(), words.end(), [](const auto& word) { return kWords.contains(word); }))
      return true;
  }
  return false;
}

// Far away from the literal.
std::string far_number(const Token& token, const probe::Draw& draw) {
  const bool fraction =
      token.at.find_first_of(".eE") != std::string_view::npos && !token.at.starts_with("0x");
  return std::string(draw.digits) + (fraction ? ".5" : "");
}

// The literal is the whole of one side of a comparison.
bool is_operand(const Source& source, std::size_t index) {
  static const std::set<std::string_view> kAfter = {")", ",", ";", "]", "]]", "{", ":", "&&", "||"};
  const auto ends = [&](std::size_t at) {
    return at >= source.size() || source.kind_is(at, Kind::line_end) ||
           (!source.kind_is(at, Kind::text) && kAfter.contains(source.tokens[at].at));
  };
  return index > 0 && is_equality(source, index - 1) && ends(index + 1);
}

// A function of the project may have such a word in its name, too: same_chars("a", "b") == true. An assertion
// is one whose opposite is known, and nobody compares what it returns.
bool asserts_equality(const Source& source, std::size_t name, std::size_t close) {
  static const std::set<std::string_view> kCompares = {"==", "!=", "===", "!==", "<", ">", "<=", ">="};
  const std::size_t next = close + 1;
  if (next < source.size() && !source.kind_is(next, Kind::text) && kCompares.contains(source.tokens[next].at))
    return false;
  const std::string_view called = source.tokens[name].at;
  return probe::names_equality(called) && probe::opposite_name(called, source.language.tongue);
}

// strcmp(x, "a") == 0, !strcmp(x, "a")
bool compares_texts(const Source& source, std::size_t name, std::size_t close) {
  if (!source.is(name, "strcmp")) return false;
  return (source.is(close + 1, "==") && source.is(close + 2, "0")) || (name > 0 && source.is(name - 1, "!"));
}

struct Call {
  std::size_t name = 0;
  probe::Range arguments;
};

// The call that has this token among its arguments: in brackets, or in Ruby without.
std::optional<Call> call_around(const Source& source, std::size_t index) {
  const std::size_t open = source.enclosing[index];
  if (source.language.tongue == probe::Tongue::ruby)
    for (std::size_t at = index; at > 0 && !source.kind_is(at - 1, Kind::line_end) && at - 1 != open; --at) {
      if (!source.kind_is(at - 1, Kind::word) || source.enclosing[at - 1] != open) continue;
      const auto arguments = probe::bare_arguments(source, at);
      if (arguments && arguments->begin <= index && index < arguments->end) return Call{at - 1, *arguments};
    }
  if (open >= source.size() || !source.is(open, "(") || open == 0) return std::nullopt;
  const std::size_t name = source.is(open - 1, "!") && open > 1 ? open - 2 : open - 1; // Rust's macros
  if (!source.kind_is(name, Kind::word)) return std::nullopt;
  return Call{name, {open + 1, source.partners[open]}};
}

// The literal is a whole argument of a call that asserts equality: one of the first two, or the only one.
bool is_argument(const Source& source, std::size_t index) {
  const auto call = call_around(source, index);
  if (!call) return false;
  static const std::set<std::string_view> kChained = {"toBe", "be", "is"}; // expect(x).toBe(10)
  const std::size_t close =
      source.is(call->arguments.begin - 1, "(") ? call->arguments.end : call->arguments.end - 1;
  if (!kChained.contains(source.tokens[call->name].at) && !asserts_equality(source, call->name, close) &&
      !compares_texts(source, call->name, close))
    return false;
  const auto arguments = source.arguments_in(call->arguments);
  for (std::size_t i = 0; i < arguments.size() && i < 2; ++i)
    if (arguments[i].begin == index && arguments[i].end == index + 1) return true;
  return false;
}

// assertFalse(f(3) == 4), expect(f(3)).not_to eq(4), if (f(3) == 4) fail(): another value does not contradict
// what is said so.
bool is_turned(const Source& source, const probe::Negation& assertion, std::size_t index) {
  if (source.language.tongue == probe::Tongue::shell) return false;
  static const std::set<std::string_view> kTurning = {"not",   "ne",    "refute", "wont",
                                                      "never", "false", "falsy"};
  std::size_t first = 0, behind = 0;
  while (first < source.size() && source.tokens[first].begin < assertion.begin) ++first;
  for (behind = first; behind < source.size() && source.tokens[behind].end <= assertion.end;) ++behind;
  const auto is_else = [&](std::size_t at) { return source.is(at, "else"); };
  bool branches = source.is(first, "if");
  for (std::size_t at = first; at < behind; ++at) branches = branches && !is_else(at);
  if (branches) return true;
  for (std::size_t at = first; at < index; ++at) {
    const bool macro = at > first && source.kind_is(at - 1, Kind::word);
    if (source.is(at, "!") && !macro && !source.is(at + 1, "strcmp")) return true;
    if (!source.kind_is(at, Kind::word)) continue;
    const auto words = probe::words_of(source.tokens[at].at);
    if (std::any_of(words.begin(), words.end(), [](const auto& word) { return kTurning.contains(word); }))
      return true;
  }
  return false;
}

} // namespace

std::optional<Twist> other_value_at(std::string_view path, std::string_view text, int line,
                                    const probe::Draw& draw) {
  const probe::Language* language = probe::language_of(path, text);
  if (language == nullptr || line < 1) return std::nullopt;
  const Source source(text, *language);
  const auto all = probe::negations_of(source);
  const probe::Negation* assertion = probe::covering(source, all, line);
  if (assertion == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Token& token = source.tokens[i];
    if (token.begin < assertion->begin || token.end > assertion->end) continue;
    if (!is_operand(source, i) && !is_argument(source, i)) continue;
    if (is_turned(source, *assertion, i)) continue;
    const bool far = token.kind == Kind::number && is_tolerant(source, assertion->begin, assertion->end);
    const std::string other = far ? far_number(token, draw) : replacement(source, token, draw);
    if (other.empty()) continue;
    Twist twist;
    twist.kind = Twist::Kind::value;
    twist.file = std::string(path);
    twist.text = probe::edited(text, {{token.begin, token.end, other}});
    twist.line = source.line_of(assertion->begin);
    twist.last_line = source.line_of(assertion->end - 1);
    const int changed = source.line_of(token.begin);
    twist.before = probe::trimmed_line(text, changed);
    twist.after = probe::trimmed_line(twist.text, changed);
    return twist;
  }
  return std::nullopt;
}

} // namespace emend
