// Results of earlier runs of tools, by everything that decides them. What a tool printed is kept, not what
// was read from it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emend {

struct KeptResult {
  int exit_code = 0;
  std::string out, err, report;
};

// Files below a directory of emend's own; several processes may share it. An empty directory keeps nothing.
class ResultCache {
public:
  // Removes what nobody has asked for in two weeks.
  explicit ResultCache(std::string directory);

  [[nodiscard]] bool on() const { return !directory_.empty(); }
  // root: the tree's place now; results speak of it by another name, so it may be another one each time.
  [[nodiscard]] std::optional<KeptResult> find(const std::string& key, const std::string& root) const;
  void keep(const std::string& key, const std::string& root, const KeptResult& result) const;

private:
  std::string directory_;
};

} // namespace emend
