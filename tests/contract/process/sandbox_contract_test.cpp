// Containment, in each kind a machine may give: what a child can write, read, reach and consume.
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

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
    if (GetParam() != SandboxKind::none && *kind != GetParam())
      GTEST_SKIP() << "this machine has no sandbox of the kind " << to_string(GetParam());
    for (const char* name :
         {"area/mine/tree", "area/mine/home", "area/other/tree", "user/.ssh", "checkout", "state", "open"})
      fs::create_directories(scratch_ / name);
    for (const char* name :
         {"area/other/tree/secret", "user/.ssh/id", "state/emend.db", "user/.bashrc", "checkout/file"})
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
    for (const char* name :
         {"area/other/tree/secret", "user/.ssh/id", "state/emend.db", "user/.bashrc", "checkout/file"})
      if (read_text(scratch_ / name) != "untouched\n") return false;
    return true;
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, SandboxContract,
                         testing::Values(SandboxKind::full, SandboxKind::landlock, SandboxKind::none),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST_P(SandboxContract, TheProbeSaysTheKind) {
  if (contained()) {
    EXPECT_EQ(probe_sandbox(runner_, scratch_).kind, GetParam());
  }
  SupervisedRunner nothing(EMEND_EXEC_BINARY, SupervisedRunner::Namespaces::never,
                           SupervisedRunner::Landlock::never);
  EXPECT_EQ(probe_sandbox(nothing, scratch_).kind, SandboxKind::none);
  for (const auto& entry : fs::directory_iterator(scratch_))
    EXPECT_EQ(entry.path().filename().string().find("probe"), std::string::npos);
}

TEST_P(SandboxContract, WritesToItsOwnAndWhatIsOpened) {
  const ProcessResult result = run(inside(
      "echo a >a && mkdir d && mv a d/b && mv d/b ../home/c && ln ../home/c e && rm ../home/c && rm -r d && "
      "echo x >\"$S/open/made\" && echo x >/dev/null && cat e"));
  EXPECT_EQ(result.out, "a\n") << result.err << result.problem;
  EXPECT_TRUE(fs::exists(scratch_ / "open/made"));
  EXPECT_TRUE(fs::exists(scratch_ / "area/mine/tree/e"));
}

TEST_P(SandboxContract, WritesNowhereElse) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  const ProcessResult result =
      run(inside("for f in \"$S/checkout/file\" \"$S/user/.bashrc\" \"$S/user/.ssh/id\" "
                 "\"$S/state/emend.db\" \"$S/area/other/tree/secret\"; do\n"
                 "  { echo spoiled >\"$f\"; } 2>/dev/null; rm -f \"$f\" 2>/dev/null; mv \"$f\" . "
                 "2>/dev/null; ln -f e \"$f\" 2>/dev/null\n"
                 "done\n"
                 "for d in checkout user state area/other \"\"; do touch \"$S/$d/made\" 2>/dev/null; mkdir "
                 "\"$S/$d/dir\" 2>/dev/null; done\n"
                 "touch /tmp/$MARK /var/tmp/$MARK /usr/$MARK 2>/dev/null; exit 0"));
  EXPECT_TRUE(result.ok()) << result.problem << result.err;
  EXPECT_TRUE(untouched());
  for (const char* name :
       {"checkout/made", "user/made", "state/made", "area/other/made", "made", "checkout/dir", "user/dir"})
    EXPECT_FALSE(fs::exists(scratch_ / name)) << name;
  for (const char* place : {"/tmp/", "/var/tmp/", "/usr/"}) EXPECT_FALSE(fs::exists(place + marker_));
}

// Opened, never written: a sandbox that leaks must not change the machine the tests run on.
TEST_P(SandboxContract, TheKernelsSwitchesStayAsTheyAre) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  EXPECT_EQ(
      run(inside(
              "for f in /proc/sys/kernel/domainname /proc/sys/kernel/core_pattern /proc/sysrq-trigger; do\n"
              "  { : >>$f; } 2>/dev/null && echo open $f\ndone; exit 0"))
          .out,
      "");
}

TEST_P(SandboxContract, SecretsCannotBeRead) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  const ProcessResult result =
      run(inside("cat \"$S/user/.ssh/id\" \"$S/state/emend.db\" \"$S/area/other/tree/secret\" 2>/dev/null; "
                 "cat \"$S/user/.bashrc\""));
  EXPECT_EQ(result.out, "untouched\n") << "only what is no secret";
}

