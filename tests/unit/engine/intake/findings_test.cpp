#include "engine/intake/findings.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Finding> parsed(const std::string& text) {
  auto result = parse_findings(text);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? *result : std::vector<Finding>{};
}

Finding one(const std::string& fields) {
  auto all = parsed(R"([{"description":"d")" + (fields.empty() ? "" : "," + fields) + "}]");
  EXPECT_EQ(all.size(), 1U);
  return all.empty() ? Finding{} : all[0];
}

std::string complaint(const std::string& text) {
  auto result = parse_findings(text);
  EXPECT_FALSE(result);
  if (result) return {};
  EXPECT_EQ(result.error().code, ErrorCode::usage);
  return result.error().message;
}

std::string complaint_about(const std::string& fields) {
  return complaint(R"([{"description":"d",)" + fields + "}]");
}

TEST(Findings, GroupsKeepTheirDescriptionAndOrder) {
  const auto all = parsed(R"({"groups":[
    {"description":"memory","findings":[{"id":"A","issue":"one"},{"id":"B","issue":"two"}]},
    {"description":"style","findings":[{"id":"C","issue":"three"}]},
    {"findings":[]}]})");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].group, "memory");
  EXPECT_EQ(all[1].group, "memory");
  EXPECT_EQ(all[2].group, "style");
  EXPECT_EQ(all[0].id + all[1].id + all[2].id, "ABC");
}

TEST(Findings, FlatShapes) {
  EXPECT_EQ(parsed(R"({"findings":[{"issue":"one"}]})").size(), 1U);
  EXPECT_EQ(parsed(R"({"issues":[{"issue":"one"}]})").size(), 1U);
  EXPECT_EQ(parsed(R"([{"issue":"one"},{"issue":"two"}])").size(), 2U);
  EXPECT_EQ(parsed(R"({"groups":[{"findings":[{"issue":"one"}]}],"findings":[{"issue":"two"}]})").size(), 2U);
  EXPECT_THAT(parsed("[]"), IsEmpty());
  EXPECT_THAT(parsed(R"({"findings":[]})"), IsEmpty());
  EXPECT_EQ(parsed("\xEF\xBB\xBF[{\"issue\":\"after a byte order mark\"}]").size(), 1U);
}

TEST(Findings, AllFieldNames) {
  const auto all = parsed(R"([
    {"id":"F1","file":"a.c","line":4,"severity":"high","category":"bug","rule":"r","title":"t","description":"d","suggestion":"s",
     "agent":"g","estimated_effort":5,"estimated_files_count":2},
    {"issue_id":"F2","path":"b.c","start_line":5,"level":"low","rule_id":"r2","issue":"i","fix_hint":"h","reviewer":"v"},
    {"finding_id":"F3","filename":"c.c","lines":"6-7","ruleId":"r3","message":"m","fix":"f","tool":"w"},
    {"issue_code":"BE-9","issue":"i"}, {"code":"X","issue":"i"}])");
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[0].id, "F1");
  EXPECT_EQ(all[0].file, "a.c");
  EXPECT_EQ(all[0].line, 4);
  EXPECT_EQ(all[0].severity, Severity::high);
  EXPECT_EQ(all[0].category, "bug");
  EXPECT_EQ(all[0].rule, "r");
  EXPECT_EQ(all[0].title, "t");
  EXPECT_EQ(all[0].description, "d");
  EXPECT_EQ(all[0].suggestion, "s");
  EXPECT_EQ(all[0].agent, "g");
  EXPECT_EQ(all[0].effort, 5);
  EXPECT_EQ(all[0].files_count, 2);
  EXPECT_EQ(all[1].id, "F2");
  EXPECT_EQ(all[1].file, "b.c");
  EXPECT_EQ(all[1].line, 5);
  EXPECT_EQ(all[1].severity, Severity::low);
  EXPECT_EQ(all[1].rule, "r2");
  EXPECT_EQ(all[1].description, "i");
  EXPECT_EQ(all[1].suggestion, "h");
  EXPECT_EQ(all[1].agent, "v");
  EXPECT_EQ(all[1].effort, 0) << "not said";
  EXPECT_EQ(all[1].files_count, 0);
  EXPECT_EQ(all[2].id, "F3");
  EXPECT_EQ(all[2].file, "c.c");
  EXPECT_EQ(all[2].line, 6);
  EXPECT_EQ(all[2].line_end, 7);
  EXPECT_EQ(all[2].rule, "r3");
  EXPECT_EQ(all[2].description, "m");
  EXPECT_EQ(all[2].suggestion, "f");
  EXPECT_EQ(all[2].agent, "w");
  EXPECT_EQ(all[3].id, "BE-9");
  EXPECT_EQ(all[4].id, "X");
}

TEST(Findings, FirstNameThatSaysAnythingCounts) {
  EXPECT_EQ(one(R"("id":null,"issue_id":"F2")").id, "F2");
  EXPECT_EQ(one(R"("id":"","issue_code":"F3")").id, "F3");
  EXPECT_EQ(parsed(R"([{"description":" ","message":"real"}])").at(0).description, "real");
}

