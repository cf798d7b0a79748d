// The verify stage: configured commands on a fresh tree = base + one patch, and the same on the untouched
// base to compare with.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/containment_watch.hpp"
#include "engine/context/run_context.hpp"
#include "engine/verify/base_run.hpp"
#include "engine/verify/junit_results.hpp"
#include "engine/verify/test_side.hpp"
#include "model/events.hpp"
#include "model/verification.hpp"

namespace emend {

// How a run differs from an ordinary one.
struct Experiment {
  Patch twist = {};        // laid over base and patch
  Look look = Look::first; // how the commands see the machine
  std::string before = {}; // shell text in front of each command
  std::string after = {};  // a command behind the last one, in the same tree; its result counts for nothing
  // Called with what the commands wrote into the tree, before the tree goes away.
  std::function<void(const fs::path& written)> read = {};
  // Called with each command's result, in the last round, as soon as it is there.
  std::function<void(const CommandRun&)> seen = {};
};

class Verifier {
public:
  explicit Verifier(RunContext& context) : context_(context) {}

  // Runs `commands` in order in one fresh workspace, policy.repeat times or `rounds` if that is more. A fired
  // stop token gives CommandResult::cancelled.
  [[nodiscard]] Result<Verification> execute(VerificationKind kind, const std::string& base,
                                             const Patch& patch, const std::vector<VerifyCommand>& commands,
                                             std::stop_token stop, const std::string& issue_code = {},
                                             int rounds = 1, const Experiment& experiment = {});
  // The same, stored with its events unless it was cancelled. A fix is held against test files with other
  // bytes, so that nothing can tell them by their text. A check that got worse than on the base is run
  // once more on the same tree; if it passes then, the base is run again, and a check that wavers there is
  // marked so in the baseline. Ask for the baseline again after this. issue may be null.
  [[nodiscard]] Result<Verification> run(VerificationKind kind, const std::string& base, const Patch& patch,
                                         const std::vector<VerifyCommand>& commands, const Issue* issue,
                                         std::stop_token stop);

  // Once on the tree with the experiment's twist laid over it, in another look than ordinary runs; stored
  // with its probes.
  [[nodiscard]] Result<Verification> run_probes(const std::string& base, const Patch& patch,
                                                Experiment experiment, std::vector<Probe> probes,
                                                const std::vector<VerifyCommand>& commands,
                                                const Issue* issue, std::stop_token stop);

  // All configured commands on the untouched commit, run once per session and cached per base across
  // sessions.
  [[nodiscard]] Result<std::shared_ptr<const Verification>> baseline(const std::string& commit,
                                                                     std::stop_token stop);

  // The same run begins, those checks in front that fixes of these files need, and goes on beside what comes
  // next, where children are fully contained. Returns what it has shown when the first are through. Once, and
  // before units ask.
  [[nodiscard]] Result<std::shared_ptr<const Verification>> begin_baseline(
      const std::string& commit, const std::vector<std::string>& files, std::stop_token stop);
  // As much of the baseline as these checks, which need not wait for others that still run.
  [[nodiscard]] Result<std::shared_ptr<const Verification>> baseline_for(
      const std::string& commit, const std::vector<VerifyCommand>& commands, std::stop_token stop);

  // Does this command pass on the untouched base? Run once a session: for questions about the machine and the
  // project.
  [[nodiscard]] Result<bool> passes_on_base(const std::string& commit, const VerifyCommand& question,
                                            std::stop_token stop);

