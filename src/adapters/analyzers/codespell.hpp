// codespell: common misspellings in any text, and which of its corrections are safe.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "adapters/analyzers/source_tree.hpp"
#include "model/finding.hpp"

namespace emend {

// Drops what the project's own rules ignore, and calls a correction safe where it is one (see spelling.hpp);
// of the others it says why not.
void judge_spellings(std::vector<Finding>& findings, SourceTree& tree);

// Whether a section "[name]" of an INI or TOML file sets one of the keys ("write-changes" and "write_changes"
// are the same).
[[nodiscard]] bool section_sets(std::string_view ini, std::string_view section,
                                std::initializer_list<std::string_view> keys);

} // namespace emend
