// Findings that a review tells again in other words: agents do not say the same thing twice in the same way.
// Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/issue.hpp"
#include "ports/forge_remark.hpp"

namespace emend {

// Fingerprint of a finding -> fingerprint of the comment of ours that says the same: in the same file, at
// most some lines away, with most of its words. A comment stands for one finding, and not for one whose own
// comment is there.
[[nodiscard]] std::map<std::string, std::string> told_before(const std::vector<Issue>& findings,
                                                             const std::vector<Remark>& remarks);

} // namespace emend
