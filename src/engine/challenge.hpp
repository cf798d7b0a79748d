// The challenge stage: an independent agent scores one patch from the issue, the diff and the verification result alone.
#pragma once

#include <optional>
#include <stop_token>

#include "engine/run_context.hpp"
#include "model/attempt.hpp"
#include "model/verdict.hpp"

namespace emend {

// Durable, with the event that tells of it.
[[nodiscard]] Status store_verdict(RunContext& context, const Issue& issue, const Verdict& verdict);

// Calls the challenger in its own copy until it gives a valid verdict or policy.challenge_retries is used up; each verdict is stored.
// A challenger that changes a file, crashes, hangs or answers nonsense gives an invalid verdict, never an approval.
// nullopt: cancelled.
[[nodiscard]] Result<std::optional<Verdict>> challenge(RunContext& context, Agent& challenger, const Issue& issue, const Attempt& attempt,
                                                       const Verification* verification, std::stop_token stop);

} // namespace emend
