#include "base/abandoned.hpp"

#include <chrono>

#include "base/files.hpp"

namespace emend {

void remove_abandoned(const fs::path& directory, std::string_view prefix) {
  const auto young = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(directory, problem)) {
    if (!item.path().filename().string().starts_with(prefix)) continue;
    const auto made = fs::last_write_time(item.path(), problem);
    if (!problem && made < young) static_cast<void>(remove_tree(item.path())); // somebody else's stays
  }
}

void remove_or_abandon(const fs::path& directory) {
  if (!remove_tree(directory)) static_cast<void>(remove_tree(directory));
}

} // namespace emend
