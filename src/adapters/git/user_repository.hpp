// The repository a person pointed at: where it is, whether it can be worked on, and what they should know
// before it is.
#pragma once

#include <string>
#include <vector>

#include "adapters/git/git_program.hpp"
#include "base/result.hpp"
#include "ports/repository.hpp"

namespace emend {

struct UserRepository {
  std::string root;       // real path of the top level; the git directory when bare
  std::string git_dir;    // of this worktree
  std::string common_dir; // shared by all worktrees: objects and refs
  std::string algorithm;  // "sha1" or "sha256"
  std::string head;       // commit
  std::string id;
  bool bare = false;
  bool shallow = false;
  bool partial = false; // a promisor remote holds objects that may be missing here
};

// From any directory inside; resolved once to real paths. ErrorCode::git with the reason and what to do when
// it is not a repository, has no commit, belongs to somebody else, or uses something this git cannot read.
[[nodiscard]] Result<UserRepository> find_user_repository(const std::string& directory,
                                                          const GitProgram& git);

// The commit HEAD leads to, as far as plain files say so; empty = git has to be asked.
[[nodiscard]] std::string head_on_disk(const UserRepository& repository);

// What the git directory says about an unfinished merge, rebase, cherry-pick, revert or bisect; empty when
// there is none.
[[nodiscard]] std::vector<std::string> unfinished_operations(const UserRepository& repository);

// A copy of the index (and of the shared index files a split one needs) in `directory`, named "index", with
// its time: git compares that with the times of files to know which it must read again. ErrorCode::not_found
// when nothing has been checked out yet.
[[nodiscard]] Status copy_index(const UserRepository& repository, const std::string& directory);

// True when tracked files differ from HEAD in the index or on disk. Reads a private copy of the index through
// the engine's git directory, so neither the person's index nor any filter or hook they configured is
// touched.
[[nodiscard]] Result<bool> has_uncommitted_changes(const UserRepository& repository,
                                                   const std::string& engine_git_dir,
                                                   const std::string& scratch_dir, const GitProgram& git);

// user.name and user.email as the person's own git would use them; a clear fallback when they never said.
[[nodiscard]] Result<Identity> user_identity(const UserRepository& repository, const GitProgram& git);

// As the person's own git would use them: short forms (url.*.insteadOf) are written out.
[[nodiscard]] Result<std::vector<Remote>> user_remotes(const UserRepository& repository,
                                                       const GitProgram& git);

} // namespace emend
