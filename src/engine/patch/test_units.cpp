#include "engine/patch/test_units.hpp"

#include <re2/re2.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/patch/brace_units.hpp"
#include "engine/patch/code_mask.hpp"

namespace emend {
namespace {

constexpr std::size_t kNone = std::string_view::npos; // no unit, no decorators

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

int opened(std::string_view masked) {
  int open = 0;
  for (const char c : masked)
    open += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
  return open;
}

struct Container {
  std::size_t indent;
  std::string name, header;
};

std::string name_in(const std::vector<Container>& containers, const std::string& own) {
  std::string name;
  for (const Container& one : containers)
    if (!one.name.empty()) name += one.name + "::";
  return name + own;
}

std::string context_of(const std::vector<Container>& containers) {
  std::string text;
  for (const Container& one : containers) text += one.header + "\n";
  return text;
}

std::string joined(const std::vector<std::string_view>& lines, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end && i < lines.size(); ++i) text += std::string(trim(lines[i])) + "\n";
  return text;
}

// Units by indentation: one ends before the next line of code that is not deeper than its head.
std::vector<TestUnit> python_units(std::string_view text, const std::string& masked) {
  static const RE2 function(R"(^\s*(?:async\s+)?def\s+(\w+))"), klass(R"(^\s*class\s+(\w+))");
  const auto lines = lines_of(text), code = lines_of(masked);
  std::vector<TestUnit> units;
  std::vector<Container> containers;
  std::size_t open_indent = kNone, decorators = kNone;
  int depth = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const bool continued = depth > 0;
    depth = std::max(0, depth + opened(code[i]));
    if (trim(code[i]).empty()) continue;
    const std::size_t indent = indentation(code[i]);
    if (!continued && open_indent != kNone && indent <= open_indent) open_indent = kNone;
    if (open_indent != kNone) {
      units.back().end = i + 1;
      continue;
    }
    if (continued) continue;
    while (!containers.empty() && indent <= containers.back().indent) containers.pop_back();
    if (trim(code[i]).starts_with('@')) {
      if (decorators == kNone) decorators = i;
      continue;
    }
    const std::size_t begin = decorators == kNone ? i : decorators;
    decorators = kNone;
    std::string name;
    if (RE2::PartialMatch(piece(code[i]), function, &name)) {
      units.push_back({name_in(containers, name), context_of(containers), begin, i + 1});
      open_indent = indent;
    } else if (RE2::PartialMatch(piece(code[i]), klass, &name)) {
      containers.push_back({indent, name, joined(lines, begin, i + 1)});
    }
  }
  return units;
}

// Units that end with a line that says so and is indented as their head is: `end`, `}`.
struct EndedManner {
  const RE2& function;  // names in a group
  const RE2& called;    // its name is quoted, or a word
  const RE2& container; // likewise
  std::string_view end;
};

std::string quoted_name(std::string_view line) {
  static const RE2 quoted(R"re(["']([^"']*)["'])re"), word(R"(^\s*\S+\s+([\w:]+))");
  std::string name;
  if (!RE2::PartialMatch(piece(line), quoted, &name)) (void)RE2::PartialMatch(piece(line), word, &name);
  return name;
}

std::vector<TestUnit> ended_units(std::string_view text, const std::string& masked,
                                  const EndedManner& manner) {
  const auto lines = lines_of(text), code = lines_of(masked);
  std::vector<TestUnit> units;
  std::vector<Container> containers;
  std::size_t open_indent = kNone;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (trim(code[i]).empty()) continue;
    const std::size_t indent = indentation(code[i]);
    const bool ends = trim(code[i]).starts_with(manner.end);
    if (open_indent != kNone) {
      units.back().end = i + 1;
      if (ends && indent <= open_indent) open_indent = kNone;
      continue;
    }
    if (ends && !containers.empty() && indent <= containers.back().indent) {
      containers.pop_back();
      continue;
    }
    std::string name;
    if (RE2::PartialMatch(piece(code[i]), manner.container)) {
      containers.push_back({indent, quoted_name(lines[i]), std::string(trim(lines[i]))});
      continue;
    }
    if (!RE2::PartialMatch(piece(code[i]), manner.function, &name)) {
      if (!RE2::PartialMatch(piece(code[i]), manner.called)) continue;
      name = quoted_name(lines[i]);
    }
    units.push_back({name_in(containers, name), context_of(containers), i, i + 1});
    const std::string_view rest = trim(code[i]);
    const bool whole = rest.ends_with(manner.end) && rest.size() > manner.end.size();
    if (!whole) open_indent = indent;
  }
  return units;
}

std::vector<TestUnit> ruby_units(std::string_view text, const std::string& masked) {
  static const RE2 function(R"(^\s*def\s+([\w.?!=]+))"), called(R"(^\s*\w+\s*\(?\s*["'].*\bdo\b)"),
      container(R"(^\s*(?:RSpec\.)?(?:describe|context|feature|class|module)\b)");
  return ended_units(text, masked, {function, called, container, "end"});
}

std::vector<TestUnit> shell_units(std::string_view text, const std::string& masked) {
  static const RE2 function(R"(^\s*(?:function\s+)?([\w:.-]+)\s*\(\)\s*[{(]?)"),
      called(R"(^\s*@test\s+["'])"), container("$^x");
  return ended_units(text, masked, {function, called, container, "}"});
}

} // namespace

std::vector<TestUnit> test_units(std::string_view path, std::string_view text) {
  const std::string masked = code_mask(path, text);
  switch (code_kind(path)) {
    case CodeKind::python: return python_units(text, masked);
    case CodeKind::ruby: return ruby_units(text, masked);
    case CodeKind::shell: return shell_units(text, masked);
    case CodeKind::lines:
    case CodeKind::semicolons: return brace_units(path, text, masked);
    case CodeKind::none: break;
  }
  return {};
}

} // namespace emend