  // `commit` is the very tree this run was made on, so its results are the baseline there; stored as such if
  // it has all commands.
  [[nodiscard]] Status adopt_baseline(const std::string& commit, const Verification& run);

private:
  [[nodiscard]] Result<CommandRun> run_command(const VerifyCommand& command, const CheckPlace& place,
                                               const Experiment& experiment, std::stop_token stop,
                                               std::int64_t offline_patience_ms = 0);
  // On a tree without a fix: what waits in vain for a network or a person is run once more with help, and
  // from then on always if that serves.
  [[nodiscard]] Result<CommandRun> run_on_base(const VerifyCommand& command, const CheckPlace& place,
                                               const Experiment& experiment, std::stop_token stop);
  [[nodiscard]] Result<bool> needs_help(const std::string& command);
  void will_help(const std::string& command);
  void read_reports(const Workspace& workspace, const Tree& base, Reports& known, CommandRun& run) const;
  [[nodiscard]] Result<Verification> cached_baseline(const std::string& commit,
                                                     const std::vector<std::string>& keys, bool& complete);
  [[nodiscard]] Result<std::shared_ptr<const Verification>> baseline_at_hand(const std::string& commit);
  [[nodiscard]] std::shared_ptr<const Verification> keep_baseline(Verification verification);
  [[nodiscard]] Result<std::shared_ptr<const Verification>> run_baseline(
      const std::string& commit, const std::vector<VerifyCommand>& commands, const BaseRun::Seen& seen,
      std::stop_token stop);
  [[nodiscard]] Status move_doubtful(const std::string& commit, BaseOrder& order, std::stop_token stop);

  // False: cancelled.
  [[nodiscard]] Result<bool> run_worse_again(Verification& verification, const Patch& patch,
                                             const std::vector<VerifyCommand>& commands, std::stop_token stop,
                                             const std::string& issue_code, const Patch& twist);
  // Other bytes for the test files that `patch` leaves alone, as many as the base bears.
  [[nodiscard]] Result<Patch> rewording(VerificationKind kind, const std::string& base, const Patch& patch);
  // Do the checks of the base come out as ever with these bytes? Asked once, when a run got worse, or what
  // failed before fails still. If they do not, the next rewording changes less.
  // What that takes is counted as spent by the run.
  [[nodiscard]] Result<bool> base_bears(Verification& run, const std::vector<VerifyCommand>& commands,
                                        const Patch& twist, std::stop_token stop);
  [[nodiscard]] Result<bool> run_base_again(const std::string& base,
                                            const std::vector<VerifyCommand>& commands,
                                            const std::vector<std::string>& names, std::stop_token stop);
  [[nodiscard]] std::shared_ptr<const Verification> known_baseline(const std::string& commit);
  [[nodiscard]] Result<std::shared_ptr<const Verification>> wavering_baseline(const std::string& commit);

  void explain_hidden(const CommandRun& run, const OverlayMount& mount);

  RunContext& context_;
  KnownHabits habits_;
  std::mutex helped_mutex_;
  std::optional<std::set<std::string>>
      helped_; // commands, by their text; empty = the store was not asked yet
  std::mutex baseline_running_;
  std::mutex baseline_mutex_;
  std::map<std::string, std::shared_ptr<const Verification>> baselines_;
  struct Rewording {
    Wording wording = Wording::rephrased;
    std::optional<Patch> patch;
    bool borne = false; // by the base's own checks
  };
  std::mutex answers_mutex_;
  std::map<std::pair<std::string, std::string>, bool> answers_; // by commit and command, see passes_on_base()
  std::mutex rewording_mutex_;
  std::map<std::string, Rewording> rewordings_; // by base
  std::unique_ptr<BaseRun> base_run_;           // the last member: it uses the others until it has ended
};

// Under which keys the store caches the runs of the policy's checks on this commit, in their order.
[[nodiscard]] std::vector<std::string> baseline_keys(const std::string& commit, const Policy& policy);

// What is told of a run; baseline: what failed before is marked, may be null.
[[nodiscard]] FixVerificationResult verification_told(const Verification& verification,
                                                      const Verification* baseline);

// Was the command kept from trying a network it has not?
[[nodiscard]] bool was_helped(const CommandRun& run);

// True when a verification ended early because of the stop token.
[[nodiscard]] bool was_cancelled(const Verification& verification);

} // namespace emend
