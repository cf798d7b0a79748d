// Scratch directories of processes that died: taken away by whoever comes later.
#pragma once

#include <filesystem>
#include <string_view>

namespace emend {

// Removes what is in `directory`, begins with `prefix` and is more than an hour old, so that nobody can be at
// work with it any more.
void remove_abandoned(const std::filesystem::path& directory, std::string_view prefix);

// Of one's own. A call that fails once is no reason to leave it; what stays after a second try is for
// remove_abandoned.
void remove_or_abandon(const std::filesystem::path& directory);

} // namespace emend
