// Findings from where the person points to: a file, or stdin for "-".
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "formats/report_text.hpp"
#include "model/finding.hpp"

namespace emend {

// The whole of a file, or of stdin for "-".
[[nodiscard]] Result<std::string> read_input(const std::string& path, std::size_t max_bytes);

// The same to be read in parts: of a file only those are in memory.
[[nodiscard]] Result<ReportText> open_report(const std::string& path, std::size_t max_bytes);

// An empty path gives no findings. Errors name the file.
[[nodiscard]] Result<std::vector<Finding>> read_findings(const std::string& path);

} // namespace emend
