#include "cli/daily/reviewer_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> files(const std::string& words, const Policy& policy = {}) {
  return reviewer_files(words, policy).value();
}

TEST(ReviewerChoice, Words) {
  EXPECT_THAT(files(""), ElementsAre("unified_reviewer"));
  EXPECT_THAT(files("unified"), ElementsAre("unified_reviewer"));
  EXPECT_THAT(files("be_quality, fe-architecture"),
              ElementsAre("reviewer_be_quality", "reviewer_fe_architecture"));
  EXPECT_THAT(files("reviewer_be_quality,be_quality"), ElementsAre("reviewer_be_quality"));
  EXPECT_THAT(files("all"), ElementsAre("reviewer_be_architecture", "reviewer_be_quality",
                                        "reviewer_fe_architecture", "reviewer_fe_quality"));
}

TEST(ReviewerChoice, TheRepositorysOwnReviewers) {
  Policy policy;
  policy.agent_files["reviewer_sql"] = "text";
  EXPECT_THAT(files("sql", policy), ElementsAre("reviewer_sql"));
  EXPECT_THAT(files("all", policy), testing::Contains("reviewer_sql"));
}

TEST(ReviewerChoice, UnknownOnesAreNamed) {
  const auto typo = reviewer_files("be_qualty", {});
  ASSERT_FALSE(typo);
  EXPECT_EQ(typo.error().code, ErrorCode::usage);
  EXPECT_THAT(typo.error().message, HasSubstr("did you mean be_quality?"));
  EXPECT_FALSE(reviewer_files("fixer", {})) << "not every agent file is a reviewer";
}

} // namespace
} // namespace emend
