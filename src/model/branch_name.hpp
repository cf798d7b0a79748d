// Names a branch of ours may have: what git takes, and what a person can read and paste into a command.
#pragma once

#include <string>
#include <string_view>

namespace emend {

// What is wrong with it, as the end of a sentence ("begins with '-'"); empty = nothing. The name is without
// refs/heads/.
[[nodiscard]] std::string branch_name_problem(std::string_view name);

} // namespace emend
