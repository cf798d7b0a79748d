#include "adapters/clock/system_clock.hpp"

#include <chrono>

namespace emend {

namespace {

template <typename Source>
std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Source::now().time_since_epoch()).count();
}

} // namespace

std::int64_t SystemClock::wall_ms() const { return now_ms<std::chrono::system_clock>(); }

std::int64_t SystemClock::steady_ms() const { return now_ms<std::chrono::steady_clock>(); }

} // namespace emend
