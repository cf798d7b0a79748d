// How a child sees the machine when it must not be able to tell who started it: where its tree stands, what
// is seen at a second place, its host name and process ids.
#include <unistd.h>

#include <filesystem>

#include "adapters/process/overlay_probe.hpp"
#include "tests/contract/process/process_fixture.hpp"

namespace emend {

namespace fs = std::filesystem;

class LookContract : public ProcessTest {
protected:
  LookContract() : ProcessTest(Mode::namespaces) {}

  void SetUp() override {
    if (runner_.sandbox().value_or(SandboxKind::none) != SandboxKind::full ||
        !overlay_supported(runner_, scratch_))
      GTEST_SKIP() << "this machine has no overlay mounts for us";
    for (const char* name : {"engine/mine/tree", "checkout", "layer/upper", "layer/work", "objects/upper",
                             "objects/work", "lower", "second", "other"})
      fs::create_directories(scratch_ / name);
    write_text(scratch_ / "engine/mine/tree/file", "of the tree\n");
    write_text(scratch_ / "checkout/file", "of the person\n");
    write_text(scratch_ / "lower/object", "lower\n");
    write_text(scratch_ / "second/object", "second\n");
    write_text(scratch_ / "second/more", "more\n");
    write_text(scratch_ / "hosts", "127.0.0.1 elsewhere\n");
  }

  ProcessSpec check(const std::string& text) const {
    ProcessSpec spec = script(text);
    spec.cwd = scratch_ / "checkout";
    spec.env.push_back("S=" + scratch_.string());
    spec.overlay.target = scratch_ / "checkout";
    spec.overlay.source = scratch_ / "engine/mine/tree";
    spec.overlay.masked = scratch_ / "engine";
    spec.overlay.own = scratch_ / "engine/mine";
    spec.overlay.hidden = {scratch_ / "engine"};
    spec.overlay.apart = true;
    spec.overlay.layers = {{scratch_ / "other", scratch_ / "layer/upper", scratch_ / "layer/work"},
                           {scratch_ / "checkout/objects",
                            scratch_ / "objects/upper",
                            scratch_ / "objects/work",
                            {scratch_ / "lower", scratch_ / "second"}}};
    return spec;
  }
};

TEST_F(LookContract, TheTreeStandsInTheCheckoutsPlace) {
  const ProcessResult result = run(check("pwd -P; cat file; echo x >made; ls \"$S/engine\""));
  EXPECT_EQ(result.out, (scratch_ / "checkout").string() + "\nof the tree\n") << result.err << result.problem;
  EXPECT_TRUE(fs::exists(scratch_ / "engine/mine/tree/made"));
  EXPECT_EQ(read_text(scratch_ / "checkout/file"), "of the person\n");
  EXPECT_FALSE(fs::exists(scratch_ / "checkout/made"));
}

TEST_F(LookContract, NothingElseCanBeWrittenTo) {
  const ProcessResult result =
      run(check("for d in engine lower second layer; do touch \"$S/$d/made\"; done; touch \"$S/made\""));
  EXPECT_FALSE(result.ok());
  for (const char* name : {"engine/made", "lower/made", "second/made", "layer/made", "made"})
    EXPECT_FALSE(fs::exists(scratch_ / name)) << name;
}

TEST_F(LookContract, ALayerInTheTreeShowsWhatLiesElsewhere) {
  const ProcessResult result =
      run(check("cat objects/object objects/more; echo x >objects/object; rm objects/more; ls objects"));
  EXPECT_EQ(result.out, "lower\nmore\nobject\n") << result.err << result.problem;
  EXPECT_EQ(read_text(scratch_ / "lower/object"), "lower\n");
  EXPECT_TRUE(fs::exists(scratch_ / "second/more"));
}

TEST_F(LookContract, AnAliasIsTheSameTreeElsewhere) {
  ProcessSpec spec = check(
      "pwd -P; cat file; echo x >made; cat \"$S/checkout/made\"; echo y >objects/made; cat "
      "\"$S/checkout/objects/made\"");
  spec.overlay.aliases = {{scratch_ / "checkout", scratch_ / "other/build/tree"}};
  spec.cwd = scratch_ / "other/build/tree";
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.out, spec.cwd + "\nof the tree\nx\ny\n") << result.err << result.problem;
  EXPECT_TRUE(fs::is_empty(scratch_ / "other"));
}

TEST_F(LookContract, NoAliasIsMadeOnTheMachineItself) {
  ProcessSpec spec = check("true");
  spec.overlay.aliases = {{scratch_ / "checkout", scratch_ / "lower/build"}};
  EXPECT_EQ(run(spec).ending, Ending::not_started);
  EXPECT_FALSE(fs::exists(scratch_ / "lower/build"));
}

TEST_F(LookContract, ItsHostHasTheNameThatWasAskedFor) {
  ProcessSpec spec = check("uname -n; cat /etc/hosts");
  spec.overlay.host_name = "elsewhere";
  spec.overlay.hosts = scratch_ / "hosts";
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.out, "elsewhere\n127.0.0.1 elsewhere\n") << result.err << result.problem;
  char name[256] = "";
  ASSERT_EQ(::gethostname(name, sizeof name - 1), 0);
  EXPECT_STRNE(name, "elsewhere");
}

TEST_F(LookContract, ItsProcessesAreCountedFromTheNumberThatWasAskedFor) {
  if (::access("/proc/sys/kernel/ns_last_pid", F_OK) != 0)
    GTEST_SKIP() << "this kernel always counts from one";
  ProcessSpec spec = check("echo $$");
  spec.overlay.first_process = 4711;
  EXPECT_EQ(run(spec).out, "4711\n");
}

TEST_F(LookContract, ItsFirstProcessHasAnOrdinaryName) {
  const ProcessResult result =
      run(check("cat /proc/1/comm; tr '\\0' ' ' </proc/1/cmdline; readlink /proc/1/exe"));
  EXPECT_EQ(result.out.substr(0, 5), "init\n") << result.problem;
  EXPECT_EQ(result.out.find("emend"), std::string::npos) << result.out;
}

} // namespace emend
