// Reads what git prints for programs: NUL separated records and blobs in a row. Pure; what is not as
// documented is an error.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/patch.hpp"
#include "ports/repository.hpp"

namespace emend {

// `ls-tree -r -z -l`: "<mode> SP <type> SP <id> SP <size, padded> TAB <path>" NUL. nullopt: git says that an
// object is not there.
[[nodiscard]] Result<std::optional<Tree>> parse_ls_tree(std::string_view output);

// `diff-tree -r -z --raw`: ":<old mode> SP <new mode> SP <old id> SP <new id> SP <status>" NUL "<path>" NUL.
// Sorted by path, no contents.
[[nodiscard]] Result<Patch> parse_raw_diff(std::string_view output);

// `cat-file --batch` asked for these ids: "<id> SP blob SP <size>" LF bytes LF.
[[nodiscard]] Status parse_batch(std::string_view output, const std::vector<std::string>& ids,
                                 std::map<std::string, std::string>& contents);

// A path git would take into a tree: relative, no empty, "." or ".." component, none that is ".git" in any
// case, no NUL.
[[nodiscard]] bool is_tree_path(std::string_view path);
[[nodiscard]] bool is_dot_git(std::string_view name);
[[nodiscard]] bool is_object_id(std::string_view text);

} // namespace emend
