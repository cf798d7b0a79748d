// Runs analyzers over files of a tree = commit + patch, each in a workspace of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "model/patch.hpp"
#include "ports/analyzer.hpp"
#include "ports/repository.hpp"

namespace emend {

// How far one of the analyzers is; files only for those that take them in portions.
struct AnalyzerProgress {
  std::string analyzer;
  std::size_t done = 0, all = 0;
  bool ended = false;
  std::vector<Finding> found = {}; // since the last time, as the tool said it
};
using TellProgress = std::function<void(const AnalyzerProgress&)>;

struct AnalyzeOrder {
  std::string commit;
  Patch patch;                    // laid over the commit; may be empty
  std::vector<std::string> files; // of the resulting tree; each analyzer gets those it understands
  int parallel = 2;
  std::int64_t timeout_ms = 600'000; // of one call of a tool
  TellProgress on_progress;          // called from several threads, one at a time; optional
  bool work_out_fixes = true;        // see AnalysisRequest
  // Whether this analyzer is to look at this file; empty = all at all they understand.
  std::function<bool(const Analyzer&, const std::string& file)> asked = {};
};

// One Analysis per analyzer, in the order given. What goes wrong with one is its state; the others go on.
[[nodiscard]] std::vector<Analysis> run_analyzers(Workspaces& repository,
                                                  const std::vector<std::unique_ptr<Analyzer>>& analyzers,
                                                  const AnalyzeOrder& order, std::stop_token stop);

} // namespace emend
