#include "base/columns.hpp"

#include <gtest/gtest.h>

namespace emend {

TEST(Columns, CountsWhatATerminalShows) {
  EXPECT_EQ(columns_of(""), 0U);
  EXPECT_EQ(columns_of("abc"), 3U);
  EXPECT_EQ(columns_of("naïve"), 5U);
  EXPECT_EQ(columns_of("漢字"), 4U);
  EXPECT_EQ(columns_of("e\u0301"), 1U) << "the accent sits on the letter";
  EXPECT_EQ(columns_of("━─…"), 3U);
}

TEST(Columns, CutsBetweenCharactersAndSaysSo) {
  EXPECT_EQ(fit_columns("abcdef", 6, "…"), "abcdef");
  EXPECT_EQ(fit_columns("abcdef", 4, "…"), "abc…");
  EXPECT_EQ(fit_columns("abcdef", 4, "..."), "a...");
  EXPECT_EQ(fit_columns("漢字漢字", 4, "…"), "漢…") << "half a character is none";
  EXPECT_EQ(fit_columns("abcdef", 2, "..."), "ab");
  EXPECT_EQ(fit_columns("abcdef", 0, "…"), "");
}

} // namespace emend
