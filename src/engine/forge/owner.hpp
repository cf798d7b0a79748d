// Who began something outside the database: enough for the next start to tell whether it still goes on.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "engine/context/ports.hpp"

namespace emend {

[[nodiscard]] Json owner_of_this(); // process
// False only for one that is dead for sure: one on another machine may be at work.
[[nodiscard]] bool is_at_work(const Json& owner);
// What an emend announced for this project of a forge and did not finish before it died.
[[nodiscard]] Result<std::vector<Intent>> left_open(const Ports& ports, std::string_view kind,
                                                    const std::string& project);
// Closes each of them; close() must finish the intent. How many.
[[nodiscard]] Result<int> close_each(const Ports& ports, std::string_view kind, const std::string& project,
                                     const std::function<Status(const Intent&)>& close);

} // namespace emend
