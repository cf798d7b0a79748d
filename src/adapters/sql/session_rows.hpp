// Sessions as rows.
#pragma once

#include <optional>
#include <vector>

#include "adapters/sql/database.hpp"
#include "model/session.hpp"

namespace emend {

// The whole record, except that a request to cancel which another process wrote meanwhile stays while the
// same owner goes on running.
[[nodiscard]] Status put_session(Database& database, const Session& session);
[[nodiscard]] Result<Session> select_session(Database& database, const std::string& id_or_prefix);
[[nodiscard]] Result<std::vector<Session>> select_sessions(Database& database,
                                                           const std::string& repository_id,
                                                           std::size_t limit);
// Those older than the session `before` (its whole id; not_found = there is none), or "" = the newest.
[[nodiscard]] Result<std::vector<Session>> select_sessions_before(
    Database& database, const std::string& repository_id, const std::string& before, std::size_t limit,
    const std::optional<std::vector<std::string>>& among);
// Planned, running, interrupted or in error; newest first.
[[nodiscard]] Result<std::vector<Session>> select_unfinished_sessions(Database& database,
                                                                      const std::string& repository_id);
[[nodiscard]] Status set_cancel_requested(Database& database, const std::string& session_id);
[[nodiscard]] Result<bool> select_cancel_requested(Database& database, const std::string& session_id);

} // namespace emend
