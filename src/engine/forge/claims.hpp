// Issues a pull request says it fixes, and whether that is shown.
#pragma once

#include <vector>

#include "engine/context/ports.hpp"
#include "engine/forge/gate_verdict.hpp"

namespace emend {

// Of the title and the text. Proven: emend's own fix with a reproducer is in this head, or a check asked for
// here said so of this head.
[[nodiscard]] Result<std::vector<FixClaim>> claims_of(const Ports& ports, const ForgePlace& place,
                                                      const PullRequest& pull);

} // namespace emend
