// Fence: the right to write the results of one piece of shared work. It grows with every claim, so an earlier
// claim's writes are refused.
#pragma once

#include <cstdint>
#include <string>

namespace emend {

struct Fence {
  std::string job_id;
  std::int64_t token = 0;
};

} // namespace emend
