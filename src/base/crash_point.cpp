#include "base/crash_point.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/strings.hpp"

namespace emend {

namespace {

std::int64_t calls_until_crash() {
  const char* value = std::getenv("EMEND_TEST_CRASH_AT");
  return value == nullptr ? 0 : static_cast<std::int64_t>(parse_unsigned(value).value_or(0));
}

// 0 = never. Read when the program starts, so a child cannot be made to crash by a later setenv.
std::atomic<std::int64_t> remaining = calls_until_crash();

} // namespace

void crash_point(const char* name) {
  if (remaining.load(std::memory_order_relaxed) == 0) return;
  if (remaining.fetch_sub(1) != 1) return;
  const std::string line = std::string("crash point: ") + name + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  ::kill(::getpid(), SIGKILL);
}

} // namespace emend
