// Which configuration files there are for a place, and what is known about each before it is read.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace emend {

struct ConfigFile {
  std::string path;           // absolute; symlinks resolved
  bool in_repository = false; // somebody else may have written it: commands in it need trust
  std::string
      tree_path; // from the repository's root, where `exists` spoke for its files; empty = read it from disk
};

// Says whether there is a file at this path below the repository's root, in place of the disk.
using TreeProbe = std::function<bool(const std::string& tree_path)>;

// The top of the git work tree around directory (the nearest parent with a .git entry); empty outside of one.
[[nodiscard]] std::string find_repository_root(const std::string& directory);

// Lowest precedence first: the user's file, the project's, the personal one beside it. explicit_file replaces
// the last two. With `exists` no file below the root is looked at on disk, and no symlink there is followed.
[[nodiscard]] std::vector<ConfigFile> find_config_files(const std::string& directory,
                                                        const std::string& repository_root,
                                                        const std::string& user_file,
                                                        const std::string& explicit_file,
                                                        const TreeProbe& exists = {});

} // namespace emend
