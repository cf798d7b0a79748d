// What agents consumed and what became of their fixes, summed up for people.
#pragma once

#include <vector>

#include "api/routes.hpp"

namespace emend {

[[nodiscard]] std::vector<Operation> usage_operations(const ApiParts& parts);

} // namespace emend
