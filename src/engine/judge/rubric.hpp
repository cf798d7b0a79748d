// The challenger without a model: a fixed rubric over evidence the engine itself produced. It reads no claim
// of the fixer.
#pragma once

#include <optional>

#include "engine/context/run_context.hpp"
#include "model/attempt.hpp"
#include "model/verdict.hpp"

namespace emend {

// What the rubric looks at. Unknown counts as not shown.
struct RubricFacts {
  bool finding_gone = false;
  std::optional<bool> verified; // nullopt: no verification command applies, so it is not counted
  bool nothing_new = false;
  bool confined = false; // only the files the finding or its fix-it names
  int changed_lines = 0;
};

struct RubricScore {
  int score = 0; // 0..100
  std::map<std::string, int> points;
  std::string feedback; // each line of the rubric with its points
};

// 40 the finding is gone, 30 verification is green, 15 nothing new, 10 confined, 5 small; of what applies,
// scaled to 100. Pure.
[[nodiscard]] RubricScore rubric_score(const RubricFacts& facts);

// The verdict on one attempt, bound to its patch. rescan: of a tree that holds the patch. Not stored.
[[nodiscard]] Verdict rubric_verdict(const RunContext& context, const Issue& issue, const Attempt& attempt,
                                     const Verification& rescan, std::optional<bool> verified);

} // namespace emend
