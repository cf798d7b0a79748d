#include "engine/verify/remaining_fixes.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "engine/verify/comparison.hpp"
#include "engine/verify/reproduction.hpp"
#include "engine/verify/rescan.hpp"
#include "engine/verify/scan_comparison.hpp"
#include "engine/verify/verify.hpp"

namespace emend {
namespace {

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::cancelled, "stopped while the rest was being verified; nothing was changed");
}

// What the fixes that stay leave to other bugs, in the words of those who made them.
Result<About> left_by_all(RunContext& context, const std::vector<Issue>& issues) {
  About all;
  TRY_ASSIGN(const std::vector<Unit> units, context.ports.store.units(context.session.id));
  for (const Unit& unit : units) {
    if (unit.accepted_attempt.empty()) continue;
    TRY_ASSIGN(const Attempt attempt, context.ports.store.attempt(unit.accepted_attempt));
    for (const Issue& issue : issues)
      if (issue.id == attempt.issue_id) all.left += left_by_fix(issue, attempt).left + "\n";
  }
  return all;
}

Result<std::string> commands_say(RunContext& context, const Patch& whole, const std::vector<Issue>& issues,
                                 std::stop_token stop) {
  std::vector<VerifyCommand> commands;
  for (const VerifyCommand& command : context.policy().commands)
    if (std::any_of(issues.begin(), issues.end(),
                    [&](const Issue& issue) { return command.applies_to(issue.finding.file); }))
      commands.push_back(command);
  if (commands.empty()) return std::string();
  Verifier verifier(context);
  auto baseline = verifier.baseline(context.session.base, stop);
  if (!baseline && baseline.error().code == ErrorCode::cancelled) return stopped();
  TRY(baseline);
  TRY_ASSIGN(const Verification run,
             verifier.run(VerificationKind::combined, context.session.base, whole, commands, nullptr, stop));
  if (was_cancelled(run)) return stopped();
  TRY_ASSIGN(const auto checked, verifier.baseline(context.session.base, stop)); // a check may waver since
  TRY_ASSIGN(const About left, left_by_all(context, issues));
  const Comparison comparison = compare(commands, *checked, run, left);
  std::vector<std::string> why = comparison.failures;
  why.insert(why.end(), comparison.lost_tests.begin(), comparison.lost_tests.end());
  return join(why, "; ");
}

Result<std::string> checks_say(RunContext& context, const Patch& whole, const std::vector<Issue>& issues,
                               std::stop_token stop) {
  Reproduction reproduction(context, nullptr);
  for (const Issue& issue : issues) {
    TRY_ASSIGN(const std::optional<bool> green,
               reproduction.stays_green(issue, context.session.base, whole, stop));
    if (!green) return stopped();
    if (!*green) return "the reproducer of " + issue.code + " no longer passes";
  }
  return std::string();
}

Result<std::string> analyzers_say(RunContext& context, const Patch& whole, const std::vector<Issue>& issues,
                                  std::stop_token stop) {
  Rescanner rescanner(context);
  std::vector<const Issue*> judged;
  for (const Issue& issue : issues)
    if (rescanner.can_judge(issue)) judged.push_back(&issue);
  if (judged.empty()) return std::string();
  TRY_ASSIGN(const std::optional<Verification> run,
             rescanner.run(context.session.base, whole, judged, nullptr, stop));
  if (!run) return stopped();
  for (const Issue* issue : judged)
    if (const std::string problem = rescan_problem(*run->rescan, *issue, whole); !problem.empty())
      return issue->code + ": " + problem;
  return std::string();
}

} // namespace

Result<std::string> problem_of_remaining(RunContext& context, const std::string& tip,
                                         const std::vector<Issue>& issues, std::stop_token stop) {
  if (issues.empty()) return std::string();
  TRY_ASSIGN(const Patch whole, context.ports.repository.diff(context.session.base, tip));
  if (whole.empty()) return "no fix would be left on the branch";
  for (const auto look : {analyzers_say, commands_say, checks_say}) {
    TRY_ASSIGN(std::string problem, look(context, whole, issues, stop));
    if (!problem.empty()) return problem;
  }
  return std::string();
}

} // namespace emend
