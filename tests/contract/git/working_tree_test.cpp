// What is staged and what is uncommitted, read from checkouts in every state without changing a byte, mode or
// time of them.
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.hpp"
#include "tests/contract/git/git_fixture.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WorkingTree : public GitTest {
protected:
  // Every call also proves that it left the checkout alone.
  Result<Patch> staged(Repository& repository) {
    const auto before = manifest(repo_);
    auto patch = repository.staged(repository.resolve("HEAD").value());
    EXPECT_EQ(manifest(repo_), before);
    return patch;
  }
  Result<Patch> uncommitted(Repository& repository) {
    const auto before = manifest(repo_);
    auto patch = repository.uncommitted(repository.resolve("HEAD").value());
    EXPECT_EQ(manifest(repo_), before);
    return patch;
  }
  Patch staged_now() {
    auto patch = staged(*opened());
    EXPECT_TRUE(patch) << patch.error().message;
    return patch.value_or(Patch{});
  }
  Patch uncommitted_now() {
    auto patch = uncommitted(*opened());
    EXPECT_TRUE(patch) << patch.error().message;
    return patch.value_or(Patch{});
  }
};

TEST_F(WorkingTree, NothingIsNothing) {
  make_repository();
  sh("touch -d '2001-01-01' src/a.c"); // git status would rewrite the index here
  EXPECT_THAT(staged_now().changes, IsEmpty());
  EXPECT_THAT(uncommitted_now().changes, IsEmpty());
}

TEST_F(WorkingTree, StagedIsTheIndexAndUncommittedTheDisk) {
  make_repository();
  write("src/a.c", "staged\n");
  write("new.c", "new\n");
  sh("git rm -q src/b.c; git add -A");
  write("src/a.c", "on disk\n");
  write("loose.c", "untracked\n");
  const Patch index = staged_now();
  EXPECT_THAT(paths_of(index), ElementsAre("new.c", "src/a.c", "src/b.c"));
  EXPECT_EQ(index.find("src/a.c")->old_content, "int a() {\n  return 1;\n}\n");
  EXPECT_EQ(index.find("src/a.c")->new_content, "staged\n");
  EXPECT_EQ(index.find("src/a.c")->new_id, git_blob_id("staged\n", "sha1"));
  EXPECT_TRUE(index.find("src/b.c")->deleted());
  const Patch disk = uncommitted_now();
  EXPECT_THAT(paths_of(disk), ElementsAre("loose.c", "new.c", "src/a.c", "src/b.c"));
  EXPECT_EQ(disk.find("src/a.c")->new_content, "on disk\n");
  EXPECT_TRUE(disk.find("loose.c")->added());
}

TEST_F(WorkingTree, ThePatchMakesTheWorkspaceWhatIsOnDisk) {
  make_repository();
  write("src/a.c", "on disk\n");
  write("deep/er/new.sh", "#!/bin/sh\n");
  sh("chmod +x deep/er/new.sh; rm src/b.c; ln -s a.c src/link");
  const auto repository = opened();
  const Patch disk = uncommitted_now();
  const auto workspace = repository->make_workspace(repository->resolve("HEAD").value(), disk).value();
  EXPECT_EQ(
      in_workspace(
          *workspace,
          "cat src/a.c; test -x deep/er/new.sh && echo x; test -e src/b.c || echo gone; readlink src/link")
          .out,
      "on disk\nx\ngone\na.c\n");
  EXPECT_EQ(snapshot_of(*workspace).patch.sha256(), disk.sha256());
}

TEST_F(WorkingTree, IgnoredFilesAreLeftOutByEveryRuleOfThePerson) {
  make_repository();
  write(".gitignore", "*.o\n");
  commit_all();
  write("a.o", "object");
  write("a.swp", "editor");
  write("note", "local");
  write("kept", "new\n");
  sh("echo note >>.git/info/exclude; echo '*.swp' >" + path("person/ignore") +
     "; git config --global core.excludesFile '~/ignore'");
  EXPECT_THAT(paths_of(uncommitted_now()), ElementsAre("kept"));
  sh("git config --global --unset core.excludesFile; mkdir -p " + path("person/.config/git") +
     "; echo kept >" + path("person/.config/git/ignore"));
  EXPECT_THAT(paths_of(uncommitted_now()), ElementsAre("a.swp"));
  sh("git add -f a.o"); // an ignored file that is tracked is a file like others
  EXPECT_THAT(paths_of(staged_now()), ElementsAre("a.o"));
}

