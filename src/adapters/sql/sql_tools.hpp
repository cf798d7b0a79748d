// The operator's tools on SQL databases.
#pragma once

#include <memory>

#include "ports/database_tools.hpp"

namespace emend {

[[nodiscard]] std::unique_ptr<DatabaseTools> make_sql_tools();

} // namespace emend
