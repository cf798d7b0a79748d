// However people merge, a fix is found where its bytes are, and nowhere else.
#include "engine/branch/merge_finder.hpp"

#include "adapters/git/git_repository.hpp"
#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

std::string numbered(const std::map<int, std::string>& other = {}) {
  std::string text;
  for (int line = 1; line <= 40; ++line)
    text += (other.contains(line) ? other.at(line) : "line " + std::to_string(line)) + "\n";
  return text;
}

class MergeFinderTest : public ::testing::Test {
protected:
  MergeFinderTest() : world(Files{{"a.c", numbered()}, {"b.c", numbered()}, {"other.c", "other\n"}}) {
    base = head();
  }

  std::string head() { return std::string(trim(world.git({"rev-parse", "HEAD"}))); }
  void on(const std::string& branch) { world.git({"checkout", "-q", branch}); }
  std::string commit(const Files& files, const std::string& message = "more") {
    for (const auto& [path, text] : files) world.write(path, text);
    world.git({"add", "-A"});
    world.git({"commit", "-q", "-m", message});
    return head();
  }
  // On a branch "fix"; the last commit is the fix that is looked for.
  FixPlace fix(const std::vector<Files>& commits = {{{"a.c", numbered({{20, "fixed 20"}})}}}) {
    world.git({"checkout", "-q", "-b", "fix", base});
    FixPlace place{"", "", base, ""};
    for (const Files& files : commits) {
      place.parent = head();
      place.commit = commit(files, "fix");
    }
    place.tip = place.commit;
    on("main");
    return place;
  }
  MergeLook look(const FixPlace& place) { return must(look_for_merge(world.repository(), place, head())); }
  // "ancestor 1a2b..", or why not.
  std::string found(const FixPlace& place) {
    const MergeLook said = look(place);
    return said.merge ? std::string(to_string(said.merge->proof)) + " " + said.merge->commit
                      : "no: " + said.why_not;
  }
  bool is_in(const FixPlace& place) { return look(place).merge.has_value(); }
  std::string squash(const std::string& branch = "fix") {
    world.git({"merge", "-q", "--squash", branch});
    world.git({"commit", "-q", "-m", "squashed"});
    return head();
  }

  World world;
  std::string base;
};

TEST_F(MergeFinderTest, NotBeforeItIsMerged) {
  const FixPlace place = fix();
  EXPECT_FALSE(is_in(place));
  commit({{"other.c", "more\n"}});
  EXPECT_FALSE(is_in(place));
  commit({{"a.c", numbered({{3, "elsewhere in the file"}})}});
  EXPECT_FALSE(is_in(place));
}

TEST_F(MergeFinderTest, FastForward) {
  const FixPlace place = fix();
  world.git({"merge", "-q", "--ff-only", "fix"});
  EXPECT_EQ(found(place), "ancestor " + place.commit);
  commit({{"other.c", "more\n"}});
  EXPECT_EQ(found(place), "ancestor " + place.commit);
}

TEST_F(MergeFinderTest, MergeCommit) {
  const FixPlace place = fix();
  commit({{"a.c", numbered({{3, "meanwhile"}})}});
  world.git({"merge", "-q", "--no-ff", "-m", "join", "fix"});
  const std::string merge = head();
  EXPECT_EQ(found(place), "ancestor " + merge);
  commit({{"a.c", numbered({{3, "meanwhile"}, {20, "changed again"}})}});
  EXPECT_EQ(found(place), "ancestor " + merge) << "code lives on; the fix was merged all the same";
}

TEST_F(MergeFinderTest, AMergeThatLeavesTheFixOutIsNone) {
  const FixPlace place = fix();
  commit({{"other.c", "more\n"}});
  world.git({"merge", "-q", "-s", "ours", "-m", "not this one", "fix"});
  EXPECT_FALSE(is_in(place));
  commit({{"a.c", numbered({{20, "something else"}})}});
  EXPECT_FALSE(is_in(place)) << "also when nobody can tell from the tip any more";
}

TEST_F(MergeFinderTest, CherryPickAndRebase) {
  const FixPlace place = fix();
  commit({{"a.c", numbered({{3, "meanwhile"}})}});
  world.git({"cherry-pick", place.commit});
  const std::string picked = head();
  EXPECT_EQ(found(place), "patch-id " + picked);
  commit({{"a.c", numbered({{3, "meanwhile"}, {20, "changed again"}})}});
  EXPECT_EQ(found(place), "patch-id " + picked);
  world.git({"branch", "-D", "fix"});
  world.git({"reflog", "expire", "--expire=now", "--all"});
  EXPECT_EQ(found(place), "patch-id " + picked) << "the branch is not needed";
}

