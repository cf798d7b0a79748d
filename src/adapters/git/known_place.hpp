// Which id a repository has: the one it got at its first place, also after its folder was moved.
#pragma once

#include <string>

#include "adapters/git/user_repository.hpp"
#include "base/result.hpp"

namespace emend {

// Notes where it is now. A folder that was moved is recognised by its git directory, as long as it stays on
// the same file system and the file system knows when it was made. `home` exists.
[[nodiscard]] Result<std::string> settled_id(const UserRepository& repository, const std::string& home);

// From now on it is the one with this id, or at this absolute path, which lay elsewhere: on another file
// system, on another machine. ErrorCode::not_found = nothing is known of it here; conflict = that one is
// still where it was.
[[nodiscard]] Status adopt_id(const UserRepository& repository, const std::string& home,
                              const std::string& old);

} // namespace emend
