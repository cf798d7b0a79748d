// The report stage: a session's FixReport from durable state alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "engine/gate/story.hpp"
#include "engine/gate/telling_runs.hpp"
#include "model/report.hpp"

namespace emend {

// Why an issue has its status: every attempt, and each clause of the gate by name.
struct Explanation {
  Issue issue;
  std::vector<FixCycle> cycles;
  std::optional<GateDecision> decision;
  std::optional<Proof> proof;
  std::vector<StoryLine> story;        // of its rounds, then what was run and seen for the fix that counts
  int panel = 1;                       // judges of each change
  int threshold = 0;                   // the score its session wanted
  std::vector<TellingRun> experiments; // of the check that tells about it
};

[[nodiscard]] Result<FixReport> make_report(const Ports& ports, const std::string& session_id);
[[nodiscard]] Result<Explanation> make_explanation(const Ports& ports, const Issue& issue);

} // namespace emend
