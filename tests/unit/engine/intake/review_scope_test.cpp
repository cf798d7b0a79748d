// Which findings belong to a change, and how changes add up.
#include "engine/intake/review_scope.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.hpp"

namespace emend {

using testing::ElementsAre;

namespace {

FileChange change_of(const std::string& path, const std::optional<std::string>& before,
                     const std::optional<std::string>& after) {
  FileChange change;
  change.path = path;
  if (before)
    change.old_mode = kModeFile, change.old_id = git_blob_id(*before, "sha1"), change.old_content = *before;
  if (after)
    change.new_mode = kModeFile, change.new_id = git_blob_id(*after, "sha1"), change.new_content = *after;
  return change;
}

Patch patch_of(std::vector<FileChange> changes) {
  Patch patch{std::move(changes)};
  patch.sort();
  return patch;
}

Finding at(const std::string& file, int line, int line_end = 0) {
  Finding finding;
  finding.file = file;
  finding.line = line;
  finding.line_end = line_end;
  return finding;
}

// The lines of "a" on which a finding is kept.
std::vector<int> kept(const DiffFilter& filter, int lines, const std::string& file = "a") {
  std::vector<int> numbers;
  for (int line = 1; line <= lines; ++line)
    if (filter.keeps(at(file, line))) numbers.push_back(line);
  return numbers;
}

const std::string kTwelve = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
const std::string kSixChanged = "1\n2\n3\n4\n5\nsix\n7\n8\n9\n10\n11\n12\n";
const std::string kSixRemoved = "1\n2\n3\n4\n5\n7\n8\n9\n10\n11\n12\n";

} // namespace

TEST(DiffFilter, KeepsWhatItsModeSays) {
  const Patch diff = patch_of({change_of("a", kTwelve, kSixChanged)});
  EXPECT_THAT(kept(DiffFilter(diff, FilterMode::added), 12), ElementsAre(6));
  EXPECT_THAT(kept(DiffFilter(diff, FilterMode::diff_context), 12), ElementsAre(3, 4, 5, 6, 7, 8, 9));
  EXPECT_EQ(kept(DiffFilter(diff, FilterMode::file), 12).size(), 12U);
  EXPECT_TRUE(kept(DiffFilter(diff, FilterMode::file), 12, "b").empty());
  EXPECT_EQ(kept(DiffFilter(diff, FilterMode::nofilter), 12, "b").size(), 12U);
  EXPECT_TRUE(DiffFilter(diff, FilterMode::added).looks_at("a"));
  EXPECT_FALSE(DiffFilter(diff, FilterMode::file).looks_at("b"));
  EXPECT_TRUE(DiffFilter(diff, FilterMode::nofilter).looks_at("b"));
}

TEST(DiffFilter, ARemovalHasAPlaceButNoLine) {
  const Patch diff = patch_of({change_of("a", kTwelve, kSixRemoved)});
  EXPECT_TRUE(kept(DiffFilter(diff, FilterMode::added), 11).empty());
  EXPECT_THAT(kept(DiffFilter(diff, FilterMode::diff_context), 11), ElementsAre(3, 4, 5, 6, 7, 8));
}

TEST(DiffFilter, EdgesOfAFile) {
  const Patch first = patch_of({change_of("a", "1\n2\n", "0\n1\n2\n")});
  EXPECT_THAT(kept(DiffFilter(first, FilterMode::added), 5), ElementsAre(1));
  EXPECT_THAT(kept(DiffFilter(first, FilterMode::diff_context), 9), ElementsAre(1, 2, 3));
  const Patch last = patch_of({change_of("a", "1\n2\n", "1\n2\n3")});
  EXPECT_THAT(kept(DiffFilter(last, FilterMode::added), 5), ElementsAre(3));
}

TEST(DiffFilter, AFindingOverSeveralLinesBelongsToAnyOfThem) {
  const DiffFilter filter(patch_of({change_of("a", kTwelve, kSixChanged)}), FilterMode::added);
  EXPECT_TRUE(filter.keeps(at("a", 4, 7)));
  EXPECT_FALSE(filter.keeps(at("a", 7, 2'000'000'000)));
}

TEST(DiffFilter, AFindingAboutAWholeFileBelongsToWhoeverMadeIt) {
  const DiffFilter filter(patch_of({change_of("new", std::nullopt, "x\n"), change_of("a", "1\n", "2\n")}),
                          FilterMode::added);
  EXPECT_TRUE(filter.keeps(at("new", 0)));
  EXPECT_FALSE(filter.keeps(at("a", 0)));
  EXPECT_FALSE(filter.keeps(at("", 0)));
}

TEST(DiffFilter, AMovedFileHasNoNewLines) {
  const Patch diff =
      patch_of({change_of("old", kTwelve, std::nullopt), change_of("new", std::nullopt, kTwelve)});
  EXPECT_TRUE(kept(DiffFilter(diff, FilterMode::added), 12, "new").empty());
  EXPECT_EQ(kept(DiffFilter(diff, FilterMode::file), 12, "new").size(), 12U);
  EXPECT_FALSE(DiffFilter(diff, FilterMode::file).looks_at("old"));
}

TEST(DiffFilter, WithoutADiffEverythingIsKept) {
  const DiffFilter filter(std::nullopt, FilterMode::added);
  EXPECT_TRUE(filter.keeps(at("a", 7)));
  EXPECT_TRUE(filter.looks_at("a"));
}

TEST(Compose, JoinsTwoStepsIntoOne) {
  const Patch first = patch_of(
      {change_of("a", "1", "2"), change_of("b", std::nullopt, "new"), change_of("c", "c", std::nullopt)});
  const Patch second =
      patch_of({change_of("a", "2", "3"), change_of("b", "new", std::nullopt), change_of("d", "d", "D")});
  const Patch both = compose(first, second);
  ASSERT_EQ(both.changes.size(), 3U); // b came and went
  EXPECT_EQ(both.find("a")->old_content, "1");
  EXPECT_EQ(both.find("a")->new_content, "3");
  EXPECT_TRUE(both.find("c")->deleted());
  EXPECT_EQ(both.find("d")->new_content, "D");
  EXPECT_TRUE(compose(patch_of({change_of("a", "1", "2")}), patch_of({change_of("a", "2", "1")})).empty());
}

TEST(ParseRange, TakesBothNotationsAndRefusesTheRest) {
  const auto range = parse_range("main..topic").value();
  EXPECT_EQ(range.from, "main");
  EXPECT_EQ(range.ref, "topic");
  EXPECT_EQ(parse_range("v1.0...v1.1").value().ref, "v1.1");
  EXPECT_EQ(parse_range("v1.0..").value().ref, "HEAD");
  EXPECT_EQ(parse_range("..topic").value().from, "HEAD");
  for (const char* wrong : {"main", "", "..", "a....b", "a..b..c"}) EXPECT_FALSE(parse_range(wrong)) << wrong;
}

} // namespace emend
