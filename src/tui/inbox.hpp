// What waits for a person, as rows: every screen has the same from the same place.
#pragma once

#include <vector>

#include "service/needs.hpp"
#include "tui/model.hpp"

namespace emend {

// Sessions that run are shown with it: they wait for nobody.
[[nodiscard]] std::vector<InboxEntry> inbox_of(const Needs& needs, const std::vector<SessionRow>& sessions);

} // namespace emend
