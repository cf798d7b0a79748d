// Two changes for one issue that pass everything, held against its hidden check and inputs near it: where do
// they answer differently?
#pragma once

#include <stop_token>

#include "engine/session/candidates.hpp"

namespace emend {

// Nothing: the issue has no hidden check, it is too slow to be run that often, or both answer alike.
[[nodiscard]] Result<Disagreement> near_difference(RunContext& context, const Issue& issue,
                                                   const Candidate& one, const Candidate& other,
                                                   std::stop_token stop);

// How two runs of a check differ, as an answer of each. A value that one does not say clearly counts only
// where both fail or pass differently. No answers: they do not differ. Pure.
[[nodiscard]] Disagreement answers_differ(const Reproducer& check, const Reproducer& near,
                                          const std::pair<std::string, CommandRun>& one,
                                          const std::pair<std::string, CommandRun>& other);

} // namespace emend
