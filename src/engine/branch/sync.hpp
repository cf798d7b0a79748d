// The look at the branch people share that finds fixes merged: the only way into MERGED.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/branch/merge_finder.hpp"
#include "engine/context/event_log.hpp"
#include "engine/context/ports.hpp"
#include "model/issue.hpp"

namespace emend {

// The branch fixes are to be found on, and the commit that counts as its newest.
struct SyncTarget {
  std::string branch; // "main"
  std::string ref;    // "refs/heads/main", or "refs/remotes/origin/main" where that is ahead
  std::string tip;
};

struct SyncedIssue {
  Issue issue; // as it is now
  std::optional<Merge> merge;
  std::string detail; // where it was found, or why not
};

struct SyncReport {
  SyncTarget target;
  std::vector<SyncedIssue> issues; // every issue that was RESOLVED
  [[nodiscard]] std::size_t merged() const;
};

// `branch` empty = the default branch. A remote-tracking branch counts when the local one has nothing it
// lacks. Nothing is fetched.
[[nodiscard]] Result<SyncTarget> sync_target(History& repository, const std::string& branch);

// Looks at every RESOLVED issue. One that is moved meanwhile by somebody else, or whose commit cannot be
// read, is left as it is.
[[nodiscard]] Result<SyncReport> sync_merged(const Ports& ports, EventLog& log, const std::string& branch,
                                             std::stop_token stop);

// The same against a commit that was looked up before: a branch of another repository, fetched.
[[nodiscard]] Result<SyncReport> sync_merged(const Ports& ports, EventLog& log, const SyncTarget& target,
                                             std::stop_token stop);

[[nodiscard]] Json to_json(const SyncReport& report);

} // namespace emend
