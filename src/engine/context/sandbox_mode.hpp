// sandbox.mode of a session: what it means for a child that is about to be started.
#pragma once

#include "engine/context/run_context.hpp"

namespace emend {

// ErrorCode::io when a sandbox is required and the machine gives none: then nothing is run.
[[nodiscard]] Status check_sandbox(const Policy& policy, SandboxKind machine);

// What the machine gives now. Without any sandbox there is one child at a time, so that none can meddle with
// another's workspace.
void settle_sandbox(const Workspaces& repository, Policy& policy);

// How a child of this session sees a workspace. Switched off, only the engine's own state is kept from it.
[[nodiscard]] OverlayMount mount_for(const RunContext& context, const Workspace& workspace);

// How a check of this session sees it.
[[nodiscard]] Result<CheckPlace> check_place_for(const RunContext& context, Workspace& workspace, Look look);

// The same workspace with that view, for those who start children themselves. `workspace` outlives it.
class SeenWorkspace final : public Workspace {
public:
  SeenWorkspace(const RunContext& context, Workspace& workspace) : context_(context), workspace_(workspace) {}
  const std::string& path() const override { return workspace_.path(); }
  OverlayMount overlay() const override { return mount_for(context_, workspace_); }
  Result<Snapshot> snapshot() override { return workspace_.snapshot(); }
  std::string home_dir() const override { return workspace_.home_dir(); }
  std::string temp_dir() const override { return workspace_.temp_dir(); }
  std::string_view kind() const override { return workspace_.kind(); }

private:
  const RunContext& context_;
  Workspace& workspace_;
};

} // namespace emend
