#include "adapters/git/snapshot.hpp"
#include "adapters/git/tree_scan.hpp"
#include "adapters/git/workspace_files.hpp"
#include "adapters/git/workspaces.hpp"

namespace emend {

namespace {

constexpr std::size_t kSpacesKept = 16;

// The tree exists only inside the child's mounts; here there are the base below and what was changed above
// it.
class OverlayWorkspace final : public Workspace {
public:
  OverlayWorkspace(std::unique_ptr<WorkspaceSpace> space, BaseInUse base, WorkspaceBase start,
                   std::shared_ptr<SpacePool> pool)
      : space_(std::move(space)), base_(std::move(base)), start_(std::move(start)), pool_(std::move(pool)) {}
  ~OverlayWorkspace() override { pool_->give_back(std::move(space_)); }

  const std::string& path() const override { return space_->tree(); }
  OverlayMount overlay() const override {
    OverlayMount mount = space_->mount(base_.directory);
    if (alone_) (void)show(*alone_, space_->tree(), mount); // its layer was made in make_repository()
    return mount;
  }
  Status make_repository() override {
    if (alone_) return {};
    TRY_ASSIGN(auto alone, start_.repositories->laid_alone(start_.commit, base_.index));
    OverlayMount tried;
    TRY(show(*alone, space_->tree(), tried));
    alone_ = std::move(alone);
    return {};
  }
  Result<CheckPlace> check_place(Look look) override {
    TRY_ASSIGN(repository_, start_.repositories->laid(start_.commit, base_.index));
    return place_for_check(
        {*space_, space_->mount(base_.directory), *start_.tree,
         [this](const std::string& tree, OverlayMount& mount) { return show(*repository_, tree, mount); }},
        look);
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
  Status show(const LaidRepository& repository, const std::string& tree, OverlayMount& mount) const {
    return repository.show(tree, space_->layer("objects"), mount);
  }

  std::unique_ptr<WorkspaceSpace> space_;
  BaseInUse base_;
  WorkspaceBase start_;
  std::shared_ptr<SpacePool> pool_;
  std::shared_ptr<const LaidRepository> repository_; // for checks
  std::shared_ptr<const LaidRepository> alone_;      // for an agent
};

} // namespace

Result<std::unique_ptr<WorkspaceSpace>> SpacePool::take(const EngineStore& store) {
  std::unique_ptr<WorkspaceSpace> space;
  {
    const std::lock_guard lock(mutex_);
    if (!spaces_.empty()) {
      space = std::move(spaces_.back());
      spaces_.pop_back();
    }
  }
  return space ? std::move(space) : WorkspaceSpace::make(store);
}

// What nothing kept a child from may still be changed by one that was left behind.
void SpacePool::give_back(std::unique_ptr<WorkspaceSpace> space) {
  if (!space->store().contained || !space->renew()) return;
  const std::lock_guard lock(mutex_);
  if (spaces_.size() < kSpacesKept) spaces_.push_back(std::move(space));
}

Result<std::unique_ptr<Workspace>> make_overlay_workspace(const EngineStore& store, BaseInUse base,
                                                          WorkspaceBase start, const Patch& patch,
                                                          const std::shared_ptr<SpacePool>& pool) {
  TRY_ASSIGN(auto space, pool->take(store));
  TRY(lay_patch_over_layer(space->upper(), *start.tree, patch));
  return std::make_unique<OverlayWorkspace>(std::move(space), std::move(base), std::move(start), pool);
}

} // namespace emend
