// What an answer of PostgreSQL means to the person, and what to do about it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

struct pg_conn;
struct pg_result;

namespace emend {

// location: never with a password. No text of these errors has one.
[[nodiscard]] Error postgres_error(const pg_result* answer, const std::string& location);
[[nodiscard]] Error postgres_connection_error(const pg_conn* connection, const std::string& location);
[[nodiscard]] Error postgres_connection_lost(const std::string& location, bool while_committing);

// Whether the server ended the connection with this answer, even if the socket does not show it yet.
[[nodiscard]] bool ends_connection(const pg_result* answer);

} // namespace emend
