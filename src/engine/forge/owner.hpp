// Who began something outside the database: enough for the next start to tell whether it still goes on.
#pragma once

#include "base/json.hpp"

namespace emend {

[[nodiscard]] Json owner_of_this(); // process
// False only for one that is dead for sure: one on another machine may be at work.
[[nodiscard]] bool is_at_work(const Json& owner);

} // namespace emend
