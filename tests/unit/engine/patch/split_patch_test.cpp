// What one process changed for several issues is told apart by file and hunk, never by what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "engine/patch/split_patch.hpp"
#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

using testing::ElementsAre;

Issue issue(const std::string& code, const std::string& file, int line, int line_end = 0) {
  Issue made;
  made.code = code;
  made.finding.file = file;
  made.finding.line = line;
  made.finding.line_end = line_end;
  return made;
}

std::string lines(int count, const std::map<int, std::string>& other = {}) {
  std::string text;
  for (int i = 1; i <= count; ++i) {
    const auto found = other.find(i);
    text += found == other.end() ? "line " + std::to_string(i) + "\n" : found->second;
  }
  return text;
}

std::vector<std::string> paths(const Patch& patch) {
  std::vector<std::string> list;
  for (const FileChange& change : patch.changes) list.push_back(change.path);
  return list;
}

Patch patch_of(std::vector<FileChange> changes) {
  Patch patch;
  patch.changes = std::move(changes);
  patch.sort();
  return patch;
}

TEST(SplitPatch, OneIssueGetsEverything) {
  const Patch whole = patch_of({changed("a.c", "1\n", "2\n"), created("z/y.c", "n\n"), removed("q", "x\n")});
  const std::vector<Patch> split = split_patch(whole, {issue("BE-1", "a.c", 1)});
  EXPECT_EQ(split.at(0).sha256(), whole.sha256());
}

TEST(SplitPatch, FilesGoToTheIssueTheyAreAbout) {
  const std::vector<Patch> split =
      split_patch(patch_of({changed("a.c", "1\n", "2\n"), changed("b.c", "1\n", "2\n")}),
                  {issue("BE-1", "b.c", 1), issue("BE-2", "a.c", 1), issue("BE-3", "c.c", 1)});
  EXPECT_THAT(paths(split[0]), ElementsAre("b.c"));
  EXPECT_THAT(paths(split[1]), ElementsAre("a.c"));
  EXPECT_TRUE(split[2].empty());
}

TEST(SplitPatch, HunksOfOneFileGoToTheNearestIssue) {
  const std::string before = lines(100), after = lines(100, {{10, "ten\n"}, {90, "ninety\nmore\n"}});
  const std::vector<Patch> split = split_patch(patch_of({changed("a.c", before, after)}),
                                               {issue("BE-1", "a.c", 12), issue("BE-2", "a.c", 80, 85)});
  ASSERT_EQ(split[0].changes.size(), 1U);
  EXPECT_EQ(split[0].changes[0].new_content, lines(100, {{10, "ten\n"}}));
  EXPECT_EQ(split[0].changes[0].new_id, git_blob_id(split[0].changes[0].new_content, "sha1"));
  EXPECT_EQ(split[1].changes[0].new_content, lines(100, {{90, "ninety\nmore\n"}}));
}

TEST(SplitPatch, ACureOfTwoNeighboursIsInBothPatches) {
  const std::string before = lines(20), after = lines(20, {{10, "both\n"}});
  const std::vector<Patch> split =
      split_patch(patch_of({changed("a.c", before, after)}),
                  {issue("BE-1", "a.c", 10), issue("BE-2", "a.c", 12), issue("BE-3", "a.c", 19)});
  EXPECT_EQ(split[0].changes[0].new_content, after);
  EXPECT_EQ(split[1].changes[0].new_content, after);
  EXPECT_TRUE(split[2].empty());
}

TEST(SplitPatch, InsertionsAndDeletionsAtTheEndsOfAFile) {
  const std::string before = lines(30);
  const std::string after = "#include\n" + lines(29); // first line new, last line gone
  const std::vector<Patch> split = split_patch(patch_of({changed("a.c", before, after)}),
                                               {issue("BE-1", "a.c", 1), issue("BE-2", "a.c", 30)});
  EXPECT_EQ(split[0].changes[0].new_content, "#include\n" + before);
  EXPECT_EQ(split[1].changes[0].new_content, lines(29));
}

