// Does a line of code load or name a file? Lexical, for any language.
#pragma once

#include <string_view>
#include <vector>

namespace emend {

// The words of a line, in order.
[[nodiscard]] std::vector<std::string_view> line_words(std::string_view line);

// Names shorter than this stand in too many lines by chance.
inline constexpr std::size_t kTellingName = 3;

// Is the file at `path` named in the line: by its name with its ending, or by what it is called by those who
// load it, in a line that loads something or with a quote, bracket or slash beside it?
[[nodiscard]] bool line_names_file(std::string_view line, std::string_view path);

// Is there such a line in the text?
[[nodiscard]] bool names_file_at(std::string_view text, std::string_view path);

} // namespace emend
