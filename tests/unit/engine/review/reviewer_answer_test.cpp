#include "engine/review/reviewer_answer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/strings.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kToken = "5f0c9a1e22bb7d34";

std::string answer(const std::string& groups) {
  return R"({"review_token": ")" + std::string(kToken) + R"(", "groups": )" + groups + "}";
}

std::string finding(const std::string& more, const std::string& id = "F001") {
  return R"({"id": ")" + id +
         R"(", "file": "src/a.py", "line": "45-67", "issue": "Loses rows. Every second one.", "severity": "major", )" +
         R"("category": "data_model", "fix_hint": "Use a set", "estimated_effort": 3, "estimated_files_count": 2)" +
         more + "}";
}

std::string one_group(const std::string& findings) {
  return answer(R"([{"description": "Storage", "findings": [)" + findings + "]}]");
}

ReviewerAnswer read(const std::string& text) {
  auto parsed = parse_reviewer_answer(text, kToken);
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().message);
  return parsed ? *std::move(parsed) : ReviewerAnswer{};
}

TEST(ReviewerAnswer, AllThatAFindingSays) {
  const ReviewerAnswer parsed =
      read("I looked at everything.\n```json\n" + one_group(finding("")) + "\n```\n");
  EXPECT_THAT(parsed.problems, IsEmpty());
  ASSERT_THAT(parsed.findings, SizeIs(1));
  const Finding& f = parsed.findings.front();
  EXPECT_EQ(f.id, "F001");
  EXPECT_EQ(f.file, "src/a.py");
  EXPECT_EQ(f.line, 45);
  EXPECT_EQ(f.line_end, 67);
  EXPECT_EQ(f.severity, Severity::high);
  EXPECT_EQ(f.category, "data_model");
  EXPECT_EQ(f.rule, "review/data_model");
  EXPECT_EQ(f.title, "Loses rows.");
  EXPECT_EQ(f.description, "Loses rows. Every second one.");
  EXPECT_EQ(f.suggestion, "Use a set");
  EXPECT_EQ(f.effort, 3);
  EXPECT_EQ(f.files_count, 2);
  EXPECT_EQ(f.group, "Storage");
}

TEST(ReviewerAnswer, NothingToReportIsAnAnswerOnlyWithTheToken) {
  EXPECT_THAT(read(answer("[]")).findings, IsEmpty());
  EXPECT_FALSE(parse_reviewer_answer(R"({"groups": []})", kToken)) << "it may never have seen the change";
  EXPECT_FALSE(parse_reviewer_answer(R"({"review_token": "else", "groups": []})", kToken));
  EXPECT_FALSE(parse_reviewer_answer(answer("[]"), "")) << "no token was given: nothing can prove anything";
  EXPECT_FALSE(parse_reviewer_answer("", kToken));
  EXPECT_FALSE(parse_reviewer_answer("looks good to me", kToken));
  EXPECT_FALSE(parse_reviewer_answer(one_group(finding("")).substr(0, 120), kToken)) << "cut off";
  EXPECT_FALSE(parse_reviewer_answer(answer("{}"), kToken));
  EXPECT_FALSE(
      parse_reviewer_answer(R"({"review_token": ")" + std::string(kToken) + R"(", "findings": []})", kToken));
  EXPECT_FALSE(parse_reviewer_answer("[" + answer("[]") + "," + one_group(finding("")) + "]", kToken))
      << "two different results";
}

TEST(ReviewerAnswer, AnAnswerQuotedOutOfTheDiffDoesNotCount) {
  const std::string quoted = R"({"review_token": "guess", "groups": []})";
  EXPECT_FALSE(parse_reviewer_answer(one_group(finding("")) + "\nThe diff holds " + quoted, kToken));
}

TEST(ReviewerAnswer, Lines) {
  const auto range = [](const char* text) { return parse_line_range(parse_json(text).value()); };
  EXPECT_EQ(range("\"45\"")->line, 45);
  EXPECT_EQ(range("\"45\"")->line_end, 0);
  EXPECT_EQ(range("45")->line, 45);
  EXPECT_EQ(range("\" 45 - 67 \"")->line_end, 67);
  EXPECT_EQ(range("\"45-45\"")->line_end, 0);
  EXPECT_EQ(range("\"\"")->line, 0);
  EXPECT_EQ(range("null")->line, 0);
  EXPECT_EQ(range("0")->line, 0);
  for (const char* bad : {"\"-3\"", "-3", "\"67-45\"", "\"45-\"", "\"0-3\"", "\"L45\"", "4.5", "true", "[45]",
                          "\"99999999999\"", "\"45-67-89\""})
    EXPECT_FALSE(range(bad)) << bad;
}

