#include "engine/verify/preflight.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/context/offline.hpp"
#include "engine/verify/comparison.hpp"
#include "engine/verify/requirement.hpp"
#include "engine/verify/test_lines.hpp"
#include "engine/verify/test_owner.hpp"
#include "engine/verify/test_report.hpp"

namespace emend {
namespace {

constexpr std::size_t kQuoted = 200; // of one line of output

// Of a check that fails on the base without names.
constexpr const char* kWaysOut =
    "make it pass, let it print test names (`pytest -v`, `ctest`, `--verbose`), give it `paths`";

// What our own shell says when there is nothing to run, in contrast to a script that misses something.
// Commands are given to it as `/bin/sh -c`.
std::string shell_complaint(const CommandRun& run) {
  for (const std::string_view line : lines_of(run.output))
    if (line.starts_with("/bin/sh: ")) return std::string(line);
  return run.exit_code < 0 ? first_line(trim(run.output), kQuoted)
                           : std::string{}; // the shell itself could not be started
}

// It has tests that pass, so it is of use without those that do not.
bool ran_tests(const CommandRun& run) { return run.tests.recognised && run.tests.passed > 0; }

std::string last_line(const std::string& output) {
  const std::string_view text = trim(output);
  const auto line = text.rfind('\n');
  return first_line(line == std::string_view::npos ? text : text.substr(line + 1), kQuoted);
}

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "`" : ", `") + clean_text(name) + "`";
  return text;
}

// Other files a fix of this issue may change.
bool may_change_others(const Policy& policy, const Scope& scope, const Tree& base, const Issue& issue) {
  const auto allowed = [&](const std::string& path) {
    return path != issue.finding.file && scope.protected_as(issue, path).empty();
  };
  if (!policy.new_files.empty() ||
      std::any_of(issue.finding.related_files.begin(), issue.finding.related_files.end(), allowed))
    return true;
  return std::any_of(base.begin(), base.end(), [&](const auto& entry) {
    return scope.in_scope(issue, entry.first) && allowed(entry.first);
  });
}

std::optional<Refusal> protected_file(const Policy& policy, const Scope& scope, const Tree& base,
                                      const Issue& issue) {
  const std::string& file = issue.finding.file;
  const std::string what = file.empty() ? "" : scope.protected_as(issue, file);
  if (what.empty() || may_change_others(policy, scope, base, issue)) return std::nullopt;
  std::vector<std::string> runners;
  for (const VerifyCommand& command : policy.commands) {
    const auto words = executed_words(command.run);
    if (std::find(words.begin(), words.end(), file) != words.end()) runners.push_back(command.name);
  }
  if (runners.empty())
    return Refusal{"protected",
                   fmt::format("{} is {}, so no fix may change it. Fix it by hand, or change that setting.",
                               clean_text(file), what)};
  return Refusal{"protected", fmt::format("{} is run by {}, which checks the fixes, so no fix may change it. "
                                          "Fix it by hand, or check it by a command that "
                                          "does not run it.",
                                          clean_text(file), quoted(runners))};
}

// Can this check show that the issue is fixed: is it for the issue, or does a test fail in it that may be?
bool may_reproduce(const VerifyCommand& command, const CommandRun& before, const Issue& issue) {
  if (before.passed() || before.wavers) return false;
  if (!command.paths.empty()) return true;
  const auto& tests = before.tests.by_id;
  return std::any_of(tests.begin(), tests.end(), [&](const auto& test) {
    return test.second == kTestFailed &&
           (can_confirm(before) || names_file(test.first, issue.finding.file)); // else only what is seen now
  });
}

// As counted by the runner, or the names of one that is not known.
int count_of(const TestReport& tests, const std::string& state) {
  if (tests.recognised) return state == kTestPassed ? tests.passed : tests.failed;
  return static_cast<int>(std::count_if(tests.by_id.begin(), tests.by_id.end(),
                                        [&](const auto& test) { return test.second == state; }));
}

