// What the hooks of coding agents have in common: the event on stdin, and what is told to the person.
#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"
#include "cli/command.hpp"
#include "cli/context.hpp"

namespace emend {

// The event on stdin, and from here on its directory is the current one. nullopt = it is no event, or comes
// from an agent that emend itself started.
[[nodiscard]] std::optional<Json> hook_event(CommandContext& context);

// Shows the person a message through the agent's program, the first time it is said in this repository. Where
// that cannot be remembered it is said each time.
void tell_once(CommandContext& context, const std::string& message);
// Has it been said here before? From now on it has.
[[nodiscard]] Result<bool> said_before(CommandContext& context, const std::string& message);

[[nodiscard]] Command session_start_hook();

} // namespace emend
