// The configuration that counts in a directory: files, environment and flags put together, with what a person
// has trusted.
#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"
#include "engine/agents/repository_agents.hpp"
#include "service/dependencies.hpp"

namespace emend {

struct ConfigPlace {
  std::string directory;                // absolute
  std::string user_file, explicit_file; // may be empty
  bool isolated = false;
  std::vector<std::string> environment;  // NAME=VALUE
  std::vector<ConfigOverride> overrides; // later wins
  TreeFileReader repository_file;        // empty = from disk
  std::string repository_root;           // empty = above the directory, where there is a .git
};

using OpenStore = std::function<Result<Store*>()>;

// `store` is asked only when a file wants commands to be run; nullptr = nobody has decided anything here yet.
[[nodiscard]] Result<Config> project_config(const Dependencies& dependencies, const ConfigPlace& place,
                                            const OpenStore& store);

// sandbox.writable, sandbox.shared and sandbox.readable as real paths; what is not there cannot be opened and
// is left out.
[[nodiscard]] Result<OpenedPlaces> opened_places(const Config& config,
                                                 const std::vector<std::string>& environment);

// The repository's agent files as `emend trust` shows them.
[[nodiscard]] std::vector<CommandFile> as_command_files(const std::vector<RepositoryAgent>& agents);

} // namespace emend
