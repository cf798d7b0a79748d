// A test file with other bytes and the same meaning.
#pragma once

#include <string>
#include <string_view>

namespace emend {

// The text with a comment that holds `word` and a blank line at its end, so no line number moves. Unchanged
// for data and for languages without comments. `word` has letters, digits and underscores only.
[[nodiscard]] std::string reword(std::string_view path, std::string_view text, std::string_view word);

} // namespace emend
