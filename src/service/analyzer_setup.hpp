// What the configuration of a repository says about analyzers, as those who make them take it.
#pragma once

#include <string>

#include "config/config.hpp"
#include "ports/analyzer.hpp"

namespace emend {

// cache: a directory for results; empty = none are kept.
[[nodiscard]] Result<AnalyzerSetup> analyzer_setup(const Config& config, const std::string& repository_root,
                                                   const std::string& cache);

} // namespace emend
