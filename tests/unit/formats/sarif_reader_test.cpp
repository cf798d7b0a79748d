#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/reader.hpp"
#include "tests/unit/formats/samples.hpp"

namespace emend {
namespace {

using namespace testing_support;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ReadFindings must_read(std::string_view text, const std::string& root = {}) {
  auto read = read_findings(text, InputFormat::sarif, "", root);
  if (!read) {
    ADD_FAILURE() << read.error().message;
    return {};
  }
  return *std::move(read);
}

std::string error_of(std::string_view text) {
  const auto read = read_findings(text, InputFormat::sarif, "");
  if (read) return "(read)";
  EXPECT_EQ(read.error().code, ErrorCode::usage);
  return read.error().message;
}

std::string with_results(const std::string& results) {
  std::string text = R"({"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t"}},"results":[)";
  text += results;
  return text += "]}]}";
}

TEST(Sarif, ResultsBeforeTheirRulesAreUnderstood) {
  const ReadFindings read = must_read(kSarif);
  ASSERT_EQ(read.findings.size(), 4U);
  const Finding& first = read.findings[0];
  EXPECT_EQ(first.file, "src/a b.c");
  EXPECT_EQ(first.description, "x is {not} y\nalso at y.c:9");
  EXPECT_EQ(first.severity, Severity::high);
  EXPECT_EQ(first.line, 3);
  EXPECT_EQ(first.column, 5);
  EXPECT_EQ(first.column_end, 9);
  EXPECT_EQ(first.agent, "checker");
  EXPECT_THAT(first.related_files, ElementsAre("inc/h.h"));
  EXPECT_THAT(first.annotations, ElementsAre("baseline:new", "fingerprint:primaryLocationLineHash=abc:1"));
  ASSERT_TRUE(first.fixit);
  EXPECT_EQ(first.fixit->description, "do it");
  EXPECT_THAT(first.fixit->edits, ElementsAre(Edit{"src/a b.c", 12, 3, "new"}));
}

TEST(Sarif, RulesOfExtensionsAndSecurityScores) {
  const ReadFindings read = must_read(kSarif);
  const Finding& second = read.findings[1];
  EXPECT_EQ(second.file, "lib/p.py"); // below a base directory the run names
  EXPECT_EQ(second.rule, "SEC");
  EXPECT_EQ(second.severity, Severity::critical);
  EXPECT_EQ(second.category, "security");
  EXPECT_EQ(second.title, "Tainted path.");
  EXPECT_FALSE(second.fixit);
  EXPECT_EQ(second.suggestion, "quote it\nlib/p.py: replace 7:2 to 7:4 by: q");
  EXPECT_THAT(second.annotations, ElementsAre("suppressed"));
  EXPECT_EQ(read.findings[2].rule, "R2");
  EXPECT_EQ(read.findings[2].severity, Severity::info);
  EXPECT_EQ(read.findings[2].category, "style");
  EXPECT_EQ(read.findings[3].agent, "second");
  EXPECT_EQ(read.findings[3].severity, Severity::info);
}

TEST(Sarif, WhatIsNotKeptIsSaid) {
  const ReadFindings read = must_read(kSarif);
  EXPECT_THAT(read.notes, Contains(HasSubstr("run 1 (checker): the tool reports that it failed")));
  EXPECT_THAT(read.notes, Contains(HasSubstr("1 results of kind pass")));
  EXPECT_THAT(read.notes, Contains(HasSubstr("UTF-16")));
}

TEST(Sarif, ARowOfAnotherShapeIsLeftOutAndCounted) {
  const ReadFindings read = must_read(with_results(
      R"({"message":{"text":"a"}}, 7, {"message":"text"}, {"message":{"text":"b"},"locations":[{"physicalLocation":{"region":{"startLine":1e99}}}]},
         {"message":{"text":"c"},"locations":[{"physicalLocation":{"region":{"startLine":99999999999999999999999}}}]}, {"message":{"text":"d"}})"));
  ASSERT_EQ(read.findings.size(), 2U);
  EXPECT_EQ(read.findings[1].title, "d");
  std::string notes;
  for (const std::string& note : read.notes) notes += note + "\n";
  EXPECT_THAT(notes, HasSubstr("runs[0].results[1]"));
}

TEST(Sarif, TheErrorSaysWhere) {
  EXPECT_THAT(error_of("{\"version\": \"2.1.0\"}"), HasSubstr("\"runs\" is missing"));
  EXPECT_THAT(error_of("[1]"), HasSubstr("not a SARIF report"));
  EXPECT_THAT(error_of("{\"runs\": 5}"), HasSubstr("runs"));
  EXPECT_THAT(error_of("{\"runs\": [\n{\"tool\": 5}]}"), HasSubstr("line"));
  EXPECT_THAT(error_of("{\"runs\": []} {}"), HasSubstr("not a SARIF report"));
  EXPECT_THAT(error_of(with_results("{\"message\":{\"text\":\"\xff\xfe\"}}")), HasSubstr("near byte"));
}

TEST(Sarif, LoneSurrogatesAreRepaired) {
  const ReadFindings read =
      must_read(with_results(R"({"message":{"text":"a \ud83d b \ud83d\ude00 \\ud83d \udc00"}})"));
  ASSERT_EQ(read.findings.size(), 1U);
  EXPECT_EQ(read.findings[0].title, "a \uFFFD b \U0001F600 \\ud83d \uFFFD");
}

TEST(Sarif, DeepNestingIsSteppedOver) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const ReadFindings read = must_read(with_results(R"({"message":{"text":"a"},"x":)" + deep + "}"));
  EXPECT_EQ(read.findings.size(), 1U);
  EXPECT_THAT(error_of("{\"runs\":" + std::string(1'000'000, '[')), HasSubstr("not a SARIF report"));
  EXPECT_THAT(error_of("{\"runs\":" + std::string(1'000'000, '[') + "}"), HasSubstr("not a SARIF report"));
}

TEST(Sarif, OurRootWinsOverTheRunsBase) {
  const std::string text =
      R"({"runs":[{"tool":{"driver":{"name":"t"}},"originalUriBaseIds":{"B":{"uri":"file:///repo/sub/"},"L":{"uri":"x/","uriBaseId":"L"}},
    "results":[{"message":{"text":"a"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"f.c","uriBaseId":"B"}}}]},
               {"message":{"text":"b"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"g.c","uriBaseId":"L"}}}]}]}]})";
  EXPECT_EQ(must_read(text, "/repo").findings[0].file, "sub/f.c");
  EXPECT_EQ(must_read(text).findings[0].file, "f.c");
  EXPECT_EQ(must_read(text, "/elsewhere").findings[0].file, "f.c");
  EXPECT_THAT(must_read(text).findings[1].file, HasSubstr("g.c")); // a base that names itself ends
}

TEST(Sarif, ANulInAPathIsRefused) {
  const ReadFindings read = must_read(with_results(
      R"({"message":{"text":"a"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a%00b.c"}}}]})"));
  EXPECT_TRUE(read.findings.empty());
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("NUL")));
}

TEST(Sarif, ARegionInBytesCanBePlacedLater) {
  ReadFindings read = must_read(with_results(
      R"({"message":{"text":"a"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.c"},"region":{"byteOffset":4}}}]})"));
  place_by_offset(read.findings.at(0), "ab\ncd\n");
  EXPECT_EQ(read.findings[0].line, 2);
  EXPECT_EQ(read.findings[0].column, 2);
}

} // namespace
} // namespace emend
