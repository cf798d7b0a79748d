// Two changes for one issue that pass everything, held against its hidden check and inputs near it: where do
// they answer differently?
#pragma once

#include <stop_token>
#include <string>
#include <utility>

#include "engine/context/run_context.hpp"
#include "engine/session/disagreement.hpp"
#include "model/attempt.hpp"
#include "model/issue.hpp"

namespace emend {

// Nothing: the issue has no hidden check, it is too slow to be run that often, or both answer alike.
[[nodiscard]] Result<Disagreement> near_difference(RunContext& context, const Issue& issue,
                                                   const Attempt& one, const Attempt& other,
                                                   std::stop_token stop);

// How two runs of a check differ, as an answer of each. A value that one does not say clearly counts only
// where both fail or pass differently. No answers: they do not differ. Pure.
[[nodiscard]] Disagreement answers_differ(const Reproducer& check, const Reproducer& near,
                                          const std::pair<std::string, CommandRun>& one,
                                          const std::pair<std::string, CommandRun>& other);

} // namespace emend
