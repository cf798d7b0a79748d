// Findings from where the person points to: a file, or stdin for "-".
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/finding.hpp"

namespace emend {

// An empty path gives no findings. Errors name the file.
[[nodiscard]] Result<std::vector<Finding>> read_findings(const std::string& path);

} // namespace emend
