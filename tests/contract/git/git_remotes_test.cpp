// Other repositories: fetched into the engine's own store, pushed to forward only, the person's own never
// touched.
#include "tests/contract/git/git_fixture.hpp"

#include "adapters/git/git_remotes.hpp"
#include "base/strings.hpp"

namespace emend {

using testing::HasSubstr;

class GitRemotesTest : public GitTest {
protected:
  void SetUp() override {
    make_repository();
    write("a.txt", "one\n");
    base_ = commit_all("start");
    remote_ = path("remote.git");
    sh("git clone -q --bare . " + remote_);
    sh("git clone -q " + remote_ + " " + path("other"));
    sh("git config user.name o && git config user.email o@example.org && git checkout -q -b topic && echo "
       "two >> a.txt && git commit -qam two && "
       "git push -q origin topic:refs/pull/7/head",
       path("other"));
    head_ = trimmed("git rev-parse HEAD", path("other"));
  }

  std::string trimmed(const std::string& script, const std::string& cwd = {}) {
    return std::string(trim(sh(script, cwd)));
  }
  std::string remote_branch(const std::string& name) {
    return trimmed("git rev-parse --verify -q refs/heads/" + name + " || true", remote_);
  }
  // A commit of the person's own, on a branch.
  std::string branch(const std::string& name, const std::string& text) {
    sh("git checkout -q -b " + name);
    write("b.txt", text);
    const std::string commit = commit_all(text);
    sh("git checkout -q -");
    return commit;
  }

  std::unique_ptr<Remotes> remotes() {
    auto made = open_remotes(repo_, runner_, home_);
    EXPECT_TRUE(made) << made.error().message;
    return *std::move(made);
  }

  std::string base_, head_, remote_;
};

TEST_F(GitRemotesTest, FetchesIntoTheEnginesStoreAlone) {
  const auto repository = opened();
  const auto before = manifest(repo_);
  const std::string objects = sh("find .git/objects -type f | sort");
  EXPECT_EQ(remotes()->fetch("file://" + remote_, "refs/pull/7/head", {}).value(), head_);
  EXPECT_EQ(manifest(repo_), before) << "no ref, no FETCH_HEAD, no configuration";
  EXPECT_EQ(sh("find .git/objects -type f | sort"), objects) << "no object either";
  EXPECT_EQ(repository->resolve(head_).value(), head_);
  EXPECT_EQ(repository->read(head_, "a.txt").value(), "one\ntwo\n");
  EXPECT_EQ(repository->merge_base(base_, head_).value().value(), base_);
  EXPECT_EQ(remotes()->fetch("file://" + remote_, "refs/pull/7/head", {}).value(), head_) << "again";
}

TEST_F(GitRemotesTest, TheAddressIsReadAsThePersonsGitReadsIt) {
  sh("git config url.file://" + remote_ + ".insteadOf https://forge.example/team/app.git");
  EXPECT_EQ(remotes()->fetch("https://forge.example/team/app.git", "refs/pull/7/head", {}).value(), head_);
}

TEST_F(GitRemotesTest, RemotesAreListedAsWrittenAndAsUsed) {
  sh("git remote add origin hub:team/app.git; git config url.https://example.com/.insteadOf hub:");
  const auto all = remotes()->list().value();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name + " " + all[0].url + " " + all[0].written,
            "origin https://example.com/team/app.git hub:team/app.git");
}

TEST_F(GitRemotesTest, WhatIsNotThereIsSaid) {
  EXPECT_EQ(remotes()->fetch("file://" + remote_, "refs/pull/8/head", {}).error().code, ErrorCode::not_found);
  EXPECT_EQ(remotes()->tip("file://" + remote_, "refs/heads/none", {}).value(), std::nullopt);
  EXPECT_EQ(remotes()->tip("file://" + path("nowhere"), "refs/heads/main", {}).error().code, ErrorCode::io);
  for (const char* url : {"ext::sh -c true", "--upload-pack=true", ""})
    EXPECT_FALSE(remotes()->fetch(url, "refs/pull/7/head", {})) << url;
  for (const char* ref : {"HEAD", "refs/heads/*", "+refs/heads/a:refs/heads/b"})
    EXPECT_FALSE(remotes()->fetch("file://" + remote_, ref, {})) << ref;
}

