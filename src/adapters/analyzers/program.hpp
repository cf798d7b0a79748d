// Finding a tool on this machine: in the engine's PATH, never in the tree it is going to look at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "adapters/analyzers/source_tree.hpp"

namespace emend {

// The engine's PATH without entries that are relative or lie in the tree. tree may be null.
[[nodiscard]] std::vector<std::string> search_directories(const SourceTree* tree);
// Absolute path of the first of the names that is found; empty = none is.
[[nodiscard]] std::string find_tool(const std::vector<std::string>& names, const SourceTree* tree);
// The project's own, in node_modules/.bin, .venv/bin, venv/bin or vendor/bin below its root; empty = none.
[[nodiscard]] std::string find_project_tool(const std::vector<std::string>& names, const std::string& root);

// The first "1.2" or "1.2.3" in what a tool prints about itself; empty = none.
[[nodiscard]] std::string version_in(std::string_view text);

} // namespace emend
