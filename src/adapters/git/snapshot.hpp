// From what is on disk to what was changed: a stable scan compared with the base commit, as a patch by bytes.
#pragma once

#include <string>

#include "adapters/git/object_reader.hpp"
#include "adapters/git/tree_scan.hpp"
#include "base/result.hpp"
#include "ports/repository.hpp"

namespace emend {

// Where the differences of a workspace are to be found.
struct SnapshotSource {
  std::string directory; // the whole tree, or an overlay's upper directory
  bool upper_layer = false;
  const Tree* base = nullptr;
  std::string algorithm;
};

// Two walks must agree and every changed file must still have the hash it had; else it is tried again a few
// times, and then the snapshot has no patch but the violation "still changing".
[[nodiscard]] Result<Snapshot> take_snapshot(const SnapshotSource& source, ObjectReader& objects);

} // namespace emend
