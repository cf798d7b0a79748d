// What test runners print and write.
#include "engine/verify/junit_results.hpp"
#include "engine/verify/test_report.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace emend::fuzz {
namespace {

void check(const TestReport& report) {
  promise(report.passed >= 0 && report.failed >= 0 && report.skipped >= 0, "counts are counts");
  for (const auto& [id, state] : report.by_id)
    promise(report.recognised || state != "skipped", "of a runner nobody knows, only what it says is known");
  promise(lost_tests(report, report).empty(), "the same run lost nothing");
}

FUZZ_TARGET(test_report) { check(parse_test_report(input)); }

FUZZ_TARGET(junit_results) {
  TestReport report = read_junit_results(input);
  check(report);
  merge_report(report, parse_test_report("t.py::a PASSED\nt.py::b FAILED\n"));
  check(report);
}

} // namespace
} // namespace emend::fuzz
