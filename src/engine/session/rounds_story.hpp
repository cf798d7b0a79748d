// How the rounds of an issue went where there was more than one change or more than one opinion: candidates
// beside each other, a verdict that was contested. Pure.
#pragma once

#include <vector>

#include "engine/gate/story.hpp"
#include "model/issue.hpp"
#include "model/report.hpp"

namespace emend {

// In the order of the rounds: "candidates" (who made a change, and what became of it), "question" (two of
// them behave differently, and what a person said), "contested" (whose change was judged again, and how).
[[nodiscard]] std::vector<StoryLine> story_of_rounds(const Issue& issue, const std::vector<FixCycle>& cycles,
                                                     int panel);

} // namespace emend
