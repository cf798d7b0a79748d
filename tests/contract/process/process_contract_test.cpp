// The ProcessRunner port, in every way of running: endings, streams, limits, what a child inherits.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>

#include "tests/contract/process/process_fixture.hpp"

namespace emend {

INSTANTIATE_TEST_SUITE_P(Modes, ProcessContract, testing::Values(Mode::namespaces, Mode::tree, Mode::plain),
                         mode_name);

TEST_P(ProcessContract, ReportsExitCodes) {
  for (const int code : {0, 3, 255}) {
    const ProcessResult result = run(script("exit " + std::to_string(code)));
    EXPECT_EQ(result.ending, Ending::exited);
    EXPECT_EQ(result.exit_code, code);
    EXPECT_EQ(result.ok(), code == 0);
    EXPECT_EQ(result.problem, "");
  }
}

TEST_P(ProcessContract, ReportsSignals) {
  for (const int signal : {SIGKILL, SIGSEGV, SIGTERM}) {
    const ProcessResult result = run(script("kill -" + std::to_string(signal) + " $$"));
    EXPECT_EQ(result.ending, Ending::signalled);
    EXPECT_EQ(result.signal, signal);
  }
}

TEST_P(ProcessContract, SaysWhyNothingWasStarted) {
  const auto problem_of = [this](std::vector<std::string> argv) {
    ProcessSpec spec = script("");
    spec.argv = std::move(argv);
    const ProcessResult result = run(spec);
    EXPECT_EQ(result.ending, Ending::not_started);
    return result.problem;
  };
  write_text(scratch_ / "plain-file", "#!/bin/sh\n", 0644);
  write_text(scratch_ / "no-interpreter", "#!/no/such/shell\n", 0755);
  write_text(scratch_ / "no-hash-bang", "echo hello\n", 0755);
  EXPECT_EQ(problem_of({"no-such-program"}), "no-such-program: not found in PATH");
  EXPECT_EQ(problem_of({"/no/such/program"}), "/no/such/program: not found");
  EXPECT_EQ(problem_of({"./plain-file"}), "./plain-file: not executable");
  EXPECT_EQ(problem_of({(scratch_ / "no-interpreter").string()}),
            (scratch_ / "no-interpreter").string() + ": the program named in its first line does not exist");
  EXPECT_NE(problem_of({"./no-hash-bang"}).find("needs a #! line"), std::string::npos);
  EXPECT_EQ(problem_of({}), "no command given");
  EXPECT_EQ(problem_of({"sh", std::string("a\0b", 3)}), "sh: an argument contains a NUL byte");
}

TEST_P(ProcessContract, SaysThatAFileInPathIsNotExecutable) {
  write_text(scratch_ / "tool", "#!/bin/sh\n", 0644);
  ProcessSpec spec = script("");
  spec.argv = {"tool"};
  spec.env = {"PATH=" + scratch_.string()};
  EXPECT_EQ(run(spec).problem, "tool: " + scratch_.string() + "/tool is not executable");
}

TEST_P(ProcessContract, NeverTakesAProgramFromTheWorkingDirectory) {
  write_text(scratch_ / "tool", "#!/bin/sh\n", 0755);
  ProcessSpec spec = script("");
  spec.argv = {"tool"};
  spec.env = {"PATH=:.:/usr/bin"};
  EXPECT_EQ(run(spec).problem, "tool: not found in PATH");
}

TEST_P(ProcessContract, NamesAMissingWorkingDirectory) {
  ProcessSpec spec = script("echo ran");
  spec.cwd = scratch_ / "gone";
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::not_started);
  EXPECT_EQ(result.problem, "working directory " + spec.cwd + ": No such file or directory");
  EXPECT_EQ(result.out, "");
}

TEST_P(ProcessContract, FeedsMegabytesWhileReadingThemBack) {
  ProcessSpec spec = script("cat");
  for (int i = 0; spec.stdin_data.size() < 5'000'000; ++i) spec.stdin_data += std::to_string(i) + "\n";
  const ProcessResult result = run(spec);
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(result.out == spec.stdin_data);
}

