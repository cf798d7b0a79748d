// A repository in every state people leave one in: worked on without touching it, or refused with the reason
// and what to do.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.hpp"
#include "tests/contract/git/git_fixture.hpp"

namespace emend {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class RepositoryStates : public GitTest {
protected:
  // One fix from workspace to branch; what a person who looks finds there.
  std::string whole_way(Repository& repository, const std::string& branch = "fix/one") {
    const std::string head = repository.resolve("HEAD").value();
    const auto workspace = repository.make_workspace(head, {}).value();
    in_workspace(*workspace, "sed -i s/1/41/ src/a.c");
    const Snapshot snapshot = snapshot_of(*workspace);
    EXPECT_THAT(paths_of(snapshot.patch), ElementsAre("src/a.c"));
    const auto commit = repository.commit(request_for(head, snapshot.patch));
    EXPECT_TRUE(commit) << commit.error().message;
    const Status published = repository.publish(branch, *commit, head);
    EXPECT_TRUE(published) << published.error().message;
    EXPECT_EQ(repository.published_diff(head, *commit).value().sha256(), snapshot.patch.sha256());
    EXPECT_TRUE(repository.reachable(*commit, branch).value());
    return *commit;
  }
  Error refusal(const std::string& directory) {
    auto repository = open(directory);
    EXPECT_FALSE(repository);
    return repository ? Error{} : repository.error();
  }
};

TEST_F(RepositoryStates, OpensFromAnySubdirectoryAndThroughSymlinks) {
  make_repository();
  sh("ln -s repo " + path("alias"));
  const auto direct = opened();
  EXPECT_EQ(direct->root(), fs::canonical(repo_).string());
  EXPECT_THAT(direct->warnings(), IsEmpty());
  for (const std::string& directory :
       {repo_ + "/docs/guide", path("alias"), path("alias/src"), repo_ + "/.git", repo_ + "/.git/refs"}) {
    const auto repository = opened(directory);
    EXPECT_EQ(repository->root(), direct->root()) << directory;
    EXPECT_EQ(repository->id(), direct->id()) << directory;
  }
  EXPECT_EQ(direct->id().size(), 16U);
}

TEST_F(RepositoryStates, TwoRepositoriesHaveTwoIds) {
  make_repository();
  sh("cp -r repo twin", scratch_.path().string());
  EXPECT_NE(opened()->id(), opened(path("twin"))->id());
}

bool knows_births(const std::string& path) {
  struct statx info {};
  return ::statx(AT_FDCWD, path.c_str(), 0, STATX_BTIME, &info) == 0 && (info.stx_mask & STATX_BTIME) != 0;
}

TEST_F(RepositoryStates, KeepsItsIdWhenItsFolderIsMoved) {
  make_repository();
  if (!knows_births(repo_)) GTEST_SKIP() << "this file system does not say when a file was made";
  const std::string id = opened()->id();
  sh("mkdir deep && mv repo deep/moved", scratch_.path().string());
  EXPECT_EQ(opened(path("deep/moved"))->id(), id);
  EXPECT_EQ(opened(path("deep/moved"))->root(), fs::canonical(path("deep/moved")).string());
  sh("mv deep there", scratch_.path().string());
  const auto repository = opened(path("there/moved"));
  EXPECT_EQ(repository->id(), id);
  whole_way(*repository);
  // Another one at the old place, and a copy of this one, are others.
  make_repository();
  EXPECT_NE(opened()->id(), id);
  sh("cp -r there/moved copy", scratch_.path().string());
  EXPECT_NE(opened(path("copy"))->id(), id);
  EXPECT_EQ(opened(path("there/moved"))->id(), id);
  sh("mv there/moved back", scratch_.path().string());
  EXPECT_EQ(opened(path("back"))->id(), id);
}

TEST_F(RepositoryStates, KeepsItsIdOfAnOlderEmend) {
  make_repository();
  const std::string id = opened()->id();
  fs::remove(home_ + "/repositories/" + id + "/place.json");
  EXPECT_EQ(opened()->id(), id);
}

TEST_F(RepositoryStates, TakesTheIdOfOneThatLayElsewhere) {
  make_repository();
  const std::string id = opened()->id();
  sh("cp -r repo elsewhere", scratch_.path().string());
  const std::string other = opened(path("elsewhere"))->id();
  EXPECT_NE(other, id);
  GitOptions options;
  options.home = home_;
  options.id = id;
  EXPECT_EQ(adopt_repository(path("elsewhere"), runner_, options).error().code, ErrorCode::conflict);
  fs::remove_all(repo_);
  options.id = fs::path(fs::canonical(scratch_.path()) / "repo").string();
  EXPECT_TRUE(adopt_repository(path("elsewhere"), runner_, options));
  EXPECT_EQ(opened(path("elsewhere"))->id(), id);
  EXPECT_EQ(opened(path("elsewhere"))->id(), id);
  for (const char* nonsense : {"", "../repositories", "0123456789abcdef"}) {
    options.id = nonsense;
    EXPECT_EQ(adopt_repository(path("elsewhere"), runner_, options).error().code, ErrorCode::not_found);
  }
}

TEST_F(RepositoryStates, NotARepositoryIsRefused) {
  fs::create_directories(path("plain"));
  const Error error = refusal(path("plain"));
  EXPECT_EQ(error.code, ErrorCode::git);
  EXPECT_THAT(error.message, HasSubstr("not inside a git repository"));
  EXPECT_THAT(error.remedy, Not(IsEmpty()));
  EXPECT_EQ(refusal(path("nowhere")).code, ErrorCode::git);
  EXPECT_FALSE(fs::exists(home_)); // and nothing was made for it
}

TEST_F(RepositoryStates, AnEmptyRepositoryIsRefused) {
  fs::create_directories(repo_);
  git({"init", "-q"});
  const Error error = refusal(repo_);
  EXPECT_EQ(error.code, ErrorCode::git);
  EXPECT_THAT(error.message, HasSubstr("no commit"));
  EXPECT_THAT(error.remedy, HasSubstr("commit"));
}

TEST_F(RepositoryStates, AnotherUsersRepositoryIsRefusedUnlessDeclaredSafe) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a directory away";
  make_repository();
  sh("chown -R 4321:4321 " + repo_, "/");
  const Error error = refusal(repo_);
  EXPECT_EQ(error.code, ErrorCode::git);
  EXPECT_THAT(error.message, HasSubstr("another user"));
  EXPECT_THAT(error.remedy, HasSubstr("safe.directory"));
  ::setenv("SUDO_UID", "4321", 1);
  EXPECT_TRUE(open(repo_));
  ::unsetenv("SUDO_UID");
  sh("git config --global --add safe.directory " + repo_, "/");
  EXPECT_TRUE(open(repo_));
}