TEST_P(SandboxContract, ALinkDoesNotLeadToASecret) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  fs::create_symlink(scratch_ / "user/.ssh", scratch_ / "user/keys");
  EXPECT_EQ(
      run(inside(
              "cat \"$S/user/keys/id\" 2>/dev/null; ln -s \"$S/user/.ssh/id\" k; cat k 2>/dev/null; exit 0"))
          .out,
      "");
}

TEST_P(SandboxContract, TheEnginesEnvironmentCannotBeRead) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  EXPECT_EQ(
      run(inside("cat /proc/$ENGINE/environ 2>/dev/null | wc -c; cat /proc/$ENGINE/mem 2>/dev/null | wc -c"))
          .out,
      "0\n0\n");
}

TEST_P(SandboxContract, TheEngineCannotBeSignalled) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  if (GetParam() == SandboxKind::landlock && landlock_version() < 6)
    GTEST_SKIP() << "this kernel's Landlock says nothing about signals";
  EXPECT_EQ(run(inside("kill -0 $ENGINE 2>/dev/null && echo reached; exit 0")).out, "");
}

TEST_P(SandboxContract, MountsAndDevicesAreOutOfReach) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  const ProcessResult result =
      run(inside("mount -t tmpfs none ../home 2>/dev/null && echo mounted; mount -o remount,rw,bind "
                 "\"$S/checkout\" 2>/dev/null && echo remounted\n"
                 "unshare -m true 2>/dev/null && umount \"$S/checkout\" 2>/dev/null && echo uncovered; mknod "
                 "disk b 8 0 2>/dev/null && cat disk >/dev/null 2>&1 && echo disk\n"
                 "chroot /proc/1/root true 2>/dev/null && echo left; exit 0"));
  EXPECT_EQ(result.out, "");
}

TEST_P(SandboxContract, TheNetworkIsWhatWasAskedFor) {
  const Listener listener;
  ProcessSpec spec =
      inside("bash -c \"exec 3<>/dev/tcp/127.0.0.1/$PORT\" 2>/dev/null && echo reached; exit 0");
  if (!run(inside("command -v bash")).ok()) GTEST_SKIP() << "needs bash";
  spec.env.push_back("PORT=" + std::to_string(listener.port()));
  EXPECT_EQ(run(spec).out, "reached\n");
  spec.network =
      NetworkAccess::loopback; // a loopback of its own; Landlock cannot tell one address from another
  EXPECT_EQ(run(spec).out, GetParam() == SandboxKind::full ? "" : "reached\n");
  spec.network = NetworkAccess::none;
  if (GetParam() == SandboxKind::landlock && landlock_version() < 4)
    GTEST_SKIP() << "this kernel's Landlock says nothing about the network";
  EXPECT_EQ(run(spec).out, contained() ? "" : "reached\n");
}

TEST_P(SandboxContract, ItCanTalkToItselfOverLoopback) {
  if (!run(inside("command -v python3")).ok()) GTEST_SKIP() << "needs python3";
  ProcessSpec spec = inside(
      "python3 -c 'import socket\ns = socket.create_server((\"127.0.0.1\", 0))\nc = "
      "socket.create_connection(s.getsockname())\n"
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
  ProcessSpec spec = inside(
      "python3 -c 'import time\nx = bytearray(200_000_000)\nfor i in range(0, len(x), 4096): x[i] = "
      "1\ntime.sleep(60)' & wait");
  spec.limits.memory_bytes = 100'000'000;
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::resource_limit);
  EXPECT_EQ(result.problem, "ended: more than 100 MB of memory (limits.memory_mb)");
  EXPECT_TRUE(nothing_left());
  EXPECT_TRUE(run([&] {
                ProcessSpec small = inside("python3 -c 'x = bytearray(1000)'");
                small.limits = spec.limits;
                return small;
              }())
                  .ok());
}

TEST_P(SandboxContract, ProcessesAreLimited) {
  ProcessSpec spec =
      inside("for i in 1 2 3 4 5 6 7 8 9 10; do for j in 1 2 3 4 5; do sleep 60 & done; done; wait");
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
  ProcessSpec spec = inside(
      "cat \"$S/area/other/tree/secret\" \"$S/state/emend.db\" 2>/dev/null; echo x >\"$S/user/made\"; echo y "
      ">y");
  spec.overlay.contained = false;
  spec.overlay.hidden = {scratch_ / "state/emend.db"};
  spec.overlay.read_only.clear();
  EXPECT_EQ(run(spec).out, "");
  EXPECT_TRUE(fs::exists(scratch_ / "user/made"));
  EXPECT_TRUE(fs::exists(scratch_ / "area/mine/tree/y"));
}