// What could be seen of a fix at best.
Support best_support(const Policy& policy, const Issue& issue, const Outlook& outlook) {
  Support best;
  best.reproduced = outlook.reproducible;
  best.marks.rescanned = outlook.rescannable;
  for (const VerifyCommand& command : commands_for(policy, issue)) {
    const CommandRun* before = outlook.baseline == nullptr ? nullptr : outlook.baseline->find(command.name);
    const bool speaks = before == nullptr || can_confirm(*before);
    best.reproduced = best.reproduced || (before != nullptr && may_reproduce(command, *before, issue));
    best.confirmed = best.confirmed || speaks;
  }
  best.alive = best.confirmed || best.reproduced;
  best.probed = best.reproduced;
  return best;
}

// An issue about what judges fixes can be judged only, unless more is asked for.
bool needs_no_check(const Policy& policy, const PathSet& called, const Issue& issue) {
  const bool judges = !judging_kind(issue.finding.file).empty() || called.contains(issue.finding.file);
  return judge_may_decide(policy, issue) || (judges && !policy.asked_evidence(issue.finding));
}

std::string why_unconfirmed(const Policy& policy, const Issue& issue, const Outlook& outlook) {
  const auto commands = commands_for(policy, issue);
  if (policy.commands.empty())
    return "No check could confirm a fix: no commands are configured (verify.commands).";
  if (commands.empty())
    return fmt::format("No check could confirm a fix: no command in verify.commands is for {}.",
                       clean_text(issue.finding.file));
  std::vector<std::string> names;
  std::string said, network;
  bool named = true;
  for (const VerifyCommand& command : commands) {
    names.push_back(command.name);
    const CommandRun* run = outlook.baseline->find(command.name);
    if (run == nullptr) continue;
    named = named && (run->passed() || run->wavers || !run->tests.by_id.empty());
    if (said.empty()) said = last_line(run->output);
    if (failed_offline(policy, *run))
      network = " It has no network here; to give it one: sandbox.network.commands = \"all\".";
  }
  const bool one = names.size() == 1;
  return fmt::format("No check could confirm a fix: {} already {} on the base commit{}{}.{}", quoted(names),
                     one ? "fails" : "fail", said.empty() ? "" : " (" + said + ")",
                     named ? ""
                     : one ? " and does not name its tests"
                           : " and do not name their tests",
                     network);
}

std::optional<Refusal> weak_evidence(const Policy& policy, const PathSet& called, const Issue& issue,
                                     const Outlook& outlook) {
  const Support support = best_support(policy, issue, outlook);
  const Evidence best = evidence_of(support), least = required_evidence(policy, issue);
  const bool confirmable = support.confirmed || support.reproduced;
  if (best >= least && (confirmable || needs_no_check(policy, called, issue))) return std::nullopt;
  const std::string give_check =
      fmt::format("add a reproducer for the issue (emend issues reproducer {} --file FILE)", issue.code);
  const std::string lower = fmt::format("accept less (resolve.minimum_evidence = \"{}\")", to_string(best));
  if (best == Evidence::judged) {
    const std::string first = commands_for(policy, issue).empty() ? "add one" : std::string(kWaysOut);
    return Refusal{"evidence_too_weak",
                   fmt::format("{} Next: {}, {}, or {}.", why_unconfirmed(policy, issue, outlook), first,
                               give_check, lower)};
  }
  const char* missing = best == Evidence::repaired ? "no check of this issue can be probed here"
                                                   : "nothing here fails because of this issue";
  return Refusal{
      "evidence_too_weak",
      fmt::format("resolve.minimum_evidence is {}, and {}, so a fix could be {} at best. Next: {}, or {}.",
                  to_string(least), missing, to_string(best), give_check, lower)};
}

// Two judges of one vendor are one opinion.
Status check_panel(const Policy& policy) {
  const AgentBinding &first = policy.challenger, &second = policy.second_judge;
  const bool same = !first.family.empty() && first.family == second.family;
  if (!second.name.empty() && second.name != first.name && !same && !first.builtin() && !second.builtin())
    return {};
  return fail(
      ErrorCode::config,
      fmt::format("fix_challenger.panel = 2 needs a second judge of another vendor than {}", first.name),
      "set fix_challenger.second_agent, or fix_challenger.panel = 1");
}

} // namespace

