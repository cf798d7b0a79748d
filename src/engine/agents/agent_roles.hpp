// The roles that have an agent file, and what the engine fills into it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/agents/agent_file.hpp"

namespace emend {

struct AgentRole {
  std::vector<std::string> filled_in; // placeholders a file of the role may use
  std::vector<std::string> needed;    // and those without which it could not do its work
};

// A role that is built in, or "reviewer_NAME", which a repository may add. ErrorCode::config for any other,
// with the nearest name.
[[nodiscard]] Result<AgentRole> agent_role(std::string_view name);

// Would this text work as the file of that name? Front matter, a name that is its file's (hyphen and
// underscore are one), a role there is, its placeholders. ErrorCode::config with path and line.
[[nodiscard]] Status check_agent_file(std::string_view path, std::string_view text);

} // namespace emend
