// What agents consumed, summed up for people.
#pragma once

#include <vector>

#include "api/routes.hpp"

namespace emend {

[[nodiscard]] std::vector<Operation> usage_operations(const ApiParts& parts);

} // namespace emend
