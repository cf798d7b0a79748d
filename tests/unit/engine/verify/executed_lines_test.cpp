#include "engine/verify/executed_lines.hpp"

#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

using Line = ExecutedLines::Line;

// Lines 2 and 4 are new.
Patch two_lines(const std::string& path) {
  return Patch{{changed(path, "one\nthree\n", "one\ntwo\nthree\nfour\n")}};
}

// Line 2 ran, line 4 did not.
void expect_second_ran(const std::string& report, const std::string& path) {
  const auto found = executed_lines({report}, two_lines(path));
  ASSERT_TRUE(found) << report;
  EXPECT_EQ(found->executed, (std::vector<Line>{{path, 2}})) << report;
  EXPECT_EQ(found->missed, (std::vector<Line>{{path, 4}})) << report;
  EXPECT_TRUE(found->not_measured.empty());
}

TEST(ExecutedLines, Lcov) {
  expect_second_ran("TN:\nSF:/w/src/a.js\nDA:1,1\nDA:2,3\nDA:4,0\nend_of_record\n", "src/a.js");
  expect_second_ran(
      "SF:src/a.js\r\nDA:2,0\r\nDA:4,0\r\nend_of_record\r\nSF:src/a.js\r\nDA:2,1,hash\r\nend_of_record\r\n",
      "src/a.js");
}

TEST(ExecutedLines, Gcov) {
  expect_second_ran(
      "        -:    0:Source:/w/src/a.c\n        -:    0:Graph:a.gcno\n        1:    1:one\n       5*:    "
      "2:two: 7:8\n"
      "        -:    3:three\n    #####:    4:four\n",
      "src/a.c");
  expect_second_ran(
      R"({"format_version":"1","files":[{"file":"src/a.c","lines":[{"line_number":2,"count":7},{"line_number":4,"count":0}]}]})",
      "src/a.c");
}

TEST(ExecutedLines, Python) {
  expect_second_ran(
      R"({"meta":{"version":"7"},"files":{"src/a.py":{"executed_lines":[1,2],"missing_lines":[4]}},"totals":{}})",
      "src/a.py");
  expect_second_ran(
      "<?xml version=\"1.0\" ?>\n<!DOCTYPE coverage SYSTEM "
      "'x.dtd'>\n<coverage><sources><source>/w</source></sources><packages>"
      "<package><classes><class filename=\"a.py\"><lines><line number=\"2\" hits=\"1\"/><line number=\"4\" "
      "hits=\"0\"/></lines>"
      "</class></classes></package></packages></coverage>",
      "src/a.py");
}

TEST(ExecutedLines, JavaScript) {
  expect_second_ran(
      R"({"/w/a.js":{"path":"/w/a.js","statementMap":{"0":{"start":{"line":2}},"1":{"start":{"line":4}}},"s":{"0":1,"1":0}}})",
      "a.js");
  // V8: the whole file ran, "four" (offsets 14 to 18) did not.
  expect_second_ran(
      R"({"result":[{"url":"file:///w/a.js","functions":[{"ranges":[{"startOffset":0,"endOffset":19,"count":1},)"
      R"({"startOffset":14,"endOffset":18,"count":0}]}]}]})",
      "a.js");
}

TEST(ExecutedLines, V8CountsInUtf16) {
  // A character of four bytes is two units: "b();" begins at 4.
  const Patch patch{{created("a.js", "/\xf0\x9f\x98\x80\nb();\nc();\n")}};
  const auto found = executed_lines(
      {R"({"result":[{"url":"file:///w/a.js","functions":[{"ranges":[{"startOffset":0,"endOffset":14,"count":1},)"
       R"({"startOffset":4,"endOffset":8,"count":0}]}]}]})"},
      patch);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->missed, (std::vector<Line>{{"a.js", 2}}));
}

TEST(ExecutedLines, Go) {
  expect_second_ran("mode: set\nexample.com/m/pkg/a.go:2.1,2.9 1 1\nexample.com/m/pkg/a.go:4.1,4.9 1 0\n",
                    "pkg/a.go");
}

TEST(ExecutedLines, SaysWhatItDoesNotKnow) {
  const auto other = executed_lines({"SF:src/b.js\nDA:2,1\nend_of_record\n"}, two_lines("src/a.js"));
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->executed.empty());
  EXPECT_EQ(other->not_measured, std::vector<std::string>{"src/a.js"});
  for (const char* damaged :
       {"", "hello", "{", "{}", "[]", "<coverage><class", "mode: set\na.go:x.1,2.2 1 1\n"})
    EXPECT_FALSE(executed_lines({damaged}, two_lines("a.go"))) << damaged;
}

TEST(ExecutedLines, AShortPathMustMeanOneFile) {
  Patch patch{{changed("p/a.py", "", "x\n"), changed("q/a.py", "", "x\n")}};
  const auto found =
      executed_lines({R"({"files":{"a.py":{"executed_lines":[1],"missing_lines":[]}}})"}, patch);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->executed.empty());
  EXPECT_EQ(found->not_measured.size(), 2U);
}

TEST(ExecutedLines, ReportsOfSeveralProcessesAreOne) {
  const auto found = executed_lines(
      {"SF:a.js\nDA:2,0\nDA:4,0\nend_of_record\n", "no report", "SF:a.js\nDA:2,1\nDA:4,0\nend_of_record\n"},
      two_lines("a.js"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->executed, (std::vector<Line>{{"a.js", 2}}));
  EXPECT_EQ(found->missed, (std::vector<Line>{{"a.js", 4}}));
  EXPECT_EQ(found->sentence(), "the checks execute 1 of 2 changed lines; not executed: a.js:4");
  EXPECT_FALSE(found->all());
}

TEST(ExecutedLines, AFileNoCheckLoadsIsSaid) {
  const auto found = executed_lines({"SF:src/b.js\nDA:2,1\nend_of_record\n"}, two_lines("src/a.js"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sentence(), "the coverage tool saw nothing of src/a.js");
  EXPECT_FALSE(found->all());
}

// V8 counts text, so it counts what is no code, too.
TEST(ExecutedLines, BracesAndCommentsAreNoLinesOfCode) {
  const Patch patch{{created("a.js", "f();\n// why\n}\n")}};
  const auto found = executed_lines(
      {R"({"result":[{"url":"file:///w/a.js","functions":[{"ranges":[{"startOffset":0,"endOffset":14,"count":1},)"
       R"({"startOffset":4,"endOffset":14,"count":0}]}]}]})"},
      patch);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->executed, (std::vector<Line>{{"a.js", 1}}));
  EXPECT_TRUE(found->missed.empty());
}

TEST(ExecutedLines, AChangeInOnePlaceIsOneRunOfLinesInOneFile) {
  EXPECT_TRUE(is_in_one_place(Patch{{changed("a.c", "one\ntwo\n", "one\n2\n3\n")}}));
  EXPECT_TRUE(is_in_one_place(Patch{{changed("a.c", "one\ntwo\n", "one\n")}}));
  EXPECT_FALSE(is_in_one_place(two_lines("a.c")));
  EXPECT_FALSE(is_in_one_place(Patch{{changed("a.c", "1\n", "2\n"), changed("b.c", "1\n", "2\n")}}));
}

} // namespace
} // namespace emend
