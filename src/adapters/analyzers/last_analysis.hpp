// What an analyzer said of a tree the last time: taken again, without a look at any file, while nothing that
// has a say in it changed.
#pragma once

#include <optional>
#include <string>

#include "adapters/analyzers/result_cache.hpp"
#include "ports/analyzer.hpp"

namespace emend {

// One place for each analyzer and repository; whatever was there before is replaced.
class LastAnalysis {
public:
  LastAnalysis(const ResultCache& cache, const std::string& analyzer, const std::string& repository_root);

  // key: of everything that has a say, the tree and the files asked for among it.
  [[nodiscard]] std::optional<Analysis> find(const std::string& key) const;
  // Keeps only what the same look would find again: not what waits for a package or the tool to be installed,
  // broke, or speaks of the private tree. tree: where that is.
  void keep(const std::string& key, const std::string& tree, const Analysis& analysis) const;

private:
  const ResultCache& cache_;
  std::string place_;
};

// Names this build of the program: another one may read the same report differently.
[[nodiscard]] const std::string& this_build();

} // namespace emend
