#include "engine/verify/test_report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Ids = std::map<std::string, std::string>;

void expect_counts(const TestReport& report, const std::string& runner, int passed, int failed, int skipped) {
  EXPECT_TRUE(report.recognised);
  EXPECT_EQ(report.runner, runner);
  EXPECT_EQ(report.passed, passed);
  EXPECT_EQ(report.failed, failed);
  EXPECT_EQ(report.skipped, skipped);
}

TEST(TestReport, Ctest) {
  const auto report = parse_test_report(
      "Test project /build\n"
      "      Start  1: base\n"
      " 1/6 Test  #1: base ..............................   Passed    0.01 sec\n"
      " 2/6 Test  #2: unit/model:Patch.Is sorted ........***Failed    0.02 sec\n"
      " 3/6 Test  #3: broken ............................***Exception: SegFault  0.10 sec\n"
      " 4/6 Test  #4: off ...............................***Not Run (Disabled)   0.00 sec\n"
      " 5/6 Test  #5: later .............................***Skipped   0.00 sec\n"
      " 6/6 Test  #6: slow ..............................***Timeout  10.00 sec\n"
      "\n"
      "50% tests passed, 3 tests failed out of 6\n");
  expect_counts(report, "ctest", 1, 3, 2);
  EXPECT_EQ(report.by_id, (Ids{{"base", "passed"},
                               {"unit/model:Patch.Is sorted", "failed"},
                               {"broken", "failed"},
                               {"off", "skipped"},
                               {"later", "skipped"},
                               {"slow", "failed"}}));
}

TEST(TestReport, GoogleTest) {
  const auto report = parse_test_report(
      "[==========] Running 5 tests from 2 test suites.\n"
      "[ RUN      ] Patch.Sorts\n"
      "[       OK ] Patch.Sorts (0 ms)\n"
      "[ RUN      ] Patch.Hashes\n"
      "a_test.cpp:7: Failure\n"
      "[  FAILED  ] Patch.Hashes (12 ms)\n"
      "[  SKIPPED ] Patch.Later (0 ms)\n"
      "[       OK ] All/Sizes.Fit/0 (0 ms)\n"
      "[  FAILED  ] All/Sizes.Fit/1, where GetParam() = 7 (0 ms)\n"
      "[==========] 5 tests from 2 test suites ran. (13 ms total)\n"
      "[  PASSED  ] 2 tests.\n"
      "[  SKIPPED ] 1 test, listed below:\n"
      "[  SKIPPED ] Patch.Later\n"
      "[  FAILED  ] 2 tests, listed below:\n"
      "[  FAILED  ] Patch.Hashes\n"
      "[  FAILED  ] All/Sizes.Fit/1, where GetParam() = 7\n");
  expect_counts(report, "gtest", 2, 2, 1);
  EXPECT_EQ(report.by_id.at("All/Sizes.Fit/1"), "failed");
}

TEST(TestReport, PytestVerbose) {
  const auto report = parse_test_report(
      "============================= test session starts ==============================\n"
      "collected 6 items\n\n"
      "tests/test_a.py::test_one PASSED                                         [ 16%]\n"
      "tests/test_a.py::TestB::test_two[a b-1] PASSED                           [ 33%]\n"
      "tests/test_a.py::test_three FAILED                                       [ 50%]\n"
      "tests/test_a.py::test_four SKIPPED (no network)                          [ 66%]\n"
      "tests/test_a.py::test_five XFAIL                                         [ 83%]\n"
      "tests/test_a.py::test_six PASSED                                         [100%]\n"
      "tests/test_a.py::test_six ERROR                                          [100%]\n"
      "=========================== short test summary info ============================\n"
      "FAILED tests/test_a.py::test_three - assert 1 == 2\n"
      "========= 1 failed, 3 passed, 1 skipped, 1 xfailed, 1 error in 0.12s ==========\n");
  expect_counts(report, "pytest", 2, 2, 2);
  EXPECT_EQ(report.by_id.at("tests/test_a.py::TestB::test_two[a b-1]"), "passed");
  EXPECT_EQ(report.by_id.at("tests/test_a.py::test_six"), "failed") << "an error at the end of a test counts";
}

TEST(TestReport, PytestWithWorkers) {
  const auto report = parse_test_report(
      "[gw0] [ 50%] PASSED tests/test_a.py::test_one \n[gw1] [100%] FAILED tests/test_a.py::test_two \n");
  EXPECT_EQ(report.by_id,
            (Ids{{"tests/test_a.py::test_one", "passed"}, {"tests/test_a.py::test_two", "failed"}}));
}

