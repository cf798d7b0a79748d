#include "config/config_files.hpp"

#include <functional>
#include <optional>

#include "base/files.hpp"

namespace emend {

namespace {

fs::path real(const fs::path& path) {
  std::error_code problem;
  const fs::path result = fs::weakly_canonical(fs::absolute(path, problem), problem);
  return problem ? path.lexically_normal() : result;
}

bool inside(const fs::path& path, const std::string& root) {
  if (root.empty()) return false;
  const fs::path relative = path.lexically_relative(root);
  return !relative.empty() && *relative.begin() != "..";
}

bool is_there(const fs::path& path) {
  std::error_code problem;
  return fs::exists(fs::symlink_status(path, problem));
}

// From directory up to the repository's root; only the directory itself where there is no repository.
std::vector<fs::path> search_path(const std::string& directory, const std::string& repository_root) {
  std::vector<fs::path> places;
  const fs::path top = repository_root.empty() ? real(directory) : real(repository_root);
  for (fs::path place = real(directory);; place = place.parent_path()) {
    places.push_back(place);
    if (place == top || place == place.parent_path()) return places;
  }
}

using Exists = std::function<bool(const fs::path&)>;

std::optional<fs::path> nearest(const std::vector<fs::path>& places, const std::vector<std::string>& names,
                                const Exists& exists) {
  for (const fs::path& place : places) {
    for (const std::string& name : names) {
      if (exists(place / name)) return place / name;
    }
  }
  return std::nullopt;
}

} // namespace

std::string find_repository_root(const std::string& directory) {
  for (fs::path place = real(directory);; place = place.parent_path()) {
    if (is_there(place / ".git")) return place.string();
    if (place == place.parent_path()) return {};
  }
}

std::vector<ConfigFile> find_config_files(const std::string& directory, const std::string& repository_root,
                                          const std::string& user_file, const std::string& explicit_file,
                                          const TreeProbe& probe) {
  const std::string root = repository_root.empty() ? std::string() : real(repository_root).string();
  const auto tree_path = [&](const fs::path& path) {
    return probe && inside(path, root) ? path.lexically_relative(root).generic_string() : std::string();
  };
  const Exists exists = [&](const fs::path& path) {
    const std::string below = tree_path(path);
    return below.empty() ? is_there(path) : probe(below);
  };
  // A symlink counts by both its ends: either may be in somebody else's hands.
  const auto by_place = [&](const fs::path& path) {
    const fs::path lexical = fs::absolute(path).lexically_normal(), target = real(path);
    if (probe && inside(lexical, root)) return ConfigFile{lexical.string(), true, tree_path(lexical)};
    return ConfigFile{target.string(), inside(lexical, root) || inside(target, root), tree_path(target)};
  };
  std::vector<ConfigFile> files;
  if (!user_file.empty() && is_there(user_file)) files.push_back(by_place(user_file));
  if (!explicit_file.empty()) {
    files.push_back(by_place(explicit_file));
    return files;
  }
  // What is found by looking around came with the place, so it needs trust wherever it really lies.
  const auto found = [&](const fs::path& path) {
    const std::string below = tree_path(path);
    return ConfigFile{below.empty() ? real(path).string() : path.string(), true, below};
  };
  const auto places = search_path(directory, repository_root);
  if (const auto file = nearest(places, {"emend.toml", ".emend.toml", ".config/emend.toml"}, exists))
    files.push_back(found(*file));
  if (const auto file = nearest(places, {"emend.local.toml"}, exists)) files.push_back(found(*file));
  return files;
}

} // namespace emend
