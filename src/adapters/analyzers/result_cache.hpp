// What tools reported in earlier runs, by everything that decides it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace emend {

// Files below a directory of emend's own; several processes may share it. An empty directory keeps nothing.
class ResultCache {
public:
  // Removes what nobody has asked for in two weeks, once a day.
  explicit ResultCache(std::string directory);

  [[nodiscard]] bool on() const { return !directory_.empty(); }
  [[nodiscard]] const std::string& directory() const { return directory_; }
  // root: the tree's place now; results speak of it by another name, so it may be another one each time.
  [[nodiscard]] std::optional<Json> find(const std::string& key, const std::string& root) const;
  void keep(const std::string& key, const std::string& root, const Json& result) const;

private:
  std::string directory_;
};

} // namespace emend