TEST_F(RepositoryStates, AnUnknownExtensionIsRefusedInGitsWords) {
  make_repository();
  sh("git config core.repositoryformatversion 1; git config extensions.future yes");
  EXPECT_THAT(refusal(repo_).message, HasSubstr("future"));
}

TEST_F(RepositoryStates, ADirtyCheckoutIsSaidAndLeftAlone) {
  make_repository();
  write("untracked", "mine");
  EXPECT_THAT(opened()->warnings(), IsEmpty());
  write("src/a.c", "my unfinished work\n");
  EXPECT_THAT(opened()->warnings(), ElementsAre(HasSubstr("uncommitted changes")));
  git({"add", "src/a.c"}); // staged counts too
  const auto repository = opened();
  EXPECT_THAT(repository->warnings(), ElementsAre(HasSubstr("uncommitted changes")));
  const auto before = manifest(repo_, {".git/refs", ".git/logs"});
  const std::string commit = whole_way(*repository);
  EXPECT_EQ(manifest(repo_, {".git/refs", ".git/logs"}), before);
  EXPECT_EQ(repository->read(commit, "src/a.c").value(),
            "int a() {\n  return 41;\n}\n"); // from HEAD, not from the checkout
}

TEST_F(RepositoryStates, ATouchedFileIsNotDirty) {
  make_repository();
  sh("touch -d '2001-01-01' src/a.c; chmod g+w src/b.c");
  const auto before = manifest(repo_);
  EXPECT_THAT(opened()->warnings(), IsEmpty());
  EXPECT_EQ(manifest(repo_), before); // git status would have rewritten the index here
}

