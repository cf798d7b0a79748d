// Path globs as in .gitignore-like configuration: '*' and '?' stay inside a path segment, '**' crosses
// segments, '[a-z]' and '{a,b}' work.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emend {

// A pattern without '/' matches the last segment at any depth ("*.lock"); with '/' it is anchored at the
// root. "dir/**" matches everything below dir; "**/x" matches x at any depth including the root. Linear-ish
// time, no recursion bombs.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view path);
[[nodiscard]] bool any_glob_match(const std::vector<std::string>& patterns, std::string_view path);

} // namespace emend
