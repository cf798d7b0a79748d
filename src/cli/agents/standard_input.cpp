#include "cli/agents/standard_input.hpp"

#include <poll.h>
#include <unistd.h>

namespace emend {

void each_input(const std::function<bool(std::string_view bytes)>& take, const std::function<bool()>& idle,
                const std::function<int()>& wait_ms) {
  char buffer[65536];
  for (;;) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&input, 1, wait_ms ? wait_ms() : -1);
    if (ready < 0) return; // asked to stop
    if (ready > 0) {
      const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
      if (got <= 0 || !take({buffer, static_cast<std::size_t>(got)})) return;
    }
    if (idle && !idle()) return;
  }
}

} // namespace emend
