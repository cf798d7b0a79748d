// What happened to an issue, with who did it.
#pragma once

#include <vector>

#include "ports/ledger.hpp"

namespace emend {

// In the order of time: events of its sessions without what agents print; what people decided outside of a
// session, as an event of the audit log's action.
[[nodiscard]] Result<std::vector<Event>> issue_history(AuditStore& audit, Ledger& ledger, const Issue& issue);

} // namespace emend