TEST(TestReport, PytestQuiet) {
  expect_counts(parse_test_report("..s.                   [100%]\n3 passed, 1 skipped in 0.01s\n"), "summary",
                3, 0, 1);
  expect_counts(parse_test_report("=== 1 failed, 2 passed, 1 error in 0.10s ===\n"), "summary", 2, 2, 0);
  expect_counts(parse_test_report("1 failed in 0.10s\n"), "summary", 0, 1, 0);
  expect_counts(parse_test_report("2 skipped in 0.10s\n"), "summary", 0, 0, 2);
  expect_counts(parse_test_report("2 passed, 3 deselected, 1 xfailed, 1 xpassed, 4 warnings in 0.1s\n"),
                "summary", 2, 0, 4);
}

TEST(TestReport, Unittest) {
  const auto verbose = parse_test_report(
      "test_one (tests.test_a.TestA.test_one) ... ok\n"
      "test_two (tests.test_a.TestA.test_two) ... FAIL\n"
      "test_three (tests.test_a.TestA.test_three) ... ERROR\n"
      "test_four (tests.test_a.TestA.test_four) ... skipped 'later'\n"
      "test_five (tests.test_a.TestA.test_five) ... expected failure\n"
      "----------------------------------------------------------------------\n"
      "Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1, expected failures=1)\n");
  expect_counts(verbose, "unittest", 1, 2, 2);
  expect_counts(parse_test_report(".F.\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n"), "unittest", 2, 1,
                0);
  expect_counts(parse_test_report("Ran 3 tests in 0.001s\n\nOK (skipped=1)\n"), "unittest", 2, 0, 1);
  expect_counts(parse_test_report("Ran 1 test in 0.001s\n\nOK\n"), "unittest", 1, 0, 0);
  expect_counts(parse_test_report("Ran 0 tests in 0.000s\n\nNO TESTS RAN\n"), "unittest", 0, 0, 0);
  expect_counts(parse_test_report("Ran 3 tests in 0.1s\n\nOK\nRan 2 tests in 0.1s\n\nFAILED (errors=2)\n"),
                "unittest", 3, 2, 0);
}

TEST(TestReport, Go) {
  const auto report = parse_test_report(
      "=== RUN   TestOpen\n--- PASS: TestOpen (0.00s)\n=== RUN   TestRead\n=== RUN   TestRead/empty\n"
      "--- FAIL: TestRead (0.01s)\n    --- FAIL: TestRead/empty (0.00s)\n    a_test.go:7: no\n--- SKIP: "
      "TestNet (0.00s)\nFAIL\nFAIL\texample.com/a\t0.01s\n"
      "=== RUN   TestOpen\n--- PASS: TestOpen (0.00s)\nPASS\nok  \texample.com/b\t0.01s\n");
  expect_counts(report, "go", 2, 2, 1);
  EXPECT_EQ(report.by_id.at("TestRead/empty"), "failed");
  EXPECT_TRUE(report.by_id.contains("TestOpen (2)")) << "the same name in another package is another test";
}

TEST(TestReport, Cargo) {
  const auto report = parse_test_report(
      "running 4 tests\ntest tests::adds ... ok\ntest tests::panics - should panic ... ok\ntest tests::slow "
      "... ignored\ntest tests::fails ... FAILED\n\n"
      "test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"
      "running 1 test\ntest tests::adds ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored\n\n"
      "running 1 test\ntest src/lib.rs - Reader::open (line 12) ... ok\n\ntest result: ok. 1 passed; 0 "
      "failed; 0 ignored\n");
  expect_counts(report, "cargo", 4, 1, 1);
  EXPECT_TRUE(report.by_id.contains("tests::panics"));
  EXPECT_TRUE(report.by_id.contains("tests::adds (2)"));
  EXPECT_TRUE(report.by_id.contains("src/lib.rs - Reader::open")) << "the line moves with every fix above it";
  expect_counts(
      parse_test_report("running 3 tests\n...\ntest result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\n"),
      "summary", 3, 0, 1);
}

