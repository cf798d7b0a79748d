#include "engine/context/sandbox_mode.hpp"

namespace emend {

Status check_sandbox(const Policy& policy, SandboxKind machine) {
  if (policy.sandbox.mode != SandboxMode::required || machine != SandboxKind::none) return {};
  return fail(
      ErrorCode::io, "no sandbox is available on this machine, and sandbox.mode = \"required\"",
      "`emend doctor` shows what is available, docs/sandbox.md how to enable it; sandbox.mode = \"auto\" "
      "goes without");
}

void settle_sandbox(const Repository& repository, Policy& policy) {
  policy.sandbox.kind = policy.sandbox.mode == SandboxMode::off ? SandboxKind::none : repository.sandbox();
  if (policy.sandbox.kind == SandboxKind::none) policy.parallel = 1;
}

OverlayMount mount_for(const RunContext& context, const Workspace& workspace) {
  OverlayMount mount = workspace.overlay();
  if (context.policy().sandbox.mode != SandboxMode::off) return mount;
  mount.contained = false;
  mount.read_only.clear();
  mount.layers.clear();
  mount.home.clear();
  mount.shown.clear();
  std::erase_if(mount.hidden, [&](const std::string& path) { return !path.starts_with(context.home + "/"); });
  return mount;
}

} // namespace emend
