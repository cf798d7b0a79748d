// What a person should know when work starts on their repository: it is said, it never stops the work.
#pragma once

#include <string>
#include <vector>

#include "adapters/git/engine_store.hpp"
#include "adapters/git/object_reader.hpp"
#include "adapters/git/user_repository.hpp"
#include "base/result.hpp"
#include "ports/repository.hpp"

namespace emend {

// Uncommitted changes, unfinished operations, submodules, LFS pointers. `head` is the tree of HEAD.
[[nodiscard]] Result<std::vector<std::string>> open_warnings(const UserRepository& user,
                                                             const EngineStore& store, const Tree& head,
                                                             ObjectReader& objects, const GitProgram& git);

} // namespace emend
