// Untrusted text as what fits into the columns of a terminal: no byte that could control one gets through.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace emend {

// What one or two columns show: a character with the marks that stand on it.
struct Cluster {
  std::string text; // UTF-8, printable
  int width = 1;    // 1 or 2
};

// Control characters, marks that turn the direction of writing and what is no character become U+FFFD; a tab
// becomes spaces up to the next multiple of four of this text. In ascii everything else than ASCII becomes
// '?'.
[[nodiscard]] std::vector<Cluster> clusters_of(std::string_view text, bool ascii = false);

[[nodiscard]] int text_width(std::string_view text);
// At most `width` columns; what is cut off at the end (or at the beginning) is shown by `ellipsis`.
[[nodiscard]] std::string cut_end(std::string_view text, int width, std::string_view ellipsis);
[[nodiscard]] std::string cut_begin(std::string_view text, int width, std::string_view ellipsis);
// Lines of at most `width` columns, broken at spaces where there are some; line ends of the text stay.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, int width);
// As one line: every run of white space is one space.
[[nodiscard]] std::string flat(std::string_view text);

} // namespace emend
