// What of the machine a child sees in its own way: directories it may write to in private, and secrets it
// does not see at all.
#pragma once

#include <string>
#include <vector>

namespace emend {

// $HOME by its real path; empty when there is none.
[[nodiscard]] std::string home_directory();

// What a child sees of the person's home. Everything else in it is hidden, whatever its name.
struct HomeView {
  std::string home; // empty = there is none to hide
  std::vector<std::string>
      tools; // directories: programs on PATH with their installations, toolchains, caches of packages
  std::vector<std::string>
      shown; // the checkout, emend's own directory, what the person opened, programs that lie alone
};
// own: what of emend and the repository must stay visible; readable: what the person opened. Only what
// exists, by its real path.
[[nodiscard]] HomeView view_of_home(const std::vector<std::string>& own,
                                    const std::vector<std::string>& readable);

// Directories in the checkout that PATH or a variable leads to (a virtual environment), or that the person
// opened. A check sees them at their place although they are not part of the repository.
[[nodiscard]] std::vector<std::string> tools_in_checkout(const std::string& root,
                                                         const std::vector<std::string>& readable);

// Files in these directories whose names say that they hold a login, near the top where such files are kept.
[[nodiscard]] std::vector<std::string> secrets_among(const std::vector<std::string>& directories);

// The person's home, what is seen of it, and the places for temporary files, each by its real path.
[[nodiscard]] std::vector<std::string> private_directories(const HomeView& view);

// Login files of coding CLIs, wherever the environment puts them, but for what the person opened. An agent
// gets a copy of its own. Only what exists.
[[nodiscard]] std::vector<std::string> agent_logins(const std::vector<std::string>& readable);

// Local settings in the person's checkout, and the sockets of programs that do what they are told: container
// engines, buses, key agents, displays. Only what exists.
[[nodiscard]] std::vector<std::string> secret_paths(const std::string& repository_root);

} // namespace emend
