// One round of repairing a failed pipeline: what failed, what of it shows here, a fix, and where it went.
#pragma once

#include <string>
#include <vector>

#include "cli/ci/pull_fix.hpp"
#include "engine/forge/red_jobs.hpp"

namespace emend {

enum class RepairEnd { nothing_red, running, rested, not_reproduced, not_fixed, landed };
[[nodiscard]] std::string_view to_string(RepairEnd end);

struct Repair {
  RepairEnd end = RepairEnd::nothing_red;
  std::string line; // for people
  std::vector<RedJob> jobs;
  std::vector<std::string> reproduced, wavering; // names of checks
  std::string session_id, url;
  std::string tip; // of what was landed
};

[[nodiscard]] Result<Repair> repair_once(CommandContext& context, const PullPlace& place,
                                         const LandingWish& wish);

} // namespace emend
