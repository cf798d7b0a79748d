// Containment, in each kind a machine may give: what a child can write, read, reach and consume.
#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>

#include "adapters/process/overlay_probe.hpp"
#include "adapters/process/sandbox_probe.hpp"
#include "tests/contract/process/process_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

namespace fs = std::filesystem;

namespace {

long landlock_version() { return ::syscall(444, nullptr, 0UL, 1U); }

Mode mode_for(SandboxKind kind) { return kind == SandboxKind::full ? Mode::namespaces : Mode::tree; }

// Somebody on the machine who can be called.
class Listener {
public:
  Listener() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(fd_, 8), 0);
    socklen_t size = sizeof address;
    EXPECT_EQ(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { ::close(fd_); }
  [[nodiscard]] int port() const { return port_; }

private:
  int fd_, port_ = 0;
};

} // namespace

class SandboxContract : public ProcessTest, public testing::WithParamInterface<SandboxKind> {
protected:
  SandboxContract() : ProcessTest(mode_for(GetParam())) {}

  void SetUp() override {
    const auto kind = runner_.sandbox();
    ASSERT_TRUE(kind);
    if (GetParam() != SandboxKind::none && *kind != GetParam()) GTEST_SKIP() << "this machine has no sandbox of the kind " << to_string(GetParam());
    for (const char* name : {"area/mine/tree", "area/mine/home", "area/other/tree", "user/.ssh", "checkout", "state", "open"})
      fs::create_directories(scratch_ / name);
    for (const char* name : {"area/other/tree/secret", "user/.ssh/id", "state/emend.db", "user/.bashrc", "checkout/file"})
      write_text(scratch_ / name, "untouched\n");
  }

  [[nodiscard]] bool contained() const { return GetParam() != SandboxKind::none; }

  ProcessSpec inside(const std::string& text) const {
    ProcessSpec spec = script(text);
    spec.cwd = scratch_ / "area/mine/tree";
    spec.env.insert(spec.env.end(), {"S=" + scratch_.string(), "ENGINE=" + std::to_string(::getpid())});
    spec.overlay.target = spec.cwd;
    spec.overlay.masked = scratch_ / "area";
    spec.overlay.own = scratch_ / "area/mine";
    spec.overlay.hidden = {scratch_ / "user/.ssh", scratch_ / "state/emend.db"};
    spec.overlay.read_only = {scratch_ / "checkout"};
    spec.overlay.writable = {scratch_ / "open"};
    spec.overlay.contained = contained();
    return spec;
  }

  bool untouched() const {
    for (const char* name : {"area/other/tree/secret", "user/.ssh/id", "state/emend.db", "user/.bashrc", "checkout/file"})
      if (read_text(scratch_ / name) != "untouched\n") return false;
    return true;
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, SandboxContract, testing::Values(SandboxKind::full, SandboxKind::landlock, SandboxKind::none),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST_P(SandboxContract, TheProbeSaysTheKind) {
  if (contained()) {
    EXPECT_EQ(probe_sandbox(runner_, scratch_).kind, GetParam());
  }
  SupervisedRunner nothing(EMEND_EXEC_BINARY, SupervisedRunner::Namespaces::never, SupervisedRunner::Landlock::never);
  EXPECT_EQ(probe_sandbox(nothing, scratch_).kind, SandboxKind::none);
  for (const auto& entry : fs::directory_iterator(scratch_)) EXPECT_EQ(entry.path().filename().string().find("probe"), std::string::npos);
}

TEST_P(SandboxContract, WritesToItsOwnAndWhatIsOpened) {
  const ProcessResult result = run(inside("echo a >a && mkdir d && mv a d/b && mv d/b ../home/c && ln ../home/c e && rm ../home/c && rm -r d && "
                                          "echo x >\"$S/open/made\" && echo x >/dev/null && cat e"));
  EXPECT_EQ(result.out, "a\n") << result.err << result.problem;
  EXPECT_TRUE(fs::exists(scratch_ / "open/made"));
  EXPECT_TRUE(fs::exists(scratch_ / "area/mine/tree/e"));
}

TEST_P(SandboxContract, WritesNowhereElse) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  const ProcessResult result = run(inside(
      "for f in \"$S/checkout/file\" \"$S/user/.bashrc\" \"$S/user/.ssh/id\" \"$S/state/emend.db\" \"$S/area/other/tree/secret\"; do\n"
      "  { echo spoiled >\"$f\"; } 2>/dev/null; rm -f \"$f\" 2>/dev/null; mv \"$f\" . 2>/dev/null; ln -f e \"$f\" 2>/dev/null\n"
      "done\n"
      "for d in checkout user state area/other \"\"; do touch \"$S/$d/made\" 2>/dev/null; mkdir \"$S/$d/dir\" 2>/dev/null; done\n"
      "touch /tmp/$MARK /var/tmp/$MARK /usr/$MARK 2>/dev/null; exit 0"));
  EXPECT_TRUE(result.ok()) << result.problem << result.err;
  EXPECT_TRUE(untouched());
  for (const char* name : {"checkout/made", "user/made", "state/made", "area/other/made", "made", "checkout/dir", "user/dir"})
    EXPECT_FALSE(fs::exists(scratch_ / name)) << name;
  for (const char* place : {"/tmp/", "/var/tmp/", "/usr/"}) EXPECT_FALSE(fs::exists(place + marker_));
}

// Opened, never written: a sandbox that leaks must not change the machine the tests run on.
TEST_P(SandboxContract, TheKernelsSwitchesStayAsTheyAre) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  EXPECT_EQ(run(inside("for f in /proc/sys/kernel/domainname /proc/sys/kernel/core_pattern /proc/sysrq-trigger; do\n"
                       "  { : >>$f; } 2>/dev/null && echo open $f\ndone; exit 0")).out, "");
}

