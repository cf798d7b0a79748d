// The places of servers in one EMEND_HOME: one where the database is a file, several where it is shared.
#pragma once

#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/result.hpp"

namespace emend {

// Held for as long as the server runs. number: 1 is the first server's place. ErrorCode::conflict = it is
// taken.
[[nodiscard]] Result<FileLock> take_server_place(const std::string& home, int number);
// The first one that is free from `number` on.
[[nodiscard]] Result<FileLock> take_free_server_place(const std::string& home, int number);
// All places that were ever taken, so that no server begins; ErrorCode::conflict = one runs.
[[nodiscard]] Result<std::vector<FileLock>> keep_servers_away(const std::string& home);

// The same for all servers of an EMEND_HOME, wherever it is mounted; made when it is first asked for.
[[nodiscard]] Result<std::string> home_id(const std::string& home);

} // namespace emend
