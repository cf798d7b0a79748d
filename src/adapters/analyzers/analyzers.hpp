// All static analyzers the product knows, whether they are installed here or not.
#pragma once

#include <memory>
#include <vector>

#include "adapters/analyzers/tool_analyzer.hpp"
#include "ports/analyzer.hpp"

namespace emend {

// The built-in rules come first. processes must outlive the analyzers. One analyzer's run() may be called
// from several threads.
[[nodiscard]] std::vector<std::unique_ptr<Analyzer>> make_analyzers(ProcessRunner& processes,
                                                                    const AnalyzerSetup& setup = {});

} // namespace emend
