#include "model/audit.hpp"

#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

Json to_json(const AuditEntry& entry) {
  return {{"n", entry.n},
          {"time", rfc3339_utc(entry.time_ms)},
          {"actor", to_json(entry.actor)},
          {"action", entry.action},
          {"repository_id", entry.repository_id},
          {"subject", entry.subject},
          {"session_id", entry.session_id},
          {"detail", entry.detail},
          {"digest", entry.digest}};
}

std::string audit_digest(const std::string& before, const AuditEntry& entry) {
  return sha256_hex(
      dump_json(Json::array({before, entry.n, entry.time_ms, to_json(entry.actor), entry.action,
                             entry.repository_id, entry.subject, entry.session_id, entry.detail})));
}

std::optional<AuditProblem> AuditCheck::take(const AuditEntry& entry) {
  const std::int64_t expected = seen_.n + 1;
  if (entry.n != expected) return AuditProblem{expected, "it is missing"};
  if (entry.digest != audit_digest(seen_.digest, entry))
    return AuditProblem{expected, "its content, or what comes before it, was changed"};
  seen_ = {entry.n, entry.digest};
  return std::nullopt;
}

std::optional<AuditProblem> AuditCheck::end(const AuditHead& head) const {
  if (head.n != seen_.n)
    return AuditProblem{seen_.n + 1, "it is missing: the log has " + std::to_string(seen_.n) +
                                         " entries, and once had " + std::to_string(head.n)};
  if (head.digest != seen_.digest) return AuditProblem{seen_.n, "it is not the entry that was written last"};
  return std::nullopt;
}

} // namespace emend