TEST_P(ProcessContract, SurvivesAChildThatDoesNotReadItsInput) {
  ProcessSpec spec = script("exec 0<&-; echo closed; exit 4");
  spec.stdin_data.assign(5'000'000, 'x');
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::exited);
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.out, "closed\n");
}

TEST_P(ProcessContract, GivesAnEmptyInputWhenThereIsNone) {
  EXPECT_EQ(run(script("cat; readlink /proc/self/fd/0")).out, "/dev/null\n");
}

TEST_P(ProcessContract, KeepsBothStreamsApartUnderAFlood) {
  const ProcessResult result = run(script("yes err | head -c 3000000 >&2 & yes out | head -c 3000000; wait"));
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.out.size(), 3'000'000U);
  EXPECT_EQ(result.err.size(), 3'000'000U);
  EXPECT_EQ(result.out.find("err"), std::string::npos);
  EXPECT_EQ(result.err.find("out"), std::string::npos);
}

TEST_P(ProcessContract, EndsAChildThatWritesTooMuch) {
  for (const char* text : {"yes", "yes >&2"}) {
    ProcessSpec spec = script(text);
    spec.max_output_bytes = 100'001;
    const ProcessResult result = run(spec);
    EXPECT_EQ(result.ending, Ending::output_limit);
    EXPECT_EQ(result.out_truncated, std::string(text) == "yes");
    EXPECT_EQ(result.err_truncated, std::string(text) != "yes");
    EXPECT_EQ((result.out_truncated ? result.out : result.err).size(), 100'001U);
    EXPECT_TRUE(wait_until([this] { return nothing_left(); }));
  }
}

TEST_P(ProcessContract, TakesExactlyTheLimitAsFine) {
  ProcessSpec spec = script("yes | head -c 100000");
  spec.max_output_bytes = 100'000;
  const ProcessResult result = run(spec);
  EXPECT_TRUE(result.ok());
  EXPECT_FALSE(result.out_truncated);
  EXPECT_EQ(result.out.size(), 100'000U);
}

TEST_P(ProcessContract, DeliversLinesAsTheyCome) {
  std::vector<std::string> lines;
  ProcessSpec spec = script("echo one; echo two >&2; printf '\\n\\303'; sleep 0.05; printf '\\251\\nlast'");
  spec.on_line = [&](std::string_view line, bool is_stderr) {
    lines.push_back((is_stderr ? "E:" : "O:") + std::string(line));
  };
  EXPECT_TRUE(run(spec).ok());
  std::vector<std::string> out;
  for (const std::string& line : lines) {
    if (line.starts_with("O:")) out.push_back(line);
  }
  EXPECT_EQ(out, (std::vector<std::string>{"O:one", "O:", "O:\303\251", "O:last"}));
  EXPECT_EQ(lines.size(), 5U);
  EXPECT_NE(std::find(lines.begin(), lines.end(), "E:two"), lines.end());
}

TEST_P(ProcessContract, CutsAnOverlongLineOnlyForTheListener) {
  std::vector<std::size_t> lengths;
  ProcessSpec spec = script("yes | tr -d '\\n' | head -c 3000000; echo; echo short");
  spec.max_line_bytes = 1'000'000;
  spec.on_line = [&](std::string_view line, bool) { lengths.push_back(line.size()); };
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.out.size(), 3'000'000U + 7);
  EXPECT_EQ(lengths, (std::vector<std::size_t>{1'000'000, 5}));
}

TEST_P(ProcessContract, EndsAChildThatNeverSaysAnything) {
  ProcessSpec spec = script("exec sleep 987");
  spec.wall_limit_ms = 200;
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::wall_limit);
  EXPECT_GE(result.duration_ms, 200);
  EXPECT_TRUE(nothing_left());
}

TEST_P(ProcessContract, EndsAChildThatFallsSilent) {
  ProcessSpec spec = script("echo begun; sleep 987");
  spec.idle_limit_ms = 2'000; // a busy machine may take its time to start the child
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::idle_limit);
  EXPECT_EQ(result.out, "begun\n");
}