TEST_P(SandboxContract, ALayerIsPrivate) {
  if (GetParam() != SandboxKind::full || !overlay_supported(runner_, scratch_))
    GTEST_SKIP() << "needs overlay mounts";
  for (const char* name : {"layer/upper", "layer/work"}) fs::create_directories(scratch_ / name);
  ProcessSpec spec = inside(
      "echo mine >>\"$S/user/.bashrc\"; echo new >\"$S/user/new\"; cat \"$S/user/.bashrc\" \"$S/user/new\"; "
      "cat \"$S/user/.ssh/id\" 2>/dev/null; exit 0");
  spec.overlay.layers = {{scratch_ / "user", scratch_ / "layer/upper", scratch_ / "layer/work"}};
  EXPECT_EQ(run(spec).out, "untouched\nmine\nnew\n");
  EXPECT_TRUE(untouched());
  EXPECT_FALSE(fs::exists(scratch_ / "user/new"));
}

namespace {

// Somebody on the machine who listens at a name that is no file.
class AbstractListener {
public:
  explicit AbstractListener(const std::string& name) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(fd_, 8), 0);
  }
  AbstractListener(const AbstractListener&) = delete;
  AbstractListener& operator=(const AbstractListener&) = delete;
  ~AbstractListener() { ::close(fd_); }

private:
  int fd_;
};

// Leaves a message wherever the kernel keeps one beyond the process, or says which of them it finds.
constexpr const char* kMessages = R"(import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
call = lambda name, *args: libc.syscall(int(os.environ[name]), *args)
name, number = os.environ['MARK'].encode(), int(os.environ['NUMBER'])
leaving = sys.argv[1] == 'leave'
made = 0o1000 | 0o600 if leaving else 0
found = []
if libc.shmget(number, 4096, made) >= 0: found.append('shm')
if libc.semget(number, 1, made) >= 0: found.append('sem')
if libc.msgget(number, made) >= 0: found.append('msg')
if call('MQ_OPEN', name, os.O_RDWR | (os.O_CREAT if leaving else 0), 0o600, None) >= 0: found.append('mq')
user_keyring = -4
if leaving: key = call('ADD_KEY', b'user', name, b'message', 7, user_keyring)
else: key = call('KEYCTL', 10, user_keyring, b'user', name, 0)
if key >= 0: found.append('key')
try:
    open('/dev/shm/' + name.decode(), 'w' if leaving else 'r').close()
    found.append('file')
except OSError: pass
print(*found)
)";

// Not in every container, and not for every user.
bool may_share_memory() { return ::access("/dev/shm", W_OK) == 0; }

} // namespace

TEST_P(SandboxContract, NoMessageOutlivesARun) {
  if (!run(inside("command -v python3")).ok()) GTEST_SKIP() << "needs python3";
  write_text(scratch_ / "open/messages.py", kMessages);
  const auto messages = [this](const char* what) {
    ProcessSpec spec = inside(std::string("python3 \"$S/open/messages.py\" ") + what);
    for (const auto& [name, number] : {std::pair<const char*, long>{"MQ_OPEN", SYS_mq_open},
                                       {"ADD_KEY", SYS_add_key},
                                       {"KEYCTL", SYS_keyctl},
                                       {"NUMBER", ::getpid() + 0x5eed0000}})
      spec.env.push_back(std::string(name) + "=" + std::to_string(number));
    return spec;
  };
  const std::string left = run(messages("leave")).out;
  const std::string found = run(messages("look")).out;
  const fs::path shared = "/dev/shm/" + marker_;
  const bool on_the_machine = fs::exists(shared);
  fs::remove(shared);
  if (GetParam() == SandboxKind::none) {
    EXPECT_EQ(left, may_share_memory() ? "file\n" : "\n") << "files are what none cannot keep";
    return;
  }
  EXPECT_EQ(left, GetParam() == SandboxKind::full ? "shm sem msg mq file\n" : "\n")
      << "what is its own works, the rest is refused";
  EXPECT_EQ(found, "\n");
  EXPECT_FALSE(on_the_machine);
}

TEST_P(SandboxContract, AQueueOfTheMachineIsNotSeenAsAFile) {
  if (GetParam() != SandboxKind::full || !fs::exists("/dev/mqueue")) GTEST_SKIP() << "needs mounts";
  const std::string name = marker_;
  const long queue = ::syscall(SYS_mq_open, name.c_str(), O_RDWR | O_CREAT, 0600, nullptr);
  if (queue < 0) GTEST_SKIP() << "this machine has no message queues";
  EXPECT_EQ(run(inside("ls /dev/mqueue 2>/dev/null | grep -c \"$MARK\"; exit 0")).out, "0\n");
  ::close(static_cast<int>(queue));
  ::syscall(SYS_mq_unlink, name.c_str());
}

