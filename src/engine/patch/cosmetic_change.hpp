// Is a change more than white space and comments? Decided by tokens, per language family.
#pragma once

#include <string>
#include <string_view>

#include "model/issue.hpp"
#include "model/patch.hpp"

namespace emend {

// The text with comments removed and white space reduced to what separates words (and to indentation where
// that has meaning). Unknown languages lose only white space.
[[nodiscard]] std::string significant_text(std::string_view path, std::string_view content);

// True when the two sides say the same to a compiler: only comments, blank space or the mode differ.
[[nodiscard]] bool is_cosmetic(const FileChange& change);

// Issues about comments, documentation or formatting may be fixed by exactly such changes.
[[nodiscard]] bool allows_cosmetic(const Finding& finding);

} // namespace emend
