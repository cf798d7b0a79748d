#include "adapters/git/snapshot.hpp"
#include "adapters/git/tree_scan.hpp"
#include "adapters/git/workspace_files.hpp"
#include "adapters/git/workspaces.hpp"

namespace emend {

namespace {

constexpr std::size_t kCopiesKept = 3;

class CopyWorkspace final : public Workspace {
public:
  CopyWorkspace(std::unique_ptr<WorkspaceSpace> space, BaseInUse base, WorkspaceBase start,
                std::shared_ptr<CopyPool> pool)
      : space_(std::move(space)), base_(std::move(base)), start_(std::move(start)), pool_(std::move(pool)) {}
  ~CopyWorkspace() override { pool_->give_back(start_.tree_id, std::move(space_)); }

  const std::string& path() const override { return space_->tree(); }
  OverlayMount overlay() const override {
    OverlayMount mount = space_->mount("");
    if (alone_) mount_objects(*alone_, *space_, space_->tree(), mount);
    return mount;
  }
  Status make_repository() override {
    if (alone_) return {};
    TRY_ASSIGN(auto alone, start_.repositories->find_alone(start_.commit));
    TRY(lay_repository(*alone, *space_, space_->tree(), base_.index));
    alone_ = std::move(alone);
    return {};
  }
  Result<CheckPlace> check_place(Look look) override {
    if (!repository_) {
      TRY_ASSIGN(repository_, start_.repositories->find(start_.commit));
      TRY(lay_repository(*repository_, *space_, space_->tree(), base_.index));
    }
    const auto show = [this](const std::string& tree, OverlayMount& mount) -> Status {
      mount_objects(*repository_, *space_, tree, mount);
      return {};
    };
    return place_for_check({*space_, overlay(), *start_.tree, show}, look);
  }
  Result<Snapshot> snapshot() override {
    TRY_ASSIGN(Snapshot taken,
               take_snapshot({space_->tree(), false, start_.tree, start_.algorithm}, *start_.objects));
    if (alone_) std::erase(taken.notes, kOwnRepositoryNote); // it is ours
    return taken;
  }
  std::string home_dir() const override { return space_->home(); }
  std::string temp_dir() const override { return space_->temp(); }
  std::string_view kind() const override { return "copy"; }

private:
  std::unique_ptr<WorkspaceSpace> space_;
  BaseInUse base_;
  WorkspaceBase start_;
  std::shared_ptr<CopyPool> pool_;
  std::shared_ptr<const CheckRepository> repository_; // for checks
  std::shared_ptr<const CheckRepository> alone_;      // for an agent
};

// A used copy that cannot be put right is thrown away; its owner's mischief must not stop the next one.
std::unique_ptr<WorkspaceSpace> reuse(const BaseInUse& base, const WorkspaceBase& start, CopyPool& pool) {
  std::unique_ptr<WorkspaceSpace> space = pool.take(start.tree_id);
  if (!space || !space->is_intact() || !space->empty_private_directories()) return nullptr;
  return restore_copy(base.directory, *start.tree, start.algorithm, space->tree()) ? std::move(space)
                                                                                   : nullptr;
}

} // namespace

std::unique_ptr<WorkspaceSpace> CopyPool::take(const std::string& tree_id) {
  std::lock_guard lock(mutex_);
  for (auto item = spaces_.begin(); item != spaces_.end(); ++item) {
    if (item->first != tree_id) continue;
    std::unique_ptr<WorkspaceSpace> space = std::move(item->second);
    spaces_.erase(item);
    return space;
  }
  return nullptr;
}

void CopyPool::give_back(const std::string& tree_id, std::unique_ptr<WorkspaceSpace> space) {
  std::unique_ptr<WorkspaceSpace> surplus; // removed after the lock is let go
  std::lock_guard lock(mutex_);
  spaces_.emplace_back(tree_id, std::move(space));
  if (spaces_.size() <= kCopiesKept) return;
  surplus = std::move(spaces_.front().second);
  spaces_.erase(spaces_.begin());
}

Result<std::unique_ptr<Workspace>> make_copy_workspace(const EngineStore& store, BaseInUse base,
                                                       WorkspaceBase start, const Patch& patch,
                                                       const std::shared_ptr<CopyPool>& pool) {
  std::unique_ptr<WorkspaceSpace> space = reuse(base, start, *pool);
  if (!space) {
    TRY_ASSIGN(space, WorkspaceSpace::make(store));
    TRY(copy_base(base.directory, *start.tree, space->tree()));
  }
  TRY(lay_patch_over_copy(space->tree(), patch));
  return std::make_unique<CopyWorkspace>(std::move(space), std::move(base), std::move(start), pool);
}

} // namespace emend
