// Saying of a commit how it stands: pending when work on it begins, final when it ends, and never left
// pending by an emend that died in between.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "model/head_status.hpp"
#include "ports/forge.hpp"

namespace emend {

// A commit that is shown as pending.
struct PendingHead {
  std::string intent; // in the journal, until it is final
  std::string sha, context, run;
  bool by_check = false;          // a check run shows it, not a commit status
  std::vector<std::string> notes; // said to the person
};

// way: not `off`. With `automatic` a refused check run is remembered for the project, and statuses are used
// from then on.
[[nodiscard]] Result<PendingHead> show_pending(const Ports& ports, Forge& forge, StatusWay way,
                                               const std::string& sha, const std::string& context,
                                               std::stop_token stop);
// status.sha and status.context are those of `pending`. files: hash of the files it speaks of; empty = they
// are not to be known again.
[[nodiscard]] Status show_final(const Ports& ports, Forge& forge, const PendingHead& pending,
                                HeadStatus status, const std::string& files, std::stop_token stop);
// Those whose emend is dead become `error`. How many.
[[nodiscard]] Result<int> close_left_open(const Ports& ports, Forge& forge, std::stop_token stop);

// A person let this head pass against the gate: noted once for each head, in the audit log by that name.
[[nodiscard]] Status note_override(const Ports& ports, const Forge& forge, const PullRequest& pull,
                                   const std::string& by);

// The same for the same files, whatever the commit is called.
[[nodiscard]] Result<std::string> hash_of_files(Repository& repository, const std::string& commit);
// What was last said of these files in that context, finally; no sha = nothing was.
[[nodiscard]] Result<HeadStatus> known_status(const Ports& ports, const std::string& project,
                                              const std::string& context, const std::string& files);

} // namespace emend
