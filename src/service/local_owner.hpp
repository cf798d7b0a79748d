// The person whose machine this is, with the name git or the operating system knows.
#pragma once

#include <string>
#include <vector>

#include "model/actor.hpp"
#include "ports/repository.hpp"

namespace emend {

// Set for programs that emend starts for somebody who works through another one.
inline constexpr std::string_view kThroughVariable = "EMEND_THROUGH";

// repository: whose git configuration is asked for the name; null = none. For the record, not for access.
[[nodiscard]] Actor local_owner(RepositoryPlace* repository, const std::vector<std::string>& environment);

} // namespace emend
