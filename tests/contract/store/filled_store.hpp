// A store with an issue that is being worked on, and everything that belongs to it.
#pragma once

#include <string>

#include "ports/store.hpp"

namespace emend::testing_support {

// An issue IN_PROGRESS with its session "sess1", unit "u1", attempt "a1", verification "ver1", verdict "v1",
// two events and, when `resolved`, a proof for commit "c1" and status RESOLVED. Returns its id.
[[nodiscard]] std::string fill_store(Store& store, bool resolved);

} // namespace emend::testing_support