TEST_F(WorkingTree, ModesSymlinksAndTypesAreSeen) {
  make_repository();
  sh("chmod +x src/a.c; rm src/b.c; ln -s /nowhere src/b.c; rm -r docs; ln -s src docs");
  const Patch disk = uncommitted_now();
  EXPECT_EQ(disk.find("src/a.c")->new_mode, kModeExecutable);
  EXPECT_TRUE(disk.find("src/a.c")->mode_changed());
  EXPECT_EQ(disk.find("src/b.c")->new_mode, kModeSymlink);
  EXPECT_EQ(disk.find("src/b.c")->new_content, "/nowhere");
  ASSERT_NE(disk.find("docs"),
            nullptr); // a directory replaced by a link: its files are gone, the link is new
  EXPECT_EQ(disk.find("docs")->new_mode, kModeSymlink);
  for (const FileChange& change : disk.changes)
    EXPECT_TRUE(!change.path.starts_with("docs/") || change.deleted()) << change.path;
  sh("git config core.fileMode false");
  EXPECT_EQ(uncommitted_now().find("src/a.c"), nullptr);
}

TEST_F(WorkingTree, AFileChangedInTheTickTheIndexWasWrittenIsSeen) {
  make_repository();
  sh("git config core.trustctime false; git config core.checkStat minimal; printf 'AAAA\\n' >src/a.c; touch "
     "-d @1700000000 src/a.c");
  sh("git add src/a.c; git commit -q -m x; touch -d @1700000000 .git/index; printf 'CCCC\\n' >src/a.c; touch "
     "-d @1700000000 src/a.c");
  ASSERT_THAT(paths_of(uncommitted_now()), ElementsAre("src/a.c")); // only the index's own time tells
  EXPECT_EQ(uncommitted_now().find("src/a.c")->new_content, "CCCC\n");
}

TEST_F(WorkingTree, StrangeNamesSurvive) {
  make_repository();
  const std::string names[] = {"a b", "new\nline", "\xffraw", ":magic", "-dash", "\"quoted\""};
  for (const std::string& name : names) write(name, "x\n");
  EXPECT_EQ(uncommitted_now().changes.size(), std::size(names));
  sh("git add -A");
  const Patch index = staged_now();
  for (const std::string& name : names) EXPECT_NE(index.find(name), nullptr) << name;
}

TEST_F(WorkingTree, LineEndsAreThoseGitWouldKeep) {
  make_repository();
  write(".gitattributes", "*.txt text eol=crlf\n");
  write("crlf.txt", "one\r\ntwo\r\n");
  commit_all();
  write("crlf.txt", "one\r\nTWO\r\n");
  EXPECT_EQ(uncommitted_now().find("crlf.txt")->new_content, "one\nTWO\n");
  sh("git config --global core.autocrlf true; printf 'int a() {\\r\\n  return 9;\\r\\n}\\r\\n' >src/a.c");
  EXPECT_EQ(uncommitted_now().find("src/a.c")->new_content, "int a() {\n  return 9;\n}\n");
}

TEST_F(WorkingTree, NoFilterHookOrMonitorRuns) {
  make_repository();
  const std::string trap = path("trap.sh");
  ASSERT_TRUE(write_file(trap, "#!/bin/sh\ntouch " + path("marker") + "\ncat\n", 0755));
  write(".gitattributes", "*.c filter=trap\n");
  commit_all();
  sh("git config filter.trap.clean " + trap +
     "; git config filter.trap.required true; git config core.fsmonitor " + trap +
     "; mkdir -p .git/hooks; cp " + trap +
     " .git/hooks/post-index-change; git config core.hooksPath .git/hooks");
  write("src/a.c", "changed\n");
  EXPECT_THAT(paths_of(uncommitted_now()), ElementsAre("src/a.c"));
  EXPECT_THAT(staged_now().changes, IsEmpty());
  EXPECT_FALSE(fs::exists(path("marker")));
}

