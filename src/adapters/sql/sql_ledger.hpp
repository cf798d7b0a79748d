// The ledger on an SQL database, beside the store and on a connection of its own, so that readers of the log
// never wait for the work.
#pragma once

#include <memory>
#include <string>

#include "ports/ledger.hpp"

namespace emend {

// As open_sql_store(). All calls may come from any thread.
[[nodiscard]] Result<std::unique_ptr<Ledger>> open_sql_ledger(const std::string& address,
                                                              int busy_timeout_ms = 5'000);

} // namespace emend
