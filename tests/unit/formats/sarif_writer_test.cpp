#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "formats/reader.hpp"
#include "formats/writer.hpp"
#include "tests/unit/formats/writer_samples.hpp"

namespace emend {
namespace {

using namespace testing_support;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Json write_and_parse(const std::vector<OutputFinding>& findings, const RunInfo& run = run_info(),
                     std::vector<std::string>* notes = nullptr) {
  auto json = parse_json(write_findings(OutputFormat::sarif, findings, run, notes));
  if (!json) {
    ADD_FAILURE() << json.error().message;
    return Json::object();
  }
  return *std::move(json);
}

TEST(SarifWriter, OneRunPerTool) {
  const Json json = write_and_parse(all_findings());
  EXPECT_EQ(json["version"], "2.1.0");
  ASSERT_EQ(json["runs"].size(), 3U);
  const Json& run = json["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["name"], "cppcheck");
  EXPECT_EQ(run["tool"]["driver"]["version"], "2.10");
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["name"], "UnboundedCopy");
  EXPECT_EQ(run["automationDetails"]["id"], "emend/default/k3f9abcd");
  EXPECT_EQ(run["columnKind"], "utf16CodeUnits");
  EXPECT_EQ(run["versionControlProvenance"][0]["revisionId"], "8c1f0000");
  EXPECT_EQ(run["invocations"][0]["startTimeUtc"], "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(run["invocations"][0]["exitCode"], 1);
  EXPECT_NE(run["automationDetails"]["guid"], json["runs"][1]["automationDetails"]["guid"]);
  EXPECT_EQ(json["runs"][1]["tool"]["driver"]["semanticVersion"], "0.1.0");
}

TEST(SarifWriter, ResultsCarryAllThatIsAsked) {
  const Json json = write_and_parse(all_findings());
  const Json& result = json["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "unbounded-copy");
  EXPECT_EQ(result["ruleIndex"], 0);
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["message"]["text"], "Copy without a bound.\n\nstrcpy copies what the request says.");
  const Json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"], (Json{{"uri", "src/a%20b.c"}, {"uriBaseId", "SRCROOT"}}));
  EXPECT_EQ(place["region"], (Json{{"startLine", 3}, {"startColumn", 5}, {"endLine", 3}, {"endColumn", 9}}));
  EXPECT_EQ(result["partialFingerprints"], (Json{{"emendIssue/v1", "fp-1"}}));
  EXPECT_EQ(result["baselineState"], "new");
  EXPECT_EQ(result["suppressions"][0]["kind"], "inSource");
  EXPECT_EQ(result["fixes"][0]["artifactChanges"][1]["replacements"][0]["insertedContent"]["binary"], "/wA=");
  const Json& rule = json["runs"][0]["tool"]["driver"]["rules"][0];
  EXPECT_EQ(rule["properties"]["security-severity"], "9.5");
  EXPECT_THAT(rule["properties"]["tags"], ElementsAre("security"));
  EXPECT_EQ(rule["defaultConfiguration"]["level"], "error");
}

TEST(SarifWriter, IgnoredIsSuppressedAndResolvedIsAbsent) {
  auto findings = all_findings();
  findings[2].status = "RESOLVED";
  const Json json = write_and_parse(findings);
  EXPECT_EQ(json["runs"][1]["results"][0]["suppressions"][0],
            (Json{{"kind", "external"}, {"status", "accepted"}, {"justification", "wont_fix"}}));
  EXPECT_EQ(json["runs"][2]["results"][0]["baselineState"], "absent");
}

TEST(SarifWriter, TheSourceGivesColumnsAndFingerprints) {
  std::vector<OutputFinding> findings = {plain_finding()};
  attach_source(findings, [&](const std::string& file) -> std::optional<std::string> {
    if (file == "src/a b.c") return "one\ntwo\n\u00e9\U0001F600cd\r\n";
    return std::nullopt;
  });
  EXPECT_EQ(findings[0].line_text, "\u00e9\U0001F600cd");
  findings[0].finding.column = 3; // the emoji: after one character of two bytes
  findings[0].finding.column_end = 7;
  const Json json = write_and_parse(findings);
  const Json& result = json["runs"][0]["results"][0];
  const Json& region = result["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startColumn"], 2);
  EXPECT_EQ(region["endColumn"], 4);
  EXPECT_THAT(result["partialFingerprints"]["primaryLocationLineHash"].get<std::string>(), HasSubstr(":1"));
}

TEST(SarifWriter, FixesTellTheirPlaceByLineAndByByte) {
  const std::string content = "one\n\u00e9\U0001F600cd\nlast";
  OutputFinding output = plain_finding();
  output.finding.fixit = FixIt{"",
                               false,
                               {{"a", 10, 1, "C"}, {"a", 12, 0, "new\n"}, {"a", 0, 13, ""}},
                               {}}; // c; before last; two lines
  std::vector<OutputFinding> findings = {output};
  attach_source(findings, [&](const std::string& file) {
    return file == "a" ? std::optional<std::string>(content) : std::nullopt;
  });
  const Json json = write_and_parse(findings);
  const Json& replacements = json["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"];
  EXPECT_EQ(replacements[0]["deletedRegion"].dump(),
            R"({"startLine":2,"startColumn":4,"endLine":2,"endColumn":5,"byteOffset":10,"byteLength":1})");
  EXPECT_EQ(replacements[1]["deletedRegion"].dump(),
            R"({"startLine":2,"startColumn":6,"endLine":2,"endColumn":6,"byteOffset":12,"byteLength":0})");
  EXPECT_EQ(replacements[2]["deletedRegion"].dump(),
            R"({"startLine":1,"startColumn":1,"endLine":3,"endColumn":1,"byteOffset":0,"byteLength":13})");
}

TEST(SarifWriter, AnEditOutsideOfItsFileIsToldByBytesOnly) {
  OutputFinding output = plain_finding();
  output.finding.fixit = FixIt{"", false, {{"a", 10, 1, "C"}}, {}};
  std::vector<OutputFinding> findings = {output};
  attach_source(findings, [](const std::string&) { return std::optional<std::string>("short"); });
  EXPECT_TRUE(findings[0].edit_regions.empty());
}

TEST(SarifWriter, TheBuiltInRulesAreEmendItself) {
  OutputFinding output = plain_finding();
  output.finding.agent = "builtin";
  const std::string text = write_findings(OutputFormat::sarif, {output}, RunInfo{});
  EXPECT_EQ((*parse_json(text))["runs"][0]["tool"]["driver"]["name"], "emend");
  EXPECT_EQ(read_findings(text, InputFormat::sarif, "", "/repo")->findings.at(0).agent,
            "builtin"); // and it comes back as it was
}

TEST(SarifWriter, WithoutFindingsThereIsStillARun) {
  const Json json = write_and_parse({});
  ASSERT_EQ(json["runs"].size(), 1U);
  EXPECT_TRUE(json["runs"][0]["results"].empty());
  RunInfo bare;
  EXPECT_FALSE(write_and_parse({}, bare)["runs"][0].contains("versionControlProvenance"));
}

TEST(SarifWriter, GithubsLimitsKeepTheGravest) {
  std::vector<OutputFinding> findings(25'010, project_finding());
  for (OutputFinding& output : findings) output.finding.severity = Severity::low;
  findings.back().finding.severity = Severity::critical;
  std::vector<std::string> notes;
  const Json json = write_and_parse(findings, run_info(), &notes);
  EXPECT_EQ(json["runs"][0]["results"].size(), 25'000U);
  EXPECT_EQ(json["runs"][0]["results"][0]["properties"]["emend"]["severity"], "critical");
  EXPECT_EQ(json["runs"][0]["properties"]["emend/truncated"], 10);
  EXPECT_THAT(notes, ElementsAre(HasSubstr("10 findings")));
  RunInfo all = run_info();
  all.github_limits = false;
  EXPECT_EQ(write_and_parse(findings, all)["runs"][0]["results"].size(), 25'010U);
}

TEST(SarifWriter, TooManyToolsShareARun) {
  std::vector<OutputFinding> findings;
  for (int i = 0; i < 30; ++i) {
    findings.push_back(plain_finding());
    findings.back().finding.agent = "tool" + std::to_string(i);
  }
  const Json json = write_and_parse(findings);
  ASSERT_EQ(json["runs"].size(), 20U);
  EXPECT_EQ(json["runs"][19]["tool"]["driver"]["name"], "emend");
  EXPECT_EQ(json["runs"][19]["results"].size(), 11U);
  const auto read =
      read_findings(write_findings(OutputFormat::sarif, findings, run_info()), InputFormat::sarif, "");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->findings[29].agent, "tool29");
}

void expect_same(const Finding& read, const Finding& written) { EXPECT_EQ(to_json(read), to_json(written)); }

TEST(SarifWriter, OurOwnReaderGetsTheFindingsBack) {
  std::vector<OutputFinding> findings = all_findings();
  findings[2] = plain_finding();
  findings[2].finding.file = "weird % # ?/\xff\n\u00e9.c"; // any bytes
  findings[2].finding.title = "Own title";
  findings[2].finding.rule.clear();
  findings[2].finding.line = findings[2].finding.line_end = 0;
  findings[2].finding.column = findings[2].finding.column_end = 0;
  findings[2].finding.fixit.reset();
  findings[2].finding.annotations = {"fingerprint:other/v1=abc"};
  for (OutputFinding& output : findings) output.fingerprint.clear();
  findings[1].status.clear();
  RunInfo run = run_info();
  const auto read = read_findings(write_findings(OutputFormat::sarif, findings, run), InputFormat::sarif, "");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->findings.size(), 3U);
  Finding first = read->findings[0];
  EXPECT_EQ(first.fixit->edits, findings[0].finding.fixit->edits);
  EXPECT_TRUE(first.fixit->safe);
  expect_same(first, findings[0].finding);
  // Runs are per tool: the third finding is the first tool's second.
  EXPECT_EQ(read->findings[1].file, findings[2].finding.file);
  expect_same(read->findings[1], findings[2].finding);
  expect_same(read->findings[2], findings[1].finding);
}

TEST(SarifWriter, HostileTextStaysText) {
  const auto read = read_findings(write_findings(OutputFormat::sarif, {hostile_finding()}, run_info()),
                                  InputFormat::sarif, "");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->findings.size(), 1U);
  EXPECT_EQ(read->findings[0].file, hostile_finding().finding.file);
  EXPECT_EQ(read->findings[0].rule, hostile_finding().finding.rule);
  EXPECT_THAT(read->findings[0].title, HasSubstr("<script>alert(1)</script> ]]>"));
}

} // namespace
} // namespace emend
