// The token a forge is asked with: from the environment, else from the gh program. It stays in memory.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/forge_place.hpp"
#include "ports/process.hpp"

namespace emend {

struct ForgeToken {
  std::string value;   // empty = there is none
  bool of_job = false; // GitLab's CI_JOB_TOKEN, which goes into a header of its own
};

// The names that are looked at, in this order.
[[nodiscard]] std::vector<std::string> token_variables(const ForgePlace& place,
                                                       const ForgeSettings& settings);
// ErrorCode::auth when one is set that cannot be one (blanks, line ends).
[[nodiscard]] Result<ForgeToken> find_token(const ForgePlace& place, const ForgeSettings& settings,
                                            const std::vector<std::string>& environment,
                                            ProcessRunner& processes, std::stop_token stop);

} // namespace emend
