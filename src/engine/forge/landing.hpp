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
  std::string asked_by; // a person at the forge who must still be entitled; empty = whose token this is
};

struct Landed {
  std::string line; // for people
  int number = 0;   // of the stacked pull request; 0 = its branch was moved on
  std::string url;
  std::vector<std::string> notes;
};

// Reads the head again: ErrorCode::conflict, and nothing is pushed, when it is not what was fixed. Onto the
// branch itself forward only, never where it is a fork's, protected, the default one or the one the pull
// request goes into, and only while asked_by may write.
[[nodiscard]] Status may_land(Forge& forge, const LandOrder& order, std::stop_token stop); // as of now
[[nodiscard]] Result<Landed> land(Forge& forge, Remotes& remotes, const LandOrder& order,
                                  std::stop_token stop);

} // namespace emend
