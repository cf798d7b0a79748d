// The work board on an SQL database; it listens where there is room for connections that only do that.
#pragma once

#include <memory>
#include <string>

#include "ports/work_board.hpp"

namespace emend {

// A job that was delivered so often to workers that died is given to no other.
inline constexpr int kMaxDeliveries = 5;

// Can several machines work on it?
[[nodiscard]] bool is_shared_database(const std::string& address);
// As open_sql_store().
[[nodiscard]] Result<std::unique_ptr<WorkBoard>> open_sql_board(const std::string& address,
                                                                int busy_timeout_ms = 5'000);

} // namespace emend
