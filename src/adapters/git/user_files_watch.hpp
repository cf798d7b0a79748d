// What lies around the workspaces and is nobody's but the person's: their checkout, and places in their home
// by which things get started.
#pragma once

#include "adapters/git/git_program.hpp"
#include "adapters/git/user_repository.hpp"
#include "base/files.hpp"
#include "ports/repository.hpp"

namespace emend {

// `tracked`: the files of the checked-out commit. Reads names, sizes and times, no contents; the index by
// what it lists, because looking at the status rewrites it. `ours`: emend's own directory, which is left out.
[[nodiscard]] Surroundings surroundings_of(const UserRepository& repository, const Tree& tracked,
                                           const GitProgram& git, const fs::path& ours);

} // namespace emend
