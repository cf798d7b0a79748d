// How the units of a C or C++ project are compiled: the person's own compile_commands.json, or one that CMake
// writes for us.
#pragma once

#include <stop_token>
#include <string>

#include "adapters/analyzers/result_cache.hpp"
#include "adapters/analyzers/source_tree.hpp"
#include "ports/analyzer.hpp"

namespace emend {

// Fills in request.compile_database, database_sha256 and database_note.
//
// Looked for in the tree, then in the build directories of the person's checkout (setup.repository_root). If
// there is none, and the person allowed code of the project to run, CMake configures the project into the
// request's temporary directory; the result is kept in the cache.
void find_compile_database(AnalysisRequest& request, SourceTree& tree, const AnalyzerSetup& setup,
                           const ResultCache& cache, ProcessRunner& processes, std::stop_token stop);

// The database of a checkout as one of another tree: its paths, without its build directory. nullopt = it is
// not a compilation database, or one with flags that load programs into the compiler.
[[nodiscard]] std::optional<std::string> database_for(const std::string& text, const std::string& checkout,
                                                      const std::string& build, const std::string& root);

// Names the databases in the build directories of the checkout as they are now.
[[nodiscard]] std::string databases_key(const std::string& checkout);

} // namespace emend
