#include "engine/context/audit.hpp"

namespace emend {

void note_audit(Change& change, const Ports& ports, std::string action, std::string subject,
                std::string session_id, Json detail) {
  if (ports.actor.kind == ActorKind::emend) return;
  AuditEntry entry;
  entry.actor = ports.actor;
  entry.action = std::move(action);
  entry.repository_id = ports.repository.id();
  entry.subject = std::move(subject);
  entry.session_id = std::move(session_id);
  entry.detail = std::move(detail);
  change.audit.push_back(std::move(entry));
}

} // namespace emend