TEST_F(WorkingTree, WhatAFilterStandsBetweenIsLeftOut) {
  make_repository();
  write("big.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4\n");
  commit_all();
  write("big.bin", "real"); // as a checkout by git-lfs leaves it
  EXPECT_THAT(uncommitted_now().changes, IsEmpty());
}

TEST_F(WorkingTree, ConflictsAreRefusedInTheIndexAndReadFromDisk) {
  make_repository();
  sh("git checkout -q -b side; echo side >src/a.c; git commit -qam side; git checkout -q main; echo main "
     ">src/a.c; git commit -qam main; "
     "git merge side >/dev/null 2>&1 || true");
  const auto repository = opened();
  const auto index = staged(*repository);
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().code, ErrorCode::git);
  EXPECT_THAT(index.error().message, HasSubstr("conflicts in the index: src/a.c"));
  EXPECT_THAT(uncommitted_now().find("src/a.c")->new_content, HasSubstr("<<<<<<<"));
  sh("rm src/a.c");
  EXPECT_TRUE(uncommitted_now().find("src/a.c")->deleted());
}

TEST_F(WorkingTree, SubmodulesAndNestedRepositoriesAreLeftOut) {
  make_repository();
  sh("git init -q " + path("other") + "; cd " + path("other") + "; git commit -q --allow-empty -m one");
  sh("git -c protocol.file.allow=always submodule -q add " + path("other") + " sub; git commit -qm sub");
  sh("cd sub; echo x >inside; git add -A; git commit -qm two; echo y >loose");
  sh("git init -q nested; echo z >nested/file");
  EXPECT_THAT(uncommitted_now().changes, IsEmpty());
  sh("git add sub; rm src/b.c");
  EXPECT_THAT(staged_now().changes, IsEmpty());
  EXPECT_THAT(paths_of(uncommitted_now()), ElementsAre("src/b.c"));
}

TEST_F(WorkingTree, ABareRepositoryAndAMissingIndexSaySo) {
  make_repository();
  sh("git clone -q --bare . " + path("bare.git"));
  const auto bare = opened(path("bare.git"));
  for (const auto& answer :
       {bare->staged(bare->resolve("HEAD").value()), bare->uncommitted(bare->resolve("HEAD").value())}) {
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::not_found);
    EXPECT_THAT(answer.error().message, HasSubstr("no checkout"));
  }
  sh("git clone -q --no-checkout . " + path("hollow"));
  const auto hollow = opened(path("hollow"));
  EXPECT_THAT(hollow->uncommitted(hollow->resolve("HEAD").value()).error().message,
              HasSubstr("nothing has been checked out"));
}

TEST_F(WorkingTree, HugeFilesAreRefusedWhenTrackedAndLeftOutWhenNot) {
  make_repository();
  sh("truncate -s 101M core.dump");
  EXPECT_THAT(uncommitted_now().changes, IsEmpty());
  sh("rm core.dump; truncate -s 101M src/a.c");
  const auto repository = opened();
  const auto patch = repository->uncommitted(repository->resolve("HEAD").value());
  ASSERT_FALSE(patch);
  EXPECT_EQ(patch.error().code, ErrorCode::limit);
  EXPECT_THAT(patch.error().message, HasSubstr("src/a.c"));
}

TEST_F(WorkingTree, OddFilesOnDiskAreNoFiles) {
  make_repository();
  sh("mkfifo pipe; rm src/a.c; mkfifo src/a.c; rm src/b.c; mkdir src/b.c; echo x >src/b.c/inner");
  const Patch disk = uncommitted_now();
  EXPECT_THAT(paths_of(disk), ElementsAre("src/a.c", "src/b.c", "src/b.c/inner"));
  EXPECT_TRUE(disk.find("src/a.c")->deleted());
  EXPECT_TRUE(disk.find("src/b.c")->deleted());
}

