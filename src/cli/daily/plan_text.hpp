// A plan for people and for programs, as pure functions.
#pragma once

#include <string>

#include "base/json.hpp"
#include "cli/text_table.hpp"
#include "engine/plan/plan.hpp"

namespace emend {

[[nodiscard]] std::string plan_text(const Plan& plan, const Palette& palette);
[[nodiscard]] Json plan_json(const Plan& plan); // the data of emend.plan/v1

} // namespace emend
