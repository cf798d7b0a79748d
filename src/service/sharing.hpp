// A program's part in work that several machines share: the board of its database, and its presence there.
#pragma once

#include <memory>
#include <string>

#include "engine/claims/work_claim.hpp"
#include "service/dependencies.hpp"

namespace emend {

// Both null where the database is this machine's alone.
struct Sharing {
  std::unique_ptr<WorkBoard> board;
  std::unique_ptr<Presence> presence; // it only coordinates: workers have their own

  [[nodiscard]] static Result<Sharing> open(const Dependencies& dependencies, const std::string& address,
                                            std::int64_t lease_ms);
};

} // namespace emend