TEST_P(SandboxContract, SharedMemoryCanBeOpenedByThePerson) {
  if (!may_share_memory()) GTEST_SKIP() << "/dev/shm is not this user's to write to";
  ProcessSpec spec = inside("echo x >\"/dev/shm/$MARK\" && cat \"/dev/shm/$MARK\"; rm -f \"/dev/shm/$MARK\"");
  spec.overlay.writable.push_back("/dev/shm");
  EXPECT_EQ(run(spec).out, "x\n");
}

TEST_P(SandboxContract, SharedMemoryCountsAsMemory) {
  if (!run(inside("command -v python3")).ok()) GTEST_SKIP() << "needs python3";
  const std::string fill = "\nimport time\ntime.sleep(60)'";
  std::vector<std::string> ways = {
      "import mmap\nm = mmap.mmap(-1, 200_000_000)\nfor i in range(0, len(m), 4096): m[i] = 1",
      "import os\nf = os.memfd_create(\"x\")\nfor i in range(200): os.write(f, bytes(1_000_000))",
  };
  if (GetParam() == SandboxKind::full) {
    ways.push_back("f = open(\"/dev/shm/x\", \"wb\")\nfor i in range(200): f.write(bytes(1_000_000))");
    ways.push_back(
        "import ctypes\nlibc = ctypes.CDLL(None)\nlibc.shmat.restype = ctypes.c_void_p\nlibc.shmat.argtypes "
        "= [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]\n"
        "p = libc.shmat(libc.shmget(0, 200_000_000, 0o600), None, 0)\nctypes.memset(p, 1, "
        "200_000_000)\nlibc.shmdt(ctypes.c_void_p(p))");
  }
  for (const std::string& way : ways) {
    ProcessSpec spec = inside("exec python3 -c '" + way + fill);
    spec.limits.memory_bytes = 100'000'000;
    const ProcessResult result = run(spec);
    EXPECT_EQ(result.ending, Ending::resource_limit) << way << result.err;
    EXPECT_EQ(result.problem, "ended: more than 100 MB of memory (limits.memory_mb)") << way;
  }
}

TEST_P(SandboxContract, WhatProcessesShareCountsOnce) {
  if (!run(inside("command -v python3")).ok()) GTEST_SKIP() << "needs python3";
  ProcessSpec spec = inside(
      "python3 -c 'import mmap, os, time\nm = mmap.mmap(-1, 100_000_000)\nfor i in range(0, len(m), 4096): "
      "m[i] = 1\n"
      "for i in range(5): os.fork()\ntouched = sum(m[i] for i in range(0, len(m), 4096))\ntime.sleep(1.5)'; "
      "echo done");
  spec.limits.memory_bytes = 1'000'000'000;
  EXPECT_EQ(run(spec).out, "done\n") << "32 processes have 100 MB in common";
}

TEST_P(SandboxContract, ASocketWithoutAFileIsReachedOnlyInItsOwnTree) {
  if (!contained()) GTEST_SKIP() << "that is what none means";
  if (!run(inside("command -v python3")).ok()) GTEST_SKIP() << "needs python3";
  if (landlock_version() < 6)
    GTEST_SKIP() << "this kernel cannot tell whose socket it is where the network is shared";
  const AbstractListener listener(marker_);
  ProcessSpec spec = inside(
      "python3 -c 'import os, socket\nc = socket.socket(socket.AF_UNIX)\n"
      "try: c.connect(\"\\0\" + os.environ[\"MARK\"]); print(\"reached\")\nexcept OSError: "
      "print(\"refused\")\n"
      "s = socket.socket(socket.AF_UNIX); s.bind(\"\\0own\" + os.environ[\"MARK\"]); s.listen()\n"
      "socket.socket(socket.AF_UNIX).connect(\"\\0own\" + os.environ[\"MARK\"]); print(\"own\")'");
  for (const NetworkAccess access : {NetworkAccess::all, NetworkAccess::loopback}) {
    spec.network = access;
    EXPECT_EQ(run(spec).out, "refused\nown\n") << to_string(access);
  }
}

