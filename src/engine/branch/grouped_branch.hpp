// A second branch for people who want fewer commits: the same files as the session's branch, with one commit
// for each rule, each file, or all of it. Everything that is proven stays on the session's branch.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/context/event_log.hpp"
#include "engine/context/ports.hpp"
#include "model/events.hpp"

namespace emend {

struct GroupedSession {
  Session session;
  std::optional<FixBranchGrouped> branch; // nullopt = no two of its commits can be put together
  bool again = false;                     // it was there before
};
[[nodiscard]] Json to_json(const GroupedSession& grouped);

// "fix/k3f9-by-rule"
[[nodiscard]] std::string grouped_branch_name(const Session& session, Grouping by);

// Makes the branch of a session whose fixes are published, unless it is there as emend left it.
// Deterministic: doing it again after a crash finds what was done. ErrorCode::conflict: the name is taken, or
// no fix is left.
[[nodiscard]] Result<GroupedSession> make_grouped_branch(const Ports& ports, EventLog& log,
                                                         const Session& session, Grouping by);

// The same for a session that has ended, asked for by a person.
[[nodiscard]] Result<GroupedSession> group_session(const Ports& ports, const std::string& home,
                                                   const std::function<void(const Event&)>& on_event,
                                                   const std::string& session_id, Grouping by);

} // namespace emend
