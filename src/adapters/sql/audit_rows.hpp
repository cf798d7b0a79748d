// The audit log as rows, chained by its head.
#pragma once

#include <vector>

#include "adapters/sql/database.hpp"
#include "model/audit.hpp"

namespace emend {

// Within a transaction: the entry's place in the chain is taken by writing the head, so two writers wait for
// each other on every database.
[[nodiscard]] Status append_audit(Database& database, const AuditEntry& entry, std::int64_t now_ms);
[[nodiscard]] Result<std::vector<AuditEntry>> select_audit(Database& database, const AuditSearch& search);
[[nodiscard]] Result<AuditHead> select_audit_head(Database& database);

} // namespace emend