// The person's home as a whole, whatever lies in it.
class HiddenHome : public SandboxContract {
protected:
  void SetUp() override {
    SandboxContract::SetUp();
    if (IsSkipped()) return;
    for (const char* name : {"user/.newtool", "user/.cargo/bin", "user/project", "layer/0/upper",
                             "layer/0/work", "layer/1/upper", "layer/1/work"})
      fs::create_directories(scratch_ / name);
    write_text(scratch_ / "user/.newtool/login", "secret\n");
    write_text(scratch_ / "user/plain", "secret\n");
    write_text(scratch_ / "user/.cargo/credentials.toml", "secret\n");
    write_text(scratch_ / "user/.cargo/bin/tool", "#!/bin/sh\necho tool\n", 0755);
    write_text(scratch_ / "user/project/file", "shown\n");
    write_text(scratch_ / "user/single", "shown\n");
  }

  ProcessSpec hiding(const std::string& text) const {
    ProcessSpec spec = inside(text);
    spec.overlay.home = scratch_ / "user";
    spec.overlay.layers = {{scratch_ / "user", scratch_ / "layer/0/upper", scratch_ / "layer/0/work"},
                           {scratch_ / "user/.cargo", scratch_ / "layer/1/upper", scratch_ / "layer/1/work"}};
    spec.overlay.shown = {scratch_ / "user/project", scratch_ / "user/single"};
    spec.overlay.hidden.push_back(scratch_ / "user/.cargo/credentials.toml");
    return spec;
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, HiddenHome, testing::Values(SandboxKind::full, SandboxKind::landlock),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST_P(HiddenHome, NothingInItIsReadButWhatIsShown) {
  const ProcessResult result =
      run(hiding("cat \"$S/user/.newtool/login\" \"$S/user/plain\" \"$S/user/.bashrc\" \"$S/user/.ssh/id\" "
                 "\"$S/user/.cargo/credentials.toml\" 2>/dev/null\n"
                 "cat \"$S/user/project/file\" \"$S/user/single\"; \"$S/user/.cargo/bin/tool\""));
  EXPECT_EQ(result.out, "shown\nshown\ntool\n") << result.err << result.problem;
}

TEST_P(HiddenHome, WhatIsMadeLaterIsHiddenToo) {
  ProcessSpec spec = hiding(
      "touch \"$S/open/ready\"; while [ ! -e \"$S/open/go\" ]; do sleep 0.05; done; cat \"$S/user/later\" "
      "2>/dev/null; echo end");
  std::jthread person([this] {
    wait_until([this] { return fs::exists(scratch_ / "open/ready"); });
    write_text(scratch_ / "user/later", "secret\n");
    write_text(scratch_ / "open/go", "");
  });
  EXPECT_EQ(run(spec).out, "end\n");
}

TEST_P(HiddenHome, WritesToItAreLost) {
  const ProcessResult result =
      run(hiding("echo mine >\"$S/user/made\"; echo mine >\"$S/user/.cargo/made\"; echo mine "
                 ">\"$S/user/project/made\"; cat \"$S/user/made\" \"$S/user/.cargo/made\"; exit 0"));
  if (GetParam() == SandboxKind::full && overlay_supported(runner_, scratch_)) {
    EXPECT_EQ(result.out, "mine\nmine\n") << result.err;
  }
  for (const char* name : {"user/made", "user/.cargo/made", "user/project/made"})
    EXPECT_FALSE(fs::exists(scratch_ / name)) << name;
  EXPECT_TRUE(untouched());
}

TEST_P(HiddenHome, AProgramThatLiesThereAndTheScriptItIsGivenAreShown) {
  fs::create_directories(scratch_ / "user/agents");
  write_text(
      scratch_ / "user/agents/agent",
      "#!/bin/sh\n. \"$(dirname \"$0\")/words\"; cat \"$1\"; cat \"${1%/*}/other\" 2>/dev/null; exit 0\n",
      0755);
  write_text(scratch_ / "user/agents/words", "echo words\n");
  write_text(scratch_ / "user/.newtool/script", "script\n");
  write_text(scratch_ / "user/.newtool/other", "secret\n");
  ProcessSpec spec = hiding("");
  spec.argv = {scratch_ / "user/agents/agent", scratch_ / "user/.newtool/script"};
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.out, "words\nscript\n") << result.err << result.problem;
}

TEST_P(HiddenHome, AWorkspaceInTheHomeIsStillThere) {
  ProcessSpec spec = inside("cat \"$S/user/.bashrc\" 2>/dev/null; echo x >made && cat made");
  fs::create_directories(scratch_ / "layer/0/upper");
  spec.overlay.home = scratch_;
  spec.overlay.layers = {{scratch_, scratch_ / "layer/0/upper", scratch_ / "layer/0/work"}};
  spec.overlay.read_only.clear();
  spec.overlay.masked.clear();
  EXPECT_EQ(run(spec).out, "x\n");
  EXPECT_TRUE(fs::exists(scratch_ / "area/mine/tree/made"));
}

} // namespace emend
