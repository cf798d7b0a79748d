// Commits that hold exactly their patch, and the one ref they arrive by.
#include "base/hash.hpp"
#include "tests/contract/git/git_fixture.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class CommitTest : public GitTest {
protected:
  void SetUp() override {
    make_repository();
    repository_ = opened();
    head_ = repository_->resolve("HEAD").value();
  }
  std::string commit_of(const std::vector<Edit>& edits, const std::string& parent,
                        const std::string& message = "Fix it\n") {
    auto commit = repository_->commit(request_for(parent, patch_of(*repository_, parent, edits), message));
    EXPECT_TRUE(commit) << commit.error().message;
    return commit.value_or("");
  }

  std::unique_ptr<Repository> repository_;
  std::string head_;
};

TEST_F(CommitTest, HoldsExactlyThePatch) {
  const std::string message = "Fix: ünïcode \"quotes\"\n\nBody line.\n\nEmend-Issue: BE-001\n";
  const Patch patch = patch_of(*repository_, head_,
                               {{"src/a.c", "a\r\nb"},
                                {"src/b.c", std::nullopt},
                                {"bin/x", std::string("\0\xff", 2), kModeExecutable},
                                {"docs", "file now\n"},
                                {"docs/guide/intro.md", std::nullopt},
                                {"empty", ""}});
  const std::string commit = repository_->commit(request_for(head_, patch, message)).value();
  EXPECT_EQ(repository_->diff(head_, commit).value().sha256(), patch.sha256());
  EXPECT_EQ(repository_->read(commit, "bin/x").value(), std::string("\0\xff", 2));
  EXPECT_EQ(repository_->read(commit, "src/a.c").value(), "a\r\nb");
  EXPECT_EQ(repository_->resolve(commit).value(), commit);
  EXPECT_EQ(repository_->tree(commit).value()->count("src/b.c"), 0U);
  // Nothing of it is in the person's repository yet.
  EXPECT_EQ(sh("git cat-file -e " + commit + " 2>/dev/null || echo absent"), "absent");
  ASSERT_TRUE(repository_->publish("fix/x", commit, head_));
  EXPECT_EQ(repository_->published_commits({commit}).value().at(0).message, message);
  EXPECT_EQ(git({"log", "-1", "--format=%an <%ae> %at %cn <%ce> %ct %P", commit}),
            "Pat Person <pat@example.org> 1700000123 Pat Person <pat@example.org> 1700000123 " + head_);
}

TEST_F(CommitTest, TheSameRequestGivesTheSameId) {
  const Patch patch = patch_of(*repository_, head_, {{"src/a.c", "x\n"}});
  const std::string once = repository_->commit(request_for(head_, patch)).value();
  EXPECT_EQ(repository_->commit(request_for(head_, patch)).value(), once);
  home_ = path("another-engine");
  EXPECT_EQ(opened()->commit(request_for(head_, patch)).value(), once);
  EXPECT_NE(repository_->commit(request_for(head_, patch, "Other\n")).value(), once);
}

TEST_F(CommitTest, LeavesNoRefsBehind) {
  commit_of({{"src/a.c", "x\n"}}, head_);
  repository_->clean_leftovers();
  EXPECT_EQ(git({"for-each-ref"}, home_ + "/repositories/" + repository_->id() + "/git"), "");
}

TEST_F(CommitTest, LocksOfAGitThatDiedAreTakenAway) {
  const std::string git_dir = home_ + "/repositories/" + repository_->id() + "/git";
  for (const std::string name : {"refs/emend/tmp-commit.lock", "packed-refs.lock"})
    ASSERT_TRUE(write_file(git_dir + "/" + name, ""));
  const Patch patch = patch_of(*repository_, head_, {{"src/a.c", "x\n"}});
  EXPECT_FALSE(repository_->commit(request_for(head_, patch))) << "the lock is in its way";
  repository_->clean_leftovers();
  EXPECT_TRUE(repository_->commit(request_for(head_, patch)));
  EXPECT_FALSE(fs::exists(git_dir + "/packed-refs.lock"));
}

TEST_F(CommitTest, ADeadLockOfItsBranchDoesNotHoldItUp) {
  const std::string commit = commit_of({{"src/a.c", "1\n"}}, head_);
  write(".git/refs/heads/fix/ours.lock", commit + "\n"); // its git was killed before it could rename
  write(".git/refs/heads/fix/old.lock", "");             // the power went before the line was on the disk
  fs::last_write_time(repo_ + "/.git/refs/heads/fix/old.lock",
                      fs::file_time_type::clock::now() - std::chrono::hours(24 * 365 * 10));
  for (const std::string branch : {"fix/ours", "fix/old"}) {
    const Status published = repository_->publish(branch, commit, head_);
    EXPECT_TRUE(published) << published.error().message;
    EXPECT_EQ(repository_->branch_tip(branch).value(), commit);
    EXPECT_FALSE(fs::exists(repo_ + "/.git/refs/heads/" + branch + ".lock"));
  }
}

