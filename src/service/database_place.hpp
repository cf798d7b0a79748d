// Which database this program works on.
#pragma once

#include <string>
#include <vector>

namespace emend {

// EMEND_DATABASE, else the file emend.db in the home. May hold a password: not for messages.
[[nodiscard]] std::string database_address(const std::vector<std::string>& environment,
                                           const std::string& home);

} // namespace emend
