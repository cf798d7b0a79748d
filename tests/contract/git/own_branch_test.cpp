// A branch of ours that moves on, or goes, only while nobody else has touched it or stands on it.
#include "tests/contract/git/git_fixture.hpp"

namespace emend {

using testing::HasSubstr;

class OwnBranchTest : public GitTest {
protected:
  void SetUp() override {
    make_repository();
    repository_ = opened();
    head_ = repository_->resolve("HEAD").value();
    tip_ = commit_on(head_, "1\n");
    ASSERT_TRUE(repository_->publish("fix/x", tip_, head_));
    next_ = commit_on(tip_, "2\n");
  }
  std::string commit_on(const std::string& parent, const std::string& content) {
    return repository_->commit(request_for(parent, patch_of(*repository_, parent, {{"src/a.c", content}})))
        .value();
  }
  std::string branch() { return repository_->branch_tip("fix/x").value().value_or("none"); }
  // Refused, for a reason that says `why`, and nothing has moved.
  void expect_refused(const std::string& why) {
    const std::string refs = git({"for-each-ref"});
    for (const Status& done :
         {repository_->advance("fix/x", tip_, next_), repository_->remove_branch("fix/x", tip_)}) {
      ASSERT_FALSE(done) << why;
      EXPECT_EQ(done.error().code, ErrorCode::conflict) << done.error().message;
      EXPECT_THAT(done.error().message, HasSubstr(why));
    }
    EXPECT_EQ(git({"for-each-ref"}), refs);
  }

  std::unique_ptr<Repository> repository_;
  std::string head_, tip_, next_;
};

TEST_F(OwnBranchTest, MovesOnAndNothingElseDoes) {
  git({"branch", "theirs", head_});
  const auto before = manifest(repo_, {".git/refs/heads/fix", ".git/logs"});
  ASSERT_FALSE(repository_->branch_in_use("fix/x").value());
  const Status moved = repository_->advance("fix/x", tip_, next_);
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(branch(), next_);
  EXPECT_EQ(git({"show", "fix/x:src/a.c"}), "2");
  EXPECT_EQ(manifest(repo_, {".git/refs/heads/fix", ".git/logs"}), before);
  EXPECT_EQ(git({"rev-parse", "theirs"}), head_);
  EXPECT_TRUE(repository_->advance("fix/x", tip_, next_)) << "a second time it is there already";
  EXPECT_EQ(git({"fsck", "--strict", "--no-dangling"}), "");
}

TEST_F(OwnBranchTest, GoesAndMayBeGone) {
  ASSERT_TRUE(repository_->remove_branch("fix/x", tip_));
  EXPECT_EQ(branch(), "none");
  EXPECT_TRUE(repository_->remove_branch("fix/x", tip_));
  EXPECT_EQ(repository_->advance("fix/x", tip_, next_).error().code, ErrorCode::conflict);
}

TEST_F(OwnBranchTest, PackedRefsMoveAndGoAsWell) {
  git({"pack-refs", "--all"});
  ASSERT_TRUE(repository_->advance("fix/x", tip_, next_));
  git({"pack-refs", "--all"});
  ASSERT_TRUE(repository_->remove_branch("fix/x", next_));
  EXPECT_EQ(branch(), "none");
}

TEST_F(OwnBranchTest, APersonsCommitOnItIsNeverLost) {
  const std::string theirs = sh("git commit-tree -p fix/x -m mine fix/x^{tree}");
  git({"update-ref", "refs/heads/fix/x", theirs});
  expect_refused("where emend left it");
  EXPECT_EQ(branch(), theirs);
}

TEST_F(OwnBranchTest, IsNeverMovedBackOrAside) {
  const std::string aside = commit_on(head_, "3\n");
  EXPECT_EQ(repository_->advance("fix/x", tip_, aside).error().code, ErrorCode::conflict);
  EXPECT_EQ(repository_->advance("fix/x", tip_, head_).error().code, ErrorCode::conflict);
  EXPECT_EQ(branch(), tip_);
}

TEST_F(OwnBranchTest, StaysWhereSomebodyStandsOnIt) {
  git({"checkout", "-q", "fix/x"});
  expect_refused("checked out in " + repo_);
}

TEST_F(OwnBranchTest, StaysWhereAnotherWorktreeStandsOnIt) {
  git({"worktree", "add", "-q", path("beside"), "fix/x"});
  expect_refused("checked out in " + path("beside"));
}

TEST_F(OwnBranchTest, StaysWhileARebaseIsUnderWay) {
  git({"worktree", "add", "-q", path("beside"), "fix/x"});
  sh("GIT_SEQUENCE_EDITOR='echo break >' git rebase -q -i HEAD^", path("beside"));
  ASSERT_EQ(sh("git symbolic-ref -q HEAD || echo detached", path("beside")), "detached");
  expect_refused("a rebase is in progress");
}

TEST_F(OwnBranchTest, StaysWhileABisectIsUnderWay) {
  git({"worktree", "add", "-q", path("beside"), "fix/x"});
  sh("git bisect start -q && git checkout -q --detach", path("beside"));
  expect_refused("a bisect is in progress");
}

TEST_F(OwnBranchTest, WhatASymbolicNameLeadsToIsNotMoved) {
  git({"branch", "theirs", tip_});
  git({"symbolic-ref", "refs/heads/fix/x", "refs/heads/theirs"});
  expect_refused("another name of refs/heads/theirs");
  EXPECT_EQ(git({"rev-parse", "theirs"}), tip_);
}

} // namespace emend