TEST(TestReport, Tap) {
  const auto report = parse_test_report(
      "TAP version 13\n# Subtest: adds\nok 1 - adds\n  ---\n  duration_ms: 0.5\n  ...\nnot ok 2 - "
      "subtracts\n    ok 1 - inner\nok 3 - net # SKIP no network\n"
      "not ok 4 - later # TODO\nok 5 - see \\#12\nok 6\n1..6\n# tests 6\n# pass 3\n# fail 1\n# skipped 1\n# "
      "todo 1\n");
  expect_counts(report, "tap", 3, 1, 2);
  EXPECT_EQ(report.by_id, (Ids{{"adds", "passed"},
                               {"subtracts", "failed"},
                               {"net", "skipped"},
                               {"later", "skipped"},
                               {"see \\#12", "passed"},
                               {"test 6", "passed"}}));
  EXPECT_EQ(parse_test_report("ok 1 - same\nok 2 - same\n").passed, 2);
}

TEST(TestReport, NodeWithoutTap) {
  expect_counts(
      parse_test_report(
          "\xE2\x84\xB9 tests 4\n\xE2\x84\xB9 pass 2\n\xE2\x84\xB9 fail 1\n\xE2\x84\xB9 cancelled 0\n"
          "\xE2\x84\xB9 skipped 1\n\xE2\x84\xB9 todo 0\n"),
      "tap", 2, 1, 1);
}

TEST(TestReport, JestVitestMocha) {
  expect_counts(parse_test_report("PASS src/a.test.js\nTest Suites: 1 failed, 1 passed, 2 total\nTests:      "
                                  " 1 failed, 2 skipped, 3 passed, 6 total\n"
                                  "Snapshots:   4 passed, 4 total\nTime:        1.2 s\n"),
                "summary", 3, 1, 2);
  expect_counts(parse_test_report("Tests:       2 failed, 2 total\n"), "summary", 0, 2, 0);
  expect_counts(parse_test_report(" Test Files  1 passed (1)\n      Tests  1 failed | 3 passed (4)\n"),
                "summary", 3, 1, 0);
  expect_counts(parse_test_report("\n  3 passing (5ms)\n  2 pending\n  1 failing\n\n  1) adds:\n"), "summary",
                3, 1, 2);
}

TEST(TestReport, PlainSummary) {
  expect_counts(parse_test_report("12 passed, 3 failed\n"), "summary", 12, 3, 0);
  expect_counts(parse_test_report("suite one: 2 passed, 0 failed\r\nsuite two: 3 passed, 1 failed\r\n"),
                "summary", 5, 1, 0);
}

TEST(TestReport, NoTestsRanIsAnAnswer) {
  for (const char* output : {"=== no tests ran in 0.01s ===\n", "no tests ran in 0.00s\n",
                             "No tests were found!!!\n", "collected 0 items\n"})
    expect_counts(parse_test_report(output), "summary", 0, 0, 0);
}

TEST(TestReport, OtherOutputIsNotRecognised) {
  for (const char* output : {"", "all good\n", "ok\n", "Build succeeded: 0 errors\n", "compiling 3 files\n",
                             "Ran out of memory\n", "3 errors found in 0.1s of CPU\n"}) {
    EXPECT_FALSE(parse_test_report(output).recognised) << output;
  }
  EXPECT_FALSE(parse_test_report(fmt::format("{:x<100000} 3 passed", "x")).recognised)
      << "a line nobody prints";
}

TEST(TestReport, HugeNumbersDoNotOverflow) {
  EXPECT_GE(parse_test_report("99999999999999999999 passed, 4294967299 failed\n").failed, 0);
}

TestReport by_id(Ids ids) {
  TestReport report;
  report.recognised = true;
  for (const auto& [id, state] : ids)
    ++(state == "passed" ? report.passed : state == "failed" ? report.failed : report.skipped);
  report.own_failures = report.failed;
  report.by_id = std::move(ids);
  return report;
}

TestReport counts(int passed, int failed, int skipped) {
  TestReport report;
  report.recognised = true;
  report.passed = passed;
  report.failed = report.own_failures = failed;
  report.skipped = skipped;
  return report;
}

