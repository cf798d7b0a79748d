#include "engine/context/sandbox_mode.hpp"

namespace emend {

Status check_sandbox(const Policy& policy, SandboxKind machine) {
  if (policy.sandbox.mode != SandboxMode::required || machine != SandboxKind::none) return {};
  return fail(
      ErrorCode::io, "no sandbox is available on this machine, and sandbox.mode = \"required\"",
      "`emend doctor` shows what is available, docs/sandbox.md how to enable it; sandbox.mode = \"auto\" "
      "goes without");
}

void settle_sandbox(const Workspaces& repository, Policy& policy) {
  policy.sandbox.kind = policy.sandbox.mode == SandboxMode::off ? SandboxKind::none : repository.sandbox();
  if (policy.sandbox.kind == SandboxKind::none) policy.parallel = 1;
}

namespace {

// Without the sandbox; what is part of the tree stays.
OverlayMount opened(OverlayMount mount, const std::string& engine_home) {
  mount.contained = false;
  mount.apart = false;
  mount.read_only.clear();
  std::erase_if(mount.layers, [&](const PrivateLayer& layer) {
    return !(layer.path + "/").starts_with(mount.target + "/");
  });
  mount.home.clear();
  mount.shown.clear();
  mount.aliases.clear();
  std::erase_if(mount.hidden, [&](const std::string& path) { return !path.starts_with(engine_home + "/"); });
  return mount;
}

} // namespace

OverlayMount mount_for(const RunContext& context, const Workspace& workspace) {
  OverlayMount mount = workspace.overlay();
  return context.policy().sandbox.mode == SandboxMode::off ? opened(std::move(mount), context.home) : mount;
}

Result<CheckPlace> check_place_for(const RunContext& context, Workspace& workspace, Look look) {
  TRY_ASSIGN(CheckPlace place, workspace.check_place(look));
  if (context.policy().sandbox.mode != SandboxMode::off) return place;
  place.mount = opened(std::move(place.mount), context.home);
  place.path = place.mount.target;
  place.temp = workspace.temp_dir(); // /tmp would be the machine's own
  place.home.clear();
  return place;
}

} // namespace emend
