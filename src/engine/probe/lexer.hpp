// Source text as tokens: enough of every language to tell code from strings and comments.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/probe/language.hpp"

namespace emend::probe {

struct Token {
  enum class Kind { word, number, text, mark, line_end, directive };
  Kind kind = Kind::mark;
  std::size_t begin = 0, end = 0; // bytes of the source
  std::string_view at;            // those bytes

  [[nodiscard]] bool is(std::string_view other) const { return kind != Kind::text && at == other; }
};

// Comments and white space are left out; line ends inside round and square brackets too, and all of them in
// languages where they mean nothing. A shell's token of kind word is one whole word with its quotes and
// substitutions. Never fails: an unfinished string ends with its line, or with the text.
[[nodiscard]] std::vector<Token> tokens_of(std::string_view text, const Language& language);

// For each bracket the index of its partner; for all else, and for brackets without one, the number of
// tokens.
[[nodiscard]] std::vector<std::size_t> partners_of(const std::vector<Token>& tokens);

// The end of the string that opens at `at` (past its quote); used for shells too.
[[nodiscard]] std::size_t end_of_string(std::string_view text, std::size_t at, const Language& language);

[[nodiscard]] std::vector<Token> shell_tokens_of(std::string_view text);

} // namespace emend::probe
