// The branch's side of taking fixes back: what was announced is done, once, also after a crash.
#pragma once

#include <string>
#include <vector>

#include "engine/context/event_log.hpp"
#include "engine/context/ports.hpp"

namespace emend {

// Does what is pending, and says what came of it. The world may have changed since it was announced: then the
// branch is left alone.
[[nodiscard]] Result<std::string> carry_out(const Ports& ports, EventLog& log, const Session& session,
                                            std::vector<Withdrawal> pending);

// What a process that died left half done. Call with the repository's lock held.
[[nodiscard]] Status settle_withdrawals(const Ports& ports, EventLog& log);

// Where we left a session's branch: its last commit, or the last one that undid a fix; empty = it has none.
[[nodiscard]] Result<std::string> own_tip(IssueStore& store, const Session& session);

} // namespace emend
