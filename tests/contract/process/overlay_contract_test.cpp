// Private file trees: what a child writes lands beside the base, never in it.
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "adapters/process/overlay_probe.hpp"
#include "base/parallel.hpp"
#include "tests/contract/process/process_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

class OverlayContract : public ProcessTest, public testing::WithParamInterface<Mode> {
protected:
  OverlayContract() : ProcessTest(GetParam()) {}

  void SetUp() override {
    if (!overlay_supported(runner_, scratch_)) GTEST_SKIP() << "this machine has no overlay mounts for us";
    for (const char* name : {"lower", "upper", "work", "target", "state"})
      std::filesystem::create_directory(root_ / name);
    write_text(root_ / "lower/a.txt", "base a\n");
    write_text(root_ / "lower/b.txt", "base b\n");
    write_text(root_ / "state/secret", "engine\n");
  }

  ProcessSpec in_overlay(const std::string& text) const {
    ProcessSpec spec = script(text);
    spec.cwd = root_ / "target";
    spec.overlay = {root_ / "lower", root_ / "upper", root_ / "work", root_ / "target", {root_ / "state"}};
    return spec;
  }

  // Characters that mean something in mount options.
  std::filesystem::path root_ = [this] {
    std::filesystem::create_directory(scratch_ / "odd:name,with\\all");
    return scratch_ / "odd:name,with\\all";
  }();
};

INSTANTIATE_TEST_SUITE_P(Modes, OverlayContract, testing::Values(Mode::namespaces, Mode::tree), mode_name);

TEST_P(OverlayContract, WritesLandInUpper) {
  const ProcessResult result =
      run(in_overlay("pwd; cat a.txt; echo changed >a.txt; rm b.txt; mkdir d; echo new >d/c.txt; cat a.txt"));
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.out, (root_ / "target").string() + "\nbase a\nchanged\n");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(read_text(root_ / "lower/a.txt"), "base a\n");
  EXPECT_EQ(read_text(root_ / "lower/b.txt"), "base b\n");
  EXPECT_EQ(read_text(root_ / "upper/a.txt"), "changed\n");
  EXPECT_EQ(read_text(root_ / "upper/d/c.txt"), "new\n");
  struct stat whiteout;
  ASSERT_EQ(::lstat((root_ / "upper/b.txt").c_str(), &whiteout), 0);
  EXPECT_TRUE(S_ISCHR(whiteout.st_mode) && whiteout.st_rdev == 0);
  EXPECT_TRUE(std::filesystem::is_empty(root_ / "target")) << "the mount is visible outside";
}

TEST_P(OverlayContract, TheNextChildSeesWhatTheLastOneDid) {
  EXPECT_TRUE(run(in_overlay("echo more >>a.txt")).ok());
  EXPECT_EQ(run(in_overlay("cat a.txt")).out, "base a\nmore\n");
}

TEST_P(OverlayContract, ATreeToLookAtCanBeSharedAndNotChanged) {
  ASSERT_TRUE(run(in_overlay("echo changed > a.txt; rm b.txt; mkdir d; echo new > d/c.txt")).ok());
  std::filesystem::create_directory(root_ / "meeting");
  std::filesystem::permissions(root_ / "meeting", std::filesystem::perms::all);
  const std::string text =
      "touch \"$MEETING/$ME\"; until [ -e \"$MEETING/$OTHER\" ]; do sleep 0.01; done\n"
      "cat a.txt d/c.txt; ls; echo more >> a.txt || echo refused; rm -f d/c.txt || echo refused; touch e || "
      "echo refused";
  std::string out[2];
  parallel_for(2, 2, [&](std::size_t i) {
    ProcessSpec spec = in_overlay(text);
    spec.overlay.work.clear();
    spec.env.insert(spec.env.end(), {"MEETING=" + (root_ / "meeting").string(), i == 0 ? "ME=one" : "ME=two",
                                     i == 0 ? "OTHER=two" : "OTHER=one"});
    spec.wall_limit_ms = 60'000;
    out[i] = run(spec).out;
  });
  for (const std::string& seen : out) EXPECT_EQ(seen, "changed\nnew\na.txt\nd\nrefused\nrefused\nrefused\n");
  EXPECT_EQ(read_text(root_ / "upper/a.txt"), "changed\n");
}

TEST_P(OverlayContract, HiddenDirectoriesAreEmptyAndReadOnly) {
  ProcessSpec spec = in_overlay("ls -A \"$STATE\" | wc -l; touch \"$STATE/x\" 2>/dev/null || echo refused");
  spec.env.push_back("STATE=" + (root_ / "state").string());
  spec.overlay.hidden.push_back(root_ / "not-there");
  EXPECT_EQ(run(spec).out, "0\nrefused\n");
  EXPECT_EQ(read_text(root_ / "state/secret"), "engine\n");
}

TEST_P(OverlayContract, HiddenFilesAreEmptyAndKeepTheirBytes) {
  ProcessSpec spec = in_overlay("cat \"$FILE\"; echo spoiled > \"$FILE\"; echo done");
  const auto file = root_ / "engine.db";
  std::ofstream(file) << "engine\n";
  spec.env.push_back("FILE=" + file.string());
  spec.overlay.hidden.push_back(file);
  EXPECT_EQ(run(spec).out, "done\n");
  EXPECT_EQ(read_text(file), "engine\n");
}

TEST_P(OverlayContract, TheBaseMayLieInAHiddenDirectory) {
  std::filesystem::rename(root_ / "lower", root_ / "state/lower");
  ProcessSpec spec = in_overlay("cat a.txt; test ! -e ../state/lower && echo hidden");
  spec.overlay.lower = root_ / "state/lower";
  EXPECT_EQ(run(spec).out, "base a\nhidden\n");
}

TEST_P(OverlayContract, RunsNothingWhenTheMountFails) {
  ProcessSpec spec = in_overlay("touch ran");
  spec.overlay.lower = root_ / "missing";
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::not_started);
  EXPECT_EQ(result.problem, "the private file tree could not be mounted at " + spec.overlay.target +
                                ": No such file or directory");
  EXPECT_TRUE(std::filesystem::is_empty(root_ / "target"));
}

TEST_P(OverlayContract, RefusesATreeInsideAHiddenDirectory) {
  ProcessSpec spec = in_overlay("touch ran");
  spec.overlay.hidden = {root_.string()};
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::not_started);
  EXPECT_NE(result.problem.find("hidden"), std::string::npos);
}

TEST_P(OverlayContract, TheProbeCleansUp) {
  EXPECT_TRUE(overlay_supported(EMEND_EXEC_BINARY, root_ / "work"));
  EXPECT_TRUE(std::filesystem::is_empty(root_ / "work"));
  EXPECT_FALSE(overlay_supported(runner_, root_ / "missing"));
}

TEST_P(OverlayContract, ProbesOfDeadProcessesAreTakenAway) {
  namespace fs = std::filesystem;
  const fs::path dead = root_ / "work/overlay-probe-dead", young = root_ / "work/overlay-probe-young";
  for (const fs::path& probe : {dead, young}) fs::create_directories(probe / "work/work");
  fs::last_write_time(dead, fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_TRUE(overlay_supported(runner_, root_ / "work"));
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(young));
}

} // namespace emend
