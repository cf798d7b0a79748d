// An independent score for a change that somebody made, issue by issue. It decides nothing: no issue changes
// its status by it.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "model/verdict.hpp"

namespace emend {

struct ChallengeRequest {
  std::string session_id; // prompts and outputs are kept under it
  std::string base;       // commit the patch is relative to
  Patch patch;
  std::vector<Issue> issues; // which it is said to solve
  Policy policy;
};

// In the order of the issues. An agent that answered nothing usable gives an invalid verdict.
// ErrorCode::agent when nobody can be asked now, ErrorCode::cancelled for a fired stop token.
[[nodiscard]] Result<std::vector<Verdict>> challenge_change(const Ports& ports, const std::string& home,
                                                            const std::function<void(const Event&)>& on_event,
                                                            const ChallengeRequest& request,
                                                            std::stop_token stop);

} // namespace emend
