// Where a PostgreSQL database is: "postgresql://..." or libpq's "host=... dbname=...", and how to speak of it
// without its password.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace emend {

[[nodiscard]] bool is_postgres_address(std::string_view text);

struct PostgresAddress {
  std::string text;     // for libpq alone: may hold a password
  std::string location; // for everybody

  // ErrorCode::config, without repeating any of it: a password may be in the part that is wrong.
  static Result<PostgresAddress> parse(const std::string& text);
};

} // namespace emend
