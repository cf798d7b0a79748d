#include "formats/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/formats/samples.hpp"

namespace emend {
namespace {

using namespace testing_support;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ReadFindings must_read(std::string_view text, InputFormat format, const std::string& root = {}) {
  auto read = read_findings(text, format, "", root);
  if (!read) {
    ADD_FAILURE() << read.error().message;
    return {};
  }
  return *std::move(read);
}

std::string error_of(std::string_view text, InputFormat format) {
  const auto read = read_findings(text, format, "");
  if (read) return "(read)";
  EXPECT_EQ(read.error().code, ErrorCode::usage);
  return read.error().message;
}

TEST(Readers, EverySampleIsRecognisedByItsContent) {
  for (const Sample& sample : kSamples) {
    EXPECT_EQ(detect_format(sample.text, ""), sample.format) << to_string(sample.format);
    EXPECT_EQ(parse_input_format(to_string(sample.format)), sample.format);
  }
  EXPECT_EQ(parse_input_format("CodeClimate"), InputFormat::gitlab);
  EXPECT_EQ(parse_input_format("yaml"), std::nullopt);
}

TEST(Readers, ACutHeadIsStillRecognised) {
  for (const Sample& sample : kSamples)
    EXPECT_EQ(detect_format(sample.text.substr(0, 300), ""), sample.format) << to_string(sample.format);
}

TEST(Readers, WhatTheContentDoesNotTellTheNameMay) {
  EXPECT_EQ(detect_format("{", "out/Result.SARIF"), InputFormat::sarif);
  EXPECT_EQ(detect_format("[]", "gl-code-quality-report.json"), InputFormat::gitlab);
  EXPECT_EQ(detect_format("[]", "findings.json"), std::nullopt);
  EXPECT_EQ(detect_format("{\"findings\": []}", "findings.json"), std::nullopt);
  EXPECT_EQ(detect_format("just words\n", "notes.txt"), std::nullopt);
  EXPECT_EQ(detect_format("<html></html>", "x.xml"), std::nullopt);
  EXPECT_EQ(detect_format("", ""), std::nullopt);
}

TEST(Readers, TheCallerMayNameTheTool) {
  const auto read = read_findings(kCheckstyle, InputFormat::checkstyle, "mylint");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->findings.at(0).agent, "mylint");
}

TEST(Readers, FindingsComeOneAtATime) {
  ReportText text("\xEF\xBB\xBF" + std::string(kSarif));
  for (int round = 0; round < 2; ++round) { // first to see whether it can be read, then to take it
    int count = 0;
    const auto notes = stream_findings(text, InputFormat::sarif, "", "", [&](Finding&&) { ++count; });
    ASSERT_TRUE(notes);
    EXPECT_EQ(count, 4);
  }
}

TEST(Readers, Utf16AndNothingAreRefusedWithARemedy) {
  const auto utf16 = read_findings(std::string_view("\xFF\xFE{\0", 4), InputFormat::sarif, "");
  ASSERT_FALSE(utf16);
  EXPECT_THAT(utf16.error().remedy, HasSubstr("iconv"));
  EXPECT_THAT(error_of("  \n", InputFormat::eslint), HasSubstr("empty"));
  EXPECT_TRUE(read_findings("\xEF\xBB\xBF[]", InputFormat::eslint, ""));
  EXPECT_TRUE(read_findings("", InputFormat::text, ""));
}

TEST(Rdjson, DiagnosticsWithTheirDefaults) {
  const ReadFindings read = must_read(kRdjson, InputFormat::rdjson);
  ASSERT_EQ(read.findings.size(), 3U);
  const Finding& first = read.findings[0];
  EXPECT_EQ(first.file, "src/a.go");
  EXPECT_EQ(first.line, 14);
  EXPECT_EQ(first.column, 15);
  EXPECT_EQ(first.column_end, 18);
  EXPECT_EQ(first.severity, Severity::high);
  EXPECT_EQ(first.rule, "R1");
  EXPECT_EQ(first.agent, "super lint");
  EXPECT_EQ(first.title, "first");
  EXPECT_EQ(first.suggestion, "replace 14:15 to 14:18 by: foo");
  EXPECT_EQ(read.findings[1].severity, Severity::info);
  EXPECT_EQ(read.findings[1].agent, "other");
  EXPECT_EQ(read.findings[2].severity, Severity::medium);
  EXPECT_THAT(error_of("{}", InputFormat::rdjson), HasSubstr("diagnostics"));
  EXPECT_THAT(error_of("{\"diagnostics\": 3}", InputFormat::rdjson), HasSubstr("not a list"));
}

TEST(Rdjson, LinesAreReadOneByOneAndBadOnesCounted) {
  const ReadFindings read =
      must_read(std::string(kRdjsonl) + "{broken\n\n{\"message\": 5}\n", InputFormat::rdjsonl);
  EXPECT_EQ(read.findings.size(), 2U);
  EXPECT_EQ(read.findings[0].agent, "vet");
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("1 entry: message is not text (first: line 5)"),
                                      HasSubstr("1 entry: not JSON (first: line 3)")));
  EXPECT_THAT(error_of("nothing\nlike it\n", InputFormat::rdjsonl), HasSubstr("line 1"));
}