TEST(LostTests, NothingLost) {
  EXPECT_THAT(lost_tests(by_id({{"a", "passed"}}), by_id({{"a", "passed"}})), IsEmpty());
  EXPECT_THAT(lost_tests(by_id({{"a", "passed"}}), by_id({{"a", "passed"}, {"b", "passed"}})), IsEmpty());
  EXPECT_THAT(lost_tests(by_id({{"a", "failed"}}), by_id({{"a", "passed"}})), IsEmpty());
  EXPECT_THAT(lost_tests(by_id({{"a", "skipped"}}), by_id({{"a", "passed"}})), IsEmpty());
  EXPECT_THAT(lost_tests(by_id({{"a", "failed"}}), by_id({{"a", "failed"}})), IsEmpty());
  EXPECT_THAT(lost_tests(counts(3, 1, 0), counts(4, 0, 0)), IsEmpty());
  EXPECT_THAT(lost_tests(TestReport{}, TestReport{}), IsEmpty());
  EXPECT_THAT(lost_tests(TestReport{}, counts(3, 0, 0)), IsEmpty());
  EXPECT_THAT(lost_tests(counts(0, 0, 0), TestReport{}), IsEmpty());
}

TEST(LostTests, VanishedFailedAndSkipped) {
  EXPECT_THAT(lost_tests(by_id({{"a", "passed"}, {"b", "passed"}}), by_id({{"a", "passed"}})),
              Contains("test vanished: b"));
  EXPECT_THAT(lost_tests(by_id({{"a", "passed"}}), by_id({{"a", "failed"}})),
              Contains("test is failed now: a"));
  EXPECT_THAT(lost_tests(by_id({{"a", "passed"}}), by_id({{"a", "skipped"}})),
              Contains("test is skipped now: a"));
  EXPECT_THAT(lost_tests(by_id({{"a", "passed"}}), by_id({{"b", "passed"}})), Contains("test vanished: a"))
      << "the count alone would not tell";
}

TEST(LostTests, AFailingTestMayNotVanishOrBeSkippedInsteadOfFixed) {
  EXPECT_THAT(lost_tests(by_id({{"a", "passed"}, {"b", "failed"}}), by_id({{"a", "passed"}})),
              ElementsAre("2 tests ran on the base, 1 with the patch"));
  EXPECT_THAT(
      lost_tests(by_id({{"a", "passed"}, {"b", "failed"}}), by_id({{"a", "passed"}, {"b", "skipped"}})),
      Contains("test is skipped now: b"));
}

TEST(LostTests, Counts) {
  EXPECT_THAT(lost_tests(counts(3, 0, 0), counts(2, 0, 0)),
              ElementsAre("3 tests passed on the base, 2 with the patch"));
  EXPECT_THAT(lost_tests(counts(3, 1, 0), counts(3, 0, 1)),
              ElementsAre("0 tests were skipped on the base, 1 with the patch"));
  EXPECT_THAT(lost_tests(counts(3, 0, 0), TestReport{}),
              ElementsAre("the base reported tests, the patched tree reports none"));
  EXPECT_THAT(lost_tests(counts(3, 0, 0), counts(0, 0, 0)), SizeIs(1));
  EXPECT_THAT(lost_tests(by_id({{"a", "passed"}}), counts(1, 0, 0)),
              ElementsAre("the base named its tests, the patched tree names none"));
  EXPECT_THAT(lost_tests(by_id({{"a", "failed"}}), counts(1, 0, 0)), IsEmpty());
}

TEST(StillFailing, WhatFailedMustBeAmongWhatPasses) {
  EXPECT_EQ(
      still_failing(by_id({{"a", "failed"}, {"b", "passed"}}), by_id({{"a", "passed"}, {"b", "passed"}})),
      "");
  EXPECT_THAT(still_failing(by_id({{"a", "failed"}, {"b", "passed"}}), by_id({{"b", "passed"}})),
              HasSubstr("does not pass now: a"));
  EXPECT_THAT(
      still_failing(by_id({{"a", "failed"}, {"b", "passed"}}), by_id({{"a", "skipped"}, {"b", "passed"}})),
      HasSubstr("does not pass now: a"));
  EXPECT_THAT(
      still_failing(by_id({{"a", "failed"}, {"b", "passed"}}), by_id({{"a", "failed"}, {"b", "passed"}})),
      HasSubstr("1 still do"));
  EXPECT_EQ(still_failing(by_id({{"loading t.py", "failed"}}), by_id({{"a", "passed"}, {"b", "passed"}})), "")
      << "the file can be loaded now";
}

