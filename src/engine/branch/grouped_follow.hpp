// What becomes of grouped branches when the branch of their session changes.
#pragma once

#include "engine/context/ports.hpp"
#include "model/withdrawal.hpp"

namespace emend {

// After the session's branch has moved on or is gone: grouped branches that are as emend left them follow it.
// What came of it is added to `change`.
[[nodiscard]] Status follow_with_grouped(const Ports& ports, const Session& session, const Withdrawal& how,
                                         Change& change);

} // namespace emend
