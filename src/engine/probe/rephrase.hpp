// Test files in other words: every number they hand over is written as a sum.
#pragma once

#include <string>
#include <string_view>

namespace emend {

// The same program with other words: a plain number that is a whole argument of a call, one side of a
// comparison, or a word of a shell command becomes an expression of the same value, such as (47 - 5).
// Whoever looks for the text of a call or of an expected value in the tests does not find it any more.
// Unchanged where the language is not known. `extra` is drawn by the caller, 1 to 99.
[[nodiscard]] std::string rephrase(std::string_view path, std::string_view text, int extra);

} // namespace emend