TEST(StillFailing, ByCountsWhereThereAreNoIds) {
  EXPECT_EQ(still_failing(counts(2, 1, 0), counts(3, 0, 0)), "");
  EXPECT_THAT(still_failing(counts(2, 1, 0), counts(2, 0, 0)),
              HasSubstr("2 of 3 tests passed on the base, 2 of 2 do now"));
  EXPECT_THAT(still_failing(counts(2, 2, 0), counts(3, 0, 0)), HasSubstr("3 of 3 do now")) << "one is gone";
  EXPECT_EQ(still_failing(parse_test_report("Ran 1 test in 0.1s\n\nFAILED (failures=3)\n"),
                          parse_test_report("Ran 1 test in 0.1s\n\nOK\n")),
            "")
      << "subtests";
  EXPECT_THAT(still_failing(counts(2, 1, 0), counts(2, 1, 0)), HasSubstr("1 still do"));
  EXPECT_THAT(still_failing(counts(2, 1, 0), TestReport{}), HasSubstr("no longer reported"));
  EXPECT_EQ(still_failing(TestReport{}, counts(1, 0, 0)), "") << "the base told nothing";
}

// What runners end with when something failed, whatever the exit status says.
struct Told {
  const char* runner;
  const char* output;
  int failures;
};

class OwnFailures : public testing::TestWithParam<Told> {};

TEST_P(OwnFailures, AreReadFromTheRunnersOwnWords) {
  EXPECT_EQ(parse_test_report(GetParam().output).own_failures, GetParam().failures) << GetParam().output;
}

INSTANTIATE_TEST_SUITE_P(
    Failing, OwnFailures,
    testing::Values(
        Told{"unittest", "..F\n----\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n", 1},
        Told{"unittest_v",
             "test_a (t.T.test_a) ... ok\ntest_b (t.T.test_b) ... FAIL\nRan 2 tests in 0.001s\n\nFAILED "
             "(failures=1)\n",
             1},
        Told{"unittest_errors",
             "Ran 2 tests in 0.001s\n\nFAILED (failures=1, errors=1, expected failures=3)\n", 2},
        Told{"pytest", "t.py .F\n========= 1 failed, 1 passed in 0.02s =========\n", 1},
        Told{"pytest_q", "1 failed, 1 passed in 0.02s\n", 1},
        Told{"pytest_v",
             "t.py::a PASSED [ 50%]\nt.py::b FAILED [100%]\n=== 1 failed, 1 passed in 0.02s ===\n", 1},
        Told{"ctest",
             "1/2 Test #1: a ..... Passed 0.01 sec\n2/2 Test #2: b .....***Failed 0.01 sec\n\n50% tests "
             "passed, 1 tests failed out of 2\n",
             1},
        Told{"ctest_quiet", "50% tests passed, 1 tests failed out of 2\n", 1},
        Told{"gtest",
             "[ RUN      ] A.b\n[  FAILED  ] A.b (0 ms)\n[  PASSED  ] 0 tests.\n[  FAILED  ] 1 test, listed "
             "below:\n[  FAILED  ] A.b\n\n 1 FAILED TEST\n",
             1},
        Told{"gtest_left", "[ RUN      ] A.b\n", 1},
        Told{"node", "TAP version 13\nok 1 - a\nnot ok 2 - b\n# pass 1\n# fail 1\n", 1},
        Told{"node_spec", "✔ a (0.5ms)\n✖ b (0.5ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n", 1},
        Told{"tap", "1..2\nok 1 - a\nnot ok 2 - b\n", 1},
        Told{"jest", "Tests:       1 failed, 2 passed, 3 total\n", 1},
        Told{"vitest", " Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)\n", 1},
        Told{"mocha", "  2 passing (5ms)\n  1 failing\n", 1},
        Told{"go", "--- FAIL: TestX (0.00s)\nFAIL\nFAIL\texample.com/a\t0.01s\n", 1},
        Told{"go_build", "FAIL\texample.com/a [build failed]\n", 1},
        Told{"cargo",
             "test a ... ok\ntest b ... FAILED\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 "
             "measured; 0 filtered out\n",
             1},
        Told{"nextest", "     Summary [   0.005s] 3 tests run: 2 passed, 1 failed, 0 skipped\n", 1},
        Told{"automake",
             "# TOTAL: 3\n# PASS:  2\n# SKIP:  0\n# XFAIL: 0\n# FAIL:  1\n# XPASS: 0\n# ERROR: 0\n", 1},
        Told{"meson",
             "Ok:                 2\nExpected Fail:      0\nFail:               1\nTimeout:            0\n",
             1},
        Told{"prove",
             "Files=1, Tests=3,  0 wallclock secs ( 0.02 usr )\nResult: FAIL\nFailed 1/1 test programs. 1/3 "
             "subtests failed.\n",
             1},
        Told{"rspec", "3 examples, 1 failure, 1 pending\n", 1},
        Told{"minitest", "3 runs, 4 assertions, 1 failures, 1 errors, 0 skips\n", 2},
        Told{"test_unit",
             "3 tests, 4 assertions, 1 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n", 1},
        Told{"phpunit", "FAILURES!\nTests: 3, Assertions: 3, Failures: 1.\n", 1},
        Told{"bats", " ✗ b\n3 tests, 1 failure\n", 1},
        Told{"surefire", "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n", 1},
        Told{"gradle", "3 tests completed, 1 failed\n", 1},
        Told{"dotnet",
             "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 5 ms\n", 1},
        Told{"catch2", "test cases: 3 | 2 passed | 1 failed\nassertions: 5 | 4 passed | 1 failed\n", 1},
        Told{"doctest", "[doctest] test cases:  3 |  2 passed | 1 failed | 0 skipped\n", 1},
        Told{"criterion", "[====] Synthesis: Tested: 3 | Passing: 2 | Failing: 1 | Crashing: 0 \n", 1},
        Told{"check", "66%: Checks: 3, Failures: 1, Errors: 0\n", 1},
        Told{"deno", "FAILED | 2 passed | 1 failed (5ms)\n", 1}, Told{"plain", "2 passed, 1 failed\n", 1},
        Told{"plain_label", "Results: 2 passed, 1 failed.\n", 1}),
    [](const auto& test) { return std::string(test.param.runner); });

