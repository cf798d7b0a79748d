// A decision that a fix of one issue may change one existing test, or that it may not any more: a person's,
// or, for one change only, the judge's. Append-only: the last decision about a test counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace emend {

struct OpenedTest {
  std::string id; // UUID
  std::string issue_id;
  std::string file; // relative to the repository
  std::string test; // as `file::test` names it; empty = everything in the file
  bool open = true; // false: taken back
  std::string reason;
  std::string by; // who decided, as far as it is known
  std::int64_t created_ms = 0;
  std::string patch_sha256 = {}; // the only change it is for: a judge decided; empty = any, a person did

  [[nodiscard]] std::string name() const; // "tests/test_x.py::test_limit"
  [[nodiscard]] bool by_judge() const { return !patch_sha256.empty(); }
};

[[nodiscard]] Json to_json(const OpenedTest& opened);

// "tests/test_x.py::Suite::test_limit" into file and test.
struct TestName {
  std::string file, test;
};
[[nodiscard]] TestName parse_test_name(std::string_view text);
[[nodiscard]] std::string test_name(std::string_view file, std::string_view test);

// Those that are open now, of decisions in the order they were made.
[[nodiscard]] std::vector<OpenedTest> still_open(const std::vector<OpenedTest>& decisions);
// Those of them that this change may use; without one, those that any may.
[[nodiscard]] std::vector<OpenedTest> open_for(const std::vector<OpenedTest>& decisions,
                                               const std::string& patch_sha256 = "");

} // namespace emend