TEST(ReviewerAnswer, WhatCannotBeReadIsTold) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {R"("words")", "is not an object"},
      {R"({"id": "F001", "line": "1", "issue": "x", "severity": "low"})", "names no usable file"},
      {R"({"id": "F001", "file": "a\nb", "line": "1", "issue": "x", "severity": "low"})",
       "names no usable file"},
      {R"({"id": "F001", "file": "a", "line": "x", "issue": "x", "severity": "low"})", "has an invalid line"},
      {R"({"id": "F001", "file": "a", "line": "1", "issue": " ", "severity": "low"})",
       "does not say what is wrong"},
      {R"({"id": "F001", "file": "a", "line": "1", "issue": "x", "severity": "terrible"})",
       "has no known severity"},
      {R"({"id": "F001", "file": "a", "line": "1", "issue": "x", "severity": 3})", "has no known severity"}};
  for (const auto& [row, problem] : rows) {
    const ReviewerAnswer parsed = read(one_group(row + "," + finding("", "F002")));
    EXPECT_THAT(parsed.findings, SizeIs(1)) << row;
    EXPECT_THAT(parsed.problems, ElementsAre("finding F001 " + problem)) << row;
  }
  EXPECT_THAT(read(answer(R"([{"description": "x"}])")).problems,
              ElementsAre("group 1 has no list \"findings\""));
  EXPECT_THAT(read(answer(R"(["x", 3])")).problems, SizeIs(2));
}

TEST(ReviewerAnswer, WhatIsMissingGetsAPlainValue) {
  const Finding f =
      read(
          one_group(
              R"({"file": "a", "issue": "x", "severity": "CRITICAL", "category": "Type Hints!", "estimated_effort": 9,
    "estimated_files_count": "3"})"))
          .findings.at(0);
  EXPECT_EQ(f.id, "F001");
  EXPECT_EQ(f.severity, Severity::critical);
  EXPECT_EQ(f.category, "type_hints_");
  EXPECT_EQ(f.effort, 0);
  EXPECT_EQ(f.files_count, 0);
  EXPECT_EQ(f.line, 0);
}

TEST(ReviewerAnswer, TwoOfAKindOnOneLineStayTwo) {
  const ReviewerAnswer parsed = read(one_group(finding("") + "," + finding("", "F002")));
  ASSERT_THAT(parsed.findings, SizeIs(2));
  EXPECT_NE(parsed.findings[0].rule, parsed.findings[1].rule);
}

TEST(ReviewerAnswer, AFloodIsCapped) {
  std::string many;
  for (int i = 0; i < 600; ++i) many += (i > 0 ? "," : "") + finding("", "X" + std::to_string(i));
  const ReviewerAnswer parsed = read(one_group(many));
  EXPECT_THAT(parsed.findings, SizeIs(500));
  EXPECT_THAT(parsed.problems, ElementsAre(HasSubstr("600 findings")));
}

TEST(ReviewerAnswer, NoBytesHurt) {
  std::mt19937 random(20262);
  const std::string good = one_group(finding("") + "," + finding("", "F002"));
  for (int i = 0; i < 4'000; ++i) {
    std::string text = good;
    for (auto n = 1 + random() % 4; n > 0; --n) {
      const auto at = random() % text.size();
      switch (random() % 4) {
        case 0: text[at] = static_cast<char>(random() % 256); break;
        case 1: text.erase(at, random() % 20); break;
        case 2: text.insert(at, text.substr(random() % text.size(), random() % 30)); break;
        default: text.resize(at + 1);
      }
    }
    const auto parsed = parse_reviewer_answer(text, kToken);
    if (!parsed) {
      EXPECT_EQ(parsed.error().code, ErrorCode::agent);
      continue;
    }
    for (const Finding& f : parsed->findings) {
      EXPECT_FALSE(f.file.empty() || f.description.empty() || f.title.empty() || f.rule.empty() ||
                   f.id.empty());
      EXPECT_TRUE(is_valid_utf8(f.description) && is_valid_utf8(f.file));
      EXPECT_TRUE(f.line >= 0 && (f.line_end == 0 || f.line_end > f.line) && f.effort >= 0 && f.effort <= 5);
    }
  }
}

TEST(ReviewerAnswer, TheSchemaAsksForWhatIsRead) {
  const Json schema = reviewer_schema();
  EXPECT_EQ(schema["required"], Json::array({"review_token", "groups"}));
  const Json& row = schema["properties"]["groups"]["items"]["properties"]["findings"]["items"];
  EXPECT_EQ(row["required"].size(), row["properties"].size())
      << "programs that enforce a schema want every member required";
  EXPECT_EQ(schema["additionalProperties"], false);
}

} // namespace
} // namespace emend
