// Time, so that tests can own it. Durations use the steady clock; wall time is only for people.
#pragma once

#include <cstdint>

namespace emend {

class Clock {
public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual std::int64_t wall_ms() const = 0;   // Unix time
  [[nodiscard]] virtual std::int64_t steady_ms() const = 0; // never goes back
};

} // namespace emend
