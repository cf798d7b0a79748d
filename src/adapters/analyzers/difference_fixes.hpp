// Fix-its of tools that change files but do not say how: the difference is the fix-it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/known_analyzers.hpp"

namespace emend {

// Gives each finding in the file without a fix-it the stretches of the difference that touch its lines; those
// the tool changed nothing for stay as they are.
void fix_by_difference(std::vector<Finding>& findings, const KnownAnalyzer& tool, const std::string& file,
                       std::string_view before, std::string_view after);

// The whole difference as one finding of a tool that has no other report; before and after must differ.
[[nodiscard]] Finding finding_by_difference(const KnownAnalyzer& tool, const std::string& file,
                                            std::string_view before, std::string_view after);

} // namespace emend
