// Reads the findings files people bring: the seeds' JSON as groups or as a flat list.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/finding.hpp"

namespace emend {

// {"groups":[{"description","findings":[...]}]}, {"findings":[...]} or [...]. Field names of all three seeds
// are known: id/issue_id, issue_code, file/path, line (number, "45" or "45-67"), severity, category, title,
// issue/description/message, fix_hint/suggestion, rule/rule_id. A wrong type is ErrorCode::usage that names
// the place ("groups[0].findings[2].line"). Ids that come twice are annotated.
[[nodiscard]] Result<std::vector<Finding>> parse_findings(std::string_view text);

} // namespace emend
