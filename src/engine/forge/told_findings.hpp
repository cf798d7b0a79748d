// Findings that emend told in its threads, read back from them: what a place without our journal, such as a
// job of a workflow, knows of what was found before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "model/finding.hpp"
#include "model/issue.hpp"
#include "ports/forge.hpp"

namespace emend {

struct ToldFinding {
  std::string fingerprint, code; // as the thread names them
  Finding finding;
  std::string dismissed; // what we answered when somebody dismissed it; empty = nobody did
};

// Of our threads alone: our account began it, with our mark and a code. Pure.
[[nodiscard]] std::optional<ToldFinding> told_finding(const ReviewThread& thread);

struct LearnedFinding {
  Issue issue;
  std::string dismissed; // see ToldFinding
};
// Tracks those that are not known here, by their own codes where these are free. commit: the head, in the
// engine's store.
[[nodiscard]] Result<std::vector<LearnedFinding>> learn_told(const Ports& ports,
                                                             const std::vector<ReviewThread>& threads,
                                                             const std::string& commit);

} // namespace emend
