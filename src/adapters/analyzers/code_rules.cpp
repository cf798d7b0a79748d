// What debugging left behind.
#include <algorithm>
#include <array>

#include "adapters/analyzers/builtin.hpp"
#include "adapters/analyzers/code_mask.hpp"
#include "adapters/analyzers/code_words.hpp"
#include "adapters/analyzers/file_choice.hpp"
#include "base/strings.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

constexpr auto npos = std::string_view::npos;

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

// Programs for the terminal, tests and what configures a build talk with console.log.
bool may_print(const RuleInput& input) {
  const std::string_view name = file_name(input.file);
  if (contains(name, ".config.") || contains(name, ".conf.") || to_lower(name).starts_with("gulpfile") ||
      to_lower(name).starts_with("gruntfile"))
    return true;
  return input.text.bytes().starts_with("#!") || is_sample(input.file) ||
         in_directory(input.file, {"bin", "cli", "scripts", "tools"}) ||
         contains(file_name(input.file), "example");
}

// printf("DEBUG ..."): the text is what gives it away.
bool prints_debug(std::string_view text, std::size_t at) {
  const std::string_view arguments = text.substr(at, text.substr(at).find_first_of(";\n"));
  const auto quote = arguments.find('"');
  const std::string start = quote == npos ? "" : to_lower(arguments.substr(quote + 1, 8));
  return start.starts_with("debug") || start.starts_with("[debug]") || start.starts_with("xxx");
}

// `console.log('Cannot connect to the server')` speaks to whoever runs the program.
bool says_a_sentence(std::string_view text, std::size_t at) {
  const std::size_t begin = skip_blank(text, at + 1);
  if (begin >= text.size() || std::string_view("'\"`").find(text[begin]) == npos) return false;
  const auto end = text.find_first_of(std::string{text[begin], '\n'}, begin + 1);
  const std::string words(text.substr(begin + 1, end == npos ? npos : end - begin - 1));
  return std::count(words.begin(), words.end(), ' ') >= 2;
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
  // Rust's tests are part of the file they test.
  if (what.syntax == Syntax::rust && contains(code.substr(0, at), "#[cfg(test)]")) return false;
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
      if (what.name == "console.log" && says_a_sentence(input.text.bytes(), skip_blank(mask.code, end)))
        mark_doubtful(finding);
      if (what.name == "debugger") finding.fixit = line_removal(input, mask, at);
    });
  }
}

} // namespace

void find_code_problems(const RuleInput& input, RuleFindings& findings) {
  const Syntax syntax = syntax_of(input.file);
  if (syntax == Syntax::none) return;
  const CodeMask mask = mask_code(input.text.bytes(), syntax);
  if (syntax == Syntax::c) find_unsafe_strings(input, mask, findings);
  find_leftovers(input, mask, syntax, findings);
}

} // namespace emend
