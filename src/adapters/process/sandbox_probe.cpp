#include "adapters/process/sandbox_probe.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "adapters/process/overlay_probe.hpp"
#include "base/abandoned.hpp"

namespace emend {

namespace fs = std::filesystem;

namespace {

constexpr const char* kProbe = "sandbox-probe-";

// A tree that is really there: the child may write beside it, not elsewhere, and does not get to read what is
// hidden.
bool holds(ProcessRunner& runner, const fs::path& directory) {
  std::error_code problem;
  for (const char* name : {"area/mine/tree", "area/other", "outside"})
    if (!fs::create_directories(directory / name, problem)) return false;
  std::ofstream(directory / "secret") << "secret";
  std::ofstream(directory / "area/other/secret") << "secret";
  ProcessSpec spec;
  spec.argv = {
      "/bin/sh", "-c",
      "echo x >made && echo x >../made && mv made ../moved && ! echo x 2>/dev/null >../../../outside/x && "
      "! grep -q secret ../../../secret 2>/dev/null && ! grep -q secret ../../other/secret 2>/dev/null"};
  spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin"};
  spec.cwd = directory / "area/mine/tree";
  spec.wall_limit_ms = 20'000;
  spec.network = NetworkAccess::loopback;
  spec.overlay.target = spec.cwd;
  spec.overlay.hidden = {directory / "secret"};
  spec.overlay.masked = directory / "area";
  spec.overlay.own = directory / "area/mine";
  const auto result = runner.run(spec, {});
  return result && result->ok() && fs::exists(directory / "area/mine/moved", problem) &&
         !fs::exists(directory / "outside/x", problem);
}

} // namespace

bool closes_abstract_sockets() {
  constexpr long create_ruleset = 444;
  constexpr unsigned ask_version = 1;
  return ::syscall(create_ruleset, nullptr, 0UL, ask_version) >= 6;
}

MachineSandbox probe_sandbox(SupervisedRunner& runner, const std::string& scratch_dir) {
  remove_abandoned(scratch_dir, kProbe); // also of a time when the machine gave less
  const SandboxKind best = runner.sandbox().value_or(SandboxKind::none);
  if (best == SandboxKind::full && overlay_supported(runner, scratch_dir)) return {SandboxKind::full, true};
  std::string name = scratch_dir + "/" + kProbe + "XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) return {};
  const bool contained = holds(runner, name);
  remove_or_abandon(name);
  return {contained ? best : SandboxKind::none, false};
}

} // namespace emend
