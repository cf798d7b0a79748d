// Paths as reports name them (URIs, absolute paths, Windows paths) and as the repository names them.
#pragma once

#include <string>
#include <string_view>

namespace emend {

struct RepoPath {
  std::string path; // '/' separated, without "." and inner ".."
  std::string_view
      annotation; // "absolute_path" or "outside_repository" when it is not below the root; else empty
};

// root: absolute path of the repository, or empty.
[[nodiscard]] RepoPath repo_path(std::string_view raw, std::string_view root);

// "src/a%20b.c" -> "src/a b.c", "file:///x/a.c" -> "/x/a.c", "file:///C:/a.c" -> "C:/a.c"; other schemes stay
// as they are.
[[nodiscard]] std::string path_of_uri(std::string_view uri);
// The relative URI of a path: every byte that is not unreserved or '/' is percent-encoded, so any path
// survives.
[[nodiscard]] std::string uri_of_path(std::string_view path);

[[nodiscard]] bool is_absolute_path(std::string_view path); // "/x", "C:/x", "C:\x"

} // namespace emend
