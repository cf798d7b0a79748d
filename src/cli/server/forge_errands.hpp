// What the server does when a webhook tells of a pull request: the same commands a person would type.
#pragma once

#include "api/forge_errand.hpp"
#include "cli/context.hpp"

namespace emend {

// context: of the command that serves; it outlives the errands.
[[nodiscard]] RunErrand forge_errands(CommandContext& context);

} // namespace emend
