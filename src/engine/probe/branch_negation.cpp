#include <algorithm>
#include <optional>
#include <set>

#include "engine/probe/names.hpp"
#include "engine/probe/source.hpp"

namespace emend::probe {
namespace {

using Kind = Token::Kind;

struct Branch {
  Range condition, body, otherwise;
  std::size_t end = 0; // token behind all of it
};

bool is_zero(const Source& source, std::size_t index) {
  return source.is(index, "0") || source.is(index, "EXIT_SUCCESS");
}

// A call that ends the program as failed: exit(1), process.exit(1), os.Exit(2), sys.exit("why").
bool exits_as_failed(const Source& source, std::size_t word) {
  const std::string_view name = source.tokens[word].at;
  if (name != "exit" && name != "_exit" && name != "Exit") return false;
  if (!source.is(word + 1, "(")) return false;
  const std::size_t code = word + 2;
  const bool literal = source.kind_is(code, Kind::number) || source.kind_is(code, Kind::text) ||
                       source.is(code, "EXIT_FAILURE");
  return literal && !is_zero(source, code);
}

// A statement in which the program says that the test has failed.
bool fails_at(const Source& source, std::size_t i) {
  const Token& token = source.tokens[i];
  if (token.kind != Kind::word) return false;
  if (token.is("throw") || token.is("raise") || token.is("panic")) {
    const std::size_t what = source.is(i + 1, "new") ? i + 2 : i + 1;
    const auto words = what < source.size() ? words_of(source.tokens[what].at) : std::vector<std::string>{};
    return std::none_of(words.begin(), words.end(),
                        [](const std::string& word) { return word.starts_with("skip"); });
  }
  if (token.is("return")) {
    const bool in_c = source.language.tongue == Tongue::c || source.language.tongue == Tongue::cpp;
    const bool negative = source.is(i + 1, "-") && source.kind_is(i + 2, Kind::number);
    return in_c && (source.is(i + 1, "1") || source.is(i + 1, "EXIT_FAILURE") || negative);
  }
  if (exits_as_failed(source, i) || (token.is("abort") && source.is(i + 1, "("))) return true;
  if (!names_failure(token.at)) return false;
  if (source.is(i + 1, "="))
    return !is_zero(source, i + 2) && !source.is(i + 2, "false") && !source.is(i + 2, "False") &&
           !source.is(i + 2, "null");
  const bool counted = source.is(i + 1, "++") || source.is(i + 1, "+=") ||
                       (i > 0 && source.is(i - 1, "++")) ||
                       (source.is(i + 1, ".") && (source.is(i + 2, "push") || source.is(i + 2, "append")));
  // t.Error("..."), fail("..."); console.error only prints.
  const bool printed = i >= 2 && source.is(i - 1, ".") &&
                       (source.is(i - 2, "console") || source.is(i - 2, "log") ||
                        source.is(i - 2, "logger") || source.is(i - 2, "logging"));
  return counted || (source.is(i + 1, "(") && !printed);
}

bool fails_in(const Source& source, Range body) {
  for (std::size_t i = body.begin; i < body.end; i = source.after(i)) {
    if (fails_at(source, i)) return true;
  }
  return false;
}

class BranchReader {
public:
  explicit BranchReader(const Source& source) : source_(source), tongue_(source.language.tongue) {}

