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

// Not a number: the name of a place, or NAME:3 for the third time there.
struct Place {
  std::string name;
  std::atomic<std::int64_t> times = 1;

  Place() {
    const char* value = std::getenv("EMEND_TEST_CRASH_AT");
    if (value == nullptr || calls_until_crash() > 0) return;
    name = value;
    const auto colon = name.find(':');
    if (colon == std::string::npos) return;
    times = static_cast<std::int64_t>(parse_unsigned(name.substr(colon + 1)).value_or(1));
    name.resize(colon);
  }
};

bool is_time(const char* name) {
  static Place place;
  if (!place.name.empty()) return place.name == name && place.times.fetch_sub(1) == 1;
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
