#include "model/finding.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

TEST(FixIt, EditsAreAppliedByBytesInAnyOrder) {
  const std::vector<Edit> edits = {{"a", 4, 1, "E"}, {"a", 0, 2, ""}, {"b", 0, 9, "x"}, {"a", 5, 0, "!"}};
  EXPECT_EQ(apply_edits("abcdef", "a", edits), "cdE!f");
}

TEST(FixIt, OverlapsAndEditsPastTheEndAreRefused) {
  EXPECT_EQ(apply_edits("abcdef", "a", {{"a", 1, 3, "x"}, {"a", 2, 1, "y"}}), std::nullopt);
  EXPECT_EQ(apply_edits("abc", "a", {{"a", 2, 5, "x"}}), std::nullopt);
  EXPECT_EQ(apply_edits("abc", "a", {{"a", 4, 0, "x"}}), std::nullopt);
  EXPECT_EQ(apply_edits("abc", "a", {{"a", 3, 0, "x"}}), "abcx");
}

TEST(FixIt, AFindingKeepsItsFixItByBytes) {
  Finding finding;
  finding.column = 3;
  finding.column_end = 9;
  finding.found_by = {"one", "two"};
  finding.fixit = FixIt{"why", true, {{"src/x", 7, 2, std::string("\xff\0z", 3)}}};
  const Finding back = finding_from_json(to_json(finding));
  ASSERT_TRUE(back.fixit);
  EXPECT_EQ(back.fixit->edits, finding.fixit->edits);
  EXPECT_TRUE(back.fixit->safe);
  EXPECT_EQ(back.column, 3);
  EXPECT_EQ(back.column_end, 9);
  EXPECT_EQ(back.found_by, finding.found_by);
}

} // namespace
} // namespace emend
