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

// Not a number: the name of a place.
const std::string& place_to_crash() {
  static const std::string place = [] {
    const char* value = std::getenv("EMEND_TEST_CRASH_AT");
    return value == nullptr || calls_until_crash() > 0 ? std::string() : std::string(value);
  }();
  return place;
}

bool is_time(const char* name) {
  if (!place_to_crash().empty()) return place_to_crash() == name;
  return remaining.load(std::memory_order_relaxed) != 0 && remaining.fetch_sub(1) == 1;
}

} // namespace

void crash_point(const char* name) {
  if (!is_time(name)) return;
  const std::string line = std::string("crash point: ") + name + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  ::kill(::getpid(), SIGKILL);
}

} // namespace emend
