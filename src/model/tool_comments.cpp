#include "model/tool_comments.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.hpp"
#include "model/same_rules.hpp"

namespace emend {

namespace {

struct Directive {
  std::string_view word;
  bool next_line;   // it speaks of the line below
  bool needs_rules; // alone it silences nothing
};
constexpr Directive kDirectives[] = {
    {"NOLINTNEXTLINE", true, false},
    {"NOLINT", false, false},
    {"noqa", false, false},
    {"nosec", false, false},
    {"gitleaks:allow", false, false},
    {"pragma: allowlist secret", false, false},
    {"eslint-disable-next-line", true, false},
    {"eslint-disable-line", false, false},
    {"biome-ignore", true, true},
    {"shellcheck disable", true, true},
    {"cppcheck-suppress", true, true},
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// The rules named after the directive: "(a, b)", ": A,B", "=SC1,SC2", " a, b -- why", " lint/x/y: why".
std::vector<std::string> named_rules(std::string_view rest) {
  const bool listed = rest.starts_with('(') || rest.starts_with(':') || rest.starts_with('=') ||
                      (rest.starts_with(' ') && !rest.starts_with(" --"));
  if (!listed) return {};
  std::string text(rest.substr(1));
  for (const char* ends : {" --", "*/"})
    if (const auto end = text.find(ends); end != std::string::npos) text.resize(end);
  std::vector<std::string> names;
  std::string name;
  for (const char c : text + " ") {
    if (is_word(c) || c == '.' || c == '*') {
      name += c;
    } else {
      if (!name.empty() && name != "-") names.push_back(name);
      name.clear(); // of lint/suspicious/noConsole the last part counts
    }
  }
  return names;
}

bool silences(const Directive& directive, std::string_view line, std::string_view rule) {
  const auto at = line.find(directive.word);
  if (at == std::string_view::npos) return false;
  const std::string_view rest = line.substr(at + directive.word.size());
  if (!rest.empty() && is_word(rest.front())) return false; // a longer word
  const std::vector<std::string> names = named_rules(rest);
  if (names.empty()) return !directive.needs_rules;
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return silences_rule(rule, name); });
}

} // namespace

bool silenced_by_tool(std::string_view rule, std::string_view line, std::string_view above) {
  return std::any_of(std::begin(kDirectives), std::end(kDirectives), [&](const Directive& directive) {
    return silences(directive, directive.next_line ? above : line, rule);
  });
}

} // namespace emend
