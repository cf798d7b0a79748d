// The entry of the audit log for what somebody does to a repository.
#pragma once

#include <string>

#include "engine/context/ports.hpp"

namespace emend {

// By ports.actor; nothing when that is emend itself. subject: an issue's code, a session's id, a path.
void note_audit(Change& change, const Ports& ports, std::string action, std::string subject,
                std::string session_id = {}, Json detail = Json::object());

} // namespace emend
