// Forge issues for findings that could not be fixed: one issue for each, with every
// attempt and why it did not do.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/redact.hpp"
#include "engine/context/ports.hpp"
#include "model/posting.hpp"
#include "model/report.hpp"
#include "ports/forge.hpp"

namespace emend {

// How an issue ended that nobody fixed. blocked: the fixer said it cannot be done here; exhausted: every
// attempt was used up.
enum class OpenEnd { blocked, exhausted };
// nullopt = it did not end, or for a reason that says nothing about it (a budget, an agent that could not
// work).
[[nodiscard]] std::optional<OpenEnd> open_end(const Issue& issue);

struct TrackerEntry {
  Issue issue;
  std::vector<std::string> doubts; // justifications to look at twice
  NewTrackerIssue text;            // what is opened
  std::string update;              // what is said below one that is there already
};

// Pure. cycles: all attempts, in order. place: for links; null = there is no forge to link to.
[[nodiscard]] TrackerEntry tracker_entry(const Issue& issue, const std::vector<FixCycle>& cycles,
                                         const ForgePlace* place, const TrackerSettings& settings,
                                         const Redactor& redactor);

// What a reader should not take on trust: a fixer's "false positive" for what others found, "cannot" without
// a try, a fix that weakened what checks it.
[[nodiscard]] std::vector<std::string> doubts_about(const Issue& issue, const std::vector<FixCycle>& cycles);

struct Published {
  enum class What { opened, updated, reopened, known, gone } what = What::known;
  std::string code, url;
  int number = 0;
};

// Looks for each fingerprint's mark among open and closed issues and in what was noted here, so that none is
// opened twice; what a later session tried is said below the issue there is, which is opened again. One that
// a person deleted, or closed after that session, is left alone. What is done is noted at once. Goes on where
// it stopped when it is called again.
[[nodiscard]] Result<std::vector<Published>> publish(const Ports& ports, Forge& forge,
                                                     const std::vector<TrackerEntry>& entries,
                                                     const TrackerSettings& settings, std::stop_token stop);

} // namespace emend
