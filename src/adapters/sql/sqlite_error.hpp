// What an SQLite result code means to the person, and what to do about it.
#pragma once

#include <string>

#include "base/result.hpp"

struct sqlite3;

namespace emend {

// code: an extended result code; connection may be null.
[[nodiscard]] Error sqlite_error(int code, sqlite3* connection, const std::string& path);

} // namespace emend