TEST_F(MergeFinderTest, ARebaseOntoChangesNearByIsContained) {
  const FixPlace place = fix();
  commit({{"a.c", numbered({{18, "two lines above"}})}});
  world.git({"cherry-pick", place.commit});
  EXPECT_EQ(found(place), "contained " + head());
}

TEST_F(MergeFinderTest, SquashOfSeveral) {
  const FixPlace place =
      fix({{{"b.c", numbered({{5, "another fix"}})}}, {{"a.c", numbered({{20, "fixed 20"}})}}});
  commit({{"other.c", "more\n"}});
  const std::string squashed = squash();
  EXPECT_EQ(found(place), "contained " + squashed);
}

TEST_F(MergeFinderTest, SquashOfFixesThatTouchEachOther) {
  FixPlace first = fix({{{"a.c", numbered({{20, "fixed 20"}})}}});
  on("fix");
  FixPlace second{commit({{"a.c", numbered({{20, "fixed 20"}, {21, "fixed 21"}})}}), first.commit, base, ""};
  first.tip = second.tip = second.commit;
  on("main");
  const std::string squashed = squash();
  EXPECT_EQ(found(first), "contained " + squashed);
  EXPECT_EQ(found(second), "contained " + squashed);
  world.git({"revert", "--no-edit", squashed});
  EXPECT_FALSE(is_in(first));
  EXPECT_FALSE(is_in(second));
}

TEST_F(MergeFinderTest, ASquashThatSolvedAConflictInAnotherWayIsNone) {
  const FixPlace place = fix();
  commit({{"a.c", numbered({{20, "theirs"}})}});
  EXPECT_FALSE(is_in(place));
  commit({{"a.c", numbered({{20, "half fixed, half theirs"}})}}, "squashed");
  EXPECT_FALSE(is_in(place));
}

TEST_F(MergeFinderTest, SomebodyElsesChangeOfTheSameLinesIsNone) {
  const FixPlace place = fix();
  commit({{"a.c", numbered({{20, "unrelated"}})}});
  EXPECT_FALSE(is_in(place));
  commit({{"a.c", numbered({{20, "  fixed 20"}})}});
  EXPECT_FALSE(is_in(place)) << "white space can be the whole fix";
}

TEST_F(MergeFinderTest, TheSameChangeOfATwinElsewhereInTheFileIsNone) {
  const std::string block = "{\n  one\n  two\n  wrong\n  three\n  four\n}\n",
                    fixed = "{\n  one\n  two\n  right\n  three\n  four\n}\n";
  base = commit({{"t.c", block + numbered() + block}});
  const FixPlace place = fix({{{"t.c", fixed + numbered() + block}}});
  commit({{"t.c", block + numbered() + fixed}});
  EXPECT_FALSE(is_in(place));
  commit({{"t.c", fixed + numbered() + fixed}});
  EXPECT_TRUE(is_in(place));
}

TEST_F(MergeFinderTest, WhatWasTakenBackDoesNotCountAndWhatCameAgainDoes) {
  const FixPlace place = fix();
  commit({{"other.c", "more\n"}});
  world.git({"merge", "-q", "--no-ff", "-m", "join", "fix"});
  EXPECT_TRUE(is_in(place));
  world.git({"revert", "--no-edit", "-m", "1", "HEAD"});
  EXPECT_FALSE(is_in(place));
  commit({{"a.c", numbered({{20, "another way"}})}});
  EXPECT_FALSE(is_in(place)) << "what came after the revert does not hide it";
  world.git({"reset", "-q", "--hard", "HEAD~1"});
  world.git({"revert", "--no-edit", "HEAD"});
  EXPECT_TRUE(is_in(place)) << "the revert was reverted";
}

TEST_F(MergeFinderTest, ARevertOfAPickOrASquashIsSeen) {
  const FixPlace place =
      fix({{{"b.c", numbered({{5, "another fix"}})}}, {{"a.c", numbered({{20, "fixed 20"}})}}});
  world.git({"cherry-pick", place.commit});
  EXPECT_TRUE(is_in(place));
  world.git({"revert", "--no-edit", "HEAD"});
  EXPECT_FALSE(is_in(place));
  squash();
  EXPECT_TRUE(is_in(place));
  world.git({"revert", "--no-edit", "HEAD"});
  EXPECT_FALSE(is_in(place));
}