TEST_F(WorkingTree, UnreadableFilesAreNamedWhenTrackedAndLeftOutWhenNot) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  make_repository();
  write("secret", "x");
  sh("chmod 000 secret");
  EXPECT_THAT(uncommitted_now().changes, IsEmpty());
  write("src/a.c", "longer than before, so that it is read\n");
  sh("chmod 000 src/a.c");
  EXPECT_THAT(uncommitted(*opened()).error().message, HasSubstr("src/a.c"));
}

TEST_F(WorkingTree, EveryIndexLayoutIsRead) {
  make_repository();
  write("src/a.c", "staged\n");
  sh("git add src/a.c");
  const std::string expected = staged_now().sha256();
  for (const char* layout :
       {"git update-index --split-index", "git update-index --no-split-index --index-version 4",
        "git update-index --untracked-cache --force-write-index", "git add -N src/later; true"}) {
    sh(std::string("touch src/later; ") + layout);
    EXPECT_EQ(staged_now().sha256(), expected) << layout;
    EXPECT_THAT(paths_of(uncommitted_now()), ElementsAre("src/a.c", "src/later")) << layout;
  }
}

TEST_F(WorkingTree, LinkedWorktreesSparseCheckoutsAndSha256Work) {
  make_repository({"--object-format=sha256"});
  sh("git worktree add -q " + path("linked"));
  const std::string main_tree = repo_;
  repo_ = path("linked");
  write("src/a.c", "linked\n");
  EXPECT_EQ(uncommitted_now().find("src/a.c")->new_id, git_blob_id("linked\n", "sha256"));
  repo_ = main_tree;
  EXPECT_THAT(uncommitted_now().changes, IsEmpty());
  sh("git sparse-checkout set --cone src");
  EXPECT_THAT(uncommitted_now().changes, IsEmpty()); // what is not checked out is not removed
}

TEST_F(WorkingTree, AncestorsMergeBasesAndTheDefaultBranch) {
  make_repository();
  const std::string base = git({"rev-parse", "HEAD"});
  git({"checkout", "-q", "-b", "side"});
  write("src/a.c", "side\n");
  const std::string side = commit_all();
  git({"checkout", "-q", "main"});
  write("src/b.c", "main\n");
  const std::string main = commit_all();
  git({"checkout", "-q", "--orphan", "alone"});
  const std::string alone = commit_all();
  const auto repository = opened();
  EXPECT_EQ(repository->merge_base(side, main).value(), base);
  EXPECT_EQ(repository->merge_base("side", "main").value(), base);
  EXPECT_EQ(repository->merge_base(side, alone).value(), std::nullopt);
  EXPECT_EQ(repository->merge_base(side, "nope").error().code, ErrorCode::not_found);
  EXPECT_TRUE(repository->is_ancestor(base, main).value());
  EXPECT_TRUE(repository->is_ancestor(main, main).value());
  EXPECT_FALSE(repository->is_ancestor(main, base).value());
  EXPECT_FALSE(repository->is_ancestor(side, main).value());
  EXPECT_EQ(repository->is_ancestor("nope", main).error().code, ErrorCode::not_found);

  EXPECT_EQ(repository->default_branch().value(), "main");
  git({"branch", "-m", "main", "trunk"});
  EXPECT_EQ(repository->default_branch().value(), "trunk");
  git({"branch", "master", "trunk"});
  EXPECT_EQ(repository->default_branch().value(), "master");
  sh("git update-ref refs/remotes/origin/develop side; git symbolic-ref refs/remotes/origin/HEAD "
     "refs/remotes/origin/develop");
  EXPECT_EQ(repository->default_branch().value(), "origin/develop");
  EXPECT_EQ(repository->resolve("origin/develop").value(), side);
  sh("git update-ref -d refs/remotes/origin/develop; git branch -m trunk work; git branch -m master more");
  EXPECT_EQ(repository->default_branch().value(), std::nullopt);
}

} // namespace emend
