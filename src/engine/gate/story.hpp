// The experiments behind a decision, in sentences for a maintainer. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/gate/evidence.hpp"

namespace emend {

struct StoryLine {
  std::string experiment; // base, patched, base_tests, without, turned, reproducer, near, probe,
                          // executed, final, rescan, note, judge, level, mark;
                          // of rounds: candidates, contested, question
  std::string text;       // one sentence
};

// What was run and seen for the attempt that counts, in the order of the experiments; the last lines say the
// level, or why there is none, and the marks. Empty when there is no attempt.
[[nodiscard]] std::vector<StoryLine> story_of(const GateInput& in, const GateDecision& decision);

// The newest run of a kind on exactly this tree, for this issue or for all; null = there is none.
[[nodiscard]] const Verification* find_run(const GateInput& in, VerificationKind kind,
                                           const std::string& base, const std::string& patch_sha);

[[nodiscard]] Json to_json(const StoryLine& line);

} // namespace emend
