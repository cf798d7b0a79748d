// What may go after a while: events, branches that are merged, artifacts. Never a proof, nor what one rests
// on.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/context/ports.hpp"
#include "ports/repository.hpp"
#include "ports/store.hpp"

namespace emend {

struct OldBranch {
  std::string name, tip, session_id;
  std::string kept_because; // empty = it may go
};

// Branches of sessions of this repository that ended before `before_ms`. One may go if its last commit is in
// the default branch, so that every proof still finds its commit, and nobody has it checked out.
[[nodiscard]] Result<std::vector<OldBranch>> old_branches(Store& store, Repository& repository,
                                                          std::int64_t before_ms);

// Removes those that may go; of one that cannot be removed it says why. ErrorCode::conflict: somebody works
// in the repository now.
[[nodiscard]] Status remove_branches(const std::string& home, const Ports& ports,
                                     std::vector<OldBranch>& branches);

} // namespace emend
