// What of the machine a child sees in its own way: directories it may write to in private, and secrets it does not see at all.
#pragma once

#include <string>
#include <vector>

namespace emend {

// $HOME by its real path; empty when there is none.
[[nodiscard]] std::string home_directory();

// The person's home and the places for temporary files, each by its real path and none inside another.
[[nodiscard]] std::vector<std::string> private_directories();

// Where keys, logins and histories are kept in the person's home, local settings in their checkout, and the sockets of programs that do what
// they are told: container engines, buses, key agents, displays. Only what exists.
[[nodiscard]] std::vector<std::string> secret_paths(const std::string& repository_root);

} // namespace emend
