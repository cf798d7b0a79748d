// Tidies up after an engine that died: its children are ended by identity, its issues are free again, its session can be resumed.
#pragma once

#include <string>

#include "engine/event_log.hpp"
#include "engine/session_manager.hpp"

namespace emend {

// Call with the repository's lock held: whoever still says "running" is dead. Returns the ids of the sessions that were interrupted.
[[nodiscard]] Result<std::vector<std::string>> recover(const Ports& ports, EventLog& log);

// What a session's status means now: `running` by an engine that is gone is interrupted, even before anybody has tidied up.
[[nodiscard]] SessionStatus present_status(const Session& session);

// Frees one session's issues (IN_PROGRESS -> OPEN) and sets its status.
[[nodiscard]] Status set_aside(const Ports& ports, EventLog& log, Session session, SessionStatus status, const std::string& why);

} // namespace emend