TEST_F(CommitTest, ADirectoryLeftEmptyIsGoneFromTheTree) {
  const std::string commit = commit_of({{"docs/guide/intro.md", std::nullopt}}, head_);
  EXPECT_EQ(git({"ls-tree", "-t", "-r", "--name-only", commit, "--", "docs"},
                home_ + "/repositories/" + repository_->id() + "/git"),
            "");
}

TEST_F(CommitTest, RefusesAPatchThatDoesNotFitTheParent) {
  const std::string next = commit_of({{"src/a.c", "changed\n"}}, head_);
  Patch stale = patch_of(*repository_, head_, {{"src/a.c", "x\n"}});
  EXPECT_EQ(repository_->commit(request_for(next, stale)).error().code, ErrorCode::git);
  Patch wrong_id = patch_of(*repository_, head_, {{"src/a.c", "x\n"}});
  wrong_id.changes[0].new_id = git_blob_id("y\n", "sha1");
  EXPECT_EQ(repository_->commit(request_for(head_, wrong_id)).error().code, ErrorCode::git);
  Patch nothing = patch_of(*repository_, head_, {{"src/a.c", "int a() {\n  return 1;\n}\n"}});
  EXPECT_EQ(repository_->commit(request_for(head_, nothing)).error().code, ErrorCode::git);
  EXPECT_EQ(repository_->commit(request_for("HEAD", stale)).error().code, ErrorCode::git);
}

TEST_F(CommitTest, RefusesPathsAndModesGitMustNotHold) {
  for (const std::string bad : {".git/config", "a/../b", "/abs", "a//b", "sub/.GIT/hooks/x", "", "."}) {
    Patch patch = patch_of(*repository_, head_, {{"fine", "x"}});
    patch.changes[0].path = bad;
    EXPECT_EQ(repository_->commit(request_for(head_, patch)).error().code, ErrorCode::git) << bad;
    EXPECT_FALSE(repository_->make_workspace(head_, patch)) << bad;
  }
  Patch gitlink = patch_of(*repository_, head_, {{"sub", "x", kModeGitlink}});
  EXPECT_FALSE(repository_->commit(request_for(head_, gitlink)));
  EXPECT_FALSE(repository_->make_workspace(head_, gitlink));
}

TEST_F(CommitTest, AHostileNameCannotForgeTheHeader) {
  CommitRequest request = request_for(head_, patch_of(*repository_, head_, {{"src/a.c", "x\n"}}));
  request.author_name = "Eve <eve@x> 0 +0000\nparent 123";
  request.author_email = "";
  const std::string commit = repository_->commit(request).value();
  ASSERT_TRUE(repository_->publish("fix/x", commit, head_));
  EXPECT_EQ(git({"log", "-1", "--format=%ae %P", commit}), "emend@localhost " + head_);
}

TEST_F(CommitTest, AChainMadeAtOnceIsTheSameAsOneByOne) {
  const std::string one = commit_of({{"src/a.c", "1\n"}}, head_, "One\n");
  const std::string two = commit_of({{"src/a.c", "2\n"}, {"src/b.c", std::nullopt}}, one, "Two\n");
  const std::vector<CommitRequest> requests = {
      request_for(head_, patch_of(*repository_, head_, {{"src/a.c", "1\n"}}), "One\n"),
      request_for("", patch_of(*repository_, one, {{"src/a.c", "2\n"}, {"src/b.c", std::nullopt}}), "Two\n")};
  EXPECT_THAT(repository_->commit_chain(requests).value(), ElementsAre(one, two));
  const auto apart = repository_->diffs({{head_, one}, {one, one}, {head_, two}, {one, two}}).value();
  ASSERT_EQ(apart.size(), 4U);
  EXPECT_EQ(apart[0].sha256(), repository_->diff(head_, one).value().sha256());
  EXPECT_TRUE(apart[1].empty());
  EXPECT_EQ(apart[2].sha256(), repository_->diff(head_, two).value().sha256());
  EXPECT_EQ(apart[3].changes.front().new_content, "2\n");
  EXPECT_FALSE(repository_->published_diffs({{head_, one}})) << "it is not in the person's repository";
  EXPECT_FALSE(repository_->diffs({{head_, one}, {std::string(40, '1'), one}}));
  EXPECT_FALSE(repository_->diffs({{one, std::string(40, '1')}}));
  EXPECT_FALSE(repository_->diffs({{one, "HEAD"}}));
  EXPECT_TRUE(repository_->diffs({}).value().empty());
}

TEST_F(CommitTest, AChainWithAPatchThatDoesNotFitIsRefusedWhole) {
  CommitRequest second = request_for("", patch_of(*repository_, head_, {{"src/a.c", "2\n"}}), "Two\n");
  const CommitRequest first =
      request_for(head_, patch_of(*repository_, head_, {{"src/a.c", "1\n"}}), "One\n");
  const auto refused = repository_->commit_chain({first, second});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("src/a.c"));
}

