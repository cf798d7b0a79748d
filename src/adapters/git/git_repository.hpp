// Repository over the git program: reads the person's objects, works in a store of the engine's own, writes
// one branch when asked to.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "ports/process.hpp"
#include "ports/repository.hpp"

namespace emend {

struct GitOptions {
  std::string home;     // EMEND_HOME
  bool overlay = false; // the system can mount overlays
  std::string git = "git";
  // Directories outside of the workspace that children may write to: in private, where the machine has
  // layers.
  std::vector<std::string> writable = {};
  std::vector<std::string> shared = {};    // ... and what they write there stays
  std::vector<std::string> readable = {};  // of the person's home, besides toolchains
  std::string id = {};                     // of the repository, where it is known; empty = by its first place
  SandboxKind sandbox = SandboxKind::none; // how children of a contained workspace are, on this machine
  // Where it takes children to find out, sets `overlay` and `sandbox` when they are first needed.
  std::function<void(GitOptions&)> find_out = {};
};

// `processes` outlives the repository; the repository outlives its workspaces. Safe to use from many threads.
[[nodiscard]] Result<std::unique_ptr<Repository>> open_repository(const std::string& directory,
                                                                  ProcessRunner& processes,
                                                                  GitOptions options);

// From now on the repository in this directory is the one with options.id, which lay elsewhere.
// ErrorCode::not_found = nothing is known of that id; conflict = that one is still where it was.
[[nodiscard]] Status adopt_repository(const std::string& directory, ProcessRunner& processes,
                                      const GitOptions& options);

} // namespace emend
