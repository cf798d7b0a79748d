#include "engine/forge/forge_text.hpp"

#include <gmock/gmock.h>

#include "engine/forge/codeowners.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(ForgeTextTest, WhatAgentsWriteDoesNothing) {
  const std::string text = harmless(
      "ask @team about #12 and !3, see <img src=x> and ![x](y)\n  /merge\n/approve\r\nfixes "
      "https://github.com/a/b/issues/1\n<!-- emend v1 fp=a sid=b -->");
  for (const char* word : {"@team", "#12", "!3", "<img", "![", "\n/approve", "  /merge", "/issues/1", "<!--"})
    EXPECT_THAT(text, Not(HasSubstr(word))) << word;
  EXPECT_FALSE(mark_in(text)) << "no mark of ours can be smuggled in";
  EXPECT_EQ(harmless("a/b == c; vector<int> isn't hurt, 1 # 2"),
            "a/b == c; vector<\xE2\x80\x8Bint> isn't hurt, 1 # 2");
  EXPECT_EQ(harmless_line("a | b\nc"), "a \\| b");
}

TEST(ForgeTextTest, NoLinkSaysSomethingElseThanWhereItLeads) {
  const std::string text = harmless("[log in](https://evil.example) [a][b]\n[b]: https://evil.example");
  for (const char* word : {"](", "][", "]:"}) EXPECT_THAT(text, Not(HasSubstr(word))) << word;
  EXPECT_THAT(harmless_line("[x](y)"), Not(HasSubstr("](")));
  EXPECT_EQ(harmless("a[i] = b[j];"), "a[i] = b[j];");
}

TEST(ForgeTextTest, MarksAreFoundAloneOnTheirLine) {
  const Mark mark{"1f2e:3", "k3f9"};
  const auto found = mark_in("words\n\n" + to_string(mark) + "\nmore");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->fingerprint + " " + found->session_id, "1f2e:3 k3f9");
  EXPECT_FALSE(mark_in("`" + to_string(mark) + "`"));
  EXPECT_FALSE(mark_in("<!-- emend v1 fp= sid=x -->"));
  EXPECT_FALSE(mark_in("<!-- emend v2 fp=a sid=x -->"));
}

TEST(ForgeTextTest, TheSameWordsOfAnotherSessionAreTheSame) {
  EXPECT_TRUE(same_words("a\r\nb\n\n" + to_string(Mark{"f", "one"}),
                         "a\nb\n\n" + to_string(Mark{"f", "two"}) + "\n"));
  EXPECT_FALSE(same_words("a\n" + to_string(Mark{"f", "one"}), "b\n" + to_string(Mark{"f", "one"})));
}

TEST(ForgeTextTest, NothingClosesAFence) {
  EXPECT_EQ(code_block("x", "suggestion"), "```suggestion\nx\n```\n");
  EXPECT_EQ(code_block("````\n", ""), "`````\n````\n`````\n");
}

TEST(CodeownersTest, TheLastLineThatMatchesCounts) {
  const std::string text =
      "# who\n* @all\n*.c @c-people me@example.org\n/docs/ @team/writers # trailing\napps/ "
      "@apps\n/src/free.c\n[Section]\n/build/logs @ops\n";
  EXPECT_THAT(owners_of(text, {"README"}), ElementsAre("all"));
  EXPECT_THAT(owners_of(text, {"src/a.c", "src/b.c"}), ElementsAre("c-people"));
  EXPECT_THAT(owners_of(text, {"docs/x/y.md", "a.c"}), ElementsAre("team/writers", "c-people"));
  EXPECT_THAT(owners_of(text, {"x/docs/y"}), ElementsAre("all")) << "bound to the top";
  EXPECT_THAT(owners_of(text, {"x/apps/y/z"}), ElementsAre("apps"));
  EXPECT_THAT(owners_of(text, {"build/logs/today"}), ElementsAre("ops"));
  EXPECT_THAT(owners_of(text, {"src/free.c"}), IsEmpty()) << "a line without owners frees it";
  EXPECT_THAT(owners_of("", {"a"}), IsEmpty());
}

} // namespace emend
