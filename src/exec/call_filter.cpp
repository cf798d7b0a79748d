#include "exec/call_filter.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <vector>

namespace emend::exec {

namespace {

using Numbers = std::vector<std::uint32_t>;

// One way of calling the kernel: the machine's own, or that of its 32-bit programs.
struct Convention {
  std::uint32_t architecture;
  Numbers keys, messages;
};

#if defined(__x86_64__)
constexpr std::uint32_t kOwn = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kOwn = AUDIT_ARCH_AARCH64;
#elif defined(__riscv) && __riscv_xlen == 64
constexpr std::uint32_t kOwn = AUDIT_ARCH_RISCV64;
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
constexpr std::uint32_t kOwn = AUDIT_ARCH_PPC64LE;
#elif defined(__s390x__)
constexpr std::uint32_t kOwn = AUDIT_ARCH_S390X;
#else
#error "the number of this architecture's calling convention (AUDIT_ARCH_...) is missing here"
#endif

Convention own_convention() {
  Convention own{
      kOwn,
      {SYS_add_key, SYS_request_key, SYS_keyctl},
      {SYS_mq_open, SYS_mq_unlink, SYS_mq_timedsend, SYS_mq_timedreceive, SYS_mq_notify, SYS_mq_getsetattr}};
  own.messages.insert(own.messages.end(), {
#ifdef SYS_ipc
                                              SYS_ipc,
#endif
#ifdef SYS_semop
                                              SYS_semop,
#endif
#ifdef SYS_semtimedop
                                              SYS_semtimedop,
#endif
#ifdef SYS_shmget
                                              SYS_shmget,
                                              SYS_shmat,
                                              SYS_shmctl,
                                              SYS_shmdt,
                                              SYS_semget,
                                              SYS_semctl,
                                              SYS_msgget,
                                              SYS_msgsnd,
                                              SYS_msgrcv,
                                              SYS_msgctl,
#endif
                                          });
  return own;
}

// Its kernel also runs programs of 32 bits, which count differently; headers name only the numbers of the
// machine itself.
std::vector<Convention> conventions() {
  std::vector<Convention> known{own_convention()};
#if defined(__x86_64__)
  known.push_back({AUDIT_ARCH_I386, {286, 287, 288}, {117, 277, 278, 279, 280, 281, 282, 393, 394, 395,
                                                      396, 397, 398, 399, 400, 401, 402, 418, 419, 420}});
#elif defined(__aarch64__)
  known.push_back({AUDIT_ARCH_ARM, {309, 310, 311}, {274, 275, 276, 277, 278, 279, 298, 299, 300, 301, 302,
                                                     303, 304, 305, 306, 307, 308, 312, 418, 419, 420}});
#endif
  return known;
}

constexpr std::uint32_t kAllowed = SECCOMP_RET_ALLOW, kRefused = SECCOMP_RET_ERRNO | ENOSYS;
constexpr std::uint32_t kX32 = 0x40000000; // x86-64 with short pointers: the same numbers with this bit

class Program {
public:
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
  void answer(std::uint32_t action) { add(BPF_RET | BPF_K, action); }
  void without_bits(std::uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, ~bits); }
  void if_equal(std::uint32_t value, std::uint8_t then, std::uint8_t otherwise) {
    code_.push_back({BPF_JMP | BPF_JEQ | BPF_K, then, otherwise, value});
  }
  // What this convention may call; ends in an answer.
  void calls(const Convention& convention, bool own_ipc) {
    load(offsetof(seccomp_data, nr));
    without_bits(kX32);
    for (const Numbers* numbers : {&convention.keys, &convention.messages}) {
      if (numbers == &convention.messages && own_ipc) continue;
      for (const std::uint32_t number : *numbers) {
        if_equal(number, 0, 1);
        answer(kRefused);
      }
    }
    answer(kAllowed);
  }
  [[nodiscard]] std::size_t size() const { return code_.size(); }
  void append(const Program& other) { code_.insert(code_.end(), other.code_.begin(), other.code_.end()); }
  [[nodiscard]] int install() {
    sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
  }

private:
  void add(int code, std::uint32_t value) {
    code_.push_back({static_cast<std::uint16_t>(code), 0, 0, value});
  }
  std::vector<sock_filter> code_;
};

} // namespace

int refuse_lasting_calls(const Options& options) {
  Program filter;
  filter.load(offsetof(seccomp_data, arch));
  for (const Convention& convention : conventions()) {
    Program calls;
    calls.calls(convention, options.own_ipc());
    filter.if_equal(convention.architecture, 0, static_cast<std::uint8_t>(calls.size()));
    filter.append(calls);
  }
  filter.answer(kRefused); // another way to call the kernel, of which we do not know the numbers
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return filter.install();
}

void leave_session_keyring() {
  constexpr int join_session_keyring = 1; // KEYCTL_JOIN_SESSION_KEYRING, without a name: a new one
  ::syscall(SYS_keyctl, join_session_keyring, nullptr, 0UL, 0UL, 0UL);
}

} // namespace emend::exec
