// What every workspace promises, of either kind: a private tree that is the base byte for byte, and a true
// account of what was done to it.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/hash.hpp"
#include "tests/contract/git/git_fixture.hpp"

namespace emend {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WorkspaceContract : public GitTest, public testing::WithParamInterface<std::string> {
protected:
  void SetUp() override {
    if (overlay() && !overlay_works()) GTEST_SKIP() << "this system mounts no overlays";
  }
  [[nodiscard]] bool overlay() const { return GetParam() == "overlay"; }

  // A workspace on HEAD of the repository as it is now.
  Workspace& workspace(const Patch& patch = {}) {
    repository_ = opened({}, overlay());
    head_ = repository_->resolve("HEAD").value();
    return next_workspace(patch);
  }
  Workspace& next_workspace(const Patch& patch = {}) {
    workspace_.reset();
    auto made = repository_->make_workspace(head_, patch);
    EXPECT_TRUE(made) << made.error().message;
    workspace_ = std::move(*made);
    EXPECT_EQ(workspace_->kind(), GetParam());
    return *workspace_;
  }
  // What one command changes in a fresh workspace.
  Snapshot after(const std::string& script) {
    in_workspace(workspace(), script);
    return snapshot_of(*workspace_);
  }

  std::unique_ptr<Repository> repository_;
  std::unique_ptr<Workspace> workspace_;
  std::string head_;
};

INSTANTIATE_TEST_SUITE_P(Kinds, WorkspaceContract, testing::Values("overlay", "copy"),
                         [](const auto& kind) { return kind.param; });

TEST_P(WorkspaceContract, ShowsTheBaseWithoutHistory) {
  make_repository();
  const ProcessResult seen =
      in_workspace(workspace(), "cat src/a.c; test -x run.sh; test ! -x src/a.c; readlink link; ls -A");
  EXPECT_EQ(seen.out, "int a() {\n  return 1;\n}\nsrc/a.c\ndocs\nlink\nrun.sh\nsrc\n");
  const Snapshot snapshot = snapshot_of(*workspace_);
  EXPECT_TRUE(snapshot.patch.empty());
  EXPECT_THAT(snapshot.violations, IsEmpty());
  EXPECT_THAT(snapshot.notes, IsEmpty());
}

TEST_P(WorkspaceContract, SeesEditedNewRemovedAndRenamedFiles) {
  make_repository();
  const Snapshot snapshot = after(
      "echo '// more' >>src/a.c; mkdir -p new/deep; printf x >new/deep/file; rm src/b.c; mv run.sh start.sh");
  ASSERT_THAT(paths_of(snapshot.patch),
              ElementsAre("new/deep/file", "run.sh", "src/a.c", "src/b.c", "start.sh"));
  const FileChange& edited = *snapshot.patch.find("src/a.c");
  EXPECT_EQ(edited.old_content, "int a() {\n  return 1;\n}\n");
  EXPECT_EQ(edited.new_content, edited.old_content + "// more\n");
  EXPECT_EQ(edited.old_id, git({"rev-parse", "HEAD:src/a.c"}));
  EXPECT_EQ(edited.new_id, git_blob_id(edited.new_content, "sha1"));
  EXPECT_EQ(edited.new_mode, kModeFile);
  EXPECT_TRUE(snapshot.patch.find("new/deep/file")->added());
  EXPECT_TRUE(snapshot.patch.find("src/b.c")->deleted());
  EXPECT_TRUE(snapshot.patch.find("run.sh")->deleted());
  EXPECT_EQ(snapshot.patch.find("start.sh")->new_mode, kModeExecutable);
  EXPECT_THAT(snapshot.violations, IsEmpty());
}

TEST_P(WorkspaceContract, AFileWrittenBackAsItWasIsNoChange) {
  make_repository();
  EXPECT_TRUE(
      after("cp src/a.c ../tmp/x; rm src/a.c; cp ../tmp/x src/a.c; rm ../tmp/x; touch src/b.c; mkdir empty")
          .patch.empty());
}

TEST_P(WorkspaceContract, SeesModesLinksAndKindsThatChange) {
  make_repository();
  const Snapshot snapshot = after(
      "chmod +x src/a.c; chmod -x run.sh; rm link; ln -s src/b.c link; rm src/b.c; ln -s /etc/passwd "
      "src/b.c");
  ASSERT_THAT(paths_of(snapshot.patch), ElementsAre("link", "run.sh", "src/a.c", "src/b.c"));
  EXPECT_EQ(snapshot.patch.find("src/a.c")->new_mode, kModeExecutable);
  EXPECT_EQ(snapshot.patch.find("src/a.c")->new_id, snapshot.patch.find("src/a.c")->old_id);
  EXPECT_EQ(snapshot.patch.find("run.sh")->new_mode, kModeFile);
  EXPECT_EQ(snapshot.patch.find("link")->new_content, "src/b.c");
  EXPECT_EQ(snapshot.patch.find("src/b.c")->new_mode, kModeSymlink);
  EXPECT_EQ(snapshot.patch.find("src/b.c")->new_content,
            "/etc/passwd"); // the target, never what it points at
}

TEST_P(WorkspaceContract, FilesAndDirectoriesMayTakeEachOthersPlace) {
  make_repository();
  const Snapshot snapshot =
      after("rm -r docs; echo flat >docs; rm src/a.c; mkdir src/a.c; echo deep >src/a.c/x");
  ASSERT_THAT(paths_of(snapshot.patch), ElementsAre("docs", "docs/guide/intro.md", "src/a.c", "src/a.c/x"));
  EXPECT_TRUE(snapshot.patch.find("docs")->added());
  EXPECT_TRUE(snapshot.patch.find("docs/guide/intro.md")->deleted());
  EXPECT_TRUE(snapshot.patch.find("src/a.c")->deleted());
}

TEST_P(WorkspaceContract, ADirectoryRemovedAndMadeAgainHoldsOnlyWhatIsNew) {
  make_repository();
  const Snapshot snapshot = after("rm -r src; mkdir src; echo 'int a();' >src/a.c");
  ASSERT_THAT(paths_of(snapshot.patch), ElementsAre("src/a.c", "src/b.c"));
  EXPECT_EQ(snapshot.patch.find("src/a.c")->new_content, "int a();\n");
  EXPECT_TRUE(snapshot.patch.find("src/b.c")->deleted());
}

TEST_P(WorkspaceContract, ARenamedDirectoryIsItsFilesMoved) {
  make_repository();
  EXPECT_THAT(
      paths_of(after("mv src lib; mv docs/guide docs/book").patch),
      ElementsAre("docs/book/intro.md", "docs/guide/intro.md", "lib/a.c", "lib/b.c", "src/a.c", "src/b.c"));
}

TEST_P(WorkspaceContract, RemovingEverythingIsSeen) {
  make_repository();
  EXPECT_THAT(paths_of(after("rm -r ./*").patch),
              ElementsAre("docs/guide/intro.md", "link", "run.sh", "src/a.c", "src/b.c"));
}

TEST_P(WorkspaceContract, NamesAreBytes) {
  make_repository();
  const std::string longest(255, 'n');
  const std::vector<std::string> names = {"-rf", "a b",      "new\nline", "quote\"'\\", "\xff\xfe",
                                          "ä€",  ":(glob)x", longest,     "tab\there"};
  for (const std::string& name : names) write("odd/" + name, "base " + name);
  commit_all();
  const Snapshot snapshot = after(
      "for f in odd/*; do printf ' more' >>\"$f\"; done; printf fresh >\"$(printf "
      "'odd/fresh\\377\\n\"name')\"");
  ASSERT_EQ(snapshot.patch.changes.size(), names.size() + 1);
  for (const std::string& name : names) {
    const FileChange* change = snapshot.patch.find("odd/" + name);
    ASSERT_NE(change, nullptr) << name;
    EXPECT_EQ(change->new_content, "base " + name + " more");
  }
  ASSERT_NE(snapshot.patch.find("odd/fresh\xff\n\"name"), nullptr);
  const std::string commit = repository_->commit(request_for(head_, snapshot.patch)).value();
  EXPECT_EQ(repository_->diff(head_, commit).value().sha256(), snapshot.patch.sha256());
}

TEST_P(WorkspaceContract, BytesAreNeverConverted) {
  make_repository();
  const std::string crlf = "one\r\ntwo\r\n", latin = "caf\xe9 $Id$ \xff\n", binary("\0\1\2\r\n\0", 6);
  write("crlf.txt", crlf);
  write("latin.txt", latin);
  write("image.bin", binary);
  write("utf16.txt", "plain\n");
  git({"add", "-A"});
  git({"commit", "-q", "-m", "bytes"});
  // Attributes that would rewrite all of it on checkout, and a filter driver that would run.
  write(".gitattributes",
        "[attr]spoil filter=evil\n*.txt text eol=crlf ident spoil\n*.bin filter=evil\nutf16.txt "
        "working-tree-encoding=UTF-16\n");
  sh("git config filter.evil.smudge 'touch " + path("smudged") +
     "; echo evil'; git config filter.evil.clean 'touch " + path("cleaned") +
     "; echo evil'; git config filter.evil.required true");
  sh("git add .gitattributes; git -c filter.evil.clean=cat -c filter.evil.smudge=cat commit -qm attributes; "
     "rm -f " +
     path("cleaned"));
  in_workspace(workspace(),
               "cp crlf.txt latin.txt image.bin utf16.txt \"$TMPDIR\"; printf 'three\\r\\n' >>crlf.txt");
  EXPECT_EQ(read_file(workspace_->temp_dir() + "/crlf.txt").value(), crlf);
  EXPECT_EQ(read_file(workspace_->temp_dir() + "/latin.txt").value(), latin);
  EXPECT_EQ(read_file(workspace_->temp_dir() + "/image.bin").value(), binary);
  EXPECT_EQ(read_file(workspace_->temp_dir() + "/utf16.txt").value(), "plain\n");
  const Snapshot snapshot = snapshot_of(*workspace_);
  ASSERT_THAT(paths_of(snapshot.patch), ElementsAre("crlf.txt"));
  EXPECT_EQ(snapshot.patch.changes[0].new_content, crlf + "three\r\n");
  const std::string commit = repository_->commit(request_for(head_, snapshot.patch)).value();
  EXPECT_EQ(repository_->read(commit, "crlf.txt").value(), crlf + "three\r\n");
  EXPECT_FALSE(fs::exists(path("smudged")));
  EXPECT_FALSE(fs::exists(path("cleaned")));
}

TEST_P(WorkspaceContract, AnEditThatHidesFromTimesAndSizesIsSeen) {
  make_repository();
  const Snapshot snapshot =
      after("touch -r src/a.c \"$TMPDIR/t\"; sed -i s/1/7/ src/a.c; touch -r \"$TMPDIR/t\" src/a.c");
  ASSERT_THAT(paths_of(snapshot.patch), ElementsAre("src/a.c"));
  EXPECT_EQ(snapshot.patch.changes[0].new_content, "int a() {\n  return 7;\n}\n");
}

TEST_P(WorkspaceContract, IgnoreRulesHideNothing) {
  make_repository();
  write(".gitignore", "*.log\nconftest.py\n");
  commit_all();
  const Snapshot snapshot =
      after("echo 'secret*' >>.gitignore; touch x.log conftest.py secret; mkdir build; touch build/out.log");
  EXPECT_THAT(paths_of(snapshot.patch),
              ElementsAre(".gitignore", "build/out.log", "conftest.py", "secret", "x.log"));
  EXPECT_TRUE(repository_->is_ignored(head_, "build/out.log").value());
  EXPECT_TRUE(repository_->is_ignored(head_, "conftest.py").value());
  EXPECT_FALSE(repository_->is_ignored(head_, "secret").value()); // the base's rules, not the agent's
  EXPECT_FALSE(repository_->is_ignored(head_, ":(glob)**").value());
}

TEST_P(WorkspaceContract, LinksToOutsideFilesAreViolations) {
  make_repository();
  const Snapshot snapshot =
      after("ln src/a.c twin; echo outside >\"$TMPDIR/o\"; ln \"$TMPDIR/o\" src/o 2>/dev/null || true");
  EXPECT_THAT(snapshot.violations, Contains("hard link: src/a.c"));
  EXPECT_THAT(snapshot.violations, Contains("hard link: twin"));
  EXPECT_EQ(snapshot.patch.find("twin"), nullptr);
  if (!overlay()) {
    EXPECT_THAT(snapshot.violations, Contains("hard link: src/o"));
  }
}

TEST_P(WorkspaceContract, FifosSocketsAndSetuidAreViolationsAndBlockNothing) {
  make_repository();
  const Snapshot snapshot = after(
      "mkfifo pipe; rm src/b.c; mkfifo src/b.c; perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0); "
      "bind(S,sockaddr_un(\"sock\"))';"
      "echo x >tool; chmod 4755 tool");
  EXPECT_THAT(snapshot.violations,
              ElementsAre("fifo: pipe", "fifo: src/b.c", "socket: sock", "special mode bits: tool"));
  EXPECT_TRUE(snapshot.patch.empty());
}

TEST_P(WorkspaceContract, ItsOwnRepositoryIsIgnoredANestedOneIsNot) {
  make_repository();
  const Snapshot snapshot = after(
      "git init -q .; git config user.name x; git config user.email x@x; git add -A; git commit -qm mine; "
      "echo '// x' >>src/a.c;"
      "git stash -q; git stash pop -q; mkdir sub; git init -q sub; echo hidden >sub/evil.py; mkdir -p "
      "deep/.GIT; echo x >deep/.GIT/config");
  EXPECT_THAT(snapshot.notes, ElementsAre("the agent made its own .git; ignored"));
  EXPECT_THAT(snapshot.violations, ElementsAre("nested repository: deep", "nested repository: sub"));
  EXPECT_THAT(paths_of(snapshot.patch), ElementsAre("src/a.c", "sub/evil.py"));
}

TEST_P(WorkspaceContract, AnAgentHasARepositoryOfOneCommit) {
  make_repository();
  Workspace& place = workspace();
  ASSERT_TRUE(place.make_repository()) << place.make_repository().error().message;
  ASSERT_TRUE(place.make_repository()) << "a second time is nothing new";
  const ProcessResult seen = in_workspace(
      place,
      "set -e; git status --short; git log --oneline | wc -l; git show HEAD:src/a.c | cmp - src/a.c && echo "
      "same; "
      "git remote | wc -l; git branch -a | wc -l; echo '// x' >>src/a.c; git diff --stat | wc -l; git stash "
      "-q; "
      "git diff --stat | wc -l; git stash pop -q; git blame -s src/a.c >/dev/null; git commit -qam mine; git "
      "log --oneline | wc -l; git gc -q");
  EXPECT_EQ(seen.out, "1\nsame\n0\n1\n2\n0\n2\n") << seen.err;
  const Snapshot snapshot = snapshot_of(place);
  EXPECT_THAT(paths_of(snapshot.patch), ElementsAre("src/a.c"));
  EXPECT_THAT(snapshot.notes, IsEmpty());
  EXPECT_THAT(snapshot.violations, IsEmpty());
}

TEST_P(WorkspaceContract, WhatAnAgentDoesToItsRepositoryChangesNothingOutside) {
  make_repository();
  Workspace& place = workspace();
  const std::string before = git({"count-objects", "-v"}) + git({"for-each-ref"}) + git({"fsck"});
  ASSERT_TRUE(place.make_repository());
  in_workspace(place,
               "git checkout -qb other; git commit -q --allow-empty -m x; chmod -R u+w .git; rm -rf "
               ".git/objects/*; echo broken >.git/HEAD; rm -rf .git/refs .git/index; echo x >>src/a.c");
  EXPECT_THAT(paths_of(snapshot_of(place).patch), ElementsAre("src/a.c"));
  EXPECT_EQ(git({"count-objects", "-v"}) + git({"for-each-ref"}) + git({"fsck"}), before);
  Workspace& next = next_workspace();
  ASSERT_TRUE(next.make_repository());
  EXPECT_EQ(in_workspace(next, "git status --short; git log --oneline | wc -l").out, "1\n");
}

// Places are used again, so nothing of what a child did to one may reach the next.
TEST_P(WorkspaceContract, NothingIsLeftForTheNextOne) {
  make_repository();
  const std::string look =
      "stat -c %a . .. ../home ../tmp /tmp; ls -A . .. ../home ../tmp; cat src/a.c; ls /tmp | grep left || "
      "true";
  const ProcessResult fresh = in_workspace(workspace(), look);
  std::vector<std::string> mischiefs = {"true",
                                        "echo x >left; echo x >>src/a.c; rm src/b.c",
                                        "echo x >../home/left; mkdir -p ../tmp/left/deep",
                                        "chmod 711 ../home; chmod 500 ../tmp",
                                        "chmod 711 .",
                                        "echo x >../left; mkdir ../other",
                                        "chmod 711 ..",
                                        "rm -rf .git 2>/dev/null || true; mkdir -p .git; echo x >.git/left"};
  if (overlay()) mischiefs.emplace_back("echo x >/tmp/left-$$"); // the other kind has the machine's own
  for (const std::string& mischief : mischiefs) {
    Workspace& used = next_workspace();
    ASSERT_TRUE(used.make_repository());
    in_workspace(used, mischief);
    Workspace& next = next_workspace();
    EXPECT_EQ(in_workspace(next, look).out, fresh.out) << mischief;
    EXPECT_TRUE(snapshot_of(next).patch.empty()) << mischief;
  }
}

TEST_P(WorkspaceContract, WhatIsInUseIsNotTidiedUpHoweverOldItIs) {
  make_repository();
  ASSERT_TRUE(workspace().make_repository());
  sh("find " + home_ + "/repositories -depth -exec touch -h -d '2 days ago' {} +");
  opened({}, overlay())->clean_leftovers(); // another process
  Workspace& next = next_workspace();
  ASSERT_TRUE(next.make_repository());
  EXPECT_EQ(in_workspace(next, "git status --short; git log --oneline | wc -l").out, "1\n");
}

TEST_P(WorkspaceContract, PermissionGamesHideNothingAndAreCleanedUp) {
  make_repository();
  in_workspace(workspace(),
               "mkdir -p dark/deep; echo x >dark/deep/f; chmod 000 dark/deep/f dark/deep dark; chmod 000 "
               "src/a.c; chmod 500 src");
  const Snapshot snapshot = snapshot_of(*workspace_);
  EXPECT_THAT(paths_of(snapshot.patch), ElementsAre("dark/deep/f"));
  EXPECT_EQ(snapshot.patch.changes[0].new_content, "x\n");
  const fs::path place = fs::path(workspace_->path()).parent_path();
  workspace_.reset();
  repository_.reset();
  EXPECT_FALSE(fs::exists(place));
}

TEST_P(WorkspaceContract, SubmodulesAreReadOnly) {
  make_repository();
  sh("git init -q " + path("other") + "; cd " + path("other") + "; git commit -q --allow-empty -m x");
  sh("git -c protocol.file.allow=always submodule --quiet add " + path("other") +
     " vendor/mod; git commit -qm mod");
  EXPECT_TRUE(after("test -d vendor/mod; test -z \"$(ls -A vendor/mod)\"").patch.empty());
  EXPECT_TRUE(after("rmdir vendor/mod").patch.empty()); // an empty directory is nothing to git
  Snapshot snapshot = after("echo x >vendor/mod/f; mkdir vendor/mod/d");
  EXPECT_THAT(snapshot.violations, ElementsAre("inside submodule: vendor/mod"));
  EXPECT_TRUE(snapshot.patch.empty());
  snapshot = after("rmdir vendor/mod; echo x >vendor/mod");
  EXPECT_THAT(snapshot.violations, ElementsAre("inside submodule: vendor/mod"));
  EXPECT_TRUE(snapshot.patch.empty());
}

TEST_P(WorkspaceContract, StartsWithAPatchAndReportsAgainstTheBase) {
  make_repository();
  repository_ = opened({}, overlay());
  head_ = repository_->resolve("HEAD").value();
  const Patch start = patch_of(*repository_, head_,
                               {{"src/a.c", "patched\n"},
                                {"src/b.c", std::nullopt},
                                {"docs/guide/intro.md", std::nullopt},
                                {"docs", "flat\n"},
                                {"link", std::nullopt},
                                {"link/inside", "now a directory\n"},
                                {"tool", "#!/bin/sh\n", kModeExecutable}});
  next_workspace(start);
  const ProcessResult seen =
      in_workspace(*workspace_, "cat src/a.c docs link/inside; test -x tool; ls -A . src link");
  EXPECT_EQ(
      seen.out,
      "patched\nflat\nnow a directory\n.:\ndocs\nlink\nrun.sh\nsrc\ntool\n\nlink:\ninside\n\nsrc:\na.c\n");
  EXPECT_EQ(snapshot_of(*workspace_).patch.sha256(), start.sha256());
  in_workspace(*workspace_, "rm tool; echo more >>src/a.c; printf 'int b() {\\n  return 2;\\n}\\n' >src/b.c");
  const Snapshot snapshot = snapshot_of(*workspace_);
  EXPECT_THAT(paths_of(snapshot.patch),
              ElementsAre("docs", "docs/guide/intro.md", "link", "link/inside", "src/a.c"));
  EXPECT_EQ(snapshot.patch.find("src/a.c")->old_content, "int a() {\n  return 1;\n}\n");
  EXPECT_EQ(snapshot.patch.find("src/a.c")->new_content, "patched\nmore\n");
}

TEST_P(WorkspaceContract, ADirectoryThePatchEmptiesIsGone) {
  make_repository();
  repository_ = opened({}, overlay());
  head_ = repository_->resolve("HEAD").value();
  next_workspace(patch_of(*repository_, head_, {{"docs/guide/intro.md", std::nullopt}}));
  in_workspace(*workspace_, "test ! -e docs");
  EXPECT_THAT(paths_of(snapshot_of(*workspace_).patch), ElementsAre("docs/guide/intro.md"));
}

TEST_P(WorkspaceContract, OneWorkspaceNeverSeesAnothersWork) {
  make_repository();
  in_workspace(workspace(),
               "echo mine >mine; rm src/a.c; echo changed >src/b.c; chmod 777 run.sh; git init -q .; mkdir "
               "-p e/m/p; ln -s x new;"
               "mkfifo f; rm link; ln -s elsewhere link; echo x >\"$HOME/rc\"; echo x >\"$TMPDIR/t\"");
  const auto second = repository_->make_workspace(head_, {}).value();
  for (int i = 0; i < 3; ++i) {
    Workspace* fresh = i == 0 ? second.get() : &next_workspace();
    const ProcessResult seen = in_workspace(*fresh,
                                            "find . -printf '%y %P %l\\n' | sort; cat src/b.c; ls -A "
                                            "\"$HOME\" \"$TMPDIR\" | grep -v : | grep . || true");
    EXPECT_EQ(seen.out,
              "d  \nd docs \nd docs/guide \nd src \nf docs/guide/intro.md \nf run.sh \nf src/a.c \nf src/b.c "
              "\nl link src/a.c\nint b() {\n "
              " return 2;\n}\n");
    EXPECT_TRUE(snapshot_of(*fresh).patch.empty());
    in_workspace(*fresh, "echo dirty >dirty; echo dirty >src/a.c"); // for the next one
  }
}

TEST_P(WorkspaceContract, AWriterThatDoesNotStopIsNoticed) {
  make_repository();
  workspace();
  const std::string place = overlay() ? workspace_->overlay().upper : workspace_->path();
  std::atomic<bool> stop{false};
  std::atomic<int> written{0};
  std::vector<std::thread>
      writers; // several, so that on a busy machine at least one of them runs between two looks
  for (int id = 0; id < 6; ++id)
    writers.emplace_back([&, file_name = place + "/late-" + std::to_string(id)] {
      while (!stop) {
        FILE* file = std::fopen(file_name.c_str(), "w");
        std::fprintf(file, "%d", ++written);
        std::fclose(file);
      }
    });
  while (written < 10) std::this_thread::yield();
  Snapshot snapshot;
  for (int i = 0; i < 500 && snapshot.violations.empty(); ++i) snapshot = snapshot_of(*workspace_);
  stop = true;
  for (std::thread& writer : writers) writer.join();
  ASSERT_THAT(snapshot.violations, ElementsAre(HasSubstr("still changing")));
  EXPECT_TRUE(snapshot.patch.empty());
  EXPECT_THAT(paths_of(snapshot_of(*workspace_).patch),
              testing::SizeIs(6)); // and when it has stopped, all is well
}

TEST_P(WorkspaceContract, LimitsAreViolationsNotCrashes) {
  make_repository();
  const Snapshot large = after("truncate -s 100000001 large.bin; echo x >small");
  EXPECT_THAT(large.violations, ElementsAre(HasSubstr("large.bin")));
  EXPECT_THAT(paths_of(large.patch), ElementsAre("small"));
  in_workspace(next_workspace(), "mkdir many; cd many; seq 1 20001 | xargs touch");
  const Snapshot many = snapshot_of(*workspace_);
  EXPECT_THAT(many.violations, ElementsAre(HasSubstr("too many changed files: 20001")));
  EXPECT_TRUE(many.patch.empty());
}

TEST_P(WorkspaceContract, VeryDeepTreesAreAViolation) {
  make_repository();
  const Snapshot snapshot =
      after("perl -e 'my $n = \"d\" x 200; for (1..40) { mkdir $n; chdir $n or die } open(F, \">\", \"f\")'");
  EXPECT_THAT(snapshot.violations, ElementsAre(HasSubstr("path too long")));
  EXPECT_TRUE(snapshot.patch.empty());
}

TEST_P(WorkspaceContract, LeftoversOfADeadEngineAreRemovedAndLivingOnesKept) {
  make_repository();
  workspace();
  const fs::path state = fs::path(home_) / "repositories" / repository_->id();
  for (const char* part : {"workspaces", "layers"}) {
    ASSERT_TRUE(write_file(state / part / "999999-1-abc" / "tree" / "f", "x"));
    fs::permissions(state / part / "999999-1-abc" / "tree", fs::perms::none);
  }
  ASSERT_TRUE(write_file(state / "owners" / "999999-1-abc", ""));
  ASSERT_TRUE(write_file(state / "bases" / "new-xyz" / "tree" / "half", "x"));
  repository_->clean_leftovers();
  EXPECT_FALSE(fs::exists(state / "workspaces" / "999999-1-abc"));
  EXPECT_FALSE(fs::exists(state / "layers" / "999999-1-abc"));
  EXPECT_FALSE(fs::exists(state / "owners" / "999999-1-abc"));
  EXPECT_FALSE(fs::exists(state / "bases" / "new-xyz"));
  in_workspace(*workspace_, "echo still here >f");
  EXPECT_THAT(paths_of(snapshot_of(*workspace_).patch), ElementsAre("f"));
}

TEST_P(WorkspaceContract, TheFirstWorkspaceTakesDeadOnesAway) {
  make_repository();
  workspace();
  const fs::path state = fs::path(home_) / "repositories" / repository_->id();
  ASSERT_TRUE(write_file(state / "workspaces" / "999999-1-abc" / "tree" / "f", "x"));
  const auto other =
      opened(); // as a review or a question to an agent does: it never holds the repository's lock
  ASSERT_TRUE(other->make_workspace(other->resolve("HEAD").value(), Patch{}));
  EXPECT_FALSE(fs::exists(state / "workspaces" / "999999-1-abc"));
  in_workspace(*workspace_, "echo still here >f");
  EXPECT_THAT(paths_of(snapshot_of(*workspace_).patch), ElementsAre("f"));
}

TEST_P(WorkspaceContract, WhatStillRunsOnADeadEnginesWorkspaceIsEnded) {
  make_repository();
  workspace();
  const std::string state = home_ + "/repositories/" + repository_->id();
  ASSERT_TRUE(write_file(state + "/owners/999999-1-abc", ""));
  const auto start = [&](const std::string& variable) {
    const char* const variables[] = {variable.c_str(), nullptr};
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::execle("/bin/sleep", "sleep", "600", nullptr, variables);
      ::_exit(127);
    }
    return pid;
  };
  const pid_t orphan = start("TMPDIR=" + state + "/workspaces/999999-1-abc/tmp"),
              other = start("TMPDIR=" + workspace_->temp_dir());
  std::jthread rescue([orphan](const std::stop_token& stop) { // the test must not wait ten minutes to fail
    for (int i = 0; i < 1'000 && !stop.stop_requested(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (!stop.stop_requested()) ::kill(orphan, SIGTERM);
  });
  const auto environment = [&] {
    return read_file("/proc/" + std::to_string(orphan) + "/environ").value_or("");
  };
  while (!environment().starts_with("TMPDIR=" + state))
    std::this_thread::sleep_for(std::chrono::milliseconds(1)); // it is what it will be
  repository_->clean_leftovers();
  int status = 0;
  EXPECT_EQ(::waitpid(orphan, &status, 0), orphan);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  EXPECT_EQ(::waitpid(other, &status, WNOHANG), 0) << "what belongs to a living workspace goes on";
  ::kill(other, SIGKILL);
  ::waitpid(other, &status, 0);
}

TEST_P(WorkspaceContract, ManyThreadsMayAskAtOnce) {
  make_repository();
  repository_ = opened({}, overlay());
  head_ = repository_->resolve("HEAD").value();
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      const Patch patch = patch_of(*repository_, head_, {{"n" + std::to_string(i), "x\n"}});
      auto made = repository_->make_workspace(head_, patch);
      if (made && (*made)->snapshot().value().patch.sha256() == patch.sha256()) ++good;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 6);
}

} // namespace emend