TEST(Eslint, MessagesFixesAndSuppressions) {
  const ReadFindings read = must_read(kEslint, InputFormat::eslint, "/repo");
  ASSERT_EQ(read.findings.size(), 4U);
  EXPECT_EQ(read.findings[0].file, "src/a.js");
  EXPECT_EQ(read.findings[0].rule, "no-var");
  EXPECT_EQ(read.findings[0].severity, Severity::medium);
  EXPECT_EQ(read.findings[0].category, "correctness");
  EXPECT_FALSE(read.findings[0].fixit);
  EXPECT_THAT(read.findings[0].suggestion, HasSubstr("4 to 7 (UTF-16 units) by: let"));
  EXPECT_EQ(read.findings[1].line, 0);
  EXPECT_EQ(read.findings[1].severity, Severity::high);
  EXPECT_THAT(read.findings[2].suggestion, HasSubstr("use ==="));
  EXPECT_THAT(read.findings[3].annotations, ElementsAre("suppressed"));
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("UTF-16")));
}

TEST(Checkstyle, EntitiesAndBadRows) {
  const ReadFindings read = must_read(kCheckstyle, InputFormat::checkstyle);
  ASSERT_EQ(read.findings.size(), 2U);
  EXPECT_EQ(read.findings[0].title, "a <b> & \"c\" \u2713 &nbsp;");
  EXPECT_EQ(read.findings[0].severity, Severity::high);
  EXPECT_EQ(read.findings[0].rule, "check.One");
  EXPECT_EQ(read.findings[1].column, 0);
  EXPECT_EQ(read.findings[1].severity, Severity::info);
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("line or column is not a number (first: line 8)")));
}

TEST(Checkstyle, NoDocumentTypeNoForeignRoot) {
  EXPECT_THAT(error_of("<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><checkstyle>&a;</checkstyle>",
                       InputFormat::checkstyle),
              HasSubstr("declarations are refused"));
  EXPECT_THAT(error_of("<html/>", InputFormat::checkstyle), HasSubstr("<html>"));
  EXPECT_THAT(error_of("<checkstyle>\n<file>", InputFormat::checkstyle), HasSubstr("line 2"));
  EXPECT_THAT(error_of("<checkstyle></file>", InputFormat::checkstyle), HasSubstr("closes nothing"));
}

TEST(Gitlab, BothKindsOfLocation) {
  const ReadFindings read = must_read(kGitlab, InputFormat::gitlab);
  ASSERT_EQ(read.findings.size(), 2U);
  EXPECT_EQ(read.findings[0].line, 42);
  EXPECT_EQ(read.findings[0].line_end, 43);
  EXPECT_EQ(read.findings[0].severity, Severity::low);
  EXPECT_EQ(read.findings[0].rule, "no-unused");
  EXPECT_EQ(read.findings[1].column, 3);
  EXPECT_EQ(read.findings[1].severity, Severity::critical);
  EXPECT_EQ(read.findings[1].description, "deep\n\nlong story");
  EXPECT_EQ(read.findings[1].category, "Complexity");
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("measurement")));
}

