// How a tree uses some words: in running text, or as names.
#pragma once

#include <map>
#include <set>
#include <string>

#include "adapters/analyzers/source_tree.hpp"
#include "adapters/analyzers/spelling.hpp"

namespace emend {

// words: lower case. Parts of identifiers count ("get_teh", "tehFirst"), and so do parts of file names. A
// tree that is too large to be read as a whole gives incomplete counts.
[[nodiscard]] std::map<std::string, WordUse> word_uses(const SourceTree& tree,
                                                       const std::set<std::string>& words);

} // namespace emend
