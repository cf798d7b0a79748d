// What the person has on disk and in the index but not in a commit, as patches; read without changing a byte
// of either.
#pragma once

#include <string>

#include "adapters/git/engine_store.hpp"
#include "adapters/git/git_program.hpp"
#include "adapters/git/user_repository.hpp"
#include "base/result.hpp"
#include "model/patch.hpp"

namespace emend {

// `commit` -> index. Unresolved conflicts are ErrorCode::git: there is nothing yet that could be committed.
[[nodiscard]] Result<Patch> staged_patch(const UserRepository& user, const EngineStore& store,
                                         const GitProgram& git, const std::string& commit);

// `commit` -> working tree, untracked files included unless they are ignored. Files with conflicts are taken
// as they are on disk.
[[nodiscard]] Result<Patch> uncommitted_patch(const UserRepository& user, const EngineStore& store,
                                              const GitProgram& git, const std::string& commit);

} // namespace emend
