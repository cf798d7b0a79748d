// What emend did on a forge, kept where everything is kept: events of a stream of their own, one for each
// repository.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "engine/session_manager.hpp"
#include "model/event.hpp"

namespace emend {

// Types: docs/events.md. Durable when it returns.
[[nodiscard]] Status note_forge_event(const Ports& ports, std::string_view type, Json data);
// Of that type, in order.
[[nodiscard]] Result<std::vector<Event>> forge_events(const Ports& ports, std::string_view type);

} // namespace emend
