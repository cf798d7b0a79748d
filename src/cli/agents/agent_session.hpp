// Fix sessions that a coding agent or an editor starts. They run in a process of their own and go on when
// whoever asked has left.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/context.hpp"

namespace emend {

// Begins a session on 1 to 10 issues; its id. ErrorCode::needs_input when a person has not allowed the
// repository's commands; ErrorCode::conflict when as many run, or were begun in the last hour, as may. One at
// a time begins in a repository, whatever process asks.
[[nodiscard]] Result<std::string> begin_session(CommandContext& context,
                                                const std::vector<std::string>& codes, std::stop_token stop);

// Until it is over or the time is up: nullopt. tell: a line when something happens.
[[nodiscard]] Result<std::optional<FixReport>> wait_for_session(
    CommandContext& context, const std::string& id, std::chrono::milliseconds most, std::stop_token stop,
    const std::function<void(const std::string&)>& tell);

} // namespace emend
