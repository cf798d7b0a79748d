// How a check sees its tree: at the path of the person's checkout, as a git repository of its own, with
// nothing around it that says who runs it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "adapters/git/engine_store.hpp"
#include "adapters/git/git_program.hpp"
#include "adapters/git/user_repository.hpp"
#include "adapters/git/workspace_space.hpp"
#include "base/result.hpp"
#include "ports/repository.hpp"

namespace emend {

// What a private .git says, but for the index. No remotes, no hooks, no settings of the person's.
struct CheckRepository {
  std::string head, config, packed_refs, shallow; // the files of these names
  std::vector<std::string> objects;               // directories: the person's, and ours for a commit of ours
  std::map<std::string, std::string> own_objects = {}; // files below objects/ of its own
};

// One that is written once and seen in any number of trees. It lies in a place of its own, as a workspace
// does, which nobody tidies up while its owner lives.
class LaidRepository {
public:
  [[nodiscard]] static Result<LaidRepository> lay(CheckRepository repository, const std::string& index,
                                                  const EngineStore& store);

  // The tree shows it, over its base; `layer` is a directory for what a child writes to the objects.
  [[nodiscard]] Status show(const std::string& tree, const std::string& layer, OverlayMount& mount) const;

private:
  LaidRepository(CheckRepository repository, std::unique_ptr<WorkspaceSpace> space);
  [[nodiscard]] bool has_layer_of_objects() const { return !space_->store().check_root.empty(); }
  CheckRepository repository_;
  std::unique_ptr<WorkspaceSpace> space_;
};

// Reads each commit's once. Thread-safe.
class CheckRepositories {
public:
  CheckRepositories(const GitProgram& git, const UserRepository& user, const EngineStore& store)
      : git_(git), user_(user), store_(store) {}
  [[nodiscard]] Result<std::shared_ptr<const CheckRepository>> find(const std::string& commit);
  // For an agent: one commit with the files of `commit`, on a branch of its own, and nothing else to be seen.
  [[nodiscard]] Result<std::shared_ptr<const CheckRepository>> find_alone(const std::string& commit);
  // The same, laid; index: git's, of the files of `commit`.
  [[nodiscard]] Result<std::shared_ptr<const LaidRepository>> laid(const std::string& commit,
                                                                   const std::string& index);
  [[nodiscard]] Result<std::shared_ptr<const LaidRepository>> laid_alone(const std::string& commit,
                                                                         const std::string& index);

private:
  using Laid = std::map<std::string, std::shared_ptr<const LaidRepository>>;
  [[nodiscard]] Result<std::shared_ptr<const LaidRepository>> lay_once(
      Laid& known, const std::string& commit, const std::string& index,
      Result<std::shared_ptr<const CheckRepository>> (CheckRepositories::*read_one)(const std::string&));

  [[nodiscard]] Result<CheckRepository> read(const std::string& commit) const;
  [[nodiscard]] Result<CheckRepository> read_alone(const std::string& commit) const;
  [[nodiscard]] Result<std::vector<std::string>> objects_of(const std::string& commit) const;

  const GitProgram& git_;
  const UserRepository& user_;
  const EngineStore& store_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const CheckRepository>> known_, alone_; // by commit
  std::mutex laying_;
  Laid laid_, laid_alone_; // by commit
};

// On a machine with overlays: decides where checks see their trees, and which directories get a layer that is
// dropped after the run. What is writable or readable by the person's configuration counts.
void settle_layers(const UserRepository& user, const std::vector<std::string>& writable,
                   const std::vector<std::string>& readable, EngineStore& store);

// Writes the .git into `tree`: a few small files and the index, no objects.
[[nodiscard]] Status lay_repository(const CheckRepository& repository, const WorkspaceSpace& space,
                                    const std::string& tree, const std::string& index);

// How a child sees the objects of the .git in `tree`, where lay_repository() left that to mounts.
void mount_objects(const CheckRepository& repository, const WorkspaceSpace& space, const std::string& tree,
                   OverlayMount& mount);

struct CheckedTree {
  const WorkspaceSpace& space;
  OverlayMount mount; // as others see it
  const Tree& base;
  // Lets the mount show the .git of the tree at this path.
  std::function<Status(const std::string& tree, OverlayMount& mount)> show_repository;
};
[[nodiscard]] Result<CheckPlace> place_for_check(CheckedTree tree, Look look);

} // namespace emend
