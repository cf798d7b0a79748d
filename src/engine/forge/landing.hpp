// Where a fix goes that somebody asked for in a pull request: beside its branch, or onto it.
#pragma once

#include <stop_token>
#include <string>

#include "engine/forge/pull_request.hpp"

namespace emend {

struct LandOrder {
  PullRequest pull;        // number 0: a branch without a pull request
  std::string fixed_head;  // the commit that was fixed: it must still be the head
  std::string branch, tip; // of the session
  ProposalText text;
  bool to_branch = false;
};

struct Landed {
  std::string line; // for people
  int number = 0;   // of the stacked pull request; 0 = its branch was moved on
  std::string url;
  std::vector<std::string> notes;
};

// Reads the head again: ErrorCode::conflict, and nothing is pushed, when it is not what was fixed. Forward
// only; never onto the branch the pull request goes into.
[[nodiscard]] Result<Landed> land(Forge& forge, Remotes& remotes, const LandOrder& order,
                                  std::stop_token stop);

} // namespace emend