TEST_F(RepositoryStates, NothingOfThePersonsChangesButTheNewBranch) {
  make_repository();
  git({"branch", "other"});
  git({"tag", "v1"});
  sh("echo stash >>src/b.c; git stash -q");
  const std::vector<std::string> except = {".git/refs/heads/fix", ".git/logs/refs/heads/fix",
                                           ".git/refs/heads", ".git/logs/refs/heads"};
  const auto before = manifest(repo_, except);
  const std::string heads = git({"for-each-ref", "--format=%(refname) %(objectname)"});
  const auto repository = opened();
  const std::string commit = whole_way(*repository);
  EXPECT_EQ(manifest(repo_, except), before);
  EXPECT_EQ(git({"for-each-ref", "--format=%(refname) %(objectname)", "--", "refs/heads/main",
                 "refs/heads/other", "refs/tags", "refs/stash"}),
            heads);
  EXPECT_EQ(git({"rev-parse", "fix/one"}), commit);
  EXPECT_EQ(git({"status", "--porcelain"}), "");
  git({"fsck", "--strict"});
}

TEST_F(RepositoryStates, NoHookFilterOrMonitorOfThePersonsEverRuns) {
  make_repository();
  const std::string trap = path("trap.sh");
  ASSERT_TRUE(write_file(trap, "#!/bin/sh\ntouch " + path("marker") + "\n", 0755));
  write(".gitattributes", "*.c filter=trap diff=trap\n");
  commit_all();
  write("src/a.c", "dirty, so that somebody could ask a filter\n");
  sh("mkdir -p .git/hooks; for h in reference-transaction post-index-change post-checkout pre-commit "
     "post-commit update pre-receive; do "
     "cp " +
     trap + " .git/hooks/$h; done");
  sh("git config core.fsmonitor " + trap + "; git config filter.trap.clean " + trap +
     "; git config filter.trap.smudge " + trap + "; git config diff.trap.textconv " + trap +
     "; git config diff.external " + trap + "; git config core.sshCommand " + trap +
     "; git config core.pager " + trap +
     "; git config core.hooksPath .git/hooks; git config core.alternateRefsCommand " + trap +
     "; git config gc.auto 1; rm -f " + path("marker"));
  const auto repository = opened();
  whole_way(*repository);
  EXPECT_TRUE(repository->identity());
  EXPECT_TRUE(repository->is_ignored(repository->resolve("HEAD").value(), "x"));
  EXPECT_FALSE(fs::exists(path("marker")));
}

TEST_F(RepositoryStates, UnfinishedOperationsAreSaidAndWorkStartsFromHead) {
  make_repository();
  git({"checkout", "-q", "-b", "side"});
  write("src/a.c", "side\n");
  commit_all();
  git({"checkout", "-q", "main"});
  write("src/b.c", "other\n");
  write("src/a.c", "main\n");
  const std::string head = commit_all();
  sh("git merge side >/dev/null 2>&1 || true");
  auto repository = opened();
  EXPECT_THAT(repository->warnings(), Contains(HasSubstr("middle of a merge")));
  EXPECT_EQ(repository->read(repository->resolve("HEAD").value(), "src/a.c").value(),
            "main\n"); // no conflict markers
  git({"merge", "--abort"});
  sh("git rebase side >/dev/null 2>&1 || true");
  EXPECT_THAT(opened()->warnings(), Contains(HasSubstr("middle of a rebase")));
  git({"rebase", "--abort"});
  sh("git cherry-pick side >/dev/null 2>&1 || true");
  EXPECT_THAT(opened()->warnings(), Contains(HasSubstr("middle of a cherry-pick")));
  git({"cherry-pick", "--abort"});
  sh("git bisect start -q; git bisect bad; git bisect good HEAD~1");
  EXPECT_THAT(opened()->warnings(), Contains(HasSubstr("middle of a bisect")));
}

TEST_F(RepositoryStates, DetachedHeadWorks) {
  make_repository();
  const std::string first = git({"rev-parse", "HEAD"});
  write("later", "x");
  commit_all();
  git({"checkout", "-q", "--detach", first});
  const auto repository = opened();
  EXPECT_THAT(repository->warnings(), IsEmpty());
  EXPECT_EQ(repository->resolve("HEAD").value(), first);
  whole_way(*repository);
  EXPECT_EQ(git({"rev-parse", "HEAD"}), first);
}

