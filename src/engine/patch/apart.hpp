// A patch taken apart into what it changes of the product and what it brings along of tests. The loop, the
// combination of fixes and the gate run the same parts on the same trees.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/patch/changed_tests.hpp"
#include "engine/patch/protected_paths.hpp"
#include "model/finding.hpp"
#include "model/opened_test.hpp"
#include "model/patch.hpp"

namespace emend {

// Is this change part of the fix's own tests: a test file by name or place, new or extended, that is not what
// the issue is about? Files that runners load on their own and that change how existing tests run
// (conftest.py, __mocks__) are not.
[[nodiscard]] bool is_own_test(std::string_view issue_file, const FileChange& change);

struct ApartPatch {
  Patch product;   // with the base's tests, but for tests a person opened: these are as the patch has them
  Patch own_tests; // new and extended test files, whole
  Patch
      judges; // what judges it and what it may change only because the issue is about it, or the judge agrees
};
// called: scripts that verification reaches through others judge as well. opened: for this issue.
[[nodiscard]] ApartPatch apart(std::string_view issue_file, const Patch& patch, const PathSet& called = {},
                               const std::vector<OpenedTest>& opened = {});

// The same for several fixes in one patch: all but the tests they bring along. issue_files: what the issues
// are about.
[[nodiscard]] Patch product_side(const Patch& patch, const PathSet& issue_files,
                                 const std::vector<OpenedTest>& opened = {});
[[nodiscard]] Patch tests_side(const Patch& patch, const PathSet& issue_files);

// An existing test that a change does not leave as it is.
struct TouchedTest {
  std::string file;
  ChangedTest test;

  [[nodiscard]] std::string name() const { return test_name(file, test.name); }
};
// Those that nobody opened, in the fix's own tests, and in files of the product that have tests inside, as
// Rust does; but not the test that the finding is about.
[[nodiscard]] std::vector<TouchedTest> touched_tests(const Finding& finding, const Patch& patch,
                                                     const std::vector<OpenedTest>& opened);
// Those that were opened and that it changes.
[[nodiscard]] std::vector<TouchedTest> opened_and_changed(const Finding& finding, const Patch& patch,
                                                          const std::vector<OpenedTest>& opened);

// "from `...` to `...`", as far as there are two sides; empty = there are none.
[[nodiscard]] std::string from_to(const ChangedTest& test);

// Names of tests that the own tests of a patch add, as runners may print them.
[[nodiscard]] std::vector<std::string> added_tests(const Patch& own_tests);

} // namespace emend
