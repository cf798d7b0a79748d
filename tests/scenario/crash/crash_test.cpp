// What comes after an engine that was killed. Every step at which it can be is played by tests/crash.
#include <csignal>

#include "base/json.hpp"
#include "base/strings.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

class Crash : public ::testing::Test {
protected:
  Crash()
      : world(
            {{"src/a.c", "int a = 1;\n"}, {"src/b.c", "int b = 1;\n"}, {"ok.sh", "grep -q int src/a.c\n"}}) {
    world.fixer(
        "case $2 in BE-001) sed -i 's/a = 1/a = 2/' src/a.c;; *) sed -i 's/b = 1/b = 2/' src/b.c;; esac\n"
        "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
    must(write_file(
        world.scripts + "/emend.toml",
        "[fix]\nagent = \"fixer\"\nparallel = 1\n[fix_challenger]\nagent = \"judge\"\ncanaries = 0\n"
        "[agents.fixer]\nengine = \"exec\"\ncommand = [\"" +
            world.scripts +
            "/fixer\", \"{role}\", \"{issue}\"]\n"
            "[agents.judge]\nengine = \"exec\"\ncommand = [\"" +
            world.scripts +
            "/judge\", \"{role}\", \"{issue}\"]\n"
            "[sandbox]\nshared = [\"" +
            world.scripts +
            "\"]\n"
            "[verify]\nmode = \"each\"\ncommands = [{ name = \"ok\", run = \"sh ok.sh\" }]\n"));
    must(write_file(
        world.scripts + "/findings.json",
        R"([{"file":"src/a.c","line":1,"issue":"a is wrong"},{"file":"src/b.c","line":1,"issue":"b is wrong"}])"));
  }
  std::vector<std::string> fix_arguments() {
    return {"--config",   world.scripts + "/emend.toml",    "fix",
            "--findings", world.scripts + "/findings.json", "--json"};
  }
  // Whatever happened, this must hold after a resume.
  void expect_whole(const std::string& when) {
    world.reopen();
    const auto issues = must(world.store().issues(IssueFilter{}));
    std::size_t resolved = 0;
    for (const Issue& issue : issues) {
      EXPECT_EQ(issue.status, IssueStatus::resolved)
          << when << ": " << issue.code << " " << issue.reason << " " << issue.detail;
      resolved += issue.status == IssueStatus::resolved ? 1 : 0;
    }
    EXPECT_EQ(resolved, 2U) << when;
    const auto names = world.branches();
    ASSERT_EQ(names.size(), 2U) << when << ": " << join(names, " ");
    const std::string branch = names[0] == "main" ? names[1] : names[0];
    EXPECT_EQ(
        world.git({"log", "--format=%(trailers:key=Emend-Issue,valueonly,separator=)", "main.." + branch}),
        "BE-002\nBE-001\n")
        << when;
    EXPECT_EQ(world.show(branch, "src/a.c"), "int a = 2;\n");
    EXPECT_EQ(world.show(branch, "src/b.c"), "int b = 2;\n");
    EXPECT_EQ(world.git({"fsck", "--no-dangling"}), "");
    EXPECT_TRUE(!fs::exists(world.root + "/.git/index.lock"));
  }
  World world;
};

TEST_F(Crash, TheNextFixTidiesUpAndDoesTheWork) {
  const ProcessResult run = world.emend(fix_arguments(), {"EMEND_TEST_CRASH_AT=14"});
  ASSERT_EQ(run.signal, SIGKILL) << run.out << run.err;
  EXPECT_NE(world.emend({"sessions"}).out.find("interrupted"), std::string::npos)
      << "a dead engine's session is not running";
  const ProcessResult again = world.emend(fix_arguments());
  EXPECT_EQ(again.exit_code, 0) << again.err;
  expect_whole("after the next fix");
  std::vector<SessionStatus> statuses;
  for (const Session& session : must(world.store().sessions("", 0))) statuses.push_back(session.status);
  EXPECT_EQ(statuses, (std::vector<SessionStatus>{SessionStatus::passed, SessionStatus::interrupted}));
}

TEST_F(Crash, AgentThatOutlivesItsEngineIsEnded) {
  world.fixer("echo $$ > " + world.scripts + "/pid; exec sleep 600");
  ProcessSpec spec;
  spec.argv = {EMEND_BINARY};
  for (const std::string& argument : fix_arguments()) spec.argv.push_back(argument);
  spec.cwd = world.root;
  spec.env = {"PATH=" + std::string(std::getenv("PATH")), "HOME=" + world.root + "/..",
              "EMEND_HOME=" + world.home, "CI=true"};
  spec.supervise = false; // we are the one who kills it
  std::stop_source source;
  spec.on_start = [&](int pid, std::int64_t) {
    for (int i = 0; i < 2'000 && !fs::exists(world.scripts + "/pid"); ++i) ::usleep(10'000);
    ASSERT_TRUE(fs::exists(world.scripts + "/pid")) << "the agent started";
    ::kill(pid, SIGKILL);
  };
  must(world.runner().run(spec, {}));
  const auto running = [&] { // by its command line: inside a namespace its pid is another
    for (const auto& entry : fs::directory_iterator("/proc")) {
      auto line = read_file(entry.path() / "cmdline");
      if (line && *line == std::string("sleep\0"
                                       "600\0",
                                       10)) {
        std::error_code error;
        if (contains(fs::read_symlink(entry.path() / "cwd", error).string(), world.home)) return true;
      }
    }
    return false;
  };
  world.fixer("exit 0");
  world.emend(fix_arguments()); // tidies up
  for (int i = 0; i < 1'000 && running(); ++i) ::usleep(10'000);
  EXPECT_FALSE(running());
}

} // namespace
} // namespace emend::testing_support