TEST_P(ProcessContract, EveryByteCountsAsActivity) {
  ProcessSpec spec = script("while :; do echo; done >&2");
  spec.idle_limit_ms = 2'900; // would come first if the bytes did not count
  spec.wall_limit_ms = 3'000;
  EXPECT_EQ(run(spec).ending, Ending::wall_limit);
}

TEST_P(ProcessContract, KillsAChildThatIgnoresTerm) {
  std::stop_source source;
  ProcessSpec spec = script("trap '' TERM; echo ready; while :; do sleep 1; done");
  spec.on_line = [&](std::string_view, bool) { source.request_stop(); };
  const ProcessResult result = run(spec, source.get_token());
  EXPECT_EQ(result.ending, Ending::cancelled);
  EXPECT_GE(result.duration_ms, spec.term_grace_ms);
  EXPECT_TRUE(wait_until([this] { return nothing_left(); }));
}

TEST_P(ProcessContract, LetsAChildTidyUpOnTerm) {
  std::stop_source source;
  ProcessSpec spec = script("trap 'echo tidy; exit 7' TERM; echo ready; while :; do sleep 0.05; done");
  spec.term_grace_ms = 60'000;
  spec.on_line = [&](std::string_view, bool) { source.request_stop(); };
  const ProcessResult result = run(spec, source.get_token());
  EXPECT_EQ(result.ending, Ending::cancelled);
  EXPECT_EQ(result.out, "ready\ntidy\n");
  EXPECT_LT(result.duration_ms, 50'000);
}

TEST_P(ProcessContract, StopsFromAnotherThread) {
  std::stop_source source;
  std::thread other([&] {
    wait_until([this] { return std::filesystem::exists(scratch_ / "ready"); });
    source.request_stop();
  });
  const ProcessResult result = run(script("touch ready; exec sleep 987"), source.get_token());
  other.join();
  EXPECT_EQ(result.ending, Ending::cancelled);
  EXPECT_TRUE(nothing_left());
}

TEST_P(ProcessContract, StartsNothingWhenAlreadyStopped) {
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(run(script("touch ran"), source.get_token()).ending, Ending::cancelled);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "ran"));
}

TEST_P(ProcessContract, PassesExactlyTheGivenEnvironment) {
  ProcessSpec spec = script("");
  spec.argv = {"/usr/bin/env"};
  spec.env = {"B=2", "A=with space", "EMPTY="};
  EXPECT_EQ(run(spec).out, "B=2\nA=with space\nEMPTY=\n");
}

