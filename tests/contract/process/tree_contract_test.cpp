// Whole trees: whatever a leader leaves behind, and whoever dies first, nothing survives.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/contract/process/process_fixture.hpp"

namespace emend {

namespace {

// Escapes from its session and its parent, keeps both pipes, ignores TERM; says so in the file "escaped".
constexpr const char* escape =
    "(setsid sh -c 'trap \"\" TERM; touch escaped; while :; do sleep 1; done' &)\n"
    "while [ ! -e escaped ]; do sleep 0.01; done\n";

} // namespace

INSTANTIATE_TEST_SUITE_P(Modes, TreeContract, testing::Values(Mode::namespaces, Mode::tree), mode_name);

TEST_P(TreeContract, EndsWhatTheLeaderLeftBehind) {
  const ProcessResult result = run(script(std::string(escape) + "echo result; exit 5"));
  EXPECT_EQ(result.ending, Ending::exited);
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.out, "result\n");
  EXPECT_GE(result.killed_descendants, 1);
  EXPECT_FALSE(result.pipes_forced);
  EXPECT_EQ(result.problem, "");
  EXPECT_TRUE(nothing_left());
}

TEST_P(TreeContract, EndsTheWholeTreeAtALimit) {
  std::stop_source source;
  ProcessSpec spec = script(std::string(escape) + "echo ready; sleep 987");
  spec.on_line = [&](std::string_view, bool) { source.request_stop(); };
  const ProcessResult result = run(spec, source.get_token());
  EXPECT_EQ(result.ending, Ending::cancelled);
  EXPECT_TRUE(nothing_left());
}

TEST_P(TreeContract, LetsGrandchildrenTidyUpAfterTheLeaderIsGone) {
  std::stop_source source;
  ProcessSpec spec = script(
      "setsid sh -c 'trap \"echo tidy >tidied; exit\" TERM; touch up; while :; do sleep 0.05; done' &\n"
      "while [ ! -e up ]; do sleep 0.01; done; echo ready; exec sleep 987");
  spec.term_grace_ms = 60'000;
  spec.on_line = [&](std::string_view, bool) { source.request_stop(); };
  const ProcessResult result = run(spec, source.get_token());
  EXPECT_EQ(result.ending, Ending::cancelled);
  EXPECT_LT(result.duration_ms, 50'000);
  EXPECT_EQ(read_text(scratch_ / "tidied"), "tidy\n");
  EXPECT_TRUE(nothing_left());
}

TEST_P(TreeContract, EndsManyEscapeesAtOnce) {
  const ProcessResult result =
      run(script("for i in 1 2 3 4 5 6 7 8 9 10; do\n"
                 "  for j in 1 2 3 4; do setsid sh -c 'sleep 987; sleep 988' & done\n"
                 "done"));
  EXPECT_EQ(result.ending, Ending::exited);
  EXPECT_TRUE(nothing_left());
}

TEST_P(TreeContract, CatchesATreeThatKeepsForking) {
  // Each generation starts the next in a session of its own and dies, so that no list of pids stays true.
  write_text(scratch_ / "hop", "#!/bin/sh\n[ -e hopped ] || touch hopped\nsetsid ./hop &\nexit 0\n", 0755);
  const ProcessResult result = run(script("./hop; while [ ! -e hopped ]; do sleep 0.01; done; exit 6"));
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_EQ(result.problem, "");
  EXPECT_TRUE(nothing_left());
}

TEST_P(TreeContract, NothingIsDoneBeforeTheProcessIsJournalled) {
  bool worked_before = true;
  ProcessSpec spec = script("touch worked");
  spec.on_start = [&](int, std::int64_t) {
    ::usleep(100'000); // time enough for a child that does not wait
    worked_before = std::filesystem::exists(scratch_ / "worked");
  };
  EXPECT_TRUE(run(spec).ok());
  EXPECT_FALSE(worked_before);
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "worked"));
}

TEST_P(TreeContract, DiesWithTheEngine) {
  const pid_t engine = ::fork();
  if (engine == 0) {
    ProcessSpec spec = script(std::string(escape) + "touch ready; sleep 987");
    spec.on_start = [this](int pid, std::int64_t) { write_text(scratch_ / "pid", std::to_string(pid)); };
    (void)runner_.run(spec, {});
    ::_exit(0);
  }
  ASSERT_GT(engine, 0);
  EXPECT_TRUE(wait_until([this] { return std::filesystem::exists(scratch_ / "ready"); }));
  EXPECT_FALSE(nothing_left());
  ::kill(engine, SIGKILL);
  ::waitpid(engine, nullptr, 0);
  EXPECT_TRUE(wait_until([this] { return nothing_left(); }));
  const int guardian = std::stoi(read_text(scratch_ / "pid"));
  EXPECT_TRUE(wait_until([guardian] { return !process_start_ticks(guardian); }));
}

TEST_P(TreeContract, DiesWithTheJournalledProcess) {
  int pid = 0;
  ProcessSpec spec = script(std::string(escape) + "echo ready; sleep 987");
  spec.on_start = [&](int started, std::int64_t) { pid = started; };
  spec.on_line = [&](std::string_view, bool) { ::kill(pid, SIGKILL); };
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::signalled);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_TRUE(wait_until([this] { return nothing_left(); }));
}

TEST_P(TreeContract, WritesNoCoreFiles) { EXPECT_EQ(run(script("ulimit -c")).out, "0\n"); }

TEST_P(TreeContract, SeesOnlyItselfInItsNamespace) {
  const std::string isolation(runner_.isolation().value());
  if (mode_ == Mode::tree) {
    EXPECT_EQ(isolation, "process tree");
    return;
  }
  if (isolation == "process tree") GTEST_SKIP() << "this machine has no PID namespaces for us";
  EXPECT_EQ(run(script("set -- /proc/[0-9]*; echo $#")).out, "2\n"); // the guardian, sh
}

TEST_P(TreeContract, KeepsTheUsersIds) {
  EXPECT_EQ(run(script("id -u; id -g")).out,
            std::to_string(::getuid()) + "\n" + std::to_string(::getgid()) + "\n");
}

// A plain child promises less: its process group. Whoever leaves it and keeps the pipes costs no more than
// the drain limit.
class PlainContract : public ProcessTest {
protected:
  PlainContract() : ProcessTest(Mode::plain) {}
};

TEST_F(PlainContract, LetsGoOfPipesThatAnEscapeeHolds) {
  ProcessSpec spec = script(std::string(escape) + "echo result");
  spec.drain_limit_ms = 200;
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::exited);
  EXPECT_EQ(result.out, "result\n");
  EXPECT_TRUE(result.pipes_forced);
}

TEST_F(PlainContract, EndsItsProcessGroup) {
  EXPECT_TRUE(run(script("sleep 987 & echo result")).ok());
  EXPECT_TRUE(wait_until([this] { return nothing_left(); }));
}

TEST_F(PlainContract, RefusesAnOverlay) {
  ProcessSpec spec = script("echo ran");
  spec.overlay.lower = scratch_;
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::not_started);
  EXPECT_EQ(result.out, "");
}

} // namespace emend
