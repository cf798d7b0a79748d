// The verify stage: configured commands on a fresh tree = base + one patch, and the same on the untouched
// base to compare with.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/containment_watch.hpp"
#include "engine/context/run_context.hpp"
#include "engine/verify/junit_results.hpp"
#include "model/verification.hpp"

namespace emend {

class Verifier {
public:
  explicit Verifier(RunContext& context) : context_(context) {}

  // Runs `commands` in order in one fresh workspace, policy.repeat times or `rounds` if that is more. twist:
  // what an experiment changes on top of base and patch. A fired stop token gives CommandResult::cancelled.
  [[nodiscard]] Result<Verification> execute(VerificationKind kind, const std::string& base,
                                             const Patch& patch, const std::vector<VerifyCommand>& commands,
                                             std::stop_token stop, const std::string& issue_code = {},
                                             int rounds = 1, const Patch& twist = {});
  // The same, stored with its events unless it was cancelled. issue may be null.
  [[nodiscard]] Result<Verification> run(VerificationKind kind, const std::string& base, const Patch& patch,
                                         const std::vector<VerifyCommand>& commands, const Issue* issue,
                                         std::stop_token stop);

  // Once on the tree with `twist` laid over it; stored with its probes.
  [[nodiscard]] Result<Verification> run_probes(const std::string& base, const Patch& patch,
                                                const Patch& twist, std::vector<Probe> probes,
                                                const std::vector<VerifyCommand>& commands,
                                                const Issue* issue, std::stop_token stop);

  // All configured commands on the untouched commit, run once per session and cached per base across
  // sessions.
  [[nodiscard]] Result<std::shared_ptr<const Verification>> baseline(const std::string& commit,
                                                                     std::stop_token stop);

  // `commit` is the very tree this run was made on, so its results are the baseline there; stored as such if
  // it has all commands.
  [[nodiscard]] Status adopt_baseline(const std::string& commit, const Verification& run);

private:
  [[nodiscard]] Result<CommandRun> run_command(const VerifyCommand& command, Workspace& workspace,
                                               std::stop_token stop);
  void read_reports(const Workspace& workspace, const Tree& base, Reports& known, CommandRun& run) const;
  [[nodiscard]] Result<Verification> cached_baseline(const std::string& commit,
                                                     const std::vector<std::string>& keys, bool& complete);

  void explain_hidden(const CommandRun& run, const OverlayMount& mount);

  RunContext& context_;
  KnownHabits habits_;
  std::mutex baseline_running_;
  std::mutex baseline_mutex_;
  std::map<std::string, std::shared_ptr<const Verification>> baselines_;
};

// True when a verification ended early because of the stop token.
[[nodiscard]] bool was_cancelled(const Verification& verification);

} // namespace emend