TEST(Junit, FailuresAndErrorsAreFindings) {
  const ReadFindings read = must_read(kJunit, InputFormat::junit);
  ASSERT_EQ(read.findings.size(), 2U);
  EXPECT_EQ(read.findings[0].title, "failed test tests.test_a.test_bad: assert 1 == 2");
  EXPECT_THAT(read.findings[0].description, HasSubstr("<here>"));
  EXPECT_EQ(read.findings[0].line, 12);
  EXPECT_EQ(read.findings[0].rule, "AssertionError");
  EXPECT_EQ(read.findings[0].agent, "pytest");
  EXPECT_EQ(read.findings[1].file, "tests/test_a.py");
  EXPECT_THAT(read.findings[1].description, HasSubstr("boom & bust"));
}

TEST(Gcc, ListsBetweenOtherLines) {
  const ReadFindings read = must_read(kGcc, InputFormat::gcc);
  ASSERT_EQ(read.findings.size(), 2U);
  EXPECT_EQ(read.findings[0].column, 53);
  EXPECT_EQ(read.findings[0].column_end, 57);
  EXPECT_THAT(read.findings[0].description, HasSubstr("a.cpp:2: note: NULL is defined"));
  EXPECT_THAT(read.findings[0].suggestion, HasSubstr("insert at 2:1: #include <cstddef>"));
  EXPECT_EQ(read.findings[1].rule, "-Wunused-variable");
  EXPECT_EQ(read.findings[1].column, 20);
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("(first: line 2)")));
  EXPECT_THAT(error_of("[{\"kind\": \"error\"\nmake: done\n", InputFormat::gcc), HasSubstr("line 1"));
}

TEST(Shellcheck, RulesAndReplacements) {
  const ReadFindings read = must_read(kShellcheck, InputFormat::shellcheck);
  ASSERT_EQ(read.findings.size(), 2U);
  EXPECT_EQ(read.findings[0].rule, "SC2086");
  EXPECT_EQ(read.findings[0].severity, Severity::low);
  EXPECT_EQ(read.findings[0].category, "correctness");
  EXPECT_THAT(read.findings[0].suggestion, HasSubstr("\ninsert at 2:6: \"\ninsert at 2:8: \""));
  EXPECT_EQ(read.findings[1].severity, Severity::medium);
  EXPECT_EQ(read.findings[1].suggestion, "See https://www.shellcheck.net/wiki/SC2154");
}

TEST(Shellcheck, WithTheFileAtHandReplacementsAreAFixIt) {
  const auto read = read_findings(kShellcheck, InputFormat::shellcheck, "", "", [](const std::string& file) {
    return file == "a.sh" ? std::optional<std::string>("#!/bin/sh\necho $1\necho $x\n") : std::nullopt;
  });
  ASSERT_TRUE(read);
  ASSERT_TRUE(read->findings.at(0).fixit);
  EXPECT_THAT(read->findings[0].fixit->edits,
              ElementsAre(Edit{"a.sh", 15, 0, "\""}, Edit{"a.sh", 17, 0, "\""}));
  EXPECT_THAT(read->notes, IsEmpty());
}

TEST(ClangTidy, OffsetsBecomeFixItsAndPlaces) {
  ReadFindings read = must_read(kClangTidy, InputFormat::clang_tidy, "/repo");
  ASSERT_EQ(read.findings.size(), 2U);
  Finding& first = read.findings[0];
  EXPECT_EQ(first.title, "use 'nullptr' instead");
  EXPECT_EQ(first.file, "a.cpp");
  ASSERT_TRUE(first.fixit);
  EXPECT_THAT(first.fixit->edits,
              ElementsAre(Edit{"a.cpp", 9, 1, "nullptr"}, Edit{"a.cpp", 12, 0, "\n} \u00e9"}));
  EXPECT_TRUE(first.fixit->safe);
  EXPECT_EQ(first.severity, Severity::low);
  EXPECT_EQ(first.category, "maintainability");
  EXPECT_THAT(first.annotations, ElementsAre("byte_offset:9"));
  place_by_offset(first, "int x;\nab0");
  EXPECT_EQ(first.line, 2);
  EXPECT_EQ(first.column, 3);
  EXPECT_THAT(first.annotations, IsEmpty());
  EXPECT_FALSE(read.findings[1].fixit);
  EXPECT_THAT(read.findings[1].suggestion, HasSubstr("place parentheses: replace 0 bytes at offset 3 by: ("));
  place_by_offset(read.findings[1], "");
  EXPECT_EQ(read.findings[1].line, 0);
}