TEST(Findings, NumericIdsAndRules) {
  EXPECT_EQ(one(R"("id":7)").id, "7");
  EXPECT_EQ(one(R"("issue_id":-3)").id, "-3");
  EXPECT_EQ(one(R"("rule":501)").rule, "501");
  EXPECT_EQ(one(R"("ruleId":501)").rule, "501");
  EXPECT_EQ(complaint_about(R"("id":1.5)"), "findings[0].id: expected text");
  EXPECT_EQ(complaint_about(R"("file":3)"), "findings[0].file: expected text");
}

struct LineCase {
  const char* json;
  int line, line_end;
};

TEST(Findings, LineForms) {
  for (const LineCase& c : {LineCase{"45", 45, 45},
                            {"\"45\"", 45, 45},
                            {"\"45-67\"", 45, 67},
                            {"\" 45 - 67 \"", 45, 67},
                            {"null", 0, 0},
                            {"\"\"", 0, 0},
                            {"0", 0, 0},
                            {"100000000", 100'000'000, 100'000'000},
                            {"\"7-7\"", 7, 7}}) {
    const Finding f = one(fmt::format("\"line\":{}", c.json));
    EXPECT_EQ(f.line, c.line) << c.json;
    EXPECT_EQ(f.line_end, c.line_end) << c.json;
  }
  EXPECT_EQ(one("").line, 0);
  EXPECT_EQ(one(R"("line":3,"line_end":9)").line_end, 9);
  EXPECT_EQ(one(R"("line":3,"line_end":2)").line_end, 3);
  EXPECT_EQ(one(R"("line":3,"line_end":null)").line_end, 3);
}

TEST(Findings, BadLinesAreRefusedWithTheirPlace) {
  for (const char* bad : {"\"67-45\"", "-1", "1.5", "true", "100000001", "4294967341", "\"-1\"", "\"45-\"",
                          "\"-\"", "\"4x\"", "\"1-2-3\"", "\"99999999999999999999\"", "[45]", "{}"}) {
    EXPECT_EQ(complaint_about(fmt::format("\"line\":{}", bad)),
              "findings[0].line: expected a line number, \"45\" or \"45-67\"")
        << bad;
  }
  EXPECT_EQ(complaint_about(R"("line":1,"line_end":"9")"), "findings[0].line_end: expected a line number");
}

TEST(Findings, Severities) {
  EXPECT_EQ(one("").severity, Severity::medium);
  EXPECT_EQ(one(R"("severity":null)").severity, Severity::medium);
  EXPECT_EQ(one(R"("severity":"")").severity, Severity::medium);
  EXPECT_EQ(one(R"("severity":"major")").severity, Severity::high);
  EXPECT_EQ(one(R"("severity":"minor")").severity, Severity::low);
  EXPECT_EQ(one(R"("severity":"CRITICAL")").severity, Severity::critical);
  EXPECT_EQ(one(R"("severity":" Info ")").severity, Severity::info);
  EXPECT_THAT(complaint_about(R"("severity":"urgent")"),
              testing::StartsWith("findings[0].severity: expected critical"));
  EXPECT_THAT(complaint_about(R"("severity":"urgent")"), HasSubstr("not \"urgent\""));
  EXPECT_THAT(complaint_about(R"("level":"urgent")"), testing::StartsWith("findings[0].level: "));
  EXPECT_EQ(complaint_about(R"("severity":3)"), "findings[0].severity: expected text");
}

TEST(Findings, WrongTypesNameTheirPlace) {
  EXPECT_EQ(complaint(R"({"groups":[{"findings":[]},{"findings":[{"issue":"x"},{"issue":["x"]}]}]})"),
            "groups[1].findings[1].issue: expected text");
  EXPECT_EQ(complaint(R"({"groups":{}})"), "groups: expected a list");
  EXPECT_EQ(complaint(R"({"groups":[3]})"), "groups[0]: expected an object with \"findings\"");
  EXPECT_EQ(complaint(R"({"groups":[{"description":"x"}]})"), "groups[0]: \"findings\" is missing");
  EXPECT_EQ(complaint(R"({"groups":[{"description":5,"findings":[]}]})"),
            "groups[0].description: expected text");
  EXPECT_EQ(complaint(R"({"groups":[{"findings":{}}]})"), "groups[0].findings: expected a list of findings");
  EXPECT_EQ(complaint(R"({"findings":"none"})"), "findings: expected a list of findings");
  EXPECT_EQ(complaint(R"(["text"])"), "findings[0]: expected an object");
  EXPECT_EQ(complaint(R"([{"issue":"x"},null])"), "findings[1]: expected an object");
  EXPECT_EQ(complaint_about(R"("estimated_effort":6)"),
            "findings[0].estimated_effort: expected a whole number from 1 to 5");
  EXPECT_EQ(complaint_about(R"("estimated_files_count":"2")"),
            "findings[0].estimated_files_count: expected a whole number from 1 to 100000");
  EXPECT_EQ(complaint_about(R"("related_files":"a.c")"),
            "findings[0].related_files: expected a list of paths");
  EXPECT_EQ(complaint_about(R"("related_files":["a.c",3])"), "findings[0].related_files[1]: expected a path");
  EXPECT_EQ(complaint_about(R"("related_files":[{"why":"x"}])"),
            "findings[0].related_files[0]: expected a path");
}

