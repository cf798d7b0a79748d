// How a check sees its tree: where it stands, what git says there, what of the engine can be seen, and what
// is left of it afterwards. With real children.
#include <unistd.h>

#include <cstdlib>

#include "base/strings.hpp"
#include "tests/contract/git/git_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class CheckPlaceContract : public GitTest, public testing::WithParamInterface<SandboxKind> {
protected:
  void SetUp() override {
    if (full() && !overlay_works()) GTEST_SKIP() << "this system mounts no overlays";
    if (GetParam() == SandboxKind::landlock &&
        unprivileged_.sandbox().value_or(SandboxKind::none) != SandboxKind::landlock)
      GTEST_SKIP() << "this kernel has no Landlock";
    make_repository();
    git({"tag", "-a", "v1.0", "-m", "one"});
    open_again();
  }

  void open_again() {
    auto made = open_repository(repo_, runner(), options_with({}, {}));
    ASSERT_TRUE(made) << made.error().message;
    repository_ = std::move(*made);
    head_ = repository_->resolve("HEAD").value();
  }

  GitOptions options_with(std::vector<std::string> writable, std::vector<std::string> shared) const {
    return {.home = home_,
            .overlay = full(),
            .writable = std::move(writable),
            .shared = std::move(shared),
            .sandbox = GetParam()};
  }

  [[nodiscard]] bool full() const { return GetParam() == SandboxKind::full; }
  SupervisedRunner& runner() { return full() ? runner_ : unprivileged_; }

  ProcessResult check(Workspace& workspace, const std::string& script, Look look = Look::first) {
    const auto place = workspace.check_place(look);
    EXPECT_TRUE(place) << place.error().message;
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c", script};
    spec.cwd = place->path;
    spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=" + place->temp,
                "HOME=" + (place->home.empty() ? path("person") : place->home), "LC_ALL=C", "LOOKED=1"};
    spec.overlay = place->mount;
    spec.network = NetworkAccess::loopback;
    spec.wall_limit_ms = 60'000;
    auto result = runner().run(spec, {});
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : ProcessResult{};
  }

  std::string said(const std::string& script, Look look = Look::first, const Patch& patch = {}) {
    const auto workspace = repository_->make_workspace(head_, patch).value();
    const ProcessResult result = check(*workspace, script, look);
    EXPECT_TRUE(result.ok()) << script << "\n" << result.out << result.err << result.problem;
    return std::string(trim(result.out));
  }

  SupervisedRunner unprivileged_{EMEND_EXEC_BINARY, SupervisedRunner::Namespaces::never,
                                 GetParam() == SandboxKind::none ? SupervisedRunner::Landlock::never
                                                                 : SupervisedRunner::Landlock::automatic};
  std::unique_ptr<Repository> repository_;
  std::string head_;
};

