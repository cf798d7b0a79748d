// One test file, ready to be searched for assertions and changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/probe/language.hpp"
#include "engine/probe/lexer.hpp"

namespace emend::probe {

struct Edit {
  std::size_t begin = 0, end = 0; // bytes of the source
  std::string with;
};
[[nodiscard]] std::string edited(std::string_view text, std::vector<Edit> edits);

// What has to be changed so that the assertion at [begin, end) means its opposite.
struct Negation {
  std::size_t begin = 0, end = 0;
  std::vector<Edit> edits;
};

struct Range { // of tokens
  std::size_t begin = 0, end = 0;
  [[nodiscard]] bool empty() const { return begin >= end; }
};

struct Source {
  std::string_view text;
  const Language& language;
  std::vector<Token> tokens;
  std::vector<std::size_t> partners;  // see partners_of
  std::vector<std::size_t> enclosing; // the innermost bracket that is open at a token; size() = none

  Source(std::string_view source, const Language& its_language);

  [[nodiscard]] std::size_t size() const { return tokens.size(); }
  [[nodiscard]] bool is(std::size_t index, std::string_view what) const {
    return index < tokens.size() && tokens[index].is(what);
  }
  [[nodiscard]] bool kind_is(std::size_t index, Token::Kind kind) const {
    return index < tokens.size() && tokens[index].kind == kind;
  }
  // The token behind this one, or behind its partner if it opens a bracket.
  [[nodiscard]] std::size_t after(std::size_t index) const;
  [[nodiscard]] int line_of(std::size_t offset) const;
  [[nodiscard]] std::size_t column_of(std::size_t offset) const; // bytes since the line began
  [[nodiscard]] std::string_view text_of(Range range) const;
  // The parts of a range that commas divide, outside of brackets.
  [[nodiscard]] std::vector<Range> arguments_in(Range range) const;
};

// Ruby: the arguments of a call without brackets, which begin at this token and go up to the end of the line.
[[nodiscard]] std::optional<Range> bare_arguments(const Source& source, std::size_t begin);

// The edits that put a negation around a range of tokens.
[[nodiscard]] std::vector<Edit> negated(const Source& source, Range expression);

// A token at which a statement may begin, by the token before it.
[[nodiscard]] bool begins_statement(const Source& source, std::size_t index);
// It stands in a function that others call in order to assert something: changing it would change them all.
[[nodiscard]] bool is_in_helper(const Source& source, std::size_t index);
// The file defines a function or a macro of this name.
[[nodiscard]] bool defines(const Source& source, std::string_view name);

// What each kind of statement gives.
[[nodiscard]] std::vector<Negation> statement_negations(const Source& source); // assert x, "why"
[[nodiscard]] std::vector<Negation> call_negations(const Source& source);      // assertEqual(x, y)
[[nodiscard]] std::vector<Negation> branch_negations(const Source& source);    // if (x != y) fail();
[[nodiscard]] std::vector<Negation> shell_negations(const Source& source);     // [ x = y ] || exit 1

// Of all kinds: every assertion of the file that can be negated.
[[nodiscard]] std::vector<Negation> negations_of(const Source& source);
// The shortest of them that covers the line; nullptr = none.
[[nodiscard]] const Negation* covering(const Source& source, const std::vector<Negation>& all, int line);

// A line of the text (1-based) without its indentation; empty = there is no such line.
[[nodiscard]] std::string trimmed_line(std::string_view text, int line);

} // namespace emend::probe
