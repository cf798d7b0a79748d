// Python's imports that a file makes for others.
#pragma once

#include <vector>

#include "adapters/analyzers/source_tree.hpp"
#include "model/finding.hpp"

namespace emend {

// An unused import (F401) is doubtful where another file of the project takes the name from there, or where
// the file says in __all__ what it is for.
void doubt_reexports(std::vector<Finding>& findings, SourceTree& tree);

} // namespace emend
