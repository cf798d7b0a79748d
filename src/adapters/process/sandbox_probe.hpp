// What kind of sandbox this machine gives, found out by trying to leave it.
#pragma once

#include <string>

#include "adapters/process/supervised_runner.hpp"

namespace emend {

struct MachineSandbox {
  SandboxKind kind = SandboxKind::none;
  bool overlay = false; // private file trees can be mounted
};

// Runs a child or two below scratch_dir (which must exist, on the file system that will hold the workspaces).
// Cleans up after itself.
[[nodiscard]] MachineSandbox probe_sandbox(SupervisedRunner& runner, const std::string& scratch_dir);

// Whether sockets whose names are no files are kept from a child that shares the machine's network.
[[nodiscard]] bool closes_abstract_sockets();

} // namespace emend
