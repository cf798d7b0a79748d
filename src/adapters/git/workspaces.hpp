// The two kinds of workspace: an overlay over the shared base, ready in milliseconds, or a whole private copy
// that is used again.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "adapters/git/base_checkout.hpp"
#include "adapters/git/check_place.hpp"
#include "adapters/git/object_reader.hpp"
#include "adapters/git/workspace_space.hpp"
#include "base/result.hpp"
#include "ports/repository.hpp"

namespace emend {

// What a workspace needs to know about the commit it starts from. `tree` and `objects` outlive it.
struct WorkspaceBase {
  std::string commit, tree_id;
  const Tree* tree = nullptr;
  std::string algorithm;
  ObjectReader* objects = nullptr;
  CheckRepositories* repositories = nullptr;
};

// Copies that were worked in, waiting to be made right and used again. Thread-safe; shared by the workspaces
// it serves.
class CopyPool {
public:
  // nullptr when there is none for this tree.
  [[nodiscard]] std::unique_ptr<WorkspaceSpace> take(const std::string& tree_id);
  void give_back(const std::string& tree_id, std::unique_ptr<WorkspaceSpace> space);

private:
  std::mutex mutex_;
  std::vector<std::pair<std::string, std::unique_ptr<WorkspaceSpace>>> spaces_; // oldest first
};

// Places of overlay workspaces that were put right again, waiting for the next. Thread-safe; shared by the
// workspaces it serves.
class SpacePool {
public:
  [[nodiscard]] Result<std::unique_ptr<WorkspaceSpace>> take(const EngineStore& store);
  void give_back(std::unique_ptr<WorkspaceSpace> space);

private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<WorkspaceSpace>> spaces_;
};

// ErrorCode::limit when the patch removes files and this system cannot express that in a layer: make a copy
// then.
[[nodiscard]] Result<std::unique_ptr<Workspace>> make_overlay_workspace(
    const EngineStore& store, BaseInUse base, WorkspaceBase start, const Patch& patch,
    const std::shared_ptr<SpacePool>& pool);
[[nodiscard]] Result<std::unique_ptr<Workspace>> make_copy_workspace(const EngineStore& store, BaseInUse base,
                                                                     WorkspaceBase start, const Patch& patch,
                                                                     const std::shared_ptr<CopyPool>& pool);

} // namespace emend
