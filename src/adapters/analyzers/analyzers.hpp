// All static analyzers the product knows, whether they are installed here or not.
#pragma once

#include <memory>
#include <vector>

#include "ports/analyzer.hpp"

namespace emend {

// Some tools are configured by programs of the repository (eslint.config.js, flake8's local plugins). Running
// those is running the repository's code, so a person must have allowed it.
enum class ProjectCode { refused, allowed };

// The built-in rules come first. processes must outlive the analyzers. One analyzer's run() may be called
// from several threads.
[[nodiscard]] std::vector<std::unique_ptr<Analyzer>> make_analyzers(
    ProcessRunner& processes, ProjectCode project_code = ProjectCode::refused);

} // namespace emend
