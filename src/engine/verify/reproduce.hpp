// The check for one issue, run: on the base, with a patch, and without it again.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "engine/context/run_context.hpp"
#include "model/reproducer.hpp"
#include "model/verification.hpp"

namespace emend {

// The check that counts for an issue in a session: the last one that was red on the base; nullopt = there is
// none.
[[nodiscard]] Result<std::optional<Reproducer>> reproducer_of(IssueStore& store, const std::string& issue_id,
                                                              const std::string& session_id);

// Twice, each time in a fresh tree = base + patch + the check's own files: a check that does not always say
// the same says nothing. Not stored. A fired stop token gives CommandResult::cancelled.
[[nodiscard]] Result<Verification> execute_reproducer(RunContext& context, const Reproducer& check,
                                                      VerificationKind kind, const std::string& base,
                                                      const Patch& patch, std::stop_token stop,
                                                      Look look = Look::first);

// Why a run on an untouched tree does not show the issue; empty = it does.
[[nodiscard]] std::string why_not_red(const Reproducer& check, const CommandRun& run);

// Which tests of it fail with the patch as they do without; empty = none, or other things decide.
[[nodiscard]] std::string leaves_failing(const Reproducer& check, const CommandRun& before,
                                         const CommandRun& with);

// What a check that says values should know; what fewer refuse stands in docs/experiments.md.
inline constexpr int kEnoughAnswers = 5;
// Says that it knows fewer right answers; empty = it does not, or it says no values.
[[nodiscard]] std::string few_answers(const Reproducer& check);

struct ReproducerRuns {
  std::string problem; // "is green on the base"; empty = red, green, red
};
// All three again, nothing stored. ErrorCode::cancelled when the stop token fired.
[[nodiscard]] Result<ReproducerRuns> run_reproducer(RunContext& context, const Reproducer& check,
                                                    const std::string& base, const Patch& patch,
                                                    std::stop_token stop);

} // namespace emend
