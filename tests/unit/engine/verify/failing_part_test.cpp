#include "engine/verify/failing_part.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::HasSubstr;
using testing::Not;

class FailingPart : public testing::Test {
protected:
  FailingPart() {
    now.run = "pytest -v";
    now.name = "tests";
    now.result = CommandResult::failed;
    now.exit_code = 1;
    for (int i = 0; i < 200; ++i) now.output += fmt::format("tests/test_a.py::test_{:03} PASSED\n", i);
    now.output += "tests/test_a.py::test_limit FAILED\ntests/test_a.py::test_old FAILED\n";
    for (int i = 0; i < 100; ++i) now.output += fmt::format("tests/test_b.py::test_{:03} PASSED\n", i);
    now.output +=
        "____ test_old ____\n" + std::string(40, '\n') + "E  assert 'old'\n" + std::string(40, '\n');
    now.output +=
        "____ test_limit ____\n    def test_limit():\n>       assert limit() == 10\nE       assert 9 == 10\n";
    now.output += std::string(60, '\n') + "2 failed, 300 passed\n";
    now.tests.by_id = {{"tests/test_a.py::test_limit", "failed"}, {"tests/test_a.py::test_old", "failed"}};
  }
  CommandRun now, before;
};

TEST_F(FailingPart, ShowsTheTestThatFailsNowAndDidNotBefore) {
  before.tests.by_id = {{"tests/test_a.py::test_old", "failed"}, {"tests/test_a.py::test_limit", "passed"}};
  const std::string text = failure_text(now, &before);
  EXPECT_THAT(text, HasSubstr("$ pytest -v\n[tests: failed, exit 1]\n"));
  EXPECT_THAT(text, HasSubstr("E       assert 9 == 10"));
  EXPECT_THAT(text, HasSubstr("2 failed, 300 passed"));
  EXPECT_THAT(text, Not(HasSubstr("E  assert 'old'")));
  EXPECT_THAT(text, Not(HasSubstr("test_100 PASSED")));
  EXPECT_LT(text.size(), 3'000U);
}

TEST_F(FailingPart, AShortOutputIsShownWhole) {
  now.output = "a\nb\n";
  EXPECT_THAT(failure_text(now, nullptr), HasSubstr("]\na\nb\n"));
}

TEST_F(FailingPart, WithoutNamesBeginningAndEndAreShown) {
  now.tests.by_id.clear();
  const std::string text = failure_text(now, nullptr);
  EXPECT_THAT(text, HasSubstr("test_000 PASSED"));
  EXPECT_THAT(text, HasSubstr("2 failed, 300 passed"));
  EXPECT_LT(text.size(), 7'000U);
}

} // namespace
} // namespace emend
