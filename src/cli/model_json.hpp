// JSON forms of values that only the command line shows. docs/json-output.md describes them.
#pragma once

#include "base/json.hpp"
#include "engine/session/session_manager.hpp"
#include "model/session.hpp"

namespace emend {

[[nodiscard]] Json session_json(const Session& session); // the short form of emend.sessions/v1
[[nodiscard]] Json explanation_json(const Explanation& explanation);

} // namespace emend