TEST(ClangTidy, FoldedTextAndTheOlderForm) {
  const ReadFindings read = must_read(
      "---\nDiagnostics:\n- DiagnosticName: x\n  Message: 'one\n\n    two\n    three'\n  FileOffset: 0\n  "
      "FilePath: a.c\n"
      "  Replacements:\n  - FilePath: a.c\n    Offset: 1\n    Length: 2\n    ReplacementText: 'a\n\n\n      "
      "b'\n",
      InputFormat::clang_tidy);
  ASSERT_EQ(read.findings.size(), 1U);
  EXPECT_EQ(read.findings[0].description, "one\ntwo three");
  EXPECT_FALSE(read.findings[0].fixit) << "how many line breaks the tool meant is not known";
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("cut off")));
}

TEST(ClangTidy, WhatIsOutsideOfTheSubsetIsRefusedWithItsLine) {
  EXPECT_THAT(error_of("---\nDiagnostics: &anchor\n", InputFormat::clang_tidy), HasSubstr("line 2"));
  EXPECT_THAT(error_of("Diagnostics:\n  - DiagnosticName: 'open\n", InputFormat::clang_tidy),
              HasSubstr("unexpected end"));
  EXPECT_THAT(error_of("Other: 1\n", InputFormat::clang_tidy), HasSubstr("Diagnostics"));
  std::string deep = "Diagnostics:\n";
  for (int i = 1; i < 60; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + "K:\n";
  EXPECT_THAT(error_of(deep, InputFormat::clang_tidy), HasSubstr("deeper"));
  const ReadFindings read = must_read(
      "Diagnostics:\n  - DiagnosticName: a\n    FilePath: f\n    FileOffset: -3\n", InputFormat::clang_tidy);
  EXPECT_THAT(read.notes, Contains(HasSubstr("FileOffset is not an offset")));
  EXPECT_THAT(error_of("Diagnostics:\n  - &a x\n  - *a\n", InputFormat::clang_tidy), HasSubstr("aliases"));
}

TEST(ClangTidy, AUnitThatDoesNotCompileIsNotedAndHasNoFixIts) {
  std::string report(kClangTidy);
  report.replace(report.find("clang-diagnostic-parentheses"), 28, "clang-diagnostic-error");
  const ReadFindings read = must_read(report, InputFormat::clang_tidy, "/repo");
  ASSERT_EQ(read.findings.size(), 1U);
  EXPECT_FALSE(read.findings[0].fixit);
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("could not analyze a.cpp: an assignment")));
}

TEST(Python, TheLinesOfFlake8AsItPrintsThem) {
  const ReadFindings read =
      must_read("./p.py:1:8: F401 'os' imported but unused\nnoise\n", InputFormat::flake8);
  ASSERT_EQ(read.findings.size(), 1U);
  EXPECT_EQ(read.findings[0].file, "p.py");
  EXPECT_EQ(read.findings[0].rule, "F401");
  EXPECT_EQ(read.findings[0].severity, Severity::medium);
  EXPECT_EQ(read.findings[0].category, "correctness");
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("noise"), HasSubstr("columns")));
  EXPECT_THAT(error_of("Segmentation fault\n", InputFormat::flake8), HasSubstr("not a flake8 report"));
}

TEST(Xml, WhatToolsWriteAlthoughXmlForbidsItIsRepaired) {
  const ReadFindings read = must_read(
      "\n<?xml version=\"1.0\" encoding=\"latin1\"?><testsuite><testcase name=\"a\">"
      "<failure message=\"\x1b[31m &#x1b; &copy; \xE9\"><![CDATA[a &copy; "
      "<b>]]></failure></testcase></testsuite>",
      InputFormat::junit);
  ASSERT_EQ(read.findings.size(), 1U);
  EXPECT_THAT(read.findings[0].title, HasSubstr("\uFFFD[31m \uFFFD &copy; \uFFFD"));
  EXPECT_THAT(read.findings[0].description, HasSubstr("a &copy; <b>"));
}

