#include "engine/context/containment_watch.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

TEST(ContainmentWatch, SaysWhatChanged) {
  const Surroundings before = {{"/a", "100644 0:0 5 17 1.0 1.0"},
                               {"/b", "100644 0:0 5 18 1.0 1.0"},
                               {"/c", "100644 0:0 5 19 1.0 1.0"},
                               {"/d", ""}};
  const Surroundings after = {
      {"/a", "100755 0:0 5 17 1.0 2.0"}, {"/b", "100755 0:0 6 28 2.0 2.0"}, {"/d", ""}, {"/e", ""}};
  const auto changes = compare(before, after);
  ASSERT_EQ(changes.size(), 4U);
  EXPECT_EQ(changes[0].path + " " + changes[0].how, "/a changed");
  EXPECT_TRUE(changes[0].rights);
  EXPECT_EQ(changes[1].path + " " + changes[1].how, "/b changed");
  EXPECT_FALSE(changes[1].rights)
      << "another file in its place, which nobody without the right to write can put there";
  EXPECT_EQ(changes[2].path + " " + changes[2].how, "/c removed");
  EXPECT_EQ(changes[3].path + " " + changes[3].how, "/e made");
}

TEST(ContainmentWatch, ChangedContentIsNotOnlyRights) {
  const auto changes = compare({{"/a", "100644 0:0 5 17 1.0 1.0"}}, {{"/a", "100644 0:0 5 17 2.0 2.0"}});
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_FALSE(changes[0].rights);
  EXPECT_TRUE(compare({{"/a", "100644 0:0 5"}}, {{"/a", "100644 0:0 5"}}).empty());
}

// Times can be set by whoever may change the mode.
TEST(ContainmentWatch, ATimeThatIsSetAfterwardsHidesNoChangeOfRights) {
  const std::string before = "100644 0:0 5 17 1.0 1.0";
  for (const char* after : {"100777 0:0 5 17 1.0 2.0", "100777 0:0 5 17 0.5 2.0", "100777 0:0 5 17 2.0 2.0",
                            "100644 1:0 5 17 2.0 2.0", "100644+0011 0:0 5 17 2.0 2.0"}) {
    const auto changes = compare({{"/a", before}}, {{"/a", after}});
    ASSERT_EQ(changes.size(), 1U) << after;
    EXPECT_TRUE(changes[0].rights) << after;
  }
  EXPECT_TRUE(compare({{"/d", "40755 0:0"}}, {{"/d", "40777 0:0"}}).at(0).rights)
      << "directories have no more than rights";
}

// Somewhere in the home the person's own programs make, replace and remove files while a child runs.
TEST(ContainmentWatch, OfSomeFilesOnlyTheRightsAreWatched) {
  const Surroundings before = {{"/h/kept", "100644 0:0 - 17"},
                               {"/h/gone", "100644 0:0 - 18"},
                               {"/h/replaced", "100644 0:0 - 19"},
                               {"/h/opened", "100600 0:0 - 20"}};
  const Surroundings after = {{"/h/kept", "100644 0:0 - 17"},
                              {"/h/new", "100644 0:0 - 21"},
                              {"/h/replaced", "100600 0:0 - 22"},
                              {"/h/opened", "100644 0:0 - 20"}};
  const auto changes = compare(before, after);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].path, "/h/opened");
  EXPECT_TRUE(changes[0].rights);
}

} // namespace
} // namespace emend
