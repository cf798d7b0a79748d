// Tells code from comments and strings, well enough for rules that look for a call or a statement.
#pragma once

#include <string>
#include <string_view>

namespace emend {

enum class Syntax { none, c, script, python, ruby, rust };
[[nodiscard]] Syntax syntax_of(std::string_view path);

struct CodeMask {
  std::string code;  // the text with comments and strings blanked; same length, same lines
  std::string kinds; // per byte: 'c' code, 's' string, '/' comment
};
[[nodiscard]] CodeMask mask_code(std::string_view text, Syntax syntax);

[[nodiscard]] bool is_identifier(char c);
// The word that ends right before `at`, blanks skipped: "return" for `return strcpy(`. Empty when something
// else is there.
[[nodiscard]] std::string_view word_before(std::string_view code, std::size_t at);

} // namespace emend
