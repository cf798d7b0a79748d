#include "cli/daily/fix_output.hpp"

#include "base/strings.hpp"
#include "cli/progress_text.hpp"
#include "cli/report_text.hpp"
#include "cli/terminal.hpp"

namespace emend {

std::function<void(const Event&)> progress_printer(CommandContext& context) {
  const GlobalOptions& global = context.global();
  if (global.quiet) return {};
  ProgressDetail detail = context.error_is_terminal() ? ProgressDetail::stages : ProgressDetail::results;
  if (global.verbose) detail = ProgressDetail::all;
  return [detail](const Event& event) {
    if (const auto line = progress_line(event, detail)) write_stderr(*line + "\n");
  };
}

void print_patch(CommandContext& context, const Patch& patch) {
  context.print(context.output_is_terminal() ? shown_diff(patch) : unified_diff(patch));
}

Result<ExitStatus> present_fix_report(CommandContext& context, const FixReport& report,
                                      const FixPresentation& how) {
  const Session& session = report.session;
  if (context.global().json) {
    context.print_json("session", to_json(report));
  } else {
    context.print(fix_result_text(report, context.palette()));
  }
  if (how.diff && !session.tip.empty()) {
    TRY_ASSIGN(Repository * repository, context.repository());
    TRY_ASSIGN(const Patch patch, repository->diff(session.base, session.tip));
    context.print("\n");
    print_patch(context, patch);
  }
  const bool stopped = session.status == SessionStatus::cancelled || session.status == SessionStatus::error;
  if (stopped && !session.id.empty())
    context.hint("finished work is kept. To continue: emend sessions resume " + session.id);
  if (session.status == SessionStatus::stopped) {
    std::string codes;
    for (const IssueOutcome& outcome : report.issues)
      if (outcome.issue.status == IssueStatus::open) codes += " " + outcome.issue.code;
    if (!codes.empty())
      context.hint("fixes that passed are committed. To fix the rest later: emend fix" + codes);
  }
  ExitStatus status = exit_status(report);
  if (status == ExitStatus::unresolved && how.exit_zero) status = ExitStatus::done;
  return context.finish(status);
}

} // namespace emend
