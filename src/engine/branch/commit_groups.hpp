// Which commits of a branch can become one: changes of one kind are moved together as far as the lines
// between them allow, and what all of them come to stays the same, byte for byte.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "ports/repository.hpp"

namespace emend {

struct KeyedPatch {
  std::string key; // what it has in common with others
  Patch patch;     // relative to what the one before it came to
};

struct PatchGroup {
  std::string key;
  Patch patch;                      // of all members, relative to what the group before it came to
  std::vector<std::size_t> members; // places of the given patches, in their order
};

// In the order of the first member of each. A patch that cannot be moved to its group, because one between
// them changed the same lines, begins another group with the same key.
[[nodiscard]] Result<std::vector<PatchGroup>> group_patches(PatchWork& work,
                                                            const std::vector<KeyedPatch>& patches);

// The patch that undoes this one.
[[nodiscard]] Patch inverse(const Patch& patch);

} // namespace emend
