#include "cli/ci/publish_action.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/markdown_report.hpp"
#include "cli/daily/timing_text.hpp"
#include "cli/findings_output.hpp"
#include "cli/output_target.hpp"
#include "cli/report_text.hpp"
#include "engine/context/event_log.hpp"

namespace emend {

namespace {

struct ReportOptions {
  std::string session, out;
  std::vector<std::string> formats;
  bool last = false, open_issues = false, timing = false;
};

Result<std::string> session_to_report(CommandContext& context, const ReportOptions& options) {
  if (!options.session.empty()) return options.session;
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const auto sessions, store->sessions(repository->id(), 1));
  if (sessions.empty())
    return fail(ErrorCode::not_found, "this repository has no session to report",
                "start one with: emend fix");
  return sessions.front().id;
}

std::string rendered(CommandContext& context, const OutputTarget& target, const FixReport& report,
                     CommittedFiles& repository) {
  if (target.format == "json")
    return dump_json({{"schema", "emend.session/v1"}, {"data", to_json(report)}}, 2) + "\n";
  if (target.format == "markdown") return markdown_report(report);
  if (target.format == "text")
    return session_text(report, target.path.empty() ? context.palette() : Palette{});
  std::vector<Issue> issues;
  for (const IssueOutcome& outcome : report.issues) issues.push_back(outcome.issue);
  return render_issues(context, target.format, issues, repository, report.session.base);
}

Result<ExitStatus> show_timing(CommandContext& context, const std::string& id) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const Session session, store->session(id));
  TRY_ASSIGN(const SessionTiming timing, session_timing(*store, session.id));
  const auto slots = static_cast<std::size_t>(std::max(1, session.policy.parallel));
  context.print(context.global().json
                    ? dump_json({{"schema", "emend.timing/v1"}, {"data", to_json(timing, slots)}}, 2) + "\n"
                    : timing_text(timing, slots, context.palette()));
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> run_report(CommandContext& context, const ReportOptions& options) {
  if (options.last && !options.session.empty())
    return fail(ErrorCode::usage, "--last and --session cannot be used together");
  if (options.timing) {
    if (!options.formats.empty() || !options.out.empty() || options.open_issues)
      return fail(ErrorCode::usage, "--timing goes with --session, --last and --json alone");
    TRY_ASSIGN(const std::string id, session_to_report(context, options));
    return show_timing(context, id);
  }
  std::vector<std::string> formats = options.formats;
  if (!options.out.empty()) {
    if (formats.size() > 1 || (formats.size() == 1 && context.global().json))
      return fail(ErrorCode::usage, "--out takes one format", "--format NAME:FILE");
    const std::string name = context.global().json ? "json" : formats.empty() ? "text" : formats.front();
    if (name.find(':') != std::string::npos)
      return fail(ErrorCode::usage, "--format " + name + " names a file already", "remove --out");
    formats = {name + ":" + options.out};
  }
  TRY_ASSIGN(std::vector<OutputTarget> targets, output_targets(formats, context, "text"));
  if (!options.out.empty()) targets.resize(1); // --json named the form of that file
  TRY_ASSIGN(const std::string id, session_to_report(context, options));
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const FixReport report, manager->report(id));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY(write_targets(context, targets, [&](const OutputTarget& target) {
    return rendered(context, target, report, *repository);
  }));
  if (options.open_issues) TRY(publish_unresolved(context, {{}, report.session.id, "", false}));
  return context.finish(ExitStatus::done);
}

} // namespace

Command report_command() {
  const auto options = std::make_shared<ReportOptions>();
  Command command;
  command.name = "report";
  command.summary = "show the report of a session";
  command.examples = "  emend report\n  emend report --session k3f9 --format markdown:report.md\n";
  command.options = {
      {"--session", &options->session, "the session (default: the last one)", "ID"},
      {"--last", &options->last, "the last session of this repository"},
      format_option(&options->formats),
      {"--open-issues", &options->open_issues,
       "then print the forge issues to open for unresolved findings; with tracker.dry_run = false, open "
       "them"},
      {"--out", &options->out, "write the report to this file", "FILE"},
      {"--timing", &options->timing, "show where its time went, a line for each issue"},
  };
  command.run = [options](CommandContext& context) { return run_report(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
