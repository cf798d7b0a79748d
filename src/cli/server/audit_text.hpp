// Entries of the audit log for a person to read.
#pragma once

#include <string>

#include "model/audit.hpp"

namespace emend {

// "2026-01-31 12:00  Ann Lee  issue.ignored  BE-001  (by_design: ...)"
[[nodiscard]] std::string audit_line(const AuditEntry& entry);

} // namespace emend
