// Patches made one, or moved on top of one another, without ever guessing.
#include "base/hash.hpp"
#include "tests/contract/git/git_fixture.hpp"

namespace emend {

using testing::ElementsAre;

class MergeTest : public GitTest {
protected:
  void SetUp() override {
    make_repository();
    write("long.txt", numbered({}));
    commit_all();
    repository_ = opened();
    head_ = repository_->resolve("HEAD").value();
  }
  static std::string numbered(const std::map<int, std::string>& changed) {
    std::string text;
    for (int i = 1; i <= 20; ++i)
      text += (changed.contains(i) ? changed.at(i) : "line " + std::to_string(i)) + "\r\n";
    return text;
  }
  Patch edits(const std::vector<Edit>& list) { return patch_of(*repository_, head_, list); }
  std::optional<Patch> merged(const Patch& a, const Patch& b) { return repository_->merge(a, b).value(); }

  std::unique_ptr<Repository> repository_;
  std::string head_;
};

TEST_F(MergeTest, DifferentFilesAreSimplyBoth) {
  const auto both =
      merged(edits({{"src/b.c", "b\n"}, {"z", "z\n"}}), edits({{"src/a.c", "a\n"}, {"link", std::nullopt}}));
  ASSERT_TRUE(both);
  EXPECT_THAT(paths_of(*both), ElementsAre("link", "src/a.c", "src/b.c", "z"));
}

TEST_F(MergeTest, DistantLinesOfOneFileAreBothTakenByteForByte) {
  const Patch first = edits({{"long.txt", numbered({{2, "two"}})}});
  const Patch second = edits({{"long.txt", numbered({{18, "eighteen"}})}});
  for (const auto& both : {merged(first, second), merged(second, first)}) {
    ASSERT_TRUE(both);
    const FileChange& change = both->changes.at(0);
    EXPECT_EQ(change.new_content, numbered({{2, "two"}, {18, "eighteen"}}));
    EXPECT_EQ(change.new_id, git_blob_id(change.new_content, "sha1"));
    EXPECT_EQ(change.old_id, first.changes[0].old_id);
    EXPECT_TRUE(repository_->commit(request_for(head_, *both)));
  }
}

TEST_F(MergeTest, TheSameChangeTwiceIsOne) {
  const Patch patch = edits({{"src/a.c", "same\n"}, {"new", "n\n"}, {"src/b.c", std::nullopt}});
  EXPECT_EQ(merged(patch, patch)->sha256(), patch.sha256());
}

TEST_F(MergeTest, ModeAndContentMeet) {
  const std::string old = "#!/bin/sh\nexit 0\n";
  const auto both = merged(edits({{"run.sh", old, kModeFile}}),
                           edits({{"run.sh", "#!/bin/sh\nexit 1\n", kModeExecutable}}));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->changes[0].new_mode, kModeFile);
  EXPECT_EQ(both->changes[0].new_content, "#!/bin/sh\nexit 1\n");
}

TEST_F(MergeTest, WhatCannotBothBeIsAConflict) {
  const auto conflict = [&](const Edit& first, const Edit& second) {
    EXPECT_FALSE(merged(edits({first}), edits({second}))) << first.path;
    EXPECT_FALSE(merged(edits({second}), edits({first}))) << first.path;
  };
  conflict({"src/a.c", "one\n"}, {"src/a.c", "two\n"});                             // the same lines
  conflict({"long.txt", numbered({{5, "x"}})}, {"long.txt", numbered({{6, "y"}})}); // neighbouring lines
  conflict({"src/a.c", std::nullopt}, {"src/a.c", "two\n"});                        // removed and edited
  conflict({"new", "one\n"}, {"new", "two\n"});                                     // made twice
  conflict({"link", "src/b.c", kModeSymlink}, {"link", "docs", kModeSymlink});      // links
  conflict({"long.txt", numbered({{2, std::string("\0", 1)}})},
           {"long.txt", numbered({{18, "y"}})});              // binary
  conflict({"lib", "file\n"}, {"lib/x", "in a directory\n"}); // a file where the other has a directory
}

TEST_F(MergeTest, NeverLeavesConflictMarkers) {
  const auto both = merged(edits({{"long.txt", numbered({{5, "x"}, {6, "shared"}})}}),
                           edits({{"long.txt", numbered({{6, "shared"}, {7, "z"}})}}));
  if (both) {
    EXPECT_EQ(both->changes[0].new_content.find("<<<<"), std::string::npos);
  }
}

TEST_F(MergeTest, RebasedPatchFitsTheEarlierOnesResult) {
  const Patch earlier =
      edits({{"long.txt", numbered({{2, "two"}})}, {"src/b.c", std::nullopt}, {"both", "same\n"}});
  const Patch later = edits({{"long.txt", numbered({{18, "eighteen"}})},
                             {"src/a.c", "a\n"},
                             {"both", "same\n"},
                             {"src/b.c", std::nullopt}});
  const auto moved = repository_->rebase(later, earlier).value();
  ASSERT_TRUE(moved);
  ASSERT_THAT(paths_of(*moved), ElementsAre("long.txt", "src/a.c")); // what was done already drops out
  EXPECT_EQ(moved->find("long.txt")->old_content, numbered({{2, "two"}}));
  const std::string first = repository_->commit(request_for(head_, earlier)).value();
  const std::string second = repository_->commit(request_for(first, *moved)).value();
  EXPECT_EQ(repository_->diff(head_, second).value().sha256(), merged(earlier, later)->sha256());
}

TEST_F(MergeTest, ARebaseThatCannotBeIsAConflict) {
  EXPECT_FALSE(repository_->rebase(edits({{"src/a.c", "one\n"}}), edits({{"src/a.c", "two\n"}})).value());
  EXPECT_FALSE(
      repository_->rebase(edits({{"src/a.c", "one\n"}}), edits({{"src/a.c", std::nullopt}})).value());
  EXPECT_FALSE(repository_->rebase(edits({{"lib/x", "one\n"}}), edits({{"lib", "two\n"}})).value());
}

TEST_F(MergeTest, ARebaseOverNothingChangesNothing) {
  const Patch patch = edits({{"src/a.c", "one\n"}});
  EXPECT_EQ(repository_->rebase(patch, {}).value()->sha256(), patch.sha256());
  EXPECT_TRUE(repository_->rebase({}, patch).value()->empty());
}

} // namespace emend
