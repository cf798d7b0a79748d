// One unit of a session that another process coordinates, worked on here. Everything is written under the
// claim: when it is lost, nothing more of it counts.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "engine/presence.hpp"
#include "engine/session_manager.hpp"

namespace emend {

// Returns what the coordinator is told. The repository holds the unit's base; home is this worker's own.
[[nodiscard]] Result<Json> work_on_unit(const Ports& ports, const std::string& home, const HeldClaim& claim,
                                        std::stop_token stop);

} // namespace emend