INSTANTIATE_TEST_SUITE_P(
    Green, OwnFailures,
    testing::Values(
        Told{"unittest", "Ran 3 tests in 0.001s\n\nOK (skipped=1, expected failures=2)\n", 0},
        Told{"pytest_xfail", "t.py::a XFAIL [100%]\n=== 1 passed, 1 xfailed in 0.02s ===\n", 0},
        Told{"node", "ok 1 - a\n# pass 1\n# fail 0\n# cancelled 0\n", 0},
        Told{"tap_todo", "ok 1 - a\nnot ok 2 - b # TODO later\n", 0},
        Told{"words",
             "testing the error page: FAILED\n[FAILED] is what it prints\nFAILED (as it should)\nok 1 - a\n",
             0},
        Told{"in_passing", "ok 1 - retries\nupload: 2 passed, 1 failed, trying again\n", 0},
        Told{"in_a_sentence",
             "after 3 passed the 1 failed request is sent again in the background\n2 passed, 0 failed\n", 0},
        Told{"unittest_words", "FAILED (failures=1)\nRan 3 tests in 0.001s\n\nOK\n", 0},
        Told{"ctest_until_pass",
             "1/1 Test #1: a .....***Failed 0.01 sec\n1/1 Test #1: a ..... Passed 0.01 sec\n\n100% tests "
             "passed, 0 tests failed out of 1\n",
             0},
        Told{"rspec", "3 examples, 0 failures\n", 0}, Told{"phpunit", "OK (3 tests, 3 assertions)\n", 0},
        Told{"catch2", "All tests passed (5 assertions in 3 test cases)\n", 0},
        Told{"cargo", "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n", 0},
        Told{"go", "ok  \texample.com/a\t0.01s\n", 0}),
    [](const auto& test) { return std::string(test.param.runner); });

TEST(LostTests, ManyAreSummedUp) {
  Ids many;
  for (int i = 0; i < 5'000; ++i) many[fmt::format("t{:04}", i)] = "passed";
  const auto lost = lost_tests(by_id(many), by_id({{"x", "passed"}}));
  EXPECT_LT(lost.size(), 30U);
  EXPECT_THAT(lost, Contains("and 4980 more tests"));
}

TEST(LostTests, ANameThatPassedAndIsSaidToFailIsLostWhoeverSaysSo) {
  const TestReport base = parse_test_report("PASS: small\nPASS: large\n");
  EXPECT_FALSE(base.recognised);
  EXPECT_THAT(lost_tests(base, parse_test_report("PASS: small\nFAIL: large\n")),
              ElementsAre("test is failed now: large"));
  EXPECT_THAT(lost_tests(base, parse_test_report("PASS: small\n")), IsEmpty())
      << "what an unknown program does not print any more may have been anything";
}

} // namespace
} // namespace emend