TEST_F(GitRemotesTest, PasswordsInAddressesAreNotRepeated) {
  const auto failed = remotes()->fetch("https://me:hunter2hunter2@127.0.0.1:1/x.git", "refs/pull/7/head", {});
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message + failed.error().remedy, testing::Not(HasSubstr("hunter2hunter2")));
}

TEST_F(GitRemotesTest, ANewBranchIsPushedAndMovedOnForwardOnly) {
  const std::string first = branch("fix/one", "1");
  (void)remotes(); // makes what it needs in the engine's own place
  const auto before = manifest(repo_);
  const std::string url = "file://" + remote_;
  ASSERT_TRUE(remotes()->push({url, "fix/one", first, ""}, {}));
  EXPECT_EQ(remote_branch("fix/one"), first);
  EXPECT_EQ(manifest(repo_), before) << "no remote-tracking branch is made either";
  EXPECT_TRUE(remotes()->push({url, "fix/one", first, first}, {})) << "nothing to do";
  sh("git checkout -q fix/one");
  write("c.txt", "2");
  const std::string second = commit_all("2");
  ASSERT_TRUE(remotes()->push({url, "fix/one", second, first}, {}));
  EXPECT_EQ(remote_branch("fix/one"), second);
  EXPECT_EQ(remotes()->push({url, "fix/one", first, second}, {}).error().code, ErrorCode::conflict)
      << "never back";
  EXPECT_EQ(remote_branch("fix/one"), second);
}

TEST_F(GitRemotesTest, ForeignCommitsAreNeverOverwritten) {
  const std::string ours = branch("fix/one", "1");
  sh("git push -q origin topic:refs/heads/fix/one", path("other"));
  const std::string url = "file://" + remote_;
  for (const std::string& expected : {std::string(), base_, head_}) {
    const auto pushed = remotes()->push({url, "fix/one", ours, expected}, {});
    ASSERT_FALSE(pushed) << expected;
    EXPECT_EQ(pushed.error().code, ErrorCode::conflict) << pushed.error().message;
    EXPECT_EQ(remote_branch("fix/one"), head_);
  }
}

TEST_F(GitRemotesTest, NoHookOfThePersonsIsRun) {
  write(".git/hooks/pre-push", "#!/bin/sh\ntouch " + path("hooked") + "\nexit 1\n");
  sh("chmod +x .git/hooks/pre-push");
  const std::string ours = branch("fix/one", "1");
  EXPECT_TRUE(remotes()->push({"file://" + remote_, "fix/one", ours, ""}, {}));
  EXPECT_FALSE(fs::exists(path("hooked")));
}

TEST_F(GitRemotesTest, ACloneOfOursFollowsItsOrigin) {
  const std::string clone = path("clones/app.git");
  ASSERT_TRUE(clone_bare(runner_, "file://" + remote_, clone, {}));
  auto repository = opened(clone);
  EXPECT_EQ(repository->root(), fs::canonical(clone).string());
  EXPECT_EQ(repository->resolve("HEAD").value(), base_);
  EXPECT_EQ(repository->default_branch().value().value(), "origin/main");
  git({"branch", "emend/own", base_}, clone);
  sh("git push -q origin topic:main", path("other"));
  ASSERT_TRUE(refresh_clone(runner_, clone, {}));
  EXPECT_EQ(trimmed("git rev-parse HEAD", clone), head_);
  EXPECT_EQ(trimmed("git rev-parse emend/own", clone), base_) << "a branch of ours stays";
  EXPECT_EQ(opened(clone)->id(), repository->id());
  EXPECT_TRUE(clone_bare(runner_, "file:///nowhere", clone, {})) << "what is there stays as it is";
  EXPECT_EQ(clone_bare(runner_, "file://" + path("nowhere"), path("clones/x.git"), {}).error().code,
            ErrorCode::io);
  EXPECT_EQ(clone_bare(runner_, "--upload-pack=x", path("clones/y.git"), {}).error().code, ErrorCode::usage);
  EXPECT_EQ(sh("ls " + path("clones")), "app.git") << "nothing is left of what failed";
}

} // namespace emend
