// The checkouts workspaces start from: shared, cheap to use again, and never what somebody else made of them.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/contract/git/git_fixture.hpp"

namespace emend {

using testing::ElementsAre;
using testing::IsEmpty;

class BaseCheckoutTest : public GitTest {
protected:
  fs::path bases(Repository& repository) const {
    return fs::path(home_) / "repositories" / repository.id() / "bases";
  }
  std::vector<std::string> kept(Repository& repository) const {
    std::vector<std::string> names;
    for (const auto& item : fs::directory_iterator(bases(repository)))
      if (item.is_directory()) names.push_back(item.path().filename().string());
    return names;
  }
};

TEST_F(BaseCheckoutTest, AnOverlayWorkspaceOnALargeTreeCopiesNothing) {
  if (!overlay_works()) GTEST_SKIP() << "this system mounts no overlays";
  make_repository();
  sh("for d in $(seq 1 50); do mkdir -p big/$d; for f in $(seq 1 100); do echo $d $f >big/$d/$f; done; done");
  commit_all();
  const auto repository = opened({}, true);
  const std::string head = repository->resolve("HEAD").value();
  const auto first = repository->make_workspace(head, {}).value();
  const auto second = repository->make_workspace(head, {}).value();
  for (Workspace* workspace : {first.get(), second.get()}) {
    EXPECT_EQ(workspace->kind(), "overlay");
    EXPECT_TRUE(fs::is_empty(workspace->overlay().upper));
    EXPECT_TRUE(fs::is_empty(workspace->path()));
    EXPECT_EQ(workspace->overlay().lower, first->overlay().lower);
  }
  in_workspace(*second, "test $(find big -type f | wc -l) = 5000; echo x >>big/7/7");
  EXPECT_THAT(paths_of(snapshot_of(*second).patch), ElementsAre("big/7/7"));
  EXPECT_TRUE(snapshot_of(*first).patch.empty());
}

TEST_F(BaseCheckoutTest, TheEngineStateIsHiddenFromTheChild) {
  if (!overlay_works()) GTEST_SKIP() << "this system mounts no overlays";
  make_repository();
  ASSERT_TRUE(write_file(path("engine/emend.db"), "secret"));
  ASSERT_TRUE(write_file(path("engine/sessions/s1/prompt.md"), "secret"));
  ASSERT_TRUE(write_file(path("engine/agents/of-the-person"), "theirs"));
  ASSERT_TRUE(write_file(path("engine/repositories/another/git/HEAD"), "secret"));
  const auto repository = opened({}, true);
  const std::string head = repository->resolve("HEAD").value();
  const auto first = repository->make_workspace(head, {}).value();
  const auto second = repository->make_workspace(head, {}).value();
  ASSERT_TRUE(write_file(first->home_dir() + "/mine", "private"));
  const ProcessResult seen =
      in_workspace(*second, "cd " + home_ + "; find . -type f -size +0 | sort; test -f " + second->path() +
                                "/src/a.c; echo x >" + second->home_dir() + "/ok; ls -A " +
                                first->home_dir() + " 2>/dev/null || echo hidden");
  EXPECT_THAT(seen.out, testing::Not(testing::HasSubstr("emend.db")));
  EXPECT_THAT(seen.out, testing::Not(testing::HasSubstr("prompt.md")));
  EXPECT_THAT(seen.out, testing::HasSubstr("of-the-person"));
  EXPECT_THAT(seen.out, testing::Not(testing::HasSubstr("HEAD")));
  EXPECT_THAT(seen.out, testing::Not(testing::HasSubstr("bases")));
  EXPECT_THAT(seen.out, testing::HasSubstr("hidden"));
}

TEST_F(BaseCheckoutTest, ASpoiledBaseIsMadeAgain) {
  make_repository();
  const std::string head = git({"rev-parse", "HEAD"});
  for (const std::string spoil : {"printf 'int a() {\\n  return 9;\\n}\\n' >src/a.c", "rm src/a.c",
                                  "echo x >extra", "chmod -x run.sh"}) {
    fs::path base;
    {
      const auto repository = opened();
      ASSERT_TRUE(repository->make_workspace(head, {}));
      base = bases(*repository) / git({"rev-parse", "HEAD^{tree}"});
      ASSERT_TRUE(fs::exists(base / "src/a.c")) << spoil;
    }
    sh(spoil, base.string());
    const auto repository = opened();
    const auto workspace = repository->make_workspace(head, {}).value();
    EXPECT_EQ(read_file(fs::path(workspace->path()) / "src/a.c").value(), "int a() {\n  return 1;\n}\n")
        << spoil;
    EXPECT_TRUE(snapshot_of(*workspace).patch.empty()) << spoil;
    EXPECT_FALSE(fs::exists(base / "extra"));
  }
}

TEST_F(BaseCheckoutTest, ASpoiledBaseIsNoticedWhileTheEngineRuns) {
  make_repository();
  const auto repository = opened();
  const std::string head = git({"rev-parse", "HEAD"});
  ASSERT_TRUE(repository->make_workspace(head, {}));
  const fs::path base = bases(*repository) / git({"rev-parse", "HEAD^{tree}"});
  sh("sed -i s/1/8/ src/a.c", base.string());
  const auto workspace = repository->make_workspace(head, {}).value();
  EXPECT_EQ(read_file(base / "src/a.c").value(), "int a() {\n  return 1;\n}\n");
  EXPECT_TRUE(snapshot_of(*workspace).patch.empty());
}

TEST_F(BaseCheckoutTest, AHalfMadeBaseIsNotTakenForOne) {
  make_repository();
  const auto repository = opened();
  const std::string tree = git({"rev-parse", "HEAD^{tree}"});
  ASSERT_TRUE(write_file(bases(*repository) / tree / "src" / "a.c", "half")); // as if the machine had stopped
  const auto workspace = repository->make_workspace(git({"rev-parse", "HEAD"}), {}).value();
  EXPECT_TRUE(snapshot_of(*workspace).patch.empty());
  EXPECT_TRUE(fs::exists(fs::path(workspace->path()) / "src/b.c"));
}

TEST_F(BaseCheckoutTest, OnlyAFewAreKeptAndNeverOneInUseIsRemoved) {
  if (!overlay_works()) GTEST_SKIP() << "this system mounts no overlays";
  make_repository();
  const auto repository = opened({}, true);
  const auto first = repository->make_workspace(git({"rev-parse", "HEAD"}), {}).value();
  for (int i = 0; i < 7; ++i) {
    write("n", std::to_string(i));
    ASSERT_TRUE(repository->make_workspace(commit_all(), {}));
  }
  EXPECT_LE(kept(*repository).size(), 5U);
  EXPECT_GE(kept(*repository).size(), 3U);
  in_workspace(*first, "test -f src/a.c; test ! -e n; echo x >new");
  EXPECT_THAT(paths_of(snapshot_of(*first).patch), ElementsAre("new"));
}

TEST_F(BaseCheckoutTest, TwoEnginesMayWorkOnOneRepository) {
  make_repository();
  const auto one = opened();
  const auto two = opened();
  const std::string head = git({"rev-parse", "HEAD"});
  const auto first = one->make_workspace(head, {}).value();
  const auto second = two->make_workspace(head, {}).value();
  two->clean_leftovers();
  EXPECT_NE(first->path(), second->path());
  EXPECT_TRUE(snapshot_of(*first).patch.empty());
  EXPECT_TRUE(snapshot_of(*second).patch.empty());
}

} // namespace emend
