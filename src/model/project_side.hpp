// On which side of a project a file stands, by what the project is.
#pragma once

#include <functional>
#include <string>

#include "model/issue.hpp"

namespace emend {

// As side_of() says, but the pages and scripts of a library that is built as C or C++, which belong to
// no package of npm or Deno, are no frontend. has_file: of the tree; empty = unknown.
[[nodiscard]] Side side_in_project(const std::string& file,
                                   const std::function<bool(const std::string& path)>& has_file);

} // namespace emend
