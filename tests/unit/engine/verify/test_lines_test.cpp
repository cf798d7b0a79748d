// Output as the runners really print it, noise included.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/verify/test_report.hpp"

namespace emend {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using Ids = std::map<std::string, std::string>;

TEST(TestLines, GoogleTestInSeveralPrograms) {
  const char* one = "[ RUN      ] A.x\n[       OK ] A.x (0 ms)\n";
  const auto twice = parse_test_report(std::string(one) + one);
  EXPECT_EQ(twice.by_id, (Ids{{"A.x", "passed"}, {"A.x (2)", "passed"}}));
  EXPECT_THAT(lost_tests(twice, parse_test_report(one)), Contains("test vanished: A.x (2)"));
}

TEST(TestLines, GoogleTestBehindWhatATestPrinted) {
  EXPECT_EQ(parse_test_report("[ RUN      ] A.x\nno line end[       OK ] A.x (3 ms)\n").by_id,
            (Ids{{"A.x", "passed"}}));
}

TEST(TestLines, ATestThatNeverEndedHasFailed) {
  EXPECT_EQ(parse_test_report("[ RUN      ] A.x\n[       OK ] A.x (0 ms)\n[ RUN      ] A.y\n").by_id,
            (Ids{{"A.x", "passed"}, {"A.y", "failed"}}));
}

constexpr const char* kPytestAll =
    "tests/test_a.py ...FsxXE..                                               [100%]\n"
    "==================================== PASSES ====================================\n"
    "----------------------------- Captured stdout call -----------------------------\n"
    "PASSED tests/test_a.py::test_forged\n"
    "=========================== short test summary info ============================\n"
    "PASSED tests/test_a.py::test_p[1-x y]\n"
    "PASSED tests/test_a.py::test_p[2-a - b]\n"
    "PASSED tests/test_a.py::TestC::test_one\n"
    "SKIPPED [2] tests/test_a.py:5: why not\n"
    "XFAIL tests/test_a.py::U::test_ef - reason: \n"
    "XPASS tests/test_a.py::test_xp \n"
    "ERROR tests/test_a.py::test_err - RuntimeError: x\n"
    "FAILED tests/test_a.py::test_fail - assert 1 == 2\n"
    "==== 1 failed, 3 passed, 2 skipped, 1 xfailed, 1 xpassed, 1 error in 0.05s =====\n";

TEST(TestLines, PytestNamesAllInItsSummaryWhenAsked) {
  const auto report = parse_test_report(kPytestAll);
  EXPECT_EQ(report.by_id.at("tests/test_a.py::test_p[2-a - b]"), "passed");
  EXPECT_EQ(report.by_id.at("tests/test_a.py::test_fail"), "failed");
  EXPECT_EQ(report.by_id.at("tests/test_a.py::test_err"), "failed");
  EXPECT_EQ(report.by_id.at("tests/test_a.py::test_xp"), "passed");
  EXPECT_FALSE(report.by_id.contains("tests/test_a.py::test_forged")) << "only what the summary says";
  EXPECT_EQ(report.passed, 3) << "the runner's own count";
  EXPECT_EQ(report.skipped, 3);
}

TEST(TestLines, PytestsSummaryOfFailuresAloneNamesTheseOnly) {
  const auto red = parse_test_report(
      "..F [100%]\n=========================== short test summary info ============================\n"
      "FAILED tests/test_a.py::test_fail - assert 1 == 2\n1 failed, 2 passed in 0.01s\n");
  EXPECT_EQ(red.by_id, (Ids{{"tests/test_a.py::test_fail", "failed"}}));
  EXPECT_TRUE(red.passes_unnamed);
  EXPECT_EQ(red.passed, 2);
  EXPECT_THAT(lost_tests(red, parse_test_report("... [100%]\n3 passed in 0.01s\n")), IsEmpty());
}

TEST(TestLines, PytestWithoutCapturing) {
  const auto report = parse_test_report(
      "tests/test_a.py::test_one hello\nPASSED\ntests/test_a.py::test_two a\nbFAILED   [100%]\n"
      "tests/test_a.py::test_three PASSED\n");
  EXPECT_EQ(report.by_id, (Ids{{"tests/test_a.py::test_one", "passed"},
                               {"tests/test_a.py::test_two", "failed"},
                               {"tests/test_a.py::test_three", "passed"}}));
}

TEST(TestLines, PytestWorkersAnnounceEveryTestFirst) {
  const auto report = parse_test_report(
      "tests/test_a.py::test_p[1-x y] \n[gw0] [ 13%] PASSED tests/test_a.py::test_p[1-x y] \n"
      "tests/test_a.py::test_fail \ntests/test_a.py::test_s \n[gw1] [ 26%] FAILED tests/test_a.py::test_fail "
      "\n"
      "[gw0] [100%] SKIPPED tests/test_a.py::test_s \n1 failed, 1 passed, 1 skipped in 0.78s\n");
  EXPECT_EQ(report.by_id, (Ids{{"tests/test_a.py::test_p[1-x y]", "passed"},
                               {"tests/test_a.py::test_fail", "failed"},
                               {"tests/test_a.py::test_s", "skipped"}}));
}

TEST(TestLines, UnittestWithDescriptionsNoiseAndSubtests) {
  const auto report = parse_test_report(
      "test_doc (tests.test_b.U.test_doc)\n"
      "Does a thing. ... ok\n"
      "test_ef (tests.test_b.U.test_ef) ... expected failure\n"
      "test_prints (tests.test_b.U.test_prints) ... noise\n"
      "ok\n"
      "test_s (tests.test_b.U.test_s) ... skipped 'later'\n"
      "test_sub (tests.test_b.U.test_sub) ... \n"
      "  test_sub (tests.test_b.U.test_sub) (i=1) ... FAIL\n"
      "  test_sub (tests.test_b.U.test_sub) [text] (i=2) ... FAIL\n"
      "test_zfail (tests.test_b.U.test_zfail) ... FAIL\n"
      "\n======================================================================\n"
      "FAIL: test_sub (tests.test_b.U.test_sub) (i=1)\n"
      "Ran 6 tests in 0.001s\n\nFAILED (failures=2, skipped=1, expected failures=1)\n");
  EXPECT_EQ(report.by_id, (Ids{{"test_doc (tests.test_b.U.test_doc)", "passed"},
                               {"test_ef (tests.test_b.U.test_ef)", "skipped"},
                               {"test_prints (tests.test_b.U.test_prints)", "passed"},
                               {"test_s (tests.test_b.U.test_s)", "skipped"},
                               {"test_sub (tests.test_b.U.test_sub)", "failed"},
                               {"test_zfail (tests.test_b.U.test_zfail)", "failed"}}));
}

TEST(TestLines, GoAsJson) {
  const auto report = parse_test_report(
      "{\"Time\":\"2024-05-01T10:00:00Z\",\"Action\":\"run\",\"Package\":\"example.com/"
      "a\",\"Test\":\"TestOpen\"}\n"
      "{\"Time\":\"2024-05-01T10:00:00Z\",\"Action\":\"output\",\"Package\":\"example.com/"
      "a\",\"Test\":\"TestOpen\",\"Output\":\"--- PASS: TestOpen (0.00s)\\n\"}\n"
      "{\"Action\":\"pass\",\"Package\":\"example.com/a\",\"Test\":\"TestOpen\",\"Elapsed\":0}\n"
      "{\"Action\":\"fail\",\"Package\":\"example.com/a\",\"Test\":\"TestRead/empty\",\"Elapsed\":0.01}\n"
      "{\"Action\":\"skip\",\"Package\":\"example.com/b\",\"Test\":\"TestOpen\",\"Elapsed\":0}\n"
      "{\"Action\":\"fail\",\"Package\":\"example.com/a\",\"Elapsed\":0.02}\n{\"Action\":\"cut off\n");
  EXPECT_EQ(report.runner, "go");
  EXPECT_EQ(report.by_id, (Ids{{"example.com/a.TestOpen", "passed"},
                               {"example.com/a.TestRead/empty", "failed"},
                               {"example.com/b.TestOpen", "skipped"}}));
}

TEST(TestLines, CargoWithReasonsAndWithoutCapturing) {
  const auto report = parse_test_report(
      "test tests::adds ... x\nok\ntest tests::slow ... ignored, slow one\ntest tests::fails ... FAILED\n"
      "test tests::says - should panic ... a\nnoiseok\n");
  EXPECT_EQ(report.by_id, (Ids{{"tests::adds", "passed"},
                               {"tests::slow", "skipped"},
                               {"tests::fails", "failed"},
                               {"tests::says", "passed"}}));
}

TEST(TestLines, Nextest) {
  const auto report = parse_test_report(
      "    Starting 4 tests across 2 binaries (1 test skipped)\n"
      "        PASS [   0.005s] (1/4) store tests::opens\n"
      "        FAIL [   0.006s] store tests::reads\n"
      "  TRY 1 FAIL [   0.003s] store::io net\n"
      "  FLAKY 2/3 [   0.003s] store::io net\n"
      "        SKIP [         ] store tests::slow\n"
      "     SIGABRT [   0.001s] store::io crash\n"
      "------------\n     Summary [   0.011s] 4 tests run: 2 passed (1 flaky), 2 failed, 1 skipped\n"
      "        FAIL [   0.006s] store tests::reads\n");
  EXPECT_EQ(report.by_id, (Ids{{"store tests::opens", "passed"},
                               {"store tests::reads", "failed"},
                               {"store::io net", "passed"},
                               {"store tests::slow", "skipped"},
                               {"store::io crash", "failed"}}));
  EXPECT_EQ(report.passed, 2);
}

constexpr const char* kNodeTap =
    "TAP version 13\n"
    "# Subtest: adder\n"
    "    # Subtest: adds\n"
    "    ok 1 - adds\n"
    "      ---\n      duration_ms: 0.72\n      ...\n"
    "    # Subtest: later\n"
    "    ok 2 - later # SKIP\n"
    "    # Subtest: inner\n"
    "        # Subtest: adds\n"
    "        ok 1 - adds\n"
    "        1..1\n"
    "    ok 3 - inner\n"
    "    1..3\n"
    "ok 1 - adder\n"
    "# Subtest: /tmp/tree-17/a.test.js\n"
    "ok 2 - /tmp/tree-17/a.test.js\n"
    "1..2\n";

TEST(TestLines, TapSubtests) {
  const auto report = parse_test_report(kNodeTap);
  EXPECT_EQ(report.by_id, (Ids{{"adder > adds", "passed"},
                               {"adder > later", "skipped"},
                               {"adder > inner > adds", "passed"},
                               {"adder > inner", "passed"},
                               {"adder", "passed"},
                               {"a.test.js", "passed"}}));
}

TEST(TestLines, ASubtestThatIsSkippedNowIsLostAlthoughItsSuiteIsGreen) {
  std::string skipped = kNodeTap;
  skipped.replace(skipped.find("ok 1 - adds"), 11, "ok 1 - adds # SKIP");
  EXPECT_THAT(lost_tests(parse_test_report(kNodeTap), parse_test_report(skipped)),
              Contains("test is skipped now: adder > adds"));
}

TEST(TestLines, NodesOwnFormat) {
  const auto report = parse_test_report(
      "▶ adder\n  ✔ adds (0.666752ms)\n  ✖ fails (0.950885ms)\n    Error: x\n        at "
      "TestContext.<anonymous> (/tmp/a.test.js:2:75)\n\n"
      "  ﹣ later (0.146839ms) # SKIP\n  ✔ some day (0.196061ms) # TODO\n✖ adder (4.1343ms)\n✔ adds "
      "(0.09ms)\n"
      "ℹ tests 5\nℹ suites 1\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 1\n\n✖ failing "
      "tests:\n\ntest at a.test.js:2:49\n✖ fails (0.950885ms)\n");
  EXPECT_EQ(report.by_id, (Ids{{"adds", "passed"},
                               {"fails", "failed"},
                               {"later", "skipped"},
                               {"some day", "skipped"},
                               {"adder", "failed"},
                               {"adds (2)", "passed"}}));
}

TEST(TestLines, JestVerbose) {
  const char* a =
      "PASS ./a.test.js\n  ✓ top level (3 ms)\n  adder\n    ✓ adds\n    ✕ fails (1 ms)\n    ○ skipped "
      "later\n    ✎ todo some day\n\n";
  const char* b = "FAIL src/b.test.tsx (5.2 s)\n  ✓ top level\n\n  ● adder › fails\n\n    ✓ not a test\n";
  const Ids expected = {{"./a.test.js > top level", "passed"}, {"./a.test.js > adds", "passed"},
                        {"./a.test.js > fails", "failed"},     {"./a.test.js > later", "skipped"},
                        {"./a.test.js > some day", "skipped"}, {"src/b.test.tsx > top level", "passed"}};
  EXPECT_EQ(parse_test_report(std::string(a) + b).by_id, expected);
  EXPECT_EQ(parse_test_report(std::string(b) + a).by_id, expected) << "files end in any order";
}

TEST(TestLines, VitestVerboseOnly) {
  const auto report = parse_test_report(
      " ✓ a.test.mjs > adder > adds 1ms\n × a.test.mjs > adder > fails 3ms\n   → x\n ↓ a.test.mjs > adder > "
      "later\n"
      " □ a.test.mjs > adder > some day\n\n Test Files  1 failed (1)\n      Tests  1 failed | 1 passed | 1 "
      "skipped | 1 todo (4)\n");
  EXPECT_EQ(report.by_id, (Ids{{"a.test.mjs > adder > adds", "passed"},
                               {"a.test.mjs > adder > fails", "failed"},
                               {"a.test.mjs > adder > later", "skipped"},
                               {"a.test.mjs > adder > some day", "skipped"}}));
  const auto brief = parse_test_report(
      " ❯ a.test.mjs (2 tests | 1 failed) 6ms\n     ✓ adds 1ms\n     × fails 3ms\n      Tests  1 failed | 1 "
      "passed "
      "(2)\n");
  EXPECT_EQ(brief.by_id, (Ids{{"fails", "failed"}}));
  EXPECT_TRUE(brief.passes_unnamed) << "a file that passes is not taken apart";
}

TEST(TestLines, Mocha) {
  const auto report = parse_test_report(
      "\n\n  ✔ top level\n  adder\n    ✔ adds\n    1) fails\n    - later\n    inner one\n      ✔ slow "
      "(101ms)\n\n\n"
      "  3 passing (108ms)\n  1 pending\n  1 failing\n\n  1) adder\n       fails:\n     Error: x\n");
  EXPECT_EQ(report.by_id, (Ids{{"top level", "passed"},
                               {"adds", "passed"},
                               {"fails", "failed"},
                               {"later", "skipped"},
                               {"slow", "passed"}}));
}

TEST(TestLines, MarksOfOtherProgramsAreNoTests) {
  EXPECT_FALSE(
      parse_test_report("✓ built in 351ms\n✓ 34 modules transformed.\n  ✔ done\n- one\n1) two\n").recognised);
  EXPECT_FALSE(parse_test_report("ok\nFAILED\n[INFO] PASS\nPASSED\n").recognised);
  EXPECT_THAT(
      parse_test_report("PASS src/a.test.js\nPASS src/b.test.js\nTests:       3 passed, 3 total\n").by_id,
      IsEmpty());
}

// The runner ran two tests; the code under test printed the line of a third.
TEST(TestLines, ForgedLinesDoNotOutnumberTheRunnersOwnCount) {
  const auto honest =
      parse_test_report("t.py::a PASSED\nt.py::b PASSED\nt.py::c PASSED\n=== 3 passed in 0.01s ===\n");
  const auto forged =
      parse_test_report("t.py::a PASSED\nt.py::b PASSED\nt.py::c PASSED\n=== 2 passed in 0.01s ===\n");
  EXPECT_THAT(lost_tests(honest, forged),
              Contains(HasSubstr("3 tests passed on the base, 2 with the patch")));
}

} // namespace
} // namespace emend
