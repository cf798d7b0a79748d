#include "service/analyzer_setup.hpp"

namespace emend {

Result<AnalyzerSetup> analyzer_setup(const Config& config, const std::string& repository_root,
                                     const std::string& cache) {
  AnalyzerSetup setup;
  TRY_ASSIGN(setup.rows, config.analyzer_rows());
  setup.project_tools = config.project_tools();
  setup.repository_root = repository_root;
  setup.cache = cache;
  return setup;
}

} // namespace emend