TEST_P(ProcessContract, PassesArgumentsUntouched) {
  ProcessSpec spec = script("");
  spec.argv = {"printf", "%s|", "$HOME", "a b", "", "*", "\303\251", std::string(100'000, 'x')};
  EXPECT_EQ(run(spec).out, "$HOME|a b||*|\303\251|" + std::string(100'000, 'x') + "|");
}

TEST_P(ProcessContract, LetsNoDescriptorThrough) {
  const int leaky = ::open("/dev/null", O_RDONLY); // on purpose without O_CLOEXEC
  const int high = ::fcntl(leaky, F_DUPFD, 200);
  const ProcessResult result =
      run(script("fd=0; while [ $fd -lt 256 ]; do [ -e /proc/$$/fd/$fd ] && echo $fd; fd=$((fd + 1)); done"));
  ::close(high);
  ::close(leaky);
  EXPECT_EQ(result.out, "0\n1\n2\n");
}

TEST_P(ProcessContract, ResetsSignalsAndLeavesTheTerminal) {
  sigset_t usr1, before;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, &before);
  const auto old = ::signal(SIGINT, SIG_IGN);
  const ProcessResult signals =
      run(script("grep SigIgn /proc/self/status | tail -c 8; grep SigBlk /proc/self/status"));
  ::signal(SIGINT, old);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(signals.out,
            "0000000\nSigBlk:\t0000000000000000\n"); // of SigIgn the signals a program can know of
  // pid, session and terminal: a session leader without a terminal.
  EXPECT_EQ(run(script("read pid name state parent group session tty rest </proc/self/stat; [ $pid = "
                       "$session ] && echo $tty"))
                .out,
            "0\n");
}

TEST_P(ProcessContract, WaitsForAProgramThatIsStillBeingWritten) {
  write_text(scratch_ / "stub", "#!/bin/sh\necho stub\n", 0755);
  const int writer = ::open((scratch_ / "stub").c_str(), O_WRONLY | O_CLOEXEC);
  std::thread other([writer] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::close(writer);
  });
  ProcessSpec spec = script("");
  spec.argv = {"./stub"};
  const ProcessResult result = run(spec);
  other.join();
  EXPECT_EQ(result.out, "stub\n") << result.problem;
}

TEST_P(ProcessContract, TellsWhichProcessToRemember) {
  int pid = 0;
  std::int64_t ticks = 0;
  ProcessSpec spec = script("exec cat");
  spec.stdin_data = "written only after on_start";
  spec.on_start = [&](int p, std::int64_t t) {
    pid = p;
    ticks = t;
    EXPECT_EQ(process_start_ticks(p), t);
  };
  EXPECT_TRUE(run(spec).ok());
  EXPECT_GT(pid, 1);
  EXPECT_GT(ticks, 0);
  EXPECT_NE(process_start_ticks(pid), ticks) << "still there";
}

TEST_P(ProcessContract, LeavesNothingBehindWhenTheListenerThrows) {
  ProcessSpec spec = script("echo line; sleep 987");
  spec.on_line = [](std::string_view, bool) { throw std::runtime_error("listener"); };
  EXPECT_THROW((void)runner_.run(spec, {}), std::runtime_error);
  EXPECT_TRUE(wait_until([this] { return nothing_left(); }));
}

TEST_P(ProcessContract, LeaksNoDescriptor) {
  const auto open_descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator{});
  };
  std::stop_source source;
  ProcessSpec good = script("cat >/dev/null");
  good.stdin_data = "x";
  ProcessSpec bad = script("");
  bad.argv = {"./missing"};
  (void)run(good);
  const auto before = open_descriptors();
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(run(good, source.get_token()).ok());
    EXPECT_EQ(run(bad).ending, Ending::not_started);
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST_P(ProcessContract, WorksForAnEngineWithoutStandardStreams) {
  const pid_t engine = ::fork();
  if (engine == 0) {
    for (int fd = 0; fd <= 9; ++fd) ::close(fd); // so that the runner's own descriptors get the low numbers
    ProcessSpec spec = script("cat; echo err >&2");
    spec.stdin_data = "in";
    const auto result = runner_.run(spec, {});
    ::_exit(result && result->out == "in" && result->err == "err\n" ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(engine, &status, 0), engine);
  EXPECT_EQ(status, 0);
}

TEST_P(ProcessContract, RunsManyAtOnce) {
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 12; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i) {
        ProcessSpec spec = script("cat; echo $0 >&2");
        spec.argv.push_back(std::to_string(t * 100 + i));
        spec.stdin_data.assign(20'000, static_cast<char>('a' + t));
        const auto result = runner_.run(spec, {});
        if (result && result->ok() && result->out == spec.stdin_data &&
            result->err == spec.argv.back() + "\n")
          ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 60);
}

TEST(ProcessIdentity, KnowsProcessesByStartTime) {
  const auto own = process_start_ticks(::getpid());
  ASSERT_TRUE(own);
  EXPECT_EQ(process_start_ticks(::getpid()), own);
  EXPECT_FALSE(process_start_ticks(1 << 30));
  const pid_t zombie = ::fork();
  if (zombie == 0) ::_exit(0);
  EXPECT_TRUE(wait_until([zombie] { return !process_start_ticks(zombie); }));
  ::waitpid(zombie, nullptr, 0);
  EXPECT_EQ(boot_id().size(), 36U);
  EXPECT_EQ(to_string(Ending::idle_limit), "idle_limit");
}

TEST(ProcessHelper, MissingHelperIsTheRunnersOwnError) {
  SupervisedRunner runner("/no/such/emend-exec");
  ProcessSpec spec;
  spec.argv = {"/bin/true"};
  const auto result = runner.run(spec, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_NE(result.error().message.find("/no/such/emend-exec"), std::string::npos);
  EXPECT_FALSE(result.error().remedy.empty());
}

} // namespace emend
