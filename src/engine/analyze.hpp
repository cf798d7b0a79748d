// Runs analyzers over files of a tree = commit + patch, each in a workspace of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "model/patch.hpp"
#include "ports/analyzer.hpp"
#include "ports/repository.hpp"

namespace emend {

struct AnalyzeOrder {
  std::string commit;
  Patch patch;                    // laid over the commit; may be empty
  std::vector<std::string> files; // of the resulting tree; each analyzer gets those it understands
  int parallel = 2;
  std::int64_t timeout_ms = 600'000; // per analyzer
};

// One Analysis per analyzer, in the order given. What goes wrong with one is its state; the others go on.
[[nodiscard]] std::vector<Analysis> run_analyzers(Repository& repository, const std::vector<std::unique_ptr<Analyzer>>& analyzers,
                                                  const AnalyzeOrder& order, std::stop_token stop);

} // namespace emend
