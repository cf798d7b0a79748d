// Reports that are lines of text, read by the regular expression of the tool's row.
#pragma once

#include <string_view>
#include <vector>

#include "adapters/analyzers/source_tree.hpp"
#include "base/result.hpp"
#include "model/known_analyzers.hpp"

namespace emend {

// Severity and category are the row's, else those of the word the tool uses. Lines that do not match are left
// out. ErrorCode::config when the expression is not usable.
[[nodiscard]] Result<std::vector<Finding>> read_by_pattern(const KnownAnalyzer& tool, std::string_view text,
                                                           SourceTree& tree);

} // namespace emend
