#include "base/tool_root.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace emend {

namespace fs = std::filesystem;

namespace {

// Everybody's things lie in these, logins among them.
bool is_shared(const fs::path& directory, const fs::path& home) {
  static constexpr std::array<std::string_view, 8> kShared = {
      ".", ".local", ".local/share", ".local/state", ".local/lib", ".config", ".cache", ".var"};
  const std::string name = directory.lexically_relative(home).string();
  return name.starts_with("..") || std::find(kShared.begin(), kShared.end(), name) != kShared.end();
}

bool holds_programs(const fs::path& directory) {
  const std::string name = directory.filename().string();
  return name == "bin" || name == "sbin" || name == "shims" || name == "scripts";
}

} // namespace

std::string tool_root(const std::string& program, const std::string& home) {
  if (home.size() < 2 || !program.starts_with(home + "/")) return {};
  const fs::path path = fs::path(program).lexically_normal(), directory = path.parent_path();
  if (holds_programs(directory) && !is_shared(directory.parent_path(), home))
    return directory.parent_path().string();
  return is_shared(directory, home) ? path.string() : directory.string();
}

} // namespace emend
