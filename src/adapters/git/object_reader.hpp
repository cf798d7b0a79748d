// Reads git objects in bulk: trees, blobs and the difference of two commits, always from the object database
// alone.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "adapters/git/git_output.hpp"
#include "adapters/git/git_program.hpp"
#include "base/result.hpp"
#include "model/patch.hpp"
#include "ports/repository.hpp"

namespace emend {

// Over one git directory. Thread-safe; blobs are kept up to a modest number of bytes because prompts and
// gates ask again.
class ObjectReader {
public:
  ObjectReader(const GitProgram& git, std::string git_dir) : git_(git), git_dir_(std::move(git_dir)) {}

  // ErrorCode::git when an object the tree needs is not there (partial clone, damage).
  [[nodiscard]] Result<Tree> tree(const std::string& commit) const;
  [[nodiscard]] Result<std::string> tree_id(const std::string& commit) const;
  [[nodiscard]] Result<std::string> blob(const std::string& id);
  // Contents by id; every id must be there.
  [[nodiscard]] Result<std::map<std::string, std::string>> blobs(const std::vector<std::string>& ids);
  // Paths, modes and ids only; sorted by path. Limited to `paths`, unless there are none.
  [[nodiscard]] Result<Patch> raw_diff(const std::string& from, const std::string& to,
                                       const std::vector<std::string>& paths = {}) const;
  // With contents.
  [[nodiscard]] Result<Patch> diff(const std::string& from, const std::string& to,
                                   const std::vector<std::string>& paths = {});
  // The same for many pairs of commits, in their order, by one process.
  [[nodiscard]] Result<std::vector<Patch>> raw_diffs(const std::vector<CommitPair>& pairs) const;
  [[nodiscard]] Result<std::vector<Patch>> diffs(const std::vector<CommitPair>& pairs);

private:
  [[nodiscard]] Status read_batch(const std::vector<std::string>& ids,
                                  std::map<std::string, std::string>& contents) const;
  [[nodiscard]] Status read_contents(std::vector<Patch>& patches);
  void remember(const std::string& id, const std::string& content);

  const GitProgram& git_;
  std::string git_dir_;
  std::mutex mutex_;
  std::map<std::string, std::string> cache_;
  std::size_t cached_bytes_ = 0;
};

// The commit and everything in its tree, as a pack. For Repository::export_commit().
[[nodiscard]] Result<std::string> pack_of_commit(const GitProgram& git, const std::string& git_dir,
                                                 const std::string& commit);

} // namespace emend
