// A person takes back what a session did: one fix, or all of it. The issues are OPEN again first and the
// branch follows, so that nothing is called RESOLVED that the branch does not hold, whenever the power goes.
// Proofs and history stay.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/event_log.hpp"
#include "engine/context/ports.hpp"

namespace emend {

struct Withdrawn {
  Session session;
  std::vector<Issue> issues;           // whose fix was taken back, as they are now
  std::vector<Withdrawal> withdrawals; // of the same order
  bool again = false;                  // it had been taken back before: nothing was changed now
  std::string advice;                  // what is left for the person to do; empty = nothing
};
[[nodiscard]] Json to_json(const Withdrawn& withdrawn);

struct RejectOrder {
  std::string session_id;
  std::string code;
  std::string reason; // not empty; kept as a comment for the next fixer
};

// The fix of one RESOLVED issue: a commit that undoes exactly its patch is put on top of our branch, after
// the project's commands, checks and analyzers have agreed to what remains. Issues that share its commit are
// taken back with it. ErrorCode::conflict, and nothing has changed: the fix is merged, somebody else has
// moved the branch or stands on it, or later fixes need it.
[[nodiscard]] Result<Withdrawn> reject(const Ports& ports, const std::string& home,
                                       const std::function<void(const Event&)>& on_event,
                                       const RejectOrder& order, std::stop_token stop);

// Every fix of a session that is not merged. The branch is removed if it is as we left it and nobody stands
// on it.
[[nodiscard]] Result<Withdrawn> discard(const Ports& ports, const std::string& home,
                                        const std::function<void(const Event&)>& on_event,
                                        const std::string& session_id, const std::string& reason);

} // namespace emend
