// The store on an SQL database. All calls may come from any thread; several processes may use one database at
// once.
#pragma once

#include <memory>
#include <string>

#include "ports/store.hpp"

namespace emend {

// address: see database_address.hpp. A locked database is waited for busy_timeout_ms, then answered with
// ErrorCode::database. One that is damaged, of another program or of a newer emend is refused and left as it
// is.
[[nodiscard]] Result<std::unique_ptr<Store>> open_sql_store(const std::string& address,
                                                            int busy_timeout_ms = 5'000);

} // namespace emend
