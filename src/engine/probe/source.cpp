#include "engine/probe/source.hpp"

#include <algorithm>
#include <set>

#include "engine/probe/names.hpp"

namespace emend::probe {
namespace {

using Kind = Token::Kind;

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }

bool is_test_name(std::string_view name) {
  for (const std::string& word : words_of(name)) {
    if (word == "test" || word == "tests" || word == "spec" || word == "main") return true;
  }
  return false;
}

// Behind this word begins the definition of a name.
bool defining_word(const Token& token) {
  static const std::set<std::string_view> kWords = {"def",         "function", "func", "fn", "class",
                                                    "macro_rules", "const",    "let",  "var"};
  return token.kind == Kind::word && kWords.contains(token.at);
}

bool defines_macro(std::string_view directive, std::string_view name) {
  const std::size_t define = directive.find("define");
  if (define == std::string_view::npos) return false;
  const std::size_t begin = directive.find_first_not_of(" \t", define + 6);
  if (begin == std::string_view::npos || !directive.substr(begin).starts_with(name)) return false;
  const std::string_view rest = directive.substr(begin + name.size());
  return rest.empty() || rest[0] == '(' || rest[0] == ' ' || rest[0] == '\t';
}

// The parameters in these brackets are more than self, void or nothing.
bool has_parameters(const Source& source, std::size_t open) {
  const std::size_t close = source.partners[open];
  for (std::size_t i = open + 1; i < close && i < source.size(); ++i) {
    if (!source.is(i, "self") && !source.is(i, "void") && !source.is(i, ",")) return true;
  }
  return false;
}

bool is_helper(const Source& source, std::size_t name, std::size_t open) {
  const std::string_view called = source.tokens[name].at;
  if (is_test_name(called) || !has_parameters(source, open)) return false;
  for (std::size_t back = name, steps = 0; back-- > 0 && steps < 12; ++steps) {
    if (source.is(back, "}") || source.is(back, ";")) break;
    if (source.is(back, "@Test") || source.is(back, "@ParameterizedTest") || source.is(back, "test"))
      return false;
  }
  return names_assertion(called, source.language.tongue) || names_failure(called);
}

// name(...) ... { of the function whose body opens with this brace.
bool brace_opens_helper(const Source& source, std::size_t brace) {
  std::size_t back = brace;
  for (int steps = 0; back-- > 0 && steps < 8; ++steps) {
    if (source.is(back, ")")) break;
    const bool between = source.kind_is(back, Kind::word) || source.is(back, "->") || source.is(back, "*") ||
                         source.is(back, ":") || source.is(back, "::") || source.is(back, "&");
    if (!between) return false;
  }
  if (back >= source.size() || !source.is(back, ")")) return false;
  const std::size_t open = source.partners[back];
  if (open >= source.size() || open == 0 || !source.kind_is(open - 1, Kind::word)) return false;
  return is_helper(source, open - 1, open);
}

bool indented_in_helper(const Source& source, std::size_t index) {
  std::size_t column = source.column_of(source.tokens[index].begin);
  for (std::size_t i = index; i-- > 0 && column > 0;) {
    if (!begins_statement(source, i) || (i > 0 && !source.kind_is(i - 1, Kind::line_end))) continue;
    const std::size_t here = source.column_of(source.tokens[i].begin);
    if (here >= column) continue;
    column = here;
    const std::size_t def = source.is(i, "async") ? i + 1 : i;
    if (source.is(def, "def") && source.is(def + 2, "(") && is_helper(source, def + 1, def + 2)) return true;
  }
  return false;
}

} // namespace

std::string edited(std::string_view text, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    out += text.substr(at, edit.begin - at);
    out += edit.with;
    at = edit.end;
  }
  return out += text.substr(at);
}

Source::Source(std::string_view source, const Language& its_language)
    : text(source),
      language(its_language),
      tokens(tokens_of(source, its_language)),
      partners(partners_of(tokens)) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!open.empty() && partners[open.back()] == i) open.pop_back();
    enclosing.push_back(open.empty() ? tokens.size() : open.back());
    if (opens(tokens[i]) && partners[i] < tokens.size()) open.push_back(i);
  }
}

std::size_t Source::after(std::size_t index) const {
  const bool group = opens(tokens[index]) && partners[index] < tokens.size();
  return (group ? partners[index] : index) + 1;
}

int Source::line_of(std::size_t offset) const {
  return 1 +
         static_cast<int>(std::count(
             text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size())), '\n'));
}

std::size_t Source::column_of(std::size_t offset) const {
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return before == std::string_view::npos ? offset : offset - before - 1;
}

std::string_view Source::text_of(Range range) const {
  if (range.empty()) return {};
  return text.substr(tokens[range.begin].begin, tokens[range.end - 1].end - tokens[range.begin].begin);
}

std::vector<Range> Source::arguments_in(Range range) const {
  std::vector<Range> parts;
  std::size_t begin = range.begin;
  for (std::size_t i = range.begin; i < range.end; i = after(i)) {
    if (!is(i, ",")) continue;
    parts.push_back({begin, i});
    begin = i + 1;
  }
  if (begin < range.end) parts.push_back({begin, range.end});
  return parts;
}

std::vector<Edit> negated(const Source& source, Range expression) {
  const std::size_t begin = source.tokens[expression.begin].begin,
                    end = source.tokens[expression.end - 1].end;
  return {{begin, begin, std::string(source.language.not_open)}, {end, end, ")"}};
}

bool begins_statement(const Source& source, std::size_t index) {
  if (index == 0) return true;
  const Token& before = source.tokens[index - 1];
  const Tongue tongue = source.language.tongue;
  if (before.kind == Kind::line_end || before.kind == Kind::directive) return true;
  static const std::set<std::string_view> kWords = {"else", "do",    "return", "await",
                                                    "then", "yield", "begin",  "unsafe"};
  static const std::set<std::string_view> kMarks = {";", "{",  "}",  "=>", ":",  ")",  "|",
                                                    "=", "+=", "|=", "&=", "&&", "||", "!"};
  if (before.is("void")) return tongue == Tongue::javascript;
  if (before.is("php")) return tongue == Tongue::php;
  if (before.is("->")) return tongue == Tongue::java; // elsewhere it leads to a member
  return before.kind == Kind::word ? kWords.contains(before.at)
                                   : before.kind == Kind::mark && kMarks.contains(before.at);
}

bool is_in_helper(const Source& source, std::size_t index) {
  if (source.language.tongue == Tongue::python) return indented_in_helper(source, index);
  for (std::size_t open = source.enclosing[index]; open < source.size(); open = source.enclosing[open]) {
    if (source.is(open, "{") && brace_opens_helper(source, open)) return true;
  }
  return false;
}

bool defines(const Source& source, std::string_view name) {
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Token& token = source.tokens[i];
    if (token.kind == Kind::directive) {
      if (defines_macro(token.at, name)) return true;
      continue;
    }
    if (token.kind != Kind::word || token.at != name || i == 0) continue;
    if (defining_word(source.tokens[i - 1])) return true;
    const bool typed = source.kind_is(i - 1, Kind::word) && !begins_statement(source, i);
    if (!source.is(i + 1, "(") || source.partners[i + 1] >= source.size()) continue;
    std::size_t close = source.partners[i + 1] + 1;
    if (typed && source.is(close, "{")) return true;
  }
  return false;
}

} // namespace emend::probe
