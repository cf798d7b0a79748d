// The place of one workspace on disk: its directories, and a lock that says its owner lives.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "adapters/git/engine_store.hpp"
#include "adapters/git/file_descriptor.hpp"
#include "base/result.hpp"
#include "ports/process.hpp"

namespace emend {

// Everything is removed with the object, whatever was done to permissions. A crash leaves it for
// remove_dead_workspaces.
class WorkspaceSpace {
public:
  [[nodiscard]] static Result<std::unique_ptr<WorkspaceSpace>> make(const EngineStore& store);
  WorkspaceSpace(const WorkspaceSpace&) = delete;
  WorkspaceSpace& operator=(const WorkspaceSpace&) = delete;
  ~WorkspaceSpace();

  // What children see: <workspaces>/<name>/...
  [[nodiscard]] const std::string& tree() const { return tree_; }
  [[nodiscard]] const std::string& home() const { return home_; }
  [[nodiscard]] const std::string& temp() const { return temp_; }
  // What only the engine and the mount see: <layers>/<name>/...
  [[nodiscard]] const std::string& upper() const { return upper_; }
  [[nodiscard]] const std::string& work() const { return work_; }

  [[nodiscard]] const EngineStore& store() const { return store_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  // Only the engine's and the mount's: <layers>/<name>/<what>
  [[nodiscard]] std::string layer(const std::string& what) const {
    return store_.layers + "/" + name_ + "/" + what;
  }

  // Fresh, empty home and temp directories, and empty layers.
  [[nodiscard]] Status empty_private_directories() const;
  // Nobody changed the directory that holds tree, home and temp, nor put anything beside them.
  [[nodiscard]] bool is_intact() const;
  // Puts everything right for the next owner, as make() leaves it; what is still so stays. Fails where a
  // child changed more than it has any use for: then remove the place.
  [[nodiscard]] Status renew() const;
  // How a child sees the tree, over this base; empty = the tree is a copy that is there.
  [[nodiscard]] OverlayMount mount(const std::string& base) const;

private:
  WorkspaceSpace(const EngineStore& store, std::string name, Flock owner);
  [[nodiscard]] std::string private_layer(const char* what, std::size_t number) const;
  [[nodiscard]] Status make_private_layers() const;
  [[nodiscard]] Status link_to_shown() const;

  EngineStore store_;
  std::string name_;
  Flock owner_;
  std::string tree_, home_, temp_, upper_, work_;
  mode_t open_ = 0, closed_ = 0; // of the tree's directory and of the home, as they were made
};

// Workspaces whose owner's lock is free: that process is gone.
void remove_dead_workspaces(const EngineStore& store);

} // namespace emend