TEST_F(RepositoryStates, BareWorks) {
  make_repository();
  git({"clone", "-q", "--bare", repo_, path("bare.git")});
  const auto repository = opened(path("bare.git"));
  EXPECT_EQ(repository->root(), fs::canonical(path("bare.git")).string());
  EXPECT_THAT(repository->warnings(), IsEmpty());
  const std::string commit = whole_way(*repository);
  EXPECT_EQ(git({"rev-parse", "fix/one"}, path("bare.git")), commit);
}

TEST_F(RepositoryStates, ShallowWorksWithoutTheMissingParents) {
  make_repository();
  for (int i = 0; i < 3; ++i) {
    write("n", std::to_string(i));
    commit_all();
  }
  git({"clone", "-q", "--depth=1", "file://" + repo_, path("shallow")});
  const auto repository = opened(path("shallow"));
  const std::string commit = whole_way(*repository);
  EXPECT_EQ(git({"rev-list", "--count", "fix/one"}, path("shallow")), "2");
  git({"fsck"}, path("shallow"));
}

TEST_F(RepositoryStates, APartialCloneWithMissingFilesIsRefusedWithoutFetching) {
  make_repository();
  sh("git config uploadpack.allowFilter true");
  git({"clone", "-q", "--filter=blob:none", "--no-checkout", "file://" + repo_, path("partial")});
  const Error error = refusal(path("partial"));
  EXPECT_EQ(error.code, ErrorCode::git);
  EXPECT_THAT(error.message, HasSubstr("missing"));
  EXPECT_THAT(error.remedy, HasSubstr("fetch"));
  git({"checkout", "-q", "main"}, path("partial")); // fetches what HEAD needs
  EXPECT_TRUE(open(path("partial")));
}

TEST_F(RepositoryStates, Sha256Works) {
  make_repository({"--object-format=sha256"});
  const auto repository = opened();
  EXPECT_EQ(repository->resolve("HEAD").value().size(), 64U);
  const std::string commit = whole_way(*repository);
  EXPECT_EQ(commit.size(), 64U);
  git({"fsck", "--strict"});
}

TEST_F(RepositoryStates, ALinkedWorktreeIsARepositoryWithSharedBranches) {
  make_repository();
  git({"worktree", "add", "-q", "-b", "feature", path("tree two")});
  write("only-main", "x");
  commit_all();
  const auto repository = opened(path("tree two"));
  EXPECT_EQ(repository->root(), fs::canonical(path("tree two")).string());
  EXPECT_EQ(repository->resolve("HEAD").value(), git({"rev-parse", "feature"}));
  EXPECT_NE(repository->id(), opened()->id());
  const auto before = manifest(path("tree two"));
  const std::string commit = whole_way(*repository);
  EXPECT_EQ(git({"rev-parse", "fix/one"}), commit);
  EXPECT_EQ(manifest(path("tree two")), before);
}

TEST_F(RepositoryStates, ASubmoduleIsSaidAndMayBeOpenedItself) {
  make_repository();
  sh("git -c protocol.file.allow=always submodule --quiet add " + repo_ + " vendor/self; git commit -qm mod");
  const auto repository = opened();
  EXPECT_THAT(repository->warnings(), ElementsAre(HasSubstr("vendor/self")));
  whole_way(*repository);
  const auto inner = opened(repo_ + "/vendor/self/src");
  EXPECT_EQ(inner->root(), fs::canonical(repo_ + "/vendor/self").string());
  EXPECT_THAT(inner->warnings(), IsEmpty());
  whole_way(*inner);
}

