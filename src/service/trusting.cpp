#include "service/trusting.hpp"

#include "engine/context/audit.hpp"

namespace emend {

Status allow_files(const Ports& ports, const std::vector<CommandFile>& files) {
  if (files.empty()) return {};
  Change change;
  const std::int64_t now = ports.clock.wall_ms();
  for (const CommandFile& file : files) {
    change.trusted.push_back({file.path, file.sha256, now});
    note_audit(change, ports, "trust.given", file.path, {}, {{"sha256", file.sha256}});
  }
  TRY(ports.store.apply(change, now));
  return {};
}

Status forbid_files(const Ports& ports, const std::vector<CommandFile>& files) {
  if (files.empty()) return {};
  Change change;
  for (const CommandFile& file : files) {
    change.untrusted.push_back(file.path);
    note_audit(change, ports, "trust.revoked", file.path);
  }
  TRY(ports.store.apply(change, ports.clock.wall_ms()));
  return {};
}

} // namespace emend
