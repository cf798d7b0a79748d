// `emend db`, and the operator's tools it works with.
#pragma once

#include "cli/command.hpp"
#include "ports/database_tools.hpp"

namespace emend {

[[nodiscard]] Command db_command();

// main hands them over before run_cli(); they outlive it.
void use_database_tools(DatabaseTools& tools);
[[nodiscard]] DatabaseTools& database_tools();

} // namespace emend
