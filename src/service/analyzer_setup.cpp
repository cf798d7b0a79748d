#include "service/analyzer_setup.hpp"

#include "service/trusting.hpp"

namespace emend {

namespace {

bool may_run_project_tools(const Config& config, const OpenStore& open_store, const std::string& root) {
  const auto& setting = config.settings().at("review.project_tools");
  if (setting.origin.kind != ConfigOrigin::Kind::builtin) return config.project_tools();
  const auto store = open_store();
  return store && project_tools_allowed(**store, root);
}

} // namespace

Result<AnalyzerSetup> analyzer_setup(const Config& config, const OpenStore& store,
                                     const std::string& repository_root, const std::string& cache) {
  AnalyzerSetup setup;
  TRY_ASSIGN(setup.rows, config.analyzer_rows());
  setup.project_tools = may_run_project_tools(config, store, repository_root);
  setup.repository_root = repository_root;
  setup.cache = cache;
  return setup;
}

} // namespace emend