TEST(Findings, RelatedFilesAsTextAndAsObjects) {
  EXPECT_THAT(one(R"("related_files":["a.h",{"path":"b.h","reason":"declares it"}])").related_files,
              ElementsAre("a.h", "b.h"));
  EXPECT_THAT(one(R"("related_files":null)").related_files, IsEmpty());
}

TEST(Findings, DescriptionIsNeeded) {
  EXPECT_THAT(complaint(R"([{"id":"F1","file":"a.c"}])"),
              testing::StartsWith("findings[0]: a finding needs a \"description\""));
  EXPECT_THAT(complaint(R"([{"description":"  \n"}])"), testing::StartsWith("findings[0]: a finding needs"));
  const auto titled = parsed(R"([{"title":"only a title"}])");
  EXPECT_EQ(titled.at(0).description, "only a title");
}

TEST(Findings, TitleIsOneShortLine) {
  EXPECT_EQ(parsed(R"([{"description":"\n\n  first line\nsecond"}])").at(0).title, "first line");
  EXPECT_EQ(parsed(R"([{"title":"one\ntwo"}])").at(0).title, "one");
  EXPECT_EQ(parsed(R"([{"title":"one\ntwo"}])").at(0).description, "one\ntwo");
  EXPECT_LE(parsed("[{\"description\":\"" + std::string(500, 'x') + "\"}]").at(0).title.size(), 100U);
}

TEST(Findings, VeryLongTextStaysWholeForTriage) {
  const auto all = parsed("[{\"description\":\"" + std::string(100'000, 'x') + "\"}]");
  EXPECT_EQ(all.at(0).description.size(), 100'000U) << "it is cut after its secrets are out";
}

TEST(Findings, RepeatedIdsAreKeptAndAnnotated) {
  const auto all = parsed(
      R"([{"id":"A","issue":"1"},{"id":"A","issue":"2"},{"id":"B","issue":"3"},{"issue":"4"},{"issue":"5"},{"id":"A","issue":"6"}])");
  ASSERT_EQ(all.size(), 6U);
  EXPECT_THAT(all[0].annotations, IsEmpty());
  EXPECT_THAT(all[1].annotations, ElementsAre("duplicate_id"));
  EXPECT_THAT(all[2].annotations, IsEmpty());
  EXPECT_THAT(all[4].annotations, IsEmpty()) << "no id is not an id that comes twice";
  EXPECT_THAT(all[5].annotations, ElementsAre("duplicate_id"));
}

TEST(Findings, UnreadableInput) {
  EXPECT_THAT(complaint(""), HasSubstr("empty"));
  EXPECT_THAT(complaint(" \n\t"), HasSubstr("empty"));
  EXPECT_THAT(complaint("{\"findings\":["), HasSubstr("not valid JSON"));
  EXPECT_THAT(complaint("[{\"issue\":\"a\",\"issue\":\"b\"}]"), HasSubstr("\"issue\" comes twice"));
  EXPECT_THAT(complaint("[] []"), HasSubstr("not valid JSON"));
  EXPECT_THAT(complaint(std::string("[]\0", 3)), HasSubstr("not valid JSON"));
  EXPECT_THAT(complaint("[{\"issue\":\"\xff\"}]"), HasSubstr("not valid JSON"));
  EXPECT_THAT(complaint("3"), HasSubstr("object or list"));
  EXPECT_THAT(complaint("null"), HasSubstr("object or list"));
  EXPECT_THAT(complaint(R"({"results":[]})"), HasSubstr("neither \"groups\" nor \"findings\""));
}

TEST(Findings, NulCharactersAreRefused) {
  EXPECT_EQ(complaint_about(R"("file":"a\u0000.c")"), "findings[0].file: expected text without NUL bytes");
  EXPECT_EQ(complaint_about(R"("related_files":["a\u0000.c"])"),
            "findings[0].related_files[0]: expected a path");
}

TEST(Findings, TenThousand) {
  std::string text = "[";
  for (int i = 0; i < 10'000; ++i)
    text += fmt::format("{}{{\"id\":\"F{}\",\"issue\":\"i\",\"line\":{}}}", i == 0 ? "" : ",", i, i);
  const auto all = parsed(text + "]");
  ASSERT_EQ(all.size(), 10'000U);
  EXPECT_EQ(all.back().id, "F9999");
  EXPECT_EQ(all.back().line, 9999);
}

} // namespace
} // namespace emend
