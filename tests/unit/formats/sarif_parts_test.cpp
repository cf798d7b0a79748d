// Reports that are longer than what is read at a time.
#include "formats/sarif_parts.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "formats/reader.hpp"

namespace emend {
namespace {

using ::testing::HasSubstr;

constexpr int kMany = 3'000;

// Texts end with quotes, backslashes and brackets, so that windows and pieces are cut at all of them.
std::string row(int number) {
  const std::string odd =
      fmt::format(R"({} \"]}},[{{ \\\\)", std::string(static_cast<std::size_t>(number % 700), 'x'));
  return fmt::format(R"({{"message":{{"text":"finding {} {}"}},"ruleId":"R{}"}})", number, odd, number % 3);
}

std::string rows(int from, int to, const std::string& between = ",\n") {
  std::string text;
  for (int i = from; i < to; ++i) text += (i == from ? "" : between) + row(i);
  return text;
}

std::string report(const std::string& first, const std::string& second) {
  return R"({"note":"\"runs\":[","runs":[{"results":[)" + first + R"(],"tool":{"driver":{"name":"one"}}},)" +
         R"({"tool":{"driver":{"name":"two","rules":[{"id":"R1","defaultConfiguration":{"level":"error"}}]}},"results":[)" +
         second + "]}]}\n";
}

Result<std::vector<Finding>> read_all(ReportText& text) {
  std::vector<Finding> findings;
  const auto notes = stream_findings(text, InputFormat::sarif, "", "",
                                     [&](Finding&& finding) { findings.push_back(std::move(finding)); });
  if (!notes) return fail(notes.error());
  return findings;
}

std::string refusal_of(const std::string& text) {
  ReportText report(text);
  const auto findings = read_all(report);
  return findings ? "(read)" : findings.error().message;
}

TEST(SarifParts, NoRowIsLostOrCutHoweverLongTheReport) {
  const std::string text = report(rows(0, kMany), rows(kMany, 2 * kMany, " , "));
  ASSERT_GT(text.size(), 2U << 20);
  ReportText in_memory(text);
  auto place = TemporaryDirectory::create(fs::temp_directory_path(), "emend-parts-");
  ASSERT_TRUE(place);
  const fs::path path = place->path() / "long.sarif";
  ASSERT_TRUE(write_scratch_file(path, "\xEF\xBB\xBF" + text));
  auto file = RegularFile::open(path, 1U << 30);
  ASSERT_TRUE(file);
  ReportText in_file(*std::move(file));
  for (ReportText* report : {&in_memory, &in_file, &in_file}) {
    const auto findings = read_all(*report);
    ASSERT_TRUE(findings) << findings.error().message;
    ASSERT_EQ(findings->size(), 2U * kMany);
    for (int i = 0; i < 2 * kMany; ++i) {
      const Finding& finding = findings->at(static_cast<std::size_t>(i));
      ASSERT_THAT(finding.description, ::testing::StartsWith(fmt::format("finding {} ", i)));
      ASSERT_THAT(finding.description, ::testing::EndsWith(R"("]},[{ \\)"));
      ASSERT_EQ(finding.agent, i < kMany ? "one" : "two");
      ASSERT_EQ(finding.severity, i >= kMany && i % 3 == 1 ? Severity::high : Severity::medium);
    }
  }
}

TEST(SarifParts, AFileIsNoLongerThanAllowed) {
  auto place = TemporaryDirectory::create(fs::temp_directory_path(), "emend-parts-");
  ASSERT_TRUE(place);
  ASSERT_TRUE(write_scratch_file(place->path() / "a", "12345"));
  EXPECT_EQ(RegularFile::open(place->path() / "a", 4).error().code, ErrorCode::limit);
  EXPECT_EQ(RegularFile::open(place->path(), 4).error().code, ErrorCode::io);
}

TEST(SarifParts, WhatIsBrokenFarBehindIsPlacedThere) {
  const std::string good = rows(0, kMany);
  const std::string bad = report(good, "{\"message\":{\"text\":\"a\"} \"ruleId\":1}");
  const auto lines = std::count(bad.begin(), bad.end(), '\n');
  EXPECT_THAT(refusal_of(bad), HasSubstr(fmt::format("(line {}) in runs[1].results[0]", lines)));
  EXPECT_THAT(refusal_of(report(good, row(0) + "}")), HasSubstr(fmt::format("(line {})", lines)));
  EXPECT_THAT(refusal_of(report(good + ", {\"message\":{\"text\":\"a\" \"b\"}}", "")),
              HasSubstr(fmt::format("runs[0].results[{}]", kMany)));
  EXPECT_THAT(refusal_of(report("", "").substr(0, 60)), HasSubstr("not a SARIF report"));
}

TEST(SarifParts, CommasStandBetweenRowsOnly) {
  std::string few = rows(0, 10), many = rows(0, kMany);
  for (const std::string& good : {few, many}) {
    EXPECT_EQ(refusal_of(report(good, "")), "(read)");
    EXPECT_THAT(refusal_of(report(good + ",", "")), HasSubstr("not a SARIF report"));
    EXPECT_THAT(refusal_of(report("," + good, "")), HasSubstr("not a SARIF report"));
    EXPECT_THAT(refusal_of(report(good + ",\n , " + row(1), "")), HasSubstr("not a SARIF report"));
    EXPECT_THAT(refusal_of(report(good + row(1), "")), HasSubstr("not a SARIF report"));
  }
  // A comma right where a piece ends.
  for (int count = 1; count < kMany; count += 499)
    EXPECT_THAT(refusal_of(report(rows(0, count) + ",", "")), HasSubstr("not a SARIF report")) << count;
}

} // namespace
} // namespace emend
