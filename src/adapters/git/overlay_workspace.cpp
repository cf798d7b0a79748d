#include "adapters/git/snapshot.hpp"
#include "adapters/git/tree_scan.hpp"
#include "adapters/git/workspace_files.hpp"
#include "adapters/git/workspaces.hpp"

namespace emend {

namespace {

// The tree exists only inside the child's mounts; here there are the base below and what was changed above
// it.
class OverlayWorkspace final : public Workspace {
public:
  OverlayWorkspace(std::unique_ptr<WorkspaceSpace> space, BaseInUse base, WorkspaceBase start)
      : space_(std::move(space)), base_(std::move(base)), start_(std::move(start)) {}

  const std::string& path() const override { return space_->tree(); }
  OverlayMount overlay() const override {
    OverlayMount mount = space_->mount(base_.directory);
    if (alone_) mount_objects(*alone_, *space_, space_->tree(), mount);
    return mount;
  }
  Status make_repository() override {
    if (alone_) return {};
    TRY_ASSIGN(auto alone, start_.repositories->find_alone(start_.commit));
    TRY(lay_repository(*alone, *space_, space_->upper(), base_.index));
    alone_ = std::move(alone);
    return {};
  }
  Result<CheckPlace> check_place(Look look) override {
    if (!repository_) {
      TRY_ASSIGN(repository_, start_.repositories->find(start_.commit));
      TRY(lay_repository(*repository_, *space_, space_->upper(), base_.index));
    }
    return place_for_check({*space_, overlay(), *start_.tree, *repository_}, look);
  }
  Result<Snapshot> snapshot() override {
    TRY_ASSIGN(Snapshot taken,
               take_snapshot({space_->upper(), true, start_.tree, start_.algorithm}, *start_.objects));
    if (alone_) std::erase(taken.notes, kOwnRepositoryNote); // it is ours
    return taken;
  }
  std::string home_dir() const override { return space_->home(); }
  std::string temp_dir() const override { return space_->temp(); }
  std::string_view kind() const override { return "overlay"; }

private:
  std::unique_ptr<WorkspaceSpace> space_;
  BaseInUse base_;
  WorkspaceBase start_;
  std::shared_ptr<const CheckRepository> repository_; // for checks
  std::shared_ptr<const CheckRepository> alone_;      // for an agent
};

} // namespace

Result<std::unique_ptr<Workspace>> make_overlay_workspace(const EngineStore& store, BaseInUse base,
                                                          WorkspaceBase start, const Patch& patch) {
  TRY_ASSIGN(auto space, WorkspaceSpace::make(store));
  TRY(lay_patch_over_layer(space->upper(), *start.tree, patch));
  return std::make_unique<OverlayWorkspace>(std::move(space), std::move(base), std::move(start));
}

} // namespace emend
