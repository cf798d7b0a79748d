#include "cli/daily/review_progress.hpp"

#include <gtest/gtest.h>

namespace emend {

TEST(ReviewProgress, SpeaksNowAndThenOfThoseAtWork) {
  ReviewProgress progress(1'000);
  EXPECT_EQ(progress.line({"clang-tidy", 0, 33, false}, 1'100), std::nullopt)
      << "a short review says nothing";
  EXPECT_EQ(progress.line({"cppcheck", 0, 20, false}, 9'000), std::nullopt);
  EXPECT_EQ(progress.line({"clang-tidy", 4, 33, false}, 13'000),
            "12 s: clang-tidy 4 of 33 files, cppcheck 0 of 20 files");
  EXPECT_EQ(progress.line({"clang-tidy", 5, 33, false}, 14'000), std::nullopt);
  EXPECT_EQ(progress.line({"cppcheck", 0, 0, true}, 15'000), std::nullopt);
  EXPECT_EQ(progress.line({"clang-tidy", 9, 33, false}, 30'000), "29 s: clang-tidy 9 of 33 files");
  EXPECT_EQ(progress.line({"clang-tidy", 0, 0, true}, 60'000), std::nullopt) << "nobody is at work";
}

} // namespace emend
