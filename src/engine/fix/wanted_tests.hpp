// Existing tests that a fixer wants to change because they assert the bug, and what a person decides about
// them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "engine/patch/apart.hpp"
#include "model/attempt.hpp"
#include "model/opened_test.hpp"

namespace emend {

// Notes of an attempt that begin so name an existing test its fixer changed, or says asserts the bug.
inline constexpr std::string_view kWantedNote = "wants to change the test ";

// Adds the note, once a test.
void note_wanted(Attempt& attempt, const TouchedTest& test);

struct WantedTest {
  std::string file, test;
  std::string change; // "from `...` to `...`"; may be empty
};
[[nodiscard]] Json to_json(const WantedTest& wanted);

// What the attempts wanted and nobody has opened, each test once, the newest words for it.
[[nodiscard]] std::vector<WantedTest> wanted_tests(const std::vector<Attempt>& attempts,
                                                   const std::vector<OpenedTest>& opened);

// "; the fixer says that ... asserts the bug ...", with what a person can do; empty = it named none, or the
// detail of the attempt says so already.
[[nodiscard]] std::string wanted_hint(const Attempt& attempt, const std::string& code);

// All about tests of one issue.
struct TestDecisions {
  std::vector<OpenedTest> opened;    // that are open now
  std::vector<WantedTest> wanted;    // that wait for a decision
  std::vector<OpenedTest> decisions; // every one, in order
};
[[nodiscard]] Json to_json(const TestDecisions& decisions);
[[nodiscard]] Result<TestDecisions> test_decisions(IssueStore& store, const Issue& issue);

// Existing tests that this change does not leave as they are, opened for this change alone, for a judge to
// decide about: single tests of test files that it changes, and that no person has decided about.
[[nodiscard]] std::vector<OpenedTest> left_to_judge(const Issue& issue, const Patch& patch,
                                                    const std::vector<OpenedTest>& decisions);

struct OpenTestOrder {
  std::string code; // of an issue of this repository, or its id
  std::string test; // "tests/test_x.py::test_limit"; the last part is enough where one test has it
  bool open = true; // false: take it back
  std::string reason;
};
// Stored for good, with an event. Refused: what is not a test file of HEAD, a test that is not in it, and
// taking back what is not open.
[[nodiscard]] Result<OpenedTest> open_test(const Ports& ports,
                                           const std::function<void(const Event&)>& on_event,
                                           const OpenTestOrder& order);

} // namespace emend
