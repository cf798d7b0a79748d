// What the configuration of a repository says about analyzers, as those who make them take it.
#pragma once

#include <string>

#include "config/config.hpp"
#include "ports/analyzer.hpp"
#include "service/project_config.hpp"

namespace emend {

// cache: a directory for results; empty = none are kept. The store knows what a person allowed; it is asked
// where the configuration does not say whether the project's tools may run.
[[nodiscard]] Result<AnalyzerSetup> analyzer_setup(const Config& config, const OpenStore& store,
                                                   const std::string& repository_root,
                                                   const std::string& cache);

} // namespace emend
