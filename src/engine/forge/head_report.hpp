// Saying of a commit how it stands: pending when work on it begins, final when it ends, and never left
// pending by an emend that died in between.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "model/head_status.hpp"
#include "model/issue.hpp"
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
// What a final word rests on, so that it can be judged again without a new review.
struct ReviewGround {
  std::string files;             // hash of the files it speaks of; empty = it is not to be known again
  int number = 0;                // of the pull request; 0 = none
  std::vector<Issue> findings{}; // with their codes, as they were found
};
// status.sha and status.context are those of `pending`.
[[nodiscard]] Status show_final(const Ports& ports, Forge& forge, const PendingHead& pending,
                                HeadStatus status, const ReviewGround& ground, std::stop_token stop);
// Those whose emend is dead become `error`. How many.
[[nodiscard]] Result<int> close_left_open(const Ports& ports, Forge& forge, std::stop_token stop);

// A person let this head pass against the gate: noted once for each head, in the audit log by that name.
[[nodiscard]] Status note_override(const Ports& ports, const Forge& forge, const PullRequest& pull,
                                   const std::string& by);

// The same for the same files, whatever the commit is called.
[[nodiscard]] Result<std::string> hash_of_files(Repository& repository, const std::string& commit);

// A review whose verdict can be judged again.
struct KnownReview {
  std::string sha, state, summary; // as it was said
  ReviewGround ground;             // findings as they are tracked now
};
// The last one of exactly these files; nullopt where these files were never reviewed.
[[nodiscard]] Result<std::optional<KnownReview>> review_of_files(const Ports& ports,
                                                                 const std::string& project,
                                                                 const std::string& context,
                                                                 const std::string& files);
// Of this commit, if it is the last that was said of it there: nullopt while a review is at work, or where
// the last one failed.
[[nodiscard]] Result<std::optional<KnownReview>> review_of_commit(const Ports& ports,
                                                                  const std::string& project,
                                                                  const std::string& context,
                                                                  const std::string& sha);

} // namespace emend
