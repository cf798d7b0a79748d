#include "engine/verify/junit_results.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "engine/verify/test_report.hpp"

namespace emend {
namespace {

using Ids = std::map<std::string, std::string>;

TEST(JunitResults, EveryCaseWithItsEnd) {
  const auto report = read_junit_results(
      "<?xml version=\"1.0\"?><testsuites><testsuite name=\"s\"><testcase classname=\"a\" name=\"one\" "
      "time=\"0.1\"/>"
      "<testcase classname=\"a\" name=\"two\"><failure message=\"m\">text</failure></testcase><testcase "
      "name=\"three\"><skipped/></testcase>"
      "<testcase classname=\"a\" name=\"four\"><error/><skipped/></testcase><testcase classname=\"a\" "
      "name=\"one\"/>"
      "<testcase classname=\"a\" name=\"off\" status=\"notrun\"/></testsuite></testsuites>");
  EXPECT_TRUE(report.recognised);
  EXPECT_EQ(report.by_id, (Ids{{"a.one", "passed"},
                               {"a.two", "failed"},
                               {"three", "skipped"},
                               {"a.four", "failed"},
                               {"a.one (2)", "passed"},
                               {"a.off", "skipped"}}));
  EXPECT_EQ(report.passed, 2);
  EXPECT_EQ(report.failed, 2);
  EXPECT_EQ(report.skipped, 2);
}

TEST(JunitResults, WhatIsNoWholeReportIsNone) {
  for (const char* text : {"", "<html/>", "<testsuite><testcase name='a'/>", "<testsuites", "{}"})
    EXPECT_FALSE(read_junit_results(text).recognised) << text;
}

TEST(JunitResults, AddToWhatWasPrinted) {
  TestReport printed = parse_test_report("t.py::a PASSED\nt.py::b FAILED\n");
  merge_report(printed, read_junit_results("<testsuite><testcase classname='t' name='a'/></testsuite>"));
  EXPECT_EQ(printed.by_id, (Ids{{"t.py::a", "passed"}, {"t.py::b", "failed"}, {"junit t.a", "passed"}}));
  TestReport totals = parse_test_report("3 passed in 0.1s\n");
  merge_report(totals, read_junit_results("<testsuite><testcase name='a'/></testsuite>"));
  EXPECT_EQ(totals.by_id, (Ids{{"a", "passed"}})) << "names say more than totals";
}

TEST(JunitResults, OnlyWhatTheBaseDoesNotHaveIsWritten) {
  const auto directory = TemporaryDirectory::create(fs::temp_directory_path(), "junit-");
  ASSERT_TRUE(directory.has_value());
  const std::string report = "<testsuite><testcase name='a'/></testsuite>";
  const fs::path root = directory->path();
  for (const char* path : {"stale.xml", "changed.xml", "build/new.xml", "build/new.txt"})
    ASSERT_TRUE(make_directories((root / path).parent_path()) && write_file(root / path, report));
  ASSERT_TRUE(write_file(root / "other.xml", "<project/>").has_value());
  fs::create_symlink("build/new.xml", root / "link.xml");
  const Tree base = {{"stale.xml", {kModeFile, git_blob_id(report, "sha1"), report.size()}},
                     {"changed.xml", {kModeFile, git_blob_id("old", "sha1"), 3}}};
  const Reports found = written_reports(root.string(), base);
  EXPECT_EQ(found, (Reports{{"changed.xml", report}, {"build/new.xml", report}}));
  EXPECT_TRUE(written_reports((root / "missing").string(), base).empty());
}

} // namespace
} // namespace emend
