// What a person can do about an issue whose fixer did not fix it on purpose.
#pragma once

#include <string>

#include "model/issue.hpp"

namespace emend {

// A sentence with the commands to type; empty = the reason of the failure asks for nothing of a person.
[[nodiscard]] std::string next_step(const std::string& reason, const std::string& code);

// The detail of a failed issue ends with it, so that it is said wherever the detail is.
[[nodiscard]] std::string with_next_step(const std::string& detail, const std::string& reason,
                                         const std::string& code);
// For those who say it in a place of its own: the issue's detail without it.
[[nodiscard]] std::string detail_alone(const Issue& issue);

} // namespace emend
