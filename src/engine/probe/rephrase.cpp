#include "engine/probe/rephrase.hpp"

#include <algorithm>
#include <set>

#include "engine/probe/source.hpp"

namespace emend {
namespace {

using probe::Source;
using probe::Token;
using probe::Tongue;
using Kind = Token::Kind;

// Digits that mean the same in every language, and leave room for a sum.
bool is_plain(std::string_view text) {
  constexpr std::size_t kDigits = 8;
  const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return !text.empty() && text.size() <= kDigits && digits && (text.size() == 1 || text.front() != '0');
}

bool is_one_of(const Source& source, std::size_t index, const std::set<std::string_view>& marks) {
  return index < source.size() && !source.kind_is(index, Kind::text) &&
         marks.contains(source.tokens[index].at);
}

// A word that names what is called: f(3), and Rust's assert_eq!(3, x). Not `if (3)`, nor what is declared.
bool is_call(const Source& source, std::size_t open) {
  if (open == 0 || open >= source.size() || !source.is(open, "(")) return false;
  const std::size_t name = source.is(open - 1, "!") && open > 1 ? open - 2 : open - 1;
  static const std::set<std::string_view> kNotCalled = {"if",    "while",  "for", "switch",
                                                        "match", "return", "def", "matches"};
  return source.kind_is(name, Kind::word) && !kNotCalled.contains(source.tokens[name].at);
}

bool is_argument(const Source& source, std::size_t index) {
  return index > 0 && is_one_of(source, index - 1, {"(", ",", "-"}) &&
         is_one_of(source, index + 1, {")", ","}) && is_call(source, source.enclosing[index]) &&
         (!source.is(index - 1, "-") || is_one_of(source, index - 2, {"(", ","}));
}

bool is_compared(const Source& source, std::size_t index) {
  const bool ends = index + 1 >= source.size() || source.kind_is(index + 1, Kind::line_end) ||
                    is_one_of(source, index + 1, {")", ",", ";", ":", "{", "&&", "||"});
  return index > 0 && ends && is_one_of(source, index - 1, {"==", "!=", "===", "!=="});
}

// An argument of a command, behind another word of it: what a shell makes of it is the same.
bool is_shell_word(const Source& source, std::size_t index) {
  return index > 0 && source.kind_is(index, Kind::word) && source.kind_is(index - 1, Kind::word) &&
         (index + 1 >= source.size() || source.kind_is(index + 1, Kind::line_end) ||
          is_one_of(source, index + 1, {";", "]", "]]", "&&", "||"}));
}

std::string sum(const Source& source, std::string_view number, int extra) {
  const std::string larger = std::to_string(std::stol(std::string(number)) + extra);
  const std::string expression = larger + " - " + std::to_string(extra);
  switch (source.language.tongue) {
    case Tongue::shell: return "$((" + expression + "))";
    case Tongue::rust: return expression; // it warns of brackets that are not needed
    default: return "(" + expression + ")";
  }
}

} // namespace

std::string rephrase(std::string_view path, std::string_view text, int extra) {
  const probe::Language* language = probe::language_of(path, text);
  if (language == nullptr || text.find('\0') != std::string_view::npos) return std::string(text);
  const Source source(text, *language);
  const bool shell = language->tongue == Tongue::shell;
  std::vector<probe::Edit> edits;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Token& token = source.tokens[i];
    if (!is_plain(token.at) || token.kind == Kind::text) continue;
    const bool found = shell ? is_shell_word(source, i) : is_argument(source, i) || is_compared(source, i);
    if (found) edits.push_back({token.begin, token.end, sum(source, token.at, extra)});
  }
  return probe::edited(text, std::move(edits));
}

} // namespace emend