TEST(Xml, APieceEndsAnywhere) {
  std::string report = "<testsuite>";
  for (int i = 0; i < 20'000; ++i)
    report += "<testcase name=\"case " + std::to_string(i) + "\"><failure>because \u00e9 &amp; " +
              std::string(80, 'x') + "</failure></testcase>\n";
  report += "</testsuite>";
  const ReadFindings read = must_read(report, InputFormat::junit);
  ASSERT_EQ(read.findings.size(), 20'000U);
  for (const Finding& finding : read.findings)
    ASSERT_THAT(finding.description, ::testing::EndsWith("because \u00e9 & " + std::string(80, 'x')));
}

TEST(Text, TheUsualStyles) {
  const ReadFindings read = must_read(kText, InputFormat::text, "/repo");
  ASSERT_EQ(read.findings.size(), 7U);
  const auto& f = read.findings;
  EXPECT_EQ(f[0].rule, "-Wunused-variable");
  EXPECT_EQ(f[0].title, "unused variable 'x'");
  EXPECT_THAT(f[0].description, HasSubstr("src/a.c:3: note: declared here"));
  EXPECT_EQ(f[0].column, 5);
  EXPECT_EQ(f[1].file, "C:/work/b.c");
  EXPECT_EQ(f[1].line, 4);
  EXPECT_EQ(f[1].column, 0);
  EXPECT_EQ(f[1].title, "boom");
  EXPECT_EQ(f[1].severity, Severity::high);
  EXPECT_THAT(f[1].annotations, ElementsAre("absolute_path"));
  EXPECT_EQ(f[2].rule, "E501");
  EXPECT_EQ(f[2].title, "line too long");
  EXPECT_EQ(f[3].rule, "C0114");
  EXPECT_EQ(f[3].severity, Severity::low);
  EXPECT_EQ(f[4].file, "x.js");
  EXPECT_EQ(f[4].rule, "no-undef");
  EXPECT_EQ(f[4].severity, Severity::high);
  EXPECT_EQ(f[5].title, "no severity, no column");
  EXPECT_EQ(f[5].severity, Severity::medium);
  EXPECT_EQ(f[6].rule, "SC2086");
  EXPECT_EQ(f[6].severity, Severity::info);
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("left out 3 entries")));
  EXPECT_THAT(error_of("nothing of it\n", InputFormat::text), HasSubstr("file:line"));
}

TEST(Text, ColoursAndBadBytesDoNotReachTheFinding) {
  const ReadFindings read =
      must_read("\x1b[1ma.c:1:2: \x1b[31merror: \x1b[0mbad \xff byte\n", InputFormat::text);
  ASSERT_EQ(read.findings.size(), 1U);
  EXPECT_EQ(read.findings[0].title, "bad \uFFFD byte");
  EXPECT_EQ(read.findings[0].severity, Severity::high);
}

TEST(Readers, PathsAreMadeRelativeAndOddOnesMarked) {
  const ReadFindings read = must_read(
      "/repo/a/../b.c:1: x\n../up.c:1: x\nsrc\\win.c:1: x\n./a//b/./c.c:1: x\n/repository/d.c:1: x\n",
      InputFormat::text, "/repo/");
  ASSERT_EQ(read.findings.size(), 5U);
  EXPECT_EQ(read.findings[0].file, "b.c");
  EXPECT_EQ(read.findings[1].file, "../up.c");
  EXPECT_THAT(read.findings[1].annotations, ElementsAre("outside_repository"));
  EXPECT_EQ(read.findings[2].file, "src/win.c");
  EXPECT_EQ(read.findings[3].file, "a/b/c.c");
  EXPECT_EQ(read.findings[4].file, "/repository/d.c");
  EXPECT_THAT(read.findings[4].annotations, ElementsAre("absolute_path"));
}

} // namespace
} // namespace emend
