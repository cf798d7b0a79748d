#include "engine/verify/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/verify/test_report.hpp"
#include "engine/verify/verify.hpp"

namespace emend {
namespace {

constexpr const char* kCommandName = "reproducer";

bool counts(ReproducerState state) {
  return state == ReproducerState::accepted || state == ReproducerState::required;
}

} // namespace

Result<Verification> execute_reproducer(RunContext& context, const Reproducer& check, VerificationKind kind,
                                        const std::string& base, const Patch& patch, std::stop_token stop,
                                        Look look) {
  const VerifyCommand command{kCommandName, check.command, {}, 0, check.independent()};
  TRY_ASSIGN(Verification run,
             Verifier(context).execute(kind, base, compose(patch, check.files), {command}, stop, "",
                                       context.policy().reproducer_runs, {{}, look}));
  run.issue_id = check.issue_id;
  run.patch_sha256 = patch.empty() ? "" : patch.sha256();
  run.reproducer_sha256 = check.sha256();
  return run;
}

std::string why_not_red(const Reproducer& check, const CommandRun& run) {
  if (check.red(run)) return {};
  if (check.independent() && run.values.empty() && run.result != CommandResult::timed_out)
    return "it prints no values: the check itself is broken";
  if (check.by_name() && check.green(run)) return "its tests end on the base as they must with the fix";
  if (check.by_name() && run.result != CommandResult::timed_out)
    return "it names none of its tests on the base: the check itself is broken";
  if (check.independent() && check.green(run))
    return "its values on the base are the expected ones, so it does not show the issue";
  switch (run.result) {
    case CommandResult::passed: return "it passes on the base, so it does not show the issue";
    case CommandResult::not_started: return fmt::format("its command cannot be run (exit {})", run.exit_code);
    case CommandResult::timed_out: return "it does not finish in time";
    case CommandResult::crashed: return "it is ended by a signal";
    case CommandResult::cancelled: return "it was cancelled";
    case CommandResult::contradictory: return "it exits 0, but its own summary counts failures";
    case CommandResult::failed: break;
  }
  if (run.passes > 0)
    return fmt::format("it is flaky: {} of {} runs on the base passed", run.passes, run.runs);
  return fmt::format("it fails (exit {}) without printing its marker line: the check itself is broken",
                     run.exit_code);
}

std::string few_answers(const Reproducer& check) {
  const auto known = std::count_if(check.expected.begin(), check.expected.end(),
                                   [](const ExpectedValue& one) { return !one.unknown; });
  if (!check.independent() || known >= kEnoughAnswers) return {};
  return fmt::format("it knows the right answer to {} input{} only", known, known == 1 ? "" : "s");
}

std::string leaves_failing(const Reproducer& check, const CommandRun& before, const CommandRun& with) {
  return check.independent() || check.by_name() ? std::string() : still_failing(before.tests, with.tests);
}

Result<ReproducerRuns> run_reproducer(RunContext& context, const Reproducer& check, const std::string& base,
                                      const Patch& patch, std::stop_token stop) {
  const auto run = [&](VerificationKind kind, const Patch& with) -> Result<CommandRun> {
    TRY_ASSIGN(const Verification made, execute_reproducer(context, check, kind, base, with, stop));
    if (was_cancelled(made)) return fail(ErrorCode::cancelled, "stopped while the reproducer was running");
    return made.commands.front();
  };
  TRY_ASSIGN(const CommandRun before, run(VerificationKind::reproducer_base, Patch{}));
  if (!check.red(before)) return ReproducerRuns{"does not fail on the base: " + why_not_red(check, before)};
  TRY_ASSIGN(const CommandRun with, run(VerificationKind::reproducer_patched, patch));
  if (!check.green(with)) return ReproducerRuns{"does not pass with the patch"};
  if (const std::string why = leaves_failing(check, before, with); !why.empty())
    return ReproducerRuns{"does not show that it is fixed: " + why};
  TRY_ASSIGN(const CommandRun without, run(VerificationKind::reproducer_without, Patch{}));
  if (!check.red(without)) return ReproducerRuns{"does not fail again without the patch"};
  return ReproducerRuns{};
}

Result<std::optional<Reproducer>> reproducer_of(IssueStore& store, const std::string& issue_id,
                                                const std::string& session_id) {
  TRY_ASSIGN(std::vector<Reproducer> known, store.reproducers(issue_id));
  std::optional<Reproducer> found;
  for (Reproducer& one : known)
    if (one.session_id == session_id && counts(one.state)) found = std::move(one);
  return found;
}

} // namespace emend
