// Rules about code: C string functions that cannot know their buffer's size, and what debugging left behind.
#include <array>

#include "adapters/analyzers/builtin.hpp"
#include "adapters/analyzers/code_mask.hpp"
#include "adapters/analyzers/file_choice.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr auto npos = std::string_view::npos;

struct UnsafeCall {
  std::string_view name, instead;
  Severity severity;
};
constexpr std::array<UnsafeCall, 5> kUnsafeCalls = {
    {{"gets", "fgets", Severity::high},
     {"strcpy", "snprintf, or strlcpy where there is one", Severity::low},
     {"strcat", "snprintf, or strlcat where there is one", Severity::low},
     {"sprintf", "snprintf", Severity::low},
     {"vsprintf", "vsnprintf", Severity::low}}};

std::size_t skip_blank(std::string_view code, std::size_t at) {
  return std::min(code.find_first_not_of(" \t", at), code.size());
}

// A member, a name of another namespace, a declaration or a definition is something else of the same name.
bool is_library_call(std::string_view code, std::size_t at, std::size_t end) {
  if (skip_blank(code, end) >= code.size() || code[skip_blank(code, end)] != '(') return false;
  const std::string_view before = code.substr(0, at);
  if (before.ends_with("::"))
    return before.ends_with("std::") || (before.size() > 2 && !is_identifier(before[before.size() - 3]));
  const auto last = before.find_last_not_of(" \t");
  if (last == npos) return true;
  if (before[last] == '.' || before.substr(0, last + 1).ends_with("->") || before[last] == '*' ||
      before[last] == '&')
    return false;
  const std::string_view word = word_before(code, at);
  return word.empty() || word == "return" || word == "else" || word == "do" || word == "case" ||
         word == "co_return";
}

// Each place where `name` stands as a whole word.
template <typename Use>
void each_word(std::string_view code, std::string_view name, const Use& use) {
  for (auto at = code.find(name); at != npos; at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_identifier(code[at - 1])) && (end == code.size() || !is_identifier(code[end])))
      use(at, end);
  }
}

void find_unsafe_calls(const RuleInput& input, const CodeMask& mask, RuleFindings& findings) {
  for (const UnsafeCall& call : kUnsafeCalls)
    each_word(mask.code, call.name, [&](std::size_t at, std::size_t end) {
      if (is_library_call(mask.code, at, end))
        add_finding(
            input, findings,
            {"unsafe-c-string", call.severity, "security",
             std::string(call.name) +
                 "() does not look at the size of its buffer; whether this call can overflow was not checked",
             "Use " + std::string(call.instead), at, end});
    });
}

struct Leftover {
  Syntax syntax;
  std::string_view name;
  bool call; // must be followed by "("
};
constexpr std::array<Leftover, 13> kLeftovers = {{{Syntax::script, "console.log", true},
                                                  {Syntax::script, "console.debug", true},
                                                  {Syntax::script, "console.trace", true},
                                                  {Syntax::script, "debugger", false},
                                                  {Syntax::python, "pdb.set_trace", true},
                                                  {Syntax::python, "ipdb.set_trace", true},
                                                  {Syntax::python, "breakpoint", true},
                                                  {Syntax::ruby, "binding.pry", false},
                                                  {Syntax::ruby, "binding.irb", false},
                                                  {Syntax::ruby, "byebug", false},
                                                  {Syntax::rust, "dbg!", true},
                                                  {Syntax::c, "printf", true},
                                                  {Syntax::c, "fprintf", true}}};

// Programs for the terminal and tests talk with console.log.
bool may_print(const RuleInput& input) {
  return input.text.bytes().starts_with("#!") ||
         in_directory(input.file, {"bin", "cli", "scripts", "tools", "test", "tests", "__tests__", "spec",
                                   "examples", "docs", "bench"});
}

// printf("DEBUG ..."): the text is what gives it away.
bool prints_debug(std::string_view text, std::size_t at) {
  const std::string_view arguments = text.substr(at, text.substr(at).find_first_of(";\n"));
  const auto quote = arguments.find('"');
  const std::string start = quote == npos ? "" : to_lower(arguments.substr(quote + 1, 8));
  return start.starts_with("debug") || start.starts_with("[debug]") || start.starts_with("xxx");
}

bool is_leftover(const RuleInput& input, const CodeMask& mask, const Leftover& what, std::size_t at,
                 std::size_t end) {
  const std::string_view code = mask.code;
  if (at > 0 && (code[at - 1] == '.' || code[at - 1] == ':' || code[at - 1] == '$' || code[at - 1] == '@'))
    return false;
  const std::size_t next = skip_blank(code, end);
  const char after = next < code.size() ? code[next] : '\n';
  if (what.call && after != '(') return false;
  if (!what.call && std::string_view(";\n\r}").find(after) == npos) return false;
  const std::string_view word = word_before(code, at);
  if (word == "def" || word == "function" || word == "class" || word == "import") return false;
  if (what.syntax == Syntax::c) return prints_debug(input.text.bytes(), end);
  return !what.name.starts_with("console.") || !may_print(input);
}

// `debugger;` alone on its line goes, line and all; not where it is the body of an `if` without braces.
std::optional<FixIt> line_removal(const RuleInput& input, const CodeMask& mask, std::size_t at) {
  const std::string& bytes = input.text.bytes();
  const auto newline = bytes.rfind('\n', at);
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  const std::size_t end = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
  const auto before = std::string_view(mask.code).substr(0, begin).find_last_not_of(" \t\r\n");
  const bool after_statement = before == npos || std::string_view(";{}").find(mask.code[before]) != npos;
  if (!after_statement || trim(std::string_view(bytes).substr(begin, end - begin)) != "debugger;")
    return std::nullopt;
  return FixIt{"Remove the line", true, {{input.file, begin, end - begin, ""}}};
}

void find_leftovers(const RuleInput& input, const CodeMask& mask, Syntax syntax, RuleFindings& findings) {
  for (const Leftover& what : kLeftovers) {
    if (what.syntax != syntax) continue;
    each_word(mask.code, what.name, [&](std::size_t at, std::size_t end) {
      if (!is_leftover(input, mask, what, at, end)) return;
      Finding& finding = add_finding(input, findings,
                                     {"debug-leftover", Severity::low, "maintainability",
                                      std::string(what.name) + " looks like a leftover of debugging",
                                      "Remove it, or use the project's logging", at, end});
      if (what.name == "debugger") finding.fixit = line_removal(input, mask, at);
    });
  }
}

} // namespace

void find_code_problems(const RuleInput& input, RuleFindings& findings) {
  const Syntax syntax = syntax_of(input.file);
  if (syntax == Syntax::none) return;
  const CodeMask mask = mask_code(input.text.bytes(), syntax);
  if (syntax == Syntax::c) find_unsafe_calls(input, mask, findings);
  find_leftovers(input, mask, syntax, findings);
}

} // namespace emend