  std::optional<Branch> at(std::size_t word) const {
    if (source_.is(word + 1, "let") || source_.is(word + 1, "constexpr")) return std::nullopt;
    return tongue_ == Tongue::python ? indented(word) : braced(word);
  }

private:
  [[nodiscard]] std::optional<Branch> braced(std::size_t word) const {
    Branch branch;
    std::size_t at = word + 1;
    if (tongue_ == Tongue::go || tongue_ == Tongue::rust) {
      branch.condition.begin = at;
      while (at < source_.size() && !source_.is(at, "{")) {
        if (source_.is(at, ";")) branch.condition.begin = at + 1;
        at = source_.after(at);
      }
      branch.condition.end = at;
    } else {
      if (!source_.is(at, "(") || source_.partners[at] >= source_.size()) return std::nullopt;
      branch.condition = {at + 1, source_.partners[at]};
      at = source_.after(at);
    }
    at = read_body(at, branch.body);
    if (source_.kind_is(at, Kind::line_end) && source_.is(at + 1, "else")) ++at;
    if (source_.is(at, "else")) at = read_body(at + 1, branch.otherwise);
    branch.end = at;
    return branch;
  }
  // A block in braces, or one statement.
  std::size_t read_body(std::size_t at, Range& body) const {
    while (source_.kind_is(at, Kind::line_end)) ++at;
    if (at >= source_.size()) return at;
    if (source_.is(at, "{")) {
      const std::size_t close = source_.partners[at];
      if (close >= source_.size()) return at;
      body = {at + 1, close};
      return close + 1;
    }
    body.begin = at;
    while (at < source_.size() && !source_.is(at, ";") && !source_.kind_is(at, Kind::line_end) &&
           !source_.is(at, "}"))
      at = source_.after(at);
    body.end = at;
    return source_.is(at, ";") ? at + 1 : at;
  }

  [[nodiscard]] std::optional<Branch> indented(std::size_t word) const {
    Branch branch;
    std::size_t at = word + 1;
    while (at < source_.size() && !source_.is(at, ":") && !source_.kind_is(at, Kind::line_end))
      at = source_.after(at);
    if (!source_.is(at, ":")) return std::nullopt;
    branch.condition = {word + 1, at};
    at = read_block(word, at + 1, branch.body);
    if (source_.is(at, "else") && column(at) == column(word) && source_.is(at + 1, ":"))
      at = read_block(word, at + 2, branch.otherwise);
    branch.end = at;
    return branch;
  }
  [[nodiscard]] std::size_t column(std::size_t index) const {
    return source_.column_of(source_.tokens[index].begin);
  }
  // The rest of the line, or the lines that are indented more than the word.
  std::size_t read_block(std::size_t word, std::size_t at, Range& body) const {
    const bool one_line = !source_.kind_is(at, Kind::line_end);
    body.begin = at;
    while (at < source_.size()) {
      const bool new_line = source_.kind_is(at, Kind::line_end);
      if (new_line && one_line) break;
      if (!new_line && at > 0 && source_.kind_is(at - 1, Kind::line_end) && column(at) <= column(word)) break;
      at = source_.after(at);
    }
    body.end = at;
    while (source_.kind_is(at, Kind::line_end)) ++at;
    return at;
  }

  const Source& source_;
  Tongue tongue_;
};

// Conditions about how the program was started are no assertions.
bool is_about_start(const Source& source, Range condition) {
  static const std::set<std::string_view> kWords = {"argc", "argv", "__name__", "ARGV", "process"};
  for (std::size_t i = condition.begin; i < condition.end; ++i) {
    if (kWords.contains(source.tokens[i].at)) return true;
  }
  return false;
}

} // namespace

std::vector<Negation> branch_negations(const Source& source) {
  std::vector<Negation> found;
  if (source.language.tongue == Tongue::ruby) return found;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!source.is(i, "if") || !begins_statement(source, i) || (i > 0 && source.is(i - 1, "else"))) continue;
    const auto branch = BranchReader(source).at(i);
    if (!branch || branch->condition.empty() || is_about_start(source, branch->condition)) continue;
    if (fails_in(source, branch->body) == fails_in(source, branch->otherwise) || is_in_helper(source, i))
      continue;
    // An else that goes on with other conditions is no answer to this one.
    if (!branch->otherwise.empty() && source.is(branch->otherwise.begin, "if")) continue;
    std::size_t last = branch->end;
    while (last > i && source.kind_is(last - 1, Kind::line_end)) --last;
    found.push_back(
        {source.tokens[i].begin, source.tokens[last - 1].end, negated(source, branch->condition)});
  }
  return found;
}

} // namespace emend::probe
