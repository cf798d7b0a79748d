#include "cli/agents/text_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.hpp"

namespace emend {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string long_text(int lines) {
  std::string text = "RED: it breaks something\n";
  for (int i = 0; i < lines; ++i) text += "line " + std::to_string(i) + " of what a check printed\n";
  return text + "next: fix the cause\n";
}

TEST(TextPage, AShortTextIsWhole) {
  EXPECT_EQ(page_of(long_text(3), {1'000}), long_text(3));
  EXPECT_EQ(page_of("one line", {1'000}), "one line\n");
  EXPECT_EQ(page_of("", {1'000}), "");
}

TEST(TextPage, IsCutBetweenLinesAndSaysHowToReadOn) {
  const std::string text = long_text(500);
  const std::string first = page_of(text, {3'000, 1'000'000, 1, "show id=chk_01", false});
  EXPECT_LE(first.size(), 3'000U);
  EXPECT_GE(first.size(), 2'700U) << "what fits is said";
  EXPECT_THAT(first, StartsWith("RED: it breaks something\nline 0 "));
  EXPECT_THAT(first, HasSubstr(" more lines: show id=chk_01\nnext: fix the cause\n"));
  EXPECT_THAT(first, EndsWith("next: fix the cause\n"));
}

TEST(TextPage, ItsPagesTogetherAreTheWholeText) {
  const std::string text = long_text(500);
  std::string together;
  std::size_t page = 1;
  for (;; ++page) {
    const std::string one = page_of(text, {3'000, 100, page, "show id=chk_01"});
    ASSERT_LE(one.size(), 3'000U);
    for (const std::string_view line : lines_of(one))
      if (line.starts_with("line ")) together += std::string(line) + "\n";
    if (!contains(one, " more line")) break;
    EXPECT_THAT(one, HasSubstr(": show id=chk_01 page=" + std::to_string(page + 1) + "\n"));
  }
  EXPECT_EQ("RED: it breaks something\n" + together + "next: fix the cause\n", text);
  EXPECT_GE(page, 5U);
  EXPECT_THAT(page_of(text, {3'000, 100, page + 1, "show id=chk_01"}), StartsWith("there is no page "));
}

TEST(TextPage, HoldsItsBudgetWhateverTheLinesAre) {
  for (const std::size_t budget : {std::size_t{1'000}, std::size_t{4'000}, std::size_t{8'000}}) {
    const std::string wall = page_of(std::string(100'000, 'x'), {budget, 1'000'000, 1, "show id=chk_01"});
    EXPECT_LE(wall.size(), budget);
    std::string walls;
    for (int i = 0; i < 20; ++i) walls += std::string(9'000, 'y') + "\n";
    EXPECT_LE(page_of(walls, {budget, 1'000'000, 1, "show id=chk_01"}).size(), budget);
    EXPECT_LE(page_of(walls + "next: " + std::string(9'000, 'z'), {budget}).size(), budget);
  }
}

} // namespace
} // namespace emend
