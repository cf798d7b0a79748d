// Does a fix loop still get anywhere? A change that was there before, or the same answer to it again, says
// no. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/turn_prompt.hpp"
#include "model/attempt.hpp"

namespace emend {

// Why an issue failed whose fixer came back to an earlier change; what a clause refuses keeps that reason.
inline constexpr const char* kNoProgress = "no_progress";

// Begins the detail of an attempt that was refused for what was changed outside of its workspace: of the
// change itself it says nothing.
inline constexpr std::string_view kContainment = "containment: ";

// The attempt before `attempt`, of the same unit and on the same base, that made exactly its change; null =
// it is new. What was interrupted, or refused for what was done beside it, does not count.
[[nodiscard]] const Attempt* same_change(const std::vector<Attempt>& attempts, const Attempt& attempt);

// Was something else tried after it? Then making its change again is going round in circles, not only
// standing still.
[[nodiscard]] bool returned_to(const std::vector<Attempt>& attempts, const Attempt& earlier);

// Was the fixer told the same before? Times, addresses and temporary paths aside, word for word.
[[nodiscard]] bool same_feedback(const Feedback& before, const Feedback& now);

} // namespace emend
