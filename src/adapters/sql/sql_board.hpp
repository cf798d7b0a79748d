// The work board on an SQL database, on connections of its own: one for the work, one that listens.
#pragma once

#include <memory>
#include <string>

#include "adapters/sql/database.hpp"
#include "ports/work_board.hpp"

namespace emend {

// A job that was delivered so often to workers that died is given to no other.
inline constexpr int kMaxDeliveries = 5;

// On the database of open_sqlite_store(), for the processes of one machine.
[[nodiscard]] Result<std::unique_ptr<WorkBoard>> open_sqlite_board(const std::string& path, int busy_timeout_ms = 5'000);

[[nodiscard]] std::unique_ptr<WorkBoard> make_board(std::unique_ptr<Database> work, std::unique_ptr<Database> ears);

} // namespace emend
