// JUnit XML as test runners write it: every test case and how it ended.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "model/verification.hpp"
#include "ports/repository.hpp"

namespace emend {

// recognised = false when the text is no such report or is cut off: half a report confirms nothing.
[[nodiscard]] TestReport read_junit_results(std::string_view text);

using Reports = std::map<std::string, std::string>; // path -> bytes

// Test reports below a workspace's tree (or the layer with what was written into it) that the base does not
// have just so. Never follows a link; at most 200 files of 8 MB each, found among 200,000.
[[nodiscard]] Reports written_reports(const std::string& directory, const Tree& base);

// Adds the tests of another report to this one.
void merge_report(TestReport& into, const TestReport& other);

} // namespace emend
