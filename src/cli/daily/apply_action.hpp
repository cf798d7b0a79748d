// The fixes of a session, put into the working tree because a person asked for it.
#pragma once

#include <string>

#include "cli/context.hpp"

namespace emend {

// Only what the gate took, and only over files that are as the session found them: else ErrorCode::conflict,
// and nothing is written. The index and the branches stay as they are.
[[nodiscard]] Status apply_session(CommandContext& context, const Session& session, bool dry);

} // namespace emend
