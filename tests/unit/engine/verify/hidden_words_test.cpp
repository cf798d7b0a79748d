#include "engine/verify/hidden_words.hpp"

#include <gmock/gmock.h>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

HiddenWords some() {
  HiddenWords hidden("def f(n):\n    return table.get(n, n + 2)\n");
  hidden.hide_value("41");
  hidden.hide_text("`print(f(41)) # as the user's guide says`");
  return hidden;
}

TEST(HiddenWords, AValueCountsWhereItStandsAlone) {
  EXPECT_TRUE(some().quoted_in("what about 41?"));
  EXPECT_TRUE(some().quoted_in("f(41) is wrong"));
  EXPECT_FALSE(some().quoted_in("see calc.py, line 410, and x41"));
}

TEST(HiddenWords, ALineCountsInPiecesHoweverItIsWritten) {
  EXPECT_TRUE(some().quoted_in("the guide: \"as  the   users guide\" is right"));
  EXPECT_FALSE(some().quoted_in("as the maintainers say"));
}

TEST(HiddenWords, WhatEverybodyReadsIsNoSecret) {
  HiddenWords hidden("return table.get(n, n + 2)");
  hidden.hide_text("return table.get(n, n + 2)");
  EXPECT_FALSE(hidden.quoted_in("`return table.get(n, n + 2)` knows three inputs"));
}

TEST(HiddenWords, OnlyTheSentencesThatQuoteAreLeftOut) {
  const std::string left = some().left_of("The table is too small. For 41 it says 43. Compute it.\nThanks.");
  EXPECT_THAT(left, HasSubstr("The table is too small. Compute it.\nThanks.\n"));
  EXPECT_THAT(left, HasSubstr("a check that you cannot see"));
  EXPECT_THAT(left, Not(HasSubstr("4")));
  EXPECT_THAT(some().left_of(std::vector<std::string>{"for 41", "compute it"}), ElementsAre("compute it"));
}

TEST(HiddenWords, AQuoteOverTwoLinesIsLeftOutAsWell) {
  EXPECT_THAT(some().left_of("see: as the user's\nguide says"), Not(HasSubstr("guide")));
}

TEST(HiddenWords, NothingHiddenLeavesEveryWord) {
  EXPECT_EQ(HiddenWords().left_of("a. b\n\nc"), "a. b\n\nc");
  EXPECT_EQ(some().left_of("a. b\n\nc"), "a. b\n\nc");
}

} // namespace
} // namespace emend
