// What a test runner counts itself in the line it ends with: a table of such lines.
#pragma once

#include <optional>
#include <string>

namespace emend {

struct SummaryCounts {
  std::string runner;
  int passed = 0, failed = 0, skipped = 0;
  bool only_bad =
      false; // the line stands only where something failed: it does not tell how many tests there are
};

// Whole lines only, in a runner's own words: what a test prints about failures in passing is not a summary.
// nullopt = no such line.
[[nodiscard]] std::optional<SummaryCounts> read_summary(const std::string& line);

// A line of counts and nothing else ("2 passed, 1 failed"), as small runners of a project's own end with: how
// many failed. 0 = no such line.
[[nodiscard]] int failures_in_plain_counts(const std::string& line);

} // namespace emend
