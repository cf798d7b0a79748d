// What of the machine a child sees in its own way: directories it may write to in private, and secrets it does not see at all.
#pragma once

#include <string>
#include <vector>

namespace emend {

// The person's home and the places for temporary files, each by its real path and none inside another.
[[nodiscard]] std::vector<std::string> private_directories();

// Where keys, logins and histories are kept in the person's home, and local settings in their checkout. Only what exists.
[[nodiscard]] std::vector<std::string> secret_paths(const std::string& repository_root);

} // namespace emend