INSTANTIATE_TEST_SUITE_P(Kinds, CheckPlaceContract,
                         testing::Values(SandboxKind::full, SandboxKind::landlock, SandboxKind::none),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST_P(CheckPlaceContract, TheTreeStandsAtTheCheckoutsPath) {
  if (!full()) GTEST_SKIP() << "needs mounts";
  write("uncommitted", "the person's\n");
  EXPECT_EQ(said("pwd -P; cat src/a.c | head -1; test ! -e uncommitted"), repo_ + "\nint a() {");
  EXPECT_EQ(said("echo spoiled >run.sh; cat run.sh"), "spoiled");
  EXPECT_EQ(sh("cat run.sh | head -1"), "#!/bin/sh");
}

TEST_P(CheckPlaceContract, ThePatchedTreeIsSeenThereToo) {
  const Patch patch = patch_of(*repository_, head_, {{"src/a.c", "fixed\n"}, {"src/b.c", std::nullopt}});
  EXPECT_EQ(said("cat src/a.c; ls src", Look::first, patch), "fixed\na.c");
}

TEST_P(CheckPlaceContract, ItIsAGitRepositoryWithItsHistory) {
  EXPECT_EQ(
      said("git rev-parse HEAD; git describe; git symbolic-ref HEAD; git status --porcelain; git ls-files"),
      head_ + "\nv1.0\nrefs/heads/main\ndocs/guide/intro.md\nlink\nrun.sh\nsrc/a.c\nsrc/b.c");
  EXPECT_EQ(said("git log --format=%s; git show HEAD:src/b.c | head -1"), "start\nint b() {");
}

TEST_P(CheckPlaceContract, ThePatchIsNotCommitted) {
  const Patch patch =
      patch_of(*repository_, head_, {{"src/a.c", "fixed\n"}, {"src/b.c", std::nullopt}, {"new.c", "new\n"}});
  EXPECT_EQ(said("git rev-parse HEAD; git status --porcelain", Look::first, patch),
            head_ + "\n M src/a.c\n D src/b.c\n?? new.c");
}

TEST_P(CheckPlaceContract, ItsRepositoryIsItsOwn) {
  const std::string mine =
      "git -c user.name=x -c user.email=x@y commit -qam x && git tag mine && git log --format=%s";
  EXPECT_EQ(said("echo x >>run.sh; " + mine), "x\nstart");
  EXPECT_EQ(git({"tag", "-l", "mine"}), "");
  EXPECT_EQ(git({"rev-parse", "HEAD"}), head_);
  EXPECT_EQ(said("git tag -l mine; git log --format=%s"), "start") << "nor does the next check see it";
}

TEST_P(CheckPlaceContract, NoRemoteNoHookAndNoSettingComesAlong) {
  git({"remote", "add", "origin", "https://token:secret@example.org/x.git"});
  git({"config", "core.hooksPath", "/hooks"});
  git({"config", "alias.x", "!echo alias"});
  sh("mkdir -p .git/hooks; echo 'exit 1' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit");
  open_again();
  EXPECT_EQ(
      said(
          "git remote; git config --get core.hooksPath; git config --get alias.x; ls .git/hooks 2>/dev/null; "
          "! grep -r secret .git --include=config"),
      "");
}

TEST_P(CheckPlaceContract, ACommitOfOursHasItsObjectsToo) {
  const Patch patch = patch_of(*repository_, head_, {{"src/a.c", "first fix\n"}});
  const auto made = repository_->commit(request_for(head_, patch, "Fix it\n"));
  ASSERT_TRUE(made) << made.error().message;
  const auto workspace = repository_->make_workspace(*made, {}).value();
  const ProcessResult result =
      check(*workspace, "git log --format=%s; git status --porcelain; git show HEAD:src/a.c");
  EXPECT_EQ(result.out, "Fix it\nstart\nfirst fix\n") << result.err << result.problem;
  EXPECT_EQ(result.err, "");
}

TEST_P(CheckPlaceContract, SessionsBranchesAreNotShown) {
  git({"branch", "emend/session"});
  git({"branch", "other"});
  open_again();
  EXPECT_EQ(said("git for-each-ref --format='%(refname)'"),
            "refs/heads/main\nrefs/heads/other\nrefs/tags/v1.0");
}

TEST_P(CheckPlaceContract, NothingInItsEnvironmentNamesTheEngine) {
  if (!full()) GTEST_SKIP() << "the tree lies in the engine's directory there";
  for (const Look look : {Look::first, Look::second})
    EXPECT_THAT(
        said("env; pwd; cat /proc/*/comm /proc/*/cmdline | tr '\\0' '\\n'; ls -a \"$HOME\" \"$TMPDIR\" ..; "
             "uname -n; readlink /proc/self/cwd",
             look),
        Not(ContainsRegex("emend-exec|EMEND|" + home_)));
}

TEST_P(CheckPlaceContract, TheEnginesDirectoryIsEmpty) {
  if (!full()) GTEST_SKIP() << "needs mounts";
  EXPECT_EQ(said("ls -A " + shell_quote(home_) + " 2>/dev/null || true"), "");
}

TEST_P(CheckPlaceContract, ProcessIdsAreOrdinary) {
  if (!full()) GTEST_SKIP() << "they are the machine's";
  if (::access("/proc/sys/kernel/ns_last_pid", F_OK) != 0)
    GTEST_SKIP() << "this kernel always counts from one";
  EXPECT_GE(std::stoi(said("echo $$")), 2'000);
}

TEST_P(CheckPlaceContract, TemporaryFilesAndTheHomeAreItsOwn) {
  const std::string script =
      "echo x >\"$TMPDIR/left\" && echo x >\"$HOME/left\" && cat \"$TMPDIR/left\" \"$HOME/left\"";
  if (GetParam() == SandboxKind::none) GTEST_SKIP() << "the home is the person's there";
  EXPECT_EQ(said(script), "x\nx");
  EXPECT_FALSE(fs::exists("/tmp/left"));
  EXPECT_FALSE(fs::exists(path("person/left")));
  EXPECT_EQ(said("ls \"$TMPDIR/left\" \"$HOME/left\" 2>/dev/null || true"), "")
      << "nothing waits for the next one";
}

TEST_P(CheckPlaceContract, TheSecondLookIsAnother) {
  if (!full()) GTEST_SKIP() << "needs mounts";
  const std::string script =
      "pwd -P; echo \"$HOME\"; echo \"$TMPDIR\"; uname -n; cat src/a.c | head -1; git describe";
  const auto first = split(said(script), '\n'), second = split(said(script, Look::second), '\n');
  ASSERT_EQ(first.size(), 6U);
  ASSERT_EQ(second.size(), 6U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NE(first[i], second[i]) << "line " << i;
  EXPECT_EQ(first[4], second[4]);
  EXPECT_EQ(first[5], second[5]);
  EXPECT_FALSE(fs::exists(second[0]));
}

TEST_P(CheckPlaceContract, TheSecondLookCanBeWorkedInAsWell) {
  if (!full()) GTEST_SKIP() << "needs mounts";
  const auto workspace = repository_->make_workspace(head_, {}).value();
  const ProcessResult made =
      check(*workspace,
            "echo x >made && mkdir \"$HOME/.cache\" && echo x >\"$HOME/.cache/x\" && "
            "echo x >\"$TMPDIR/x\" && git add made && getent hosts $(uname -n) >/dev/null",
            Look::second);
  EXPECT_TRUE(made.ok()) << made.err << made.problem;
  EXPECT_EQ(check(*workspace, "cat made", Look::second).out, "x\n") << "commands of a check share their tree";
  EXPECT_FALSE(fs::exists(repo_ + "/made"));
}

// A virtual environment lies in the checkout, is ignored by git, and is on PATH.
TEST_P(CheckPlaceContract, ToolsInTheCheckoutAreSeenAndKept) {
  write(".venv/bin/tool", "#!/bin/sh\necho tool\n");
  write("build/left", "not a tool\n");
  sh("chmod +x .venv/bin/tool");
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (repo_ + "/.venv/bin:" + repo_ + "/src:" + before).c_str(), 1);
  open_again();
  const Patch patch = patch_of(*repository_, head_, {{"src/a.c", "fixed\n"}});
  EXPECT_EQ(
      said(repo_ + "/.venv/bin/tool; test " + (full() ? "!" : "") + " -e " + repo_ + "/build; cat src/a.c",
           Look::first, patch),
      "tool\nfixed");
  if (full()) said("echo spoiled >.venv/bin/tool; echo x >.venv/made");
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(sh(".venv/bin/tool; ls .venv"), "tool\nbin");
}

TEST_P(CheckPlaceContract, ALinkOfThePatchLeadsNoMountElsewhere) {
  if (!full()) GTEST_SKIP() << "needs mounts";
  write("tools/env/bin/tool", "#!/bin/sh\necho tool\n");
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (repo_ + "/tools/env/bin:" + before).c_str(), 1);
  open_again();
  fs::create_directories(path("outside"));
  const Patch patch = patch_of(*repository_, head_, {{"tools", path("outside"), kModeSymlink}});
  const auto workspace = repository_->make_workspace(head_, patch).value();
  EXPECT_FALSE(check(*workspace, "true").ok());
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_TRUE(fs::is_empty(path("outside")));
}

TEST_P(CheckPlaceContract, ACacheIsWarmAndNothingStaysInIt) {
  fs::create_directories(path("cache"));
  ASSERT_TRUE(write_file(path("cache/warm"), "warm\n"));
  repository_ = open_repository(repo_, runner(), options_with({path("cache")}, {})).value();
  const std::string script = "cat " + path("cache/warm") + "; echo x >" + path("cache/left");
  EXPECT_EQ(said(script), "warm");
  EXPECT_EQ(fs::exists(path("cache/left")), !full()) << "without layers it is written to as ever";
}

TEST_P(CheckPlaceContract, WhatThePersonSharesStays) {
  fs::create_directories(path("cache"));
  repository_ = open_repository(repo_, runner(), options_with({}, {path("cache")})).value();
  said("echo x >" + path("cache/left"));
  EXPECT_TRUE(fs::exists(path("cache/left")));
}

TEST_P(CheckPlaceContract, ACopyThatIsUsedAgainHasAFreshRepository) {
  if (full()) GTEST_SKIP() << "there are no copies";
  said("git tag left; echo x >.git/left");
  EXPECT_EQ(said("git tag -l left; ls .git/left 2>/dev/null || true"), "");
}

TEST_P(CheckPlaceContract, ALinkedWorktreeIsSeenAsACheckout) {
  git({"worktree", "add", "-q", "-b", "side", path("side")});
  repo_ = path("side");
  open_again();
  EXPECT_EQ(said("git symbolic-ref HEAD; git status --porcelain; git describe"), "refs/heads/side\nv1.0");
}

// Where the engine's own directory would be covered, the tree stays where it lies.
TEST_P(CheckPlaceContract, AnEngineInsideTheCheckoutWorksAsBefore) {
  home_ = repo_ + "/.state";
  open_again();
  EXPECT_EQ(said("git describe; head -1 src/a.c"), "v1.0\nint a() {");
}

} // namespace
} // namespace emend