TEST_P(SandboxContract, SecretsCannotBeRead) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  const ProcessResult result = run(inside("cat \"$S/user/.ssh/id\" \"$S/state/emend.db\" \"$S/area/other/tree/secret\" 2>/dev/null; cat \"$S/user/.bashrc\""));
  EXPECT_EQ(result.out, "untouched\n") << "only what is no secret";
}

TEST_P(SandboxContract, ALinkDoesNotLeadToASecret) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  fs::create_symlink(scratch_ / "user/.ssh", scratch_ / "user/keys");
  EXPECT_EQ(run(inside("cat \"$S/user/keys/id\" 2>/dev/null; ln -s \"$S/user/.ssh/id\" k; cat k 2>/dev/null; exit 0")).out, "");
}

TEST_P(SandboxContract, TheEnginesEnvironmentCannotBeRead) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  EXPECT_EQ(run(inside("cat /proc/$ENGINE/environ 2>/dev/null | wc -c; cat /proc/$ENGINE/mem 2>/dev/null | wc -c")).out, "0\n0\n");
}

TEST_P(SandboxContract, TheEngineCannotBeSignalled) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  if (GetParam() == SandboxKind::landlock && landlock_version() < 6) GTEST_SKIP() << "this kernel's Landlock says nothing about signals";
  EXPECT_EQ(run(inside("kill -0 $ENGINE 2>/dev/null && echo reached; exit 0")).out, "");
}

TEST_P(SandboxContract, MountsAndDevicesAreOutOfReach) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  const ProcessResult result = run(inside(
      "mount -t tmpfs none ../home 2>/dev/null && echo mounted; mount -o remount,rw,bind \"$S/checkout\" 2>/dev/null && echo remounted\n"
      "unshare -m true 2>/dev/null && umount \"$S/checkout\" 2>/dev/null && echo uncovered; mknod disk b 8 0 2>/dev/null && cat disk >/dev/null 2>&1 && echo disk\n"
      "chroot /proc/1/root true 2>/dev/null && echo left; exit 0"));
  EXPECT_EQ(result.out, "");
}

TEST_P(SandboxContract, TheNetworkIsWhatWasAskedFor) {
  const Listener listener;
  ProcessSpec spec = inside("bash -c \"exec 3<>/dev/tcp/127.0.0.1/$PORT\" 2>/dev/null && echo reached; exit 0");
  if (!run(inside("command -v bash")).ok()) GTEST_SKIP() << "needs bash";
  spec.env.push_back("PORT=" + std::to_string(listener.port()));
  EXPECT_EQ(run(spec).out, "reached\n");
  spec.network = NetworkAccess::loopback; // a loopback of its own; Landlock cannot tell one address from another
  EXPECT_EQ(run(spec).out, GetParam() == SandboxKind::full ? "" : "reached\n");
  spec.network = NetworkAccess::none;
  if (GetParam() == SandboxKind::landlock && landlock_version() < 4) GTEST_SKIP() << "this kernel's Landlock says nothing about the network";
  EXPECT_EQ(run(spec).out, contained() ? "" : "reached\n");
}

TEST_P(SandboxContract, ItCanTalkToItselfOverLoopback) {
  if (!run(inside("command -v python3")).ok()) GTEST_SKIP() << "needs python3";
  ProcessSpec spec = inside("python3 -c 'import socket\ns = socket.create_server((\"127.0.0.1\", 0))\nc = socket.create_connection(s.getsockname())\n"
                            "p, _ = s.accept()\nc.sendall(b\"hello\")\nprint(p.recv(5).decode())'");
  spec.network = NetworkAccess::loopback;
  EXPECT_EQ(run(spec).out, "hello\n");
  spec.network = NetworkAccess::none;
  if (GetParam() == SandboxKind::full) {
    EXPECT_NE(run(spec).out, "hello\n");
  }
}