TEST_F(CommitTest, PublishesAChainAndAgainIsFine) {
  const std::string one = commit_of({{"src/a.c", "1\n"}}, head_, "One\n");
  const std::string two = commit_of({{"src/b.c", "2\n"}}, one, "Two\n");
  EXPECT_EQ(repository_->branch_tip("fix/chain").value(), std::nullopt);
  EXPECT_FALSE(repository_->reachable(one, "fix/chain").value());
  ASSERT_TRUE(repository_->publish("fix/chain", two, head_));
  EXPECT_TRUE(repository_->publish("fix/chain", two, head_)); // already there
  EXPECT_EQ(repository_->branch_tip("fix/chain").value(), two);
  EXPECT_TRUE(repository_->reachable(one, "fix/chain").value());
  EXPECT_TRUE(repository_->reachable(head_, "fix/chain").value());
  EXPECT_FALSE(repository_->reachable(one, "main").value());
  EXPECT_THAT(paths_of(repository_->published_diff(head_, two).value()), ElementsAre("src/a.c", "src/b.c"));
  EXPECT_EQ(git({"log", "--format=%s", "main..fix/chain"}), "Two\nOne");
  // The branch must not need the engine's store.
  fs::remove_all(home_);
  git({"fsck", "--strict"});
  git({"checkout", "-q", "fix/chain"});
  EXPECT_EQ(read_file(repo_ + "/src/b.c").value(), "2\n");
}

TEST_F(CommitTest, NeverMovesABranchThatExists) {
  const std::string mine = git({"rev-parse", "HEAD"});
  git({"branch", "taken"});
  const std::string commit = commit_of({{"src/a.c", "1\n"}}, head_);
  const Status published = repository_->publish("taken", commit, head_);
  ASSERT_FALSE(published);
  EXPECT_EQ(published.error().code, ErrorCode::conflict);
  EXPECT_THAT(published.error().remedy, Not(IsEmpty()));
  EXPECT_EQ(repository_->publish("main", commit, head_).error().code, ErrorCode::conflict);
  EXPECT_EQ(git({"rev-parse", "taken"}), mine);
  EXPECT_EQ(git({"rev-parse", "main"}), mine);
}

TEST_F(CommitTest, ABranchInTheWayIsAConflict) {
  const std::string commit = commit_of({{"src/a.c", "1\n"}}, head_);
  git({"branch", "fix"});
  for (const bool packed : {false, true}) {
    if (packed) git({"pack-refs", "--all"});
    const Status below = repository_->publish("fix/one", commit, head_);
    ASSERT_FALSE(below);
    EXPECT_EQ(below.error().code, ErrorCode::conflict) << below.error().message;
    EXPECT_THAT(below.error().remedy, HasSubstr("branch"));
  }
  git({"branch", "-m", "fix", "deep/er"});
  EXPECT_EQ(repository_->publish("deep", commit, head_).error().code, ErrorCode::conflict);
}

TEST_F(CommitTest, ABranchAWorktreeStandsOnUnbornIsAConflict) {
  git({"checkout", "-q", "--orphan", "fix/one"});
  git({"symbolic-ref", "HEAD", "refs/heads/main"});
  git({"worktree", "add", "-q", "--detach", path("other")});
  git({"symbolic-ref", "HEAD", "refs/heads/fix/one"}, path("other"));
  const std::string commit = commit_of({{"src/a.c", "1\n"}}, head_);
  EXPECT_EQ(repository_->publish("fix/one", commit, head_).error().code, ErrorCode::conflict);
}

TEST_F(CommitTest, AnotherGitAtWorkIsAConflictNotAStolenLock) {
  const std::string commit = commit_of({{"src/a.c", "1\n"}}, head_);
  write(".git/refs/heads/fix.lock", "");
  EXPECT_EQ(repository_->publish("fix", commit, head_).error().code, ErrorCode::conflict);
  EXPECT_TRUE(fs::exists(repo_ + "/.git/refs/heads/fix.lock"));
}

TEST_F(CommitTest, RefusesNamesThatAreNoBranches) {
  const std::string commit = commit_of({{"src/a.c", "1\n"}}, head_);
  for (const std::string bad :
       {"-rf", "", "a..b", "x.lock", "a b", "HEAD", "a\nb", "~x", "/x", "x/", "a//b", "@{x"}) {
    const Status published = repository_->publish(bad, commit, head_);
    ASSERT_FALSE(published) << bad;
    EXPECT_EQ(published.error().code, ErrorCode::git) << bad;
  }
}

TEST_F(CommitTest, ThePersonsWorkMeanwhileDoesNotMatter) {
  const std::string commit = commit_of({{"src/a.c", "1\n"}}, head_);
  write("src/a.c", "theirs\n");
  const std::string theirs = commit_all("meanwhile");
  ASSERT_TRUE(repository_->publish("fix/one", commit, head_));
  EXPECT_EQ(git({"rev-parse", "main"}), theirs);
  EXPECT_EQ(git({"rev-parse", "fix/one^"}), head_);
}

TEST_F(CommitTest, ALargeHistoryIsNotCopiedAgain) {
  const std::string commit = commit_of({{"src/a.c", "1\n"}}, head_);
  ASSERT_TRUE(repository_->publish("fix/one", commit, head_));
  EXPECT_EQ(sh("git verify-pack -v .git/objects/pack/*.idx | grep -cE ' (commit|tree|blob) '"),
            "4"); // commit, two trees, one blob
}

} // namespace emend