Status check_judge(const Policy& policy) {
  if (!policy.challenger_enabled)
    return fail(ErrorCode::config, "fix_challenger.enabled is false: without a judge no fix can pass",
                "remove that line; fix_challenger.agent names the judge");
  if (policy.panel > 1) TRY(check_panel(policy));
  if (policy.allow_self_judging || !same_agent(policy.fixer, policy.challenger)) return {};
  return fail(ErrorCode::config,
              fmt::format("agent \"{}\" would judge its own fixes, and such a verdict is not independent",
                          policy.fixer.name),
              "name another agent in [fix_challenger] agent (or --challenger), or allow it: --set "
              "fix_challenger.allow_self=true");
}

Status check_base(const Policy& policy, const Verification& baseline) {
  for (const CommandRun& run : baseline.commands) {
    if (run.passed() || ran_tests(run)) continue;
    // First: a program that could not be downloaded cannot be started either.
    if (!run.scoped && failed_offline(policy, run))
      return fail(ErrorCode::config,
                  fmt::format("the check `{}` fails on the base commit because it has no network: {}",
                              run.name, first_line(network_complaint(run.output), kQuoted)),
                  fmt::format("give commands a network (sandbox.network.commands = \"all\"), or take what "
                              "downloads out of `{}`",
                              run.name));
    if (const std::string why = run.result == CommandResult::not_started ? shell_complaint(run) : "";
        !why.empty())
      return fail(
          ErrorCode::config,
          fmt::format("the check `{}` cannot be started: {}", run.name, first_line(why, kQuoted)),
          fmt::format("install what it needs, or correct it in verify.commands; to try it: emend verify '{}'",
                      run.name));
  }
  return {};
}

std::vector<std::string> check_notices(const Verification& baseline) {
  std::vector<std::string> notices, passing;
  for (const CommandRun& run : baseline.commands) {
    const std::string tells = what_it_tells(run.tests);
    if (run.passed() && !run.wavers) {
      passing.push_back(fmt::format("`{}`: {}", run.name, tells));
    } else if (run.wavers) {
      notices.push_back(
          fmt::format("`{}` passes and fails on the base commit ({} of {} runs passed), so its "
                      "results are not used. To use it, make it reliable.",
                      run.name, run.passes, run.runs));
    } else if (can_confirm(run)) {
      notices.push_back(
          fmt::format("`{}` already fails on the base commit ({} of {} tests). emend compares test "
                      "by test: a fix must not break the {} that pass.",
                      run.name, count_of(run.tests, kTestFailed),
                      count_of(run.tests, kTestFailed) + count_of(run.tests, kTestPassed),
                      count_of(run.tests, kTestPassed)));
    } else if (!run.scoped) {
      notices.push_back(
          fmt::format("`{}` already fails on the base commit ({}) and reports {}, so it cannot confirm "
                      "a fix. Next: {}, or set resolve.minimum_evidence = \"judged\".",
                      run.name, to_string(run.result), tells, kWaysOut));
    }
  }
  if (!passing.empty()) notices.insert(notices.begin(), "what the checks report: " + join(passing, "; "));
  return notices;
}

std::optional<Refusal> why_hopeless(const Policy& policy, const Scope& scope, const Tree& base,
                                    const PathSet& called, const Issue& issue, const Outlook& outlook) {
  if (auto refusal = protected_file(policy, scope, base, issue)) return refusal;
  if (policy.challenger.builtin() && !outlook.rescannable)
    return Refusal{"unevaluated",
                   "The rubric judges by running the analyzer again that found an issue, and for this one "
                   "there is none here. Next: name an agent in "
                   "fix_challenger.agent."};
  return weak_evidence(policy, called, issue, outlook);
}

} // namespace emend
