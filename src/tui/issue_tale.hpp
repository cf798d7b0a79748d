// What an issue's events amount to: where it is, its checks, its score. Pure.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/event.hpp"
#include "tui/model.hpp"

namespace emend {

// Fills in timeline, checks, verdict, threshold and phase.
void add_tale(const std::vector<Event>& events,
              const std::function<std::optional<std::string>(const Event&)>& tell, Detail& detail);

} // namespace emend
