// Runners that name only what fails, and runners nobody knows.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/strings.hpp"
#include "engine/verify/test_report.hpp"

namespace emend {
namespace {

using testing::IsEmpty;
using Ids = std::map<std::string, std::string>;

struct Named {
  const char* runner;
  const char* output;
  Ids ids;
  int passed;
  int failed;
};

class NamesOfFailing : public testing::TestWithParam<Named> {};

TEST_P(NamesOfFailing, GoWithTheCounts) {
  const TestReport report = parse_test_report(GetParam().output);
  EXPECT_TRUE(report.recognised);
  EXPECT_TRUE(report.passes_unnamed);
  EXPECT_EQ(report.by_id, GetParam().ids);
  EXPECT_EQ(report.passed, GetParam().passed);
  EXPECT_EQ(report.failed, GetParam().failed);
}

INSTANTIATE_TEST_SUITE_P(
    Runners, NamesOfFailing,
    testing::Values(
        Named{"unittest",
              ".sFFEF\n======================================================================\n"
              "ERROR: test_three (test_a.TestA.test_three)\n"
              "----------------------------------------------------------------------\n"
              "Traceback (most recent call last):\n  File \"/tmp/w7/test_a.py\", line 5, in test_three\n"
              "ValueError: x - y\n\n"
              "======================================================================\n"
              "FAIL: test_sub (test_a.TestA.test_sub) (i=0)\n"
              "----------------------------------------------------------------------\nAssertionError: 0 != "
              "1\n\n"
              "======================================================================\n"
              "FAIL: test_sub (test_a.TestA.test_sub) (i=2)\n"
              "----------------------------------------------------------------------\nAssertionError: 2 != "
              "1\n\n"
              "======================================================================\n"
              "FAIL: test_two (test_a.TestA.test_two)\n"
              "----------------------------------------------------------------------\nAssertionError: 1 != "
              "2\n\n"
              "----------------------------------------------------------------------\n"
              "Ran 5 tests in 0.001s\n\nFAILED (failures=3, errors=1, skipped=1)\n",
              {{"test_three (test_a.TestA.test_three)", "failed"},
               {"test_sub (test_a.TestA.test_sub)", "failed"},
               {"test_two (test_a.TestA.test_two)", "failed"}},
              1,
              3},
        Named{
            "pytest_q",
            "..F.E [100%]\n=================================== FAILURES ===================================\n"
            "E       assert 1 == 2\n"
            "=========================== short test summary info ============================\n"
            "FAILED tests/test_a.py::test_fail[a - b] - assert 1 == 2\n"
            "ERROR tests/test_b.py - ModuleNotFoundError: No module named 'x'\n"
            "1 failed, 3 passed, 1 error in 0.01s\n",
            {{"tests/test_a.py::test_fail[a", "failed"}, {"tests/test_b.py", "failed"}},
            3,
            2},
        Named{"go",
              "--- FAIL: TestRead (0.01s)\n    --- FAIL: TestRead/empty (0.00s)\n        a_test.go:7: no\n"
              "FAIL\nFAIL\texample.com/a\t0.01s\nok  \texample.com/b\t(cached)\n"
              "# example.com/c\nc/c.go:3:1: syntax error\nFAIL\texample.com/c [build failed]\nFAIL\n",
              {{"TestRead", "failed"},
               {"TestRead/empty", "failed"},
               {"package example.com/b", "passed"},
               {"package example.com/c", "failed"}},
              1,
              2},
        Named{"jest",
              "PASS src/b.test.js\nFAIL src/a.test.js\n  ● adder › adds two\n\n    "
              "expect(received).toBe(expected)\n"
              "\n      2 |   it('adds two')\n\n  ● multiplies\n\nTest Suites: 1 failed, 1 passed, 2 total\n"
              "Tests:       2 failed, 5 passed, 7 total\n",
              {{"adder › adds two", "failed"}, {"multiplies", "failed"}},
              5,
              2},
        Named{"vitest",
              " ✓ b.test.ts (4 tests) 3ms\n FAIL  a.test.ts > adder > adds\nAssertionError: expected 1 to be "
              "2\n"
              " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 4 passed (5)\n",
              {{"a.test.ts > adder > adds", "failed"}},
              4,
              1},
        Named{"rspec",
              "F.\n\nFailures:\n\n  1) Adder adds\n     Failure/Error: expect(1).to eq(2)\n\n"
              "Finished in 0.01 seconds (files took 0.1 seconds to load)\n2 examples, 1 failure\n\n"
              "Failed examples:\n\nrspec ./spec/adder_spec.rb:4 # Adder adds\n",
              {{"Adder adds", "failed"}},
              1,
              1},
        Named{"phpunit",
              "F..  3 / 3 (100%)\n\nThere was 1 failure:\n\n1) Tests\\AdderTest::testAdds\nFailed asserting "
              "that 1 "
              "matches expected 2.\n\nFAILURES!\nTests: 3, Assertions: 3, Failures: 1.\n",
              {{"Tests\\AdderTest::testAdds", "failed"}},
              2,
              1},
        Named{"minitest",
              "  1) Failure:\nAdderTest#test_adds [test/adder_test.rb:5]:\nExpected: 2\n  Actual: 1\n\n"
              "3 runs, 3 assertions, 1 failures, 0 errors, 0 skips\n",
              {{"AdderTest#test_adds", "failed"}},
              2,
              1},
        Named{"prove",
              "t/a.t .. ok\nt/b.t .. \nDubious, test returned 1 (wstat 256, 0x100)\nFailed 1/2 subtests \n\n"
              "Test Summary Report\n-------------------\nt/b.t (Wstat: 256 (exited 1) Tests: 2 Failed: 1)\n"
              "  Failed test:  2\n  Non-zero exit status: 1\n"
              "Files=2, Tests=4,  0 wallclock secs ( 0.01 usr +  0.01 sys =  0.02 CPU)\nResult: FAIL\n",
              {{"t/b.t", "failed"}},
              3,
              1},
        Named{"check",
              "66%: Checks: 3, Failures: 1, Errors: 0\ntests/check_money.c:24:F:Core:test_money:0: Assertion "
              "'a == b' failed\n",
              {{"Core:test_money:0", "failed"}},
              2,
              1},
        Named{"doctest",
              "===============================================================================\n"
              "a_test.cpp:5:\nTEST CASE:  adds\n\na_test.cpp:6: ERROR: CHECK( 1 == 2 ) is NOT correct!\n\n"
              "[doctest] test cases:  3 |  2 passed | 1 failed | 0 skipped\n",
              {{"adds", "failed"}},
              2,
              1},
        Named{"cargo_q",
              "\nrunning 2 tests\n. 1/2\ntests::fails --- FAILED\n\nfailures:\n\n---- tests::fails stdout "
              "----\n"
              "thread 'tests::fails' panicked at a.rs:1:69:\n\nfailures:\n    tests::fails\n\n"
              "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
              {{"tests::fails", "failed"}},
              1,
              1},
        Named{"ctest_q",
              "66% tests passed, 1 tests failed out of 3\n\nThe following tests FAILED:\n\t  2 - parser "
              "(Failed)\n"
              "Errors while running CTest\n",
              {{"parser", "failed"}},
              2,
              1},
        Named{"of_its_own",
              "FAIL slug of empty text - expected '' but got '-'\n2 passed, 1 failed\n",
              {{"slug of empty text", "failed"}},
              2,
              1}),
    [](const auto& test) { return std::string(test.param.runner); });

TEST(TestHeads, RunnersThatNameAllTheirTests) {
  const auto automake = parse_test_report(
      "PASS: t/a.sh\nFAIL: t/b.sh\nSKIP: t/c.sh\nXFAIL: t/d.sh\n==== \n# TOTAL: 4\n# PASS:  1\n# SKIP:  1\n"
      "# XFAIL: 1\n# FAIL:  1\n# XPASS: 0\n# ERROR: 0\n");
  EXPECT_EQ(automake.by_id,
            (Ids{{"t/a.sh", "passed"}, {"t/b.sh", "failed"}, {"t/c.sh", "skipped"}, {"t/d.sh", "skipped"}}));
  EXPECT_FALSE(automake.passes_unnamed);
  const auto meson = parse_test_report(
      "1/3 demo:unit / a        OK              0.01s\n2/3 b                    FAIL            0.02s   exit "
      "status "
      "1\n3/3 c                    TIMEOUT        30.02s\n\nOk:                 1\nFail:               "
      "1\nTimeout:  "
      "          1\n");
  EXPECT_EQ(meson.by_id, (Ids{{"demo:unit / a", "passed"}, {"b", "failed"}, {"c", "failed"}}));
  const auto deno = parse_test_report(
      "running 2 tests from ./a_test.ts\nadds ... ok (5ms)\nfails ... FAILED (2ms)\n\nFAILED | 1 passed | 1 "
      "failed "
      "(12ms)\n");
  EXPECT_EQ(deno.by_id, (Ids{{"adds", "passed"}, {"fails", "failed"}}));
}

TEST(TestHeads, OfRunnersNobodyKnows) {
  const auto report = parse_test_report(
      "== checking ==\nPASS slug of ascii (0.4 ms)\n[FAIL] slug of umlauts at /tmp/w31/check.sh:17 - got "
      "'x'\n"
      "FAILED: pad at 0x7ffc12 line 9\n  ✗ trims\n  ✓ joins\nnot ok parses\nERROR  opens\nAssertion failed: "
      "a == b\n"
      "FAILED 3 of 7\nFAILED\nERRORS were seen\ndone in 3s\n");
  EXPECT_FALSE(report.recognised);
  EXPECT_TRUE(report.passes_unnamed);
  EXPECT_EQ(report.by_id, (Ids{{"slug of ascii", "passed"},
                               {"slug of umlauts at check.sh:#", "failed"},
                               {"pad at 0x# line #", "failed"},
                               {"trims", "failed"},
                               {"joins", "passed"},
                               {"parses", "failed"},
                               {"opens", "failed"},
                               {"a == b", "failed"}}));
  EXPECT_EQ(report.own_failures, 0) << "words of nobody in particular do not outweigh the exit status";
}

TEST(TestHeads, SomeFailuresWithoutANameGiveCountsOnly) {
  EXPECT_THAT(parse_test_report("FAIL one\n2 passed, 3 failed\n").by_id, IsEmpty());
}

TEST(TestHeads, AGreenRunHasNoFailingNames) {
  EXPECT_THAT(parse_test_report("ERROR: expected by the test\n3 passed, 0 failed\n").by_id, IsEmpty());
  EXPECT_THAT(parse_test_report("compiling\nlinking\n").by_id, IsEmpty());
}

TEST(TestHeads, TheOrderOfLinesAndNoiseBetweenThemChangeNothing) {
  std::mt19937 random(17);
  for (const char* output :
       {"FAIL: test_two (a.A.test_two)\nFAIL: test_b (a.B.test_b)\n3 passed, 2 failed\n",
        "FAIL one\nPASS two\nERROR three - why\n✗ four (3ms)\n",
        "tests/a.py::one PASSED\ntests/a.py::two FAILED\n1 failed, 1 passed in 0.1s\n",
        "1/2 Test #1: a ..... Passed 0.01 sec\n2/2 Test #2: b .....***Failed 0.01 sec\n"}) {
    const TestReport before = parse_test_report(output);
    ASSERT_FALSE(before.by_id.empty());
    for (int round = 0; round < 20; ++round) {
      std::vector<std::string> lines = split(std::string(trim(output)), '\n');
      for (int i = 0; i < 5; ++i)
        lines.push_back(
            fmt::format("[{}] connecting to 10.0.0.{} took {} ms", random(), random() % 255, random()));
      std::shuffle(lines.begin(), lines.end(), random);
      EXPECT_EQ(parse_test_report(join(lines, "\n") + "\n").by_id, before.by_id) << join(lines, "\n");
    }
  }
}

TEST(WhatItTells, InWords) {
  EXPECT_EQ(what_it_tells(parse_test_report("a.py::x PASSED\na.py::y FAILED\n")), "tests by name (2)");
  EXPECT_EQ(what_it_tells(parse_test_report("FAIL x\n2 passed, 1 failed\n")),
            "names of failing tests (1), and how many pass (2)");
  EXPECT_EQ(what_it_tells(parse_test_report("2 passed, 1 failed\n")), "how many tests pass and fail (3)");
  EXPECT_EQ(what_it_tells(parse_test_report("FAIL x\n")), "names of what fails (1)");
  EXPECT_EQ(what_it_tells(parse_test_report("make: *** [check] Error 1\n")), "exit status only");
}

} // namespace
} // namespace emend