TEST_F(MergeFinderTest, HalfAFixIsNone) {
  const FixPlace place =
      fix({{{"a.c", numbered({{5, "fixed 5"}, {30, "fixed 30"}})}, {"b.c", numbered({{20, "fixed 20"}})}}});
  commit({{"a.c", numbered({{5, "fixed 5"}, {30, "fixed 30"}})}});
  EXPECT_FALSE(is_in(place)) << "one of two files";
  commit({{"a.c", numbered({{5, "fixed 5"}})}, {"b.c", numbered({{20, "fixed 20"}})}});
  EXPECT_FALSE(is_in(place)) << "one of two places in a file";
  commit({{"a.c", numbered({{5, "fixed 5"}, {30, "fixed 30"}})}});
  EXPECT_TRUE(is_in(place)) << "in two steps";
  commit({{"b.c", numbered()}});
  EXPECT_FALSE(is_in(place)) << "and half of it taken back";
}

TEST_F(MergeFinderTest, FilesThatCameWentOrChangedTheirMode) {
  world.git({"checkout", "-q", "-b", "fix"});
  world.git({"rm", "-q", "other.c"});
  world.git({"update-index", "--chmod=+x", "b.c"});
  world.write("new.bin", std::string("a\0b", 3));
  world.git({"add", "new.bin"});
  world.git({"commit", "-q", "-m", "fix"});
  const FixPlace place{head(), base, base, head()};
  world.git({"checkout", "-q", "-f", "main"});
  commit({{"a.c", numbered({{3, "meanwhile"}})}});
  EXPECT_FALSE(is_in(place));
  world.git({"cherry-pick", place.commit});
  EXPECT_EQ(found(place), "patch-id " + head());
  world.git({"update-index", "--chmod=-x", "b.c"});
  world.git({"commit", "-q", "-m", "mode back"});
  EXPECT_FALSE(is_in(place));
}

TEST_F(MergeFinderTest, AFileThatWasMovedAfterwardsIsNoRevert) {
  const FixPlace place = fix();
  commit({{"other.c", "more\n"}});
  world.git({"cherry-pick", place.commit});
  const std::string picked = head();
  world.git({"mv", "a.c", "moved.c"});
  world.git({"commit", "-q", "-m", "move"});
  EXPECT_EQ(found(place), "patch-id " + picked);
}

TEST_F(MergeFinderTest, AShallowCloneTellsWhatItCanSee) {
  const FixPlace place = fix();
  commit({{"other.c", "more\n"}});
  const std::string clone = world.home + "/clone";
  world.git({"clone", "-q", "--depth", "1", "--no-single-branch", "file://" + world.root, clone});
  SupervisedRunner& runner = static_cast<SupervisedRunner&>(world.runner());
  const auto cut = must(open_repository(clone, runner, {.home = world.home + "/shallow"}));
  EXPECT_FALSE(look_for_merge(*cut, place, head())) << "what the fix was made from is not there";
  world.git({"merge", "-q", "--no-ff", "-m", "join", "fix"});
  world.git({"-C", clone, "fetch", "-q", "--deepen", "5", "origin"});
  const MergeLook after = must(look_for_merge(*cut, place, head()));
  ASSERT_TRUE(after.merge) << after.why_not;
  EXPECT_EQ(after.merge->commit, head());
}

TEST_F(MergeFinderTest, HistoriesWithNothingInCommonAreSaidToBe) {
  const FixPlace place = fix();
  world.git({"checkout", "-q", "--orphan", "island"});
  commit({{"a.c", numbered({{20, "fixed 20"}})}});
  EXPECT_NE(look(place).why_not.find("shallow"), std::string::npos) << look(place).why_not;
}

TEST(PatchId, IsTheChangeAndNotItsPlace) {
  const auto change = [](const std::string& before, const std::string& after) {
    return Patch{{FileChange{"a", kModeFile, kModeFile, "1", "2", before, after}}};
  };
  const std::string context = "x\ny\nz\n";
  EXPECT_EQ(patch_id(change(context + "old\n" + context, context + "new\n" + context)),
            patch_id(change("far\naway\n" + context + "old\n" + context,
                            "far\naway\n" + context + "new\n" + context)));
  EXPECT_NE(patch_id(change(context + "old\n" + context, context + "new\n" + context)),
            patch_id(change(context + "old\n" + context, context + " new\n" + context)));
  EXPECT_NE(patch_id(change("old\n", "new\n")), patch_id(change("old\n", "new")));
  Patch other = change("old\n", "new\n");
  other.changes[0].path = "b";
  EXPECT_NE(patch_id(change("old\n", "new\n")), patch_id(other));
}

} // namespace
} // namespace emend::testing_support
