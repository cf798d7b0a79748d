#include "engine/verify/analyze.hpp"

#include <algorithm>
#include <mutex>

#include "base/parallel.hpp"

namespace emend {
namespace {

Analysis failed_analysis(const Analyzer& analyzer, const std::string& why) {
  Analysis analysis;
  analysis.analyzer = analyzer.name();
  analysis.state = AnalysisState::failed;
  analysis.detail = why;
  return analysis;
}

// What one analyzer writes in its workspace (caches, build output) the others do not see.
Analysis run_one(Workspaces& repository, Analyzer& analyzer, const AnalyzeOrder& order,
                 const TellProgress& tell, std::stop_token stop) {
  AnalysisRequest work;
  for (const std::string& file : order.files)
    if (analyzer.understands(file) && (!order.asked || order.asked(analyzer, file)))
      work.files.push_back(file);
  Analysis analysis;
  analysis.analyzer = analyzer.name();
  if (work.files.empty()) {
    analysis.detail = "no files for it";
    return analysis;
  }
  auto workspace = repository.make_workspace(order.commit, order.patch);
  if (!workspace) return failed_analysis(analyzer, workspace.error().message);
  work.root = (*workspace)->path();
  work.tree_name = order.commit + " " + order.patch.sha256();
  work.overlay = (*workspace)->overlay();
  work.overlay_work = std::move(work.overlay.work);
  work.overlay.work.clear(); // to look at only, by as many calls at a time as the analyzer likes
  work.home = (*workspace)->home_dir();
  work.temp = (*workspace)->temp_dir();
  work.timeout_ms = order.timeout_ms;
  const std::string name(analyzer.name());
  work.work_out_fixes = order.work_out_fixes;
  std::size_t dealt_with = 0, of = 0;
  bool told = false;
  work.on_progress = [&](std::size_t done, std::size_t all) {
    dealt_with = done, of = all;
    tell({name, done, all, false});
  };
  work.on_findings = [&](const std::vector<Finding>& found) {
    told = true;
    tell({name, dealt_with, of, false, found});
  };
  analysis = analyzer.run(work, stop);
  tell({name, 0, 0, true, told ? std::vector<Finding>{} : analysis.findings});
  return analysis;
}

} // namespace

std::vector<Analysis> run_analyzers(Workspaces& repository,
                                    const std::vector<std::unique_ptr<Analyzer>>& analyzers,
                                    const AnalyzeOrder& order, std::stop_token stop) {
  std::vector<Analysis> analyses(analyzers.size());
  std::mutex mutex;
  const TellProgress tell = [&](const AnalyzerProgress& progress) {
    if (!order.on_progress) return;
    const std::scoped_lock lock(mutex);
    order.on_progress(progress);
  };
  parallel_for(analyzers.size(), static_cast<std::size_t>(std::max(1, order.parallel)),
               [&](std::size_t i) { analyses[i] = run_one(repository, *analyzers[i], order, tell, stop); });
  return analyses;
}

} // namespace emend
