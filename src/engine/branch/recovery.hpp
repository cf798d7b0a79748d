// Tidies up after an engine that died: its children are ended by identity, its issues are free again, its
// session can be resumed.
#pragma once

#include <string>

#include "engine/context/event_log.hpp"
#include "engine/context/ports.hpp"

namespace emend {

// Call with the repository's lock held: whoever still says "running" is dead, unless it may run on another
// machine whose lock is another (runs_elsewhere). Returns the ids of the sessions that were interrupted.
[[nodiscard]] Result<std::vector<std::string>> recover(const Ports& ports, EventLog& log);

// What a session's status means now: `running` by an engine that is gone, or by this process although no
// thread of it works on the session, is interrupted, even before anybody has tidied up. Of an engine on
// another machine nothing is known here, so what it says stands.
[[nodiscard]] SessionStatus present_status(const Session& session);

// Whether it may be at work on another machine. Never where the repository's lock counts on all of them
// (Ports::presence): who holds it is alone.
[[nodiscard]] bool runs_elsewhere(const Ports& ports, const Session& session);

// Frees one session's issues (IN_PROGRESS -> OPEN) and sets its status.
[[nodiscard]] Status set_aside(const Ports& ports, EventLog& log, Session session, SessionStatus status,
                               const std::string& why);

} // namespace emend