TEST(SplitPatch, AllPartsTogetherAreTheWhole) {
  const std::string before = lines(60),
                    after = lines(60, {{5, ""}, {20, "x\n"}, {21, "y\n"}, {40, "line 40\nz\n"}, {60, "end"}});
  const std::vector<Issue> issues = {issue("BE-1", "a.c", 5), issue("BE-2", "a.c", 20),
                                     issue("BE-3", "a.c", 41), issue("BE-4", "a.c", 58)};
  const std::vector<Patch> split = split_patch(patch_of({changed("a.c", before, after)}), issues);
  EXPECT_EQ(split[0].changes[0].new_content, lines(60, {{5, ""}}));
  EXPECT_EQ(split[1].changes[0].new_content, lines(60, {{20, "x\n"}, {21, "y\n"}}));
  EXPECT_EQ(split[2].changes[0].new_content, lines(60, {{40, "line 40\nz\n"}}));
  EXPECT_EQ(split[3].changes[0].new_content, lines(60, {{60, "end"}}));
}

TEST(SplitPatch, NewFilesFollowRelatedFilesThenTheDirectory) {
  Issue first = issue("BE-1", "src/a.c", 1), second = issue("BE-2", "lib/b.c", 1);
  first.finding.related_files = {"include/a.h"};
  const std::vector<Patch> split = split_patch(
      patch_of({created("include/a.h", "1\n"), created("lib/new.c", "1\n"), created("other/x.c", "1\n")}),
      {first, second});
  EXPECT_THAT(paths(split[0]), ElementsAre("include/a.h", "other/x.c"));
  EXPECT_THAT(paths(split[1]), ElementsAre("lib/new.c", "other/x.c"))
      << "nothing is dropped: what belongs to nobody is refused with each";
}

TEST(SplitPatch, ANewFileGoesToTheIssueThatUsesIt) {
  const Patch whole =
      patch_of({changed("src/a.py", "1\n", "from util.fmt import pad\n"), changed("src/b.py", "1\n", "2\n"),
                created("util/fmt.py", "def pad(x): return x\n"), created("tests/test_b.py", "import b\n")});
  const std::vector<Patch> split =
      split_patch(whole, {issue("BE-1", "src/a.py", 1), issue("BE-2", "src/b.py", 1)});
  EXPECT_THAT(paths(split[0]), ElementsAre("src/a.py", "util/fmt.py"));
  EXPECT_THAT(paths(split[1]), ElementsAre("src/b.py", "tests/test_b.py"));
}

TEST(SplitPatch, WhatTwoCouldHaveNeededIsInBoth) {
  const std::vector<Patch> split = split_patch(patch_of({created("src/new.c", "1\n")}),
                                               {issue("BE-1", "src/a.c", 1), issue("BE-2", "src/b.c", 1)});
  EXPECT_THAT(paths(split[0]), ElementsAre("src/new.c"));
  EXPECT_THAT(paths(split[1]), ElementsAre("src/new.c"));
}

TEST(SplitPatch, BinaryModeAndDeletionAreNeverCutInPieces) {
  FileChange binary = changed("b.bin", std::string("a\0b\n", 4), std::string("c\0d\n", 4));
  FileChange mode = changed("run.sh", "x\n", "x\n");
  mode.new_mode = kModeExecutable;
  const std::vector<Issue> issues = {issue("BE-1", "b.bin", 1), issue("BE-2", "b.bin", 50),
                                     issue("BE-3", "run.sh", 1), issue("BE-4", "run.sh", 9)};
  const std::vector<Patch> split = split_patch(patch_of({binary, mode}), issues);
  EXPECT_EQ(split[0].changes[0].new_content, binary.new_content);
  EXPECT_EQ(split[1].changes[0].new_content, binary.new_content);
  EXPECT_EQ(split[3].changes[0].new_mode, kModeExecutable);
}

} // namespace
} // namespace emend
