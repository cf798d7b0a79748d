#include "tui/terminal_rescue.hpp"

#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace emend {

namespace {

constexpr std::array kSignals = {SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// Reachable from a signal handler: plain memory, filled before the handlers are there.
struct Noted {
  termios modes{};
  bool has_modes = false;
  char undo[512] = {};
  std::size_t undo_size = 0;
  struct sigaction before[kSignals.size()] = {};
  alignas(16) char stack[65'536] = {}; // a crash may be that there is no stack left
};

Noted& noted() {
  static Noted state;
  return state;
}

// Only calls that POSIX allows in a handler. The signal then does what it would have done.
void give_back(int number) {
  const Noted& state = noted();
  [[maybe_unused]] const ssize_t written =
      ::write(STDOUT_FILENO, state.undo, state.undo_size); // a terminal that is gone needs nothing
  if (state.has_modes) ::tcsetattr(STDIN_FILENO, TCSANOW, &state.modes);
  ::signal(number, SIG_DFL);
  ::raise(number);
}

} // namespace

TerminalRescue::TerminalRescue(const std::string& undo) {
  Noted& state = noted();
  state.has_modes = ::tcgetattr(STDIN_FILENO, &state.modes) == 0;
  state.undo_size = std::min(undo.size(), sizeof state.undo);
  std::memcpy(state.undo, undo.data(), state.undo_size);
  stack_t stack{};
  stack.ss_sp = state.stack;
  stack.ss_size = sizeof state.stack;
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = give_back;
  action.sa_flags = SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], &action, &state.before[i]);
    if (state.before[i].sa_handler == SIG_IGN)
      ::sigaction(kSignals[i], &state.before[i], nullptr); // nohup: somebody chose so
  }
}

TerminalRescue::~TerminalRescue() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &noted().before[i], nullptr);
}

} // namespace emend
