#include "cli/exit_status.hpp"

#include <optional>

namespace emend {

namespace {

bool is_done(const Issue& issue) {
  return issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged;
}

// Interrupted attempts do not count, so they say nothing about how the issue ended.
std::optional<AttemptResult> last_result(const FixReport& report, const std::string& code) {
  std::optional<AttemptResult> last;
  for (const FixCycle& cycle : report.cycles) {
    if (cycle.issue_code == code && cycle.attempt.result != AttemptResult::interrupted)
      last = cycle.attempt.result;
  }
  return last;
}

bool any_ended_with(const FixReport& report, std::initializer_list<AttemptResult> results) {
  for (const IssueOutcome& outcome : report.issues) {
    if (is_done(outcome.issue)) continue;
    const auto last = last_result(report, outcome.issue.code);
    if (last && std::find(results.begin(), results.end(), *last) != results.end()) return true;
  }
  return false;
}

// A budget or an agent's limit ended the work before the issues' own ends were reached.
std::optional<ExitStatus> why_stopped(const FixReport& report) {
  std::optional<ExitStatus> status;
  for (const IssueOutcome& outcome : report.issues) {
    if (is_done(outcome.issue)) continue;
    const std::string& reason = outcome.issue.reason;
    if (reason == "budget" || reason == to_string(AgentStatus::rate_limited) ||
        reason == to_string(AgentStatus::quota))
      return ExitStatus::limit;
    if (report.session.status != SessionStatus::stopped) continue;
    const bool login =
        reason == to_string(AgentStatus::not_logged_in) || reason == to_string(AgentStatus::billing);
    if (login)
      status = ExitStatus::auth;
    else if (parse_agent_status(reason) && !status)
      status = ExitStatus::agents_failed;
  }
  return status;
}

} // namespace

ExitStatus exit_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
    case ErrorCode::config:
    case ErrorCode::not_found: return ExitStatus::usage;
    case ErrorCode::needs_input: return ExitStatus::needs_input;
    case ErrorCode::auth: return ExitStatus::auth;
    case ErrorCode::agent: return ExitStatus::agents_failed;
    case ErrorCode::limit: return ExitStatus::limit;
    case ErrorCode::cancelled: return ExitStatus::interrupted;
    case ErrorCode::conflict:
    case ErrorCode::git:
    case ErrorCode::io:
    case ErrorCode::database:
    case ErrorCode::internal: return ExitStatus::cannot_run;
  }
  return ExitStatus::cannot_run;
}

ExitStatus exit_status(const FixReport& report) {
  if (report.session.status == SessionStatus::error) return ExitStatus::cannot_run;
  const bool all_done = std::all_of(report.issues.begin(), report.issues.end(),
                                    [](const IssueOutcome& o) { return is_done(o.issue); });
  if (all_done) return ExitStatus::done;
  if (const auto stopped = why_stopped(report)) return *stopped;
  if (any_ended_with(report, {AttemptResult::agent_failed, AttemptResult::unevaluated}))
    return ExitStatus::agents_failed;
  if (any_ended_with(report, {AttemptResult::verification_failed})) return ExitStatus::verification_failed;
  return ExitStatus::unresolved;
}

const std::vector<ExitMeaning>& exit_meanings() {
  static const std::vector<ExitMeaning> meanings = {
      {ExitStatus::done, "done: every selected issue is RESOLVED, or there was nothing to do",
       "nothing to do"},
      {ExitStatus::unresolved, "done, but some selected issues are not resolved",
       "`emend report` shows each attempt, `emend explain CODE` says why an issue is not resolved"},
      {ExitStatus::usage, "bad usage or bad configuration; nothing ran",
       "the message names the flag, or the file and line, to correct"},
      {ExitStatus::cannot_run,
       "emend could not run: git, disk, database, a required sandbox is missing, or an internal error",
       "`emend doctor` checks each of them"},
      {ExitStatus::auth, "a login or a permission is missing",
       "log in with the agent's or forge's own program, then run the command again"},
      {ExitStatus::agents_failed, "an agent could not run or gave no usable answer",
       "`emend doctor` tests the agents; `emend report` shows how each run ended"},
      {ExitStatus::verification_failed, "a fix did not pass the project's checks after its last round",
       "`emend report` shows which check failed and its output; `emend verify` runs the checks on the base "
       "tree"},
      {ExitStatus::needs_input, "an answer or a permission is needed, and there is no terminal to ask",
       "run it in a terminal, or answer first: `emend trust` allows a repository's commands, `emend "
       "clarify --answers FILE` answers an agent's questions"},
      {ExitStatus::still_running, "the work is still running", "`emend sessions` shows it"},
      {ExitStatus::limit, "a limit of time, size or cost stopped the work; partial results are kept",
       "raise the limit (budget.*) or wait until the agent's limit resets, then run the command that was "
       "printed"},
      {ExitStatus::interrupted, "stopped by SIGINT (Ctrl-C); partial results are kept",
       "`emend sessions resume ID` continues it"},
      {ExitStatus::terminated, "stopped by SIGTERM; partial results are kept",
       "`emend sessions resume ID` continues it"},
  };
  return meanings;
}

} // namespace emend
