// Commands without a network: what they are told so that they do not wait for one, and how one sees that they
// wanted it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/policy.hpp"
#include "model/verification.hpp"

namespace emend {

// Does the sandbox keep the network from the commands of this session?
[[nodiscard]] bool commands_are_offline(const Policy& policy);

// NAME=VALUE for package managers: take what is in your cache and fail at once for what is not, instead of
// trying again for minutes.
[[nodiscard]] const std::vector<std::string>& offline_environment();

// Added to the output of a failed run that was seen trying: many programs fail in silence.
constexpr const char* kTriedToLeave = "\n[it tried to reach a network, and has none here]\n";

// The line of a command's output that says it could not reach a network; empty = none does.
[[nodiscard]] std::string network_complaint(std::string_view output);

// The run failed, the sandbox gives it no network, and it complained about that.
[[nodiscard]] bool failed_offline(const Policy& policy, const CommandRun& run);

} // namespace emend
