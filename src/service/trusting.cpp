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

CommandFile project_tools_of(const std::string& repository_root) {
  return {
      repository_root + "#project-tools",
      "project-tools",
      {"review.project_tools: reviews run programs of node_modules/.bin, .venv/bin and vendor/bin, and tools "
       "that run code of the project (eslint, tsc, mypy, clippy, CMake)"},
      false,
      false};
}

bool project_tools_allowed(Store& store, const std::string& repository_root) {
  const CommandFile tools = project_tools_of(repository_root);
  const auto known = store.trusted(tools.path);
  return known && *known && (*known)->sha256 == tools.sha256;
}

} // namespace emend
