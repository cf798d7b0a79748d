// Which lines differ between two texts: the shortest edit script (Myers), bounded so that no input makes it
// slow.
#pragma once

#include <string_view>
#include <vector>

namespace emend {

struct LineDiff {
  std::vector<std::string_view> old_lines, new_lines; // with their "\n"; views into the texts
  std::vector<bool> removed, added;                   // per old line, per new line
};

// Two stretches that need more than this many edits are reported as wholly replaced instead of being searched
// further.
inline constexpr int kMaxSearchedEdits = 5000;

[[nodiscard]] LineDiff diff_lines(std::string_view old_text, std::string_view new_text,
                                  int max_edits = kMaxSearchedEdits);

} // namespace emend
