#include <algorithm>

#include "engine/probe/manner.hpp"
#include "engine/probe/names.hpp"

namespace emend::probe {
namespace {

using Kind = Token::Kind;

std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }

// The call at a token: its name with receivers, and its arguments.
struct Call {
  std::size_t word = 0; // the last name
  std::string called;   // with receivers
  std::vector<Range> arguments;
};

std::optional<Call> call_at(const Source& source, std::size_t begin) {
  std::size_t at = begin;
  while (at + 2 < source.size() && source.kind_is(at, Kind::word) &&
         (source.is(at + 1, ".") || source.is(at + 1, "::") || source.is(at + 1, "->")))
    at += 2;
  const std::size_t open = source.is(at + 1, "!") ? at + 2 : at + 1;
  if (!source.kind_is(at, Kind::word) || !source.is(open, "(") || source.partners[open] >= source.size())
    return std::nullopt;
  return Call{at, std::string(source.text_of({begin, open})),
              source.arguments_in({open + 1, source.partners[open]})};
}

bool is_dynamic(Tongue tongue) {
  return tongue == Tongue::python || tongue == Tongue::javascript || tongue == Tongue::php ||
         tongue == Tongue::ruby;
}

// What cannot be true, and shows the name where the expression is printed.
std::string falsehood(const Source& source, std::string_view name) {
  if (is_dynamic(source.language.tongue)) return quoted(name) + " == \"\"";
  if (source.language.tongue == Tongue::rust) return quoted(name).append(".is_empty()");
  return "0 && " + quoted(name);
}

std::optional<std::string> failing_call(const Source& source, const Call& call, std::string_view name) {
  const std::string_view word = source.tokens[call.word].at;
  const std::string value = quoted(name);
  if (asserts_truth(word, source.language.tongue)) {
    // Labels keep their place.
    std::string arguments;
    bool condition = false;
    for (const Range& part : call.arguments) {
      const bool label = source.kind_is(part.begin, Kind::text) && part.end - part.begin == 1;
      if (!label && condition) return std::nullopt;
      if (!label) condition = true;
      arguments += (arguments.empty() ? "" : ", ") + (label ? value : falsehood(source, name));
    }
    if (!condition) return std::nullopt;
    return call.called + "(" + arguments + ")";
  }
  const bool equality =
      names_equality(word) && opposite_name(word, source.language.tongue).value_or("").size() >= word.size();
  if (!equality || call.arguments.size() < 2) return std::nullopt;
  if (is_dynamic(source.language.tongue) || source.language.tongue == Tongue::rust)
    return call.called + "(" + value + ", \"\")";
  const auto words = words_of(word);
  const bool strings = std::any_of(words.begin(), words.end(), [](const std::string& each) {
    return each == "str" || each == "string" || each == "streq";
  });
  if (strings && call.arguments.size() == 2) return call.called + "(" + value + ", \"\")";
  return std::nullopt;
}

} // namespace

std::optional<Addition> repeated_assertion(const Source& source, std::string_view name) {
  const bool python = source.language.tongue == Tongue::python;
  std::vector<Negation> all = call_negations(source);
  for (const Negation& each : statement_negations(source)) all.push_back(each);
  std::sort(all.begin(), all.end(), [](const Negation& a, const Negation& b) { return a.begin > b.begin; });
  for (const Negation& last : all) {
    const auto token = std::find_if(source.tokens.begin(), source.tokens.end(),
                                    [&](const Token& each) { return each.begin == last.begin; });
    const auto index = static_cast<std::size_t>(token - source.tokens.begin());
    const std::string indent = indentation_at(source.text, last.begin);
    // Only a statement that has its lines for itself is repeated behind them.
    if (indent.size() != source.column_of(last.begin)) continue;
    const std::string_view rest = source.text.substr(last.end, next_line(source.text, last.end) - last.end);
    if (rest.find_first_not_of("; \t\r\n") != std::string_view::npos &&
        rest.find("//") == std::string_view::npos && rest.find('#') == std::string_view::npos)
      continue;
    std::optional<std::string> text;
    if (python && source.is(index, "assert"))
      text = "assert " + quoted(name) + " == \"\", " + quoted(name);
    else if (const auto call = call_at(source, index))
      text = failing_call(source, *call, name);
    if (!text) continue;
    const bool semicolon =
        !python && source.language.tongue != Tongue::go && source.language.tongue != Tongue::ruby;
    return Addition{next_line(source.text, last.end), indent + *text + (semicolon ? ";\n" : "\n"), 1};
  }
  return std::nullopt;
}

namespace {

bool is_bats(const Source& source) {
  return source.text.find("\n@test ") != std::string_view::npos || source.text.starts_with("@test ");
}

// The command with which this assertion fails, and the name in the place of what it says.
std::string failing_command(const Source& source, Range assertion, std::string_view name) {
  for (std::size_t i = assertion.begin; i < assertion.end && i < source.size(); ++i) {
    const std::string_view word = source.tokens[i].at;
    const bool plain = word.find_first_of("=$\"'`/") == std::string_view::npos;
    if (source.kind_is(i, Kind::word) && plain && names_failure(word))
      return std::string(word) + " " + quoted(name);
  }
  return "{ echo " + quoted(name) + " >&2; exit 1; }";
}

} // namespace

std::optional<Addition> shell_test(const Source& source, std::string_view name) {
  if (is_bats(source))
    return Addition{source.text.size(),
                    "\n@test " + quoted(name) + " {\n  [ " + quoted(name) + " = \"\" ]\n}\n", 3};
  const std::vector<Negation> all = shell_negations(source);
  const Negation* last = nullptr;
  for (const Negation& each : all) {
    if (source.column_of(each.begin) == 0 && (last == nullptr || each.begin > last->begin)) last = &each;
  }
  if (last == nullptr) return std::nullopt;
  std::size_t begin = 0, end = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.tokens[i].begin == last->begin) begin = i;
    if (source.tokens[i].end <= last->end) end = i + 1;
  }
  const std::string text =
      "[ " + quoted(name) + " = \"\" ] || " + failing_command(source, {begin, end}, name) + "\n";
  return Addition{next_line(source.text, last->end), text, 1};
}

} // namespace emend::probe
