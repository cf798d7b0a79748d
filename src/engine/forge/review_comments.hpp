// What people say about lines of a pull request, as findings. Pure.
#pragma once

#include <vector>

#include "model/finding.hpp"
#include "model/issue.hpp"
#include "ports/forge.hpp"

namespace emend {

// Comments of people that begin a thread on a line: not ours, no bot's, no answers. One that is an issue
// already (`known`) is left out.
[[nodiscard]] std::vector<Finding> comment_findings(const std::vector<Remark>& remarks, int pull_number,
                                                    const std::vector<Issue>& known);

} // namespace emend
