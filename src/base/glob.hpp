// Path globs as in .gitignore-like configuration: '*' and '?' stay inside a path segment, '**' crosses
// segments, '[a-z]' and '{a,b}' work.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace emend {

// A pattern without '/' matches the last segment at any depth ("*.lock"); with '/' it is anchored at the
// root. "dir/**" matches everything below dir; "**/x" matches x at any depth including the root. Linear-ish
// time, no recursion bombs.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view path);
[[nodiscard]] bool any_glob_match(const std::vector<std::string>& patterns, std::string_view path);

// Patterns that many paths are compared with: read once, and a path is gone through once for all of them.
class GlobSet {
public:
  explicit GlobSet(const std::vector<std::string>& patterns);
  // The same as any_glob_match() of its patterns. Thread-safe.
  [[nodiscard]] bool matches(std::string_view path) const;
  // One pattern for one path, without keeping anything.
  [[nodiscard]] static bool match_once(std::string_view pattern, std::string_view path);

private:
  struct Pattern;
  struct Program;
  std::unordered_set<std::string> plain_names_, plain_paths_;
  std::shared_ptr<const Program> names_, paths_; // of the last segment, of the whole path; null = none
};

} // namespace emend