TEST_P(SandboxContract, MemoryIsLimited) {
  if (!run(inside("command -v python3")).ok()) GTEST_SKIP() << "needs python3";
  ProcessSpec spec = inside("python3 -c 'import time\nx = bytearray(200_000_000)\nfor i in range(0, len(x), 4096): x[i] = 1\ntime.sleep(60)' & wait");
  spec.limits.memory_bytes = 100'000'000;
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::resource_limit);
  EXPECT_EQ(result.problem, "ended: more than 100 MB of memory (limits.memory_mb)");
  EXPECT_TRUE(nothing_left());
  EXPECT_TRUE(run([&] { ProcessSpec small = inside("python3 -c 'x = bytearray(1000)'"); small.limits = spec.limits; return small; }()).ok());
}

TEST_P(SandboxContract, ProcessesAreLimited) {
  ProcessSpec spec = inside("for i in 1 2 3 4 5 6 7 8 9 10; do for j in 1 2 3 4 5; do sleep 60 & done; done; wait");
  spec.limits.processes = 40;
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::resource_limit);
  EXPECT_EQ(result.problem, "ended: more than 40 processes (limits.processes)");
  EXPECT_TRUE(nothing_left());
}

TEST_P(SandboxContract, FilesAreLimited) {
  ProcessSpec spec = inside("exec head -c 3000000 /dev/zero >big");
  spec.limits.file_bytes = 1'000'000;
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.signal, SIGXFSZ);
  EXPECT_EQ(result.problem, "a file larger than 1 MB (limits.file_mb)");
  EXPECT_EQ(fs::file_size(scratch_ / "area/mine/tree/big"), 1'000'000u);
}

TEST_P(SandboxContract, ProcessorTimeIsLimited) {
  ProcessSpec spec = inside("while :; do :; done");
  spec.limits.cpu_seconds = 1;
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.signal, SIGXCPU);
  EXPECT_EQ(result.problem, "more than 1 s of processor time (limits.cpu_seconds)");
}

TEST_P(SandboxContract, ADiskThatWasFullBeforeIsNoReasonToEnd) {
  ProcessSpec spec = inside("sleep 0.3; echo done");
  spec.limits.free_disk_bytes = std::int64_t{1} << 60;
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.out, "done\n");
  EXPECT_EQ(result.ending, Ending::exited);
}

TEST_P(SandboxContract, FailsRatherThanRunUncontained) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  ProcessSpec spec = inside("touch \"$S/open/ran\"");
  spec.overlay.own = scratch_ / "area/not-there";
  spec.cwd = scratch_;
  const ProcessResult result = run(spec);
  if (GetParam() == SandboxKind::full) {
    EXPECT_EQ(result.ending, Ending::not_started);
  }
}

// Where there are mounts, what is the engine's own is out of reach even without a sandbox.
TEST_P(SandboxContract, TheEnginesOwnIsMaskedWithoutASandboxToo) {
  if (GetParam() != SandboxKind::full) GTEST_SKIP() << "needs mounts";
  ProcessSpec spec = inside("cat \"$S/area/other/tree/secret\" \"$S/state/emend.db\" 2>/dev/null; echo x >\"$S/user/made\"; echo y >y");
  spec.overlay.contained = false;
  spec.overlay.hidden = {scratch_ / "state/emend.db"};
  spec.overlay.read_only.clear();
  EXPECT_EQ(run(spec).out, "");
  EXPECT_TRUE(fs::exists(scratch_ / "user/made"));
  EXPECT_TRUE(fs::exists(scratch_ / "area/mine/tree/y"));
}

TEST_P(SandboxContract, ALayerIsPrivate) {
  if (GetParam() != SandboxKind::full || !overlay_supported(runner_, scratch_)) GTEST_SKIP() << "needs overlay mounts";
  for (const char* name : {"layer/upper", "layer/work"}) fs::create_directories(scratch_ / name);
  ProcessSpec spec = inside("echo mine >>\"$S/user/.bashrc\"; echo new >\"$S/user/new\"; cat \"$S/user/.bashrc\" \"$S/user/new\"; cat \"$S/user/.ssh/id\" 2>/dev/null; exit 0");
  spec.overlay.layers = {{scratch_ / "user", scratch_ / "layer/upper", scratch_ / "layer/work"}};
  EXPECT_EQ(run(spec).out, "untouched\nmine\nnew\n");
  EXPECT_TRUE(untouched());
  EXPECT_FALSE(fs::exists(scratch_ / "user/new"));
}

} // namespace emend
