// Reports of coverage tools: which lines of which files were executed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emend {

using LineCounts = std::map<int, std::uint64_t>; // lines that hold code -> how often they ran

// One file of a report. V8 counts stretches of text instead of lines; see line_counts.
struct CoveredFile {
  struct Stretch {
    std::uint64_t begin = 0, end = 0, count = 0; // UTF-16 units
  };
  std::string path; // as the tool wrote it
  LineCounts lines;
  std::vector<Stretch> stretches;
};

// gcov (text and JSON), lcov, coverage.py (JSON), Cobertura (XML), Istanbul and V8 (JSON), Go's profiles.
// Empty: none of these, or damaged.
[[nodiscard]] std::optional<std::vector<CoveredFile>> read_coverage(std::string_view report);

// The counts by line: of a line in several stretches the innermost one that holds all of it counts.
[[nodiscard]] LineCounts line_counts(const CoveredFile& file, std::string_view content);

} // namespace emend