TEST_F(RepositoryStates, LfsPointersAreSaid) {
  make_repository();
  write("assets/.gitattributes", "*.png filter=lfs diff=lfs merge=lfs -text\n");
  write("assets/x.png", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
  commit_all();
  EXPECT_THAT(opened()->warnings(), ElementsAre(HasSubstr("LFS")));
}

TEST_F(RepositoryStates, ASparseCheckoutIsWorkedOnAsAWhole) {
  make_repository();
  git({"sparse-checkout", "set", "docs"});
  ASSERT_FALSE(fs::exists(repo_ + "/src/a.c"));
  const auto repository = opened();
  EXPECT_THAT(repository->warnings(), IsEmpty());
  whole_way(*repository);
  EXPECT_FALSE(fs::exists(repo_ + "/src/a.c"));
}

TEST_F(RepositoryStates, BorrowedObjectsReplaceRefsAndGrafts) {
  make_repository();
  git({"clone", "-q", "--shared", repo_, path("borrower")});
  whole_way(*opened(path("borrower")));
  const std::string real = git({"rev-parse", "HEAD:src/a.c"});
  sh("git replace " + real + " $(echo swapped | git hash-object -w --stdin)");
  const auto repository = opened();
  EXPECT_EQ(repository->read(repository->resolve("HEAD").value(), "src/a.c").value(),
            "int a() {\n  return 1;\n}\n");
}

TEST_F(RepositoryStates, APathWithNewlineAndQuotesWorks) {
  repo_ = path("odd \"name\"\nnext:line,\\ ");
  make_repository();
  const auto repository = opened();
  EXPECT_EQ(repository->root(), fs::canonical(repo_).string());
  whole_way(*repository);
}

TEST_F(RepositoryStates, AHookEnvironmentDoesNotLeadElsewhere) {
  make_repository();
  sh("git init -q " + path("elsewhere"));
  ::setenv("GIT_DIR", path("elsewhere/.git").c_str(), 1);
  ::setenv("GIT_INDEX_FILE", path("elsewhere/.git/index").c_str(), 1);
  const auto repository = opened();
  EXPECT_EQ(repository->root(), fs::canonical(repo_).string());
  EXPECT_EQ(repository->identity()->name, "Pat Person");
  ::unsetenv("GIT_DIR");
  ::unsetenv("GIT_INDEX_FILE");
}

TEST_F(RepositoryStates, IdentityIsThePersonsOrAClearFallback) {
  make_repository();
  EXPECT_EQ(opened()->identity()->name, "Pat Person");
  EXPECT_EQ(opened()->identity()->email, "pat@example.org");
  git({"config", "user.name", "Local Name"});
  EXPECT_EQ(opened()->identity()->name, "Local Name");
  git({"config", "--unset", "user.name"});
  ASSERT_TRUE(write_file(path("person/.gitconfig"), ""));
  EXPECT_EQ(opened()->identity()->name, "emend");
  EXPECT_EQ(opened()->identity()->email, "emend@localhost");
}

TEST_F(RepositoryStates, ReadsTheBase) {
  make_repository();
  const auto repository = opened();
  const std::string head = repository->resolve("main").value();
  const Tree& tree = *repository->tree(head).value();
  ASSERT_EQ(tree.size(), 5U);
  EXPECT_EQ(tree.at("run.sh").mode, kModeExecutable);
  EXPECT_EQ(tree.at("link").mode, kModeSymlink);
  EXPECT_EQ(tree.at("docs/guide/intro.md").size, 8U);
  EXPECT_EQ(repository->tree(head).value(), &tree);
  EXPECT_EQ(repository->read(head, "link").value(), "src/a.c");
  EXPECT_EQ(repository->read(head, "nope").error().code, ErrorCode::not_found);
  EXPECT_EQ(repository->read_each(head, {"link", "src/a.c", "link"}).value(),
            (std::vector<std::string>{"src/a.c", repository->read(head, "src/a.c").value(), "src/a.c"}));
  EXPECT_EQ(repository->read_each(head, {"link", "nope"}).error().code, ErrorCode::not_found);
  EXPECT_EQ(repository->tree(std::string(40, '1')).error().code, ErrorCode::not_found);
  for (const std::string ref : {"nope", "", "-x", "--all", "HEAD:src/a.c", "HEAD^{tree}"})
    EXPECT_EQ(repository->resolve(ref).error().code, ErrorCode::not_found) << ref;
  EXPECT_EQ(repository->resolve(head.substr(0, 10)).value(), head);
}

TEST_F(RepositoryStates, AMissingGitIsSaid) {
  make_repository();
  const auto repository =
      open_repository(repo_, runner_, GitOptions{.home = home_, .git = path("no-such-git")});
  ASSERT_FALSE(repository);
  EXPECT_EQ(repository.error().code, ErrorCode::git);
  EXPECT_THAT(repository.error().remedy, HasSubstr("install git"));
}

} // namespace emend
