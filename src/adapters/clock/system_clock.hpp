// The machine's own clocks.
#pragma once

#include "ports/clock.hpp"

namespace emend {

class SystemClock : public Clock {
public:
  [[nodiscard]] std::int64_t wall_ms() const override;
  [[nodiscard]] std::int64_t steady_ms() const override;
};

} // namespace emend
