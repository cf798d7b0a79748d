#include "engine/patch/file_form.hpp"

#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

Finding about(const std::string& text, const std::string& file = "bin/run") {
  Finding finding;
  finding.file = file;
  finding.title = text;
  return finding;
}

FileChange chmod(const std::string& text, unsigned before, unsigned after) {
  FileChange change = changed("bin/run", text, text);
  change.old_mode = before;
  change.new_mode = after;
  return change;
}

TEST(FileForm, AScriptMayBecomeExecutableWhereTheFindingIsAboutThat) {
  const Finding finding = about("The file is not executable although it has a shebang");
  EXPECT_TRUE(repairs_mode(finding, chmod("#!/bin/sh\n", kModeFile, kModeExecutable)));
  EXPECT_FALSE(repairs_mode(finding, chmod("x = 1\n", kModeFile, kModeExecutable))) << "no script";
  EXPECT_FALSE(repairs_mode(finding, chmod("#!/bin/sh\n", kModeExecutable, kModeFile)))
      << "the other way round";
  EXPECT_FALSE(repairs_mode(finding, chmod("#!/bin/sh\n", kModeFile, kModeSymlink)));
  EXPECT_FALSE(
      repairs_mode(about("not executable", "bin/other"), chmod("#!/bin/sh\n", kModeFile, kModeExecutable)))
      << "another file";
  EXPECT_FALSE(repairs_mode(about("off by one"), chmod("#!/bin/sh\n", kModeFile, kModeExecutable)))
      << "another subject";
  EXPECT_TRUE(repairs_mode(about("EXE002 file is executable but has no shebang"),
                           chmod("x = 1\n", kModeExecutable, kModeFile)));
}

TEST(FileForm, LineEndsMayBeConvertedWhereTheFindingIsAboutThem) {
  const Finding finding = about("CRLF line endings: sh cannot read this");
  EXPECT_TRUE(repairs_line_ends(finding, changed("bin/run", "a\r\nb\r\n", "a\nb\n")));
  EXPECT_TRUE(repairs_line_ends(finding, changed("bin/run", "a\r\nb\n", "a\nb\n")));
  EXPECT_TRUE(repairs_line_ends(finding, changed("bin/run", "a\nb\n", "a\r\nb\r\n")));
  EXPECT_TRUE(repairs_line_ends(finding, changed("bin/run", "a\r\nb\n", "a\r\nb\r\n")));
  EXPECT_FALSE(repairs_line_ends(finding, changed("bin/run", "a\r\nb\r\n", "a\nb\r\n"))) << "half of them";
  EXPECT_FALSE(repairs_line_ends(finding, changed("bin/run", "a\r\nb\r\n", "a\r\nc\r\n"))) << "none of them";
  EXPECT_FALSE(repairs_line_ends(finding, changed("bin/other", "a\r\n", "a\n"))) << "another file";
  EXPECT_FALSE(repairs_line_ends(about("off by one"), changed("bin/run", "a\r\n", "a\n")))
      << "another subject";
}

} // namespace
} // namespace emend
