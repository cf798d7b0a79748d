#include "engine/review/suggestion.hpp"

#include <gtest/gtest.h>

#include "adapters/forge/answer_fields.hpp"

namespace emend {

class SuggestionTest : public testing::Test {
protected:
  std::optional<Suggestion> suggest(int first, int last, const std::string& text) {
    Finding finding;
    finding.file = "a.c";
    finding.line = first;
    finding.fixit = line_replacement("a.c", content_, first, last, text);
    return suggestion_for(finding, content_, file_);
  }

  std::string content_ = "1\n2\n3\n4\n5\n6\n7\n8\n";
  DiffFile file_{"a.c", "a.c",
                 parse_hunks("@@ -1,3 +1,4 @@\n 1\n+2\n 3\n-x\n 4\n@@ -6,2 +7,2 @@ int f()\n 7\n-y\n+8\n")};
};

TEST_F(SuggestionTest, HunksAreReadByTheirNewSide) {
  ASSERT_EQ(file_.hunks.size(), 2U);
  ASSERT_EQ(file_.hunks[0].size(), 4U);
  EXPECT_EQ(file_.hunks[0][1].line, 2);
  EXPECT_EQ(file_.hunks[0][1].old_line, 0);
  EXPECT_EQ(file_.hunks[0][3].line, 4);
  EXPECT_EQ(file_.hunks[0][3].old_line, 4);
  EXPECT_EQ(file_.hunks[1][1].line, 8);
}

TEST_F(SuggestionTest, LinesOfOneHunkCanBeReplaced) {
  const auto one = suggest(2, 2, "two");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->start_line, 2);
  EXPECT_EQ(one->line, 2);
  EXPECT_EQ(one->text, "two\n");
  const auto several = suggest(2, 4, "a\nb\n");
  ASSERT_TRUE(several);
  EXPECT_EQ(several->start_line, 2);
  EXPECT_EQ(several->line, 4);
}

TEST_F(SuggestionTest, LinesThatAreOnlyAddedRepeatTheOneBefore) {
  const auto added = suggest(3, 3, "3\nand more\n");
  ASSERT_TRUE(added);
  EXPECT_EQ(added->start_line, 3);
  EXPECT_EQ(added->text, "3\nand more\n");
}

TEST_F(SuggestionTest, EverythingElseIsNoSuggestion) {
  EXPECT_FALSE(suggest(4, 7, "x")) << "over two hunks";
  EXPECT_FALSE(suggest(5, 5, "x")) << "in none";
  EXPECT_FALSE(suggest(2, 2, "2\n")) << "changes nothing";
  EXPECT_FALSE(suggest(9, 9, "x")) << "no such line";
  EXPECT_FALSE(suggest(3, 2, "x"));
  std::string many;
  for (int i = 0; i < 21; ++i) many += "x\n";
  EXPECT_FALSE(suggest(2, 2, many)) << "too long";
}

TEST_F(SuggestionTest, AFileThatChangedSinceIsNotTouched) {
  Finding finding;
  finding.file = "a.c";
  finding.fixit = line_replacement("a.c", content_, 2, 2, "two");
  EXPECT_TRUE(suggestion_for(finding, content_, file_));
  EXPECT_FALSE(suggestion_for(finding, content_ + "9\n", file_));
}

TEST_F(SuggestionTest, TheReplacementOfAnAnswerGoesToItsFinding) {
  std::vector<Finding> findings(2);
  findings[0].file = findings[1].file = "a.c";
  findings[0].line = 2;
  findings[0].title = "one";
  findings[1].line = 2;
  findings[1].title = "two";
  attach_replacements(
      R"({"findings":[{"file":"./a.c","line":2,"title":"two","replacement":"2;"},{"file":"a.c","line":2,"title":"one","replacement":""}]})",
      findings, [this](const std::string&) -> Result<std::string> { return content_; });
  EXPECT_FALSE(findings[0].fixit);
  ASSERT_TRUE(findings[1].fixit);
  EXPECT_EQ(findings[1].fixit->edits[0].text, "2;\n");
}

} // namespace emend
