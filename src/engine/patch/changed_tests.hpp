// Compares the two sides of a changed test file test by test. New tests, helpers, imports, rows of a table
// and lines at the end of a test are additions; anything else changes an existing test.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/patch.hpp"

namespace emend {

struct ChangedTest {
  std::string name;          // see TestUnit::name; empty = what stands outside of tests, or data
  int line = 0;              // counted from 1: where it is now, or where it was
  std::string what;          // "changes", "removes", "defines again", "moves"
  std::string before, after; // the first line that differs, trimmed; empty = there is none on that side

  [[nodiscard]] bool operator==(const ChangedTest&) const = default;
};

// Existing tests the change does not leave as they are, in the order of the file. Empty for new files.
[[nodiscard]] std::vector<ChangedTest> changed_tests(const FileChange& change);

// The change as far as it concerns the named tests ("" = all of the file); the rest of the file is as before.
[[nodiscard]] FileChange only_tests(const FileChange& change, const std::vector<std::string>& names);

} // namespace emend
