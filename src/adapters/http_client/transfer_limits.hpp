// How long a transfer may take.
#pragma once

#include <cstdint>

namespace emend {

struct TransferLimits {
  std::int64_t connect_ms = 5'000;
  std::int64_t stall_seconds = 20; // slower than 100 bytes a second for that long
  std::int64_t total_ms = 600'000;
};

} // namespace emend
