#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/report_text.hpp"
#include "engine/review.hpp"

namespace emend {

namespace {

struct ReviewOptions {
  std::vector<std::string> paths;
  std::string revision = "HEAD";
  std::string since;
  std::string fail_on = "high";
  std::optional<int> jobs;
  bool exit_zero = false;
};

Json to_json(const Analysis& analysis) {
  return {{"analyzer", analysis.analyzer}, {"version", analysis.version},   {"state", to_string(analysis.state)},
          {"detail", analysis.detail},     {"files", analysis.files},       {"findings", analysis.findings.size()},
          {"duration_ms", analysis.duration_ms}};
}

Json to_json(const Review& review) {
  Json analyses = Json::array(), issues = Json::array();
  for (const Analysis& analysis : review.analyses) analyses.push_back(to_json(analysis));
  for (const Issue& issue : review.issues) issues.push_back(emend::to_json(issue));
  return {{"commit", review.commit}, {"files", review.files}, {"analyzers", std::move(analyses)}, {"issues", std::move(issues)}, {"new", review.fresh}};
}

Tone tone_of(AnalysisState state) {
  if (state == AnalysisState::done) return Tone::good;
  return state == AnalysisState::missing || state == AnalysisState::skipped ? Tone::dim : Tone::bad;
}

std::string analyses_text(const Review& review, const Palette& palette) {
  TextTable table({"analyzer", "state", "findings", "time", "detail"});
  for (const Analysis& analysis : review.analyses)
    table.add({{analysis.analyzer + (analysis.version.empty() ? "" : " " + one_line(analysis.version, 20)), Tone::strong},
               {std::string(to_string(analysis.state)), tone_of(analysis.state)},
               {std::to_string(analysis.findings.size())},
               {format_duration_ms(analysis.duration_ms)},
               {one_line(analysis.detail)}});
  return table.render(palette);
}

// Only what is still open counts: a dismissed finding stays dismissed.
bool fails(const Review& review, const std::optional<Severity>& threshold) {
  if (!threshold) return false;
  return std::any_of(review.issues.begin(), review.issues.end(), [&](const Issue& issue) {
    return issue.finding.severity >= *threshold && (issue.status == IssueStatus::open || issue.status == IssueStatus::failed);
  });
}

Result<ExitStatus> run_review(CommandContext& context, const ReviewOptions& options) {
  const auto threshold = options.fail_on == "never" ? std::nullopt : parse_severity(options.fail_on);
  ReviewRequest request;
  request.ref = options.revision;
  request.since = options.since;
  request.paths = options.paths;
  request.parallel = options.jobs.value_or(2);
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const Review review, manager->review(context.dependencies().make_analyzers(), request, context.dependencies().stop));
  if (context.global().json) {
    context.print_json("review", to_json(review));
  } else {
    if (!review.issues.empty()) context.print(issues_text(review.issues, context.palette()) + "\n");
    context.print(analyses_text(review, context.palette()) + "\n");
    context.print(plural(review.issues.size(), "issue") + " (" + std::to_string(review.fresh.size()) + " new) in " +
                  plural(review.files, "file") + " of " + review.commit.substr(0, 12) + "\n");
    for (const Analysis& analysis : review.analyses)
      if (analysis.state == AnalysisState::failed || analysis.state == AnalysisState::timed_out)
        context.hint(analysis.analyzer + " did not finish: its silence says nothing");
  }
  const bool bad = fails(review, threshold) && !options.exit_zero;
  return context.finish(bad ? ExitStatus::unresolved : ExitStatus::done);
}

} // namespace

Command review_command() {
  const auto options = std::make_shared<ReviewOptions>();
  Command command;
  command.name = "review";
  command.summary = "find problems with the analyzers on this machine; never edits";
  command.examples = "  emend review\n  emend review src --since main\n  emend review --json\n";
  command.options = {
      {"PATH", &options->paths, "only these files, directories or globs", "PATH"},
      {"--rev", &options->revision, "commit to look at (default HEAD)", "REF"},
      {"--since,--base", &options->since, "only files that changed since this commit", "REF"},
      {"--fail-on", &options->fail_on, "exit 1 when an open issue is at least this bad (default high)", "SEVERITY",
       {"critical", "high", "major", "medium", "low", "minor", "info", "never"}},
      {"--jobs", NumberTarget{&options->jobs, 1, 64}, "analyzers at a time (default 2)", "N"},
      {"--exit-zero", &options->exit_zero, "exit 0 even when there are issues"},
  };
  command.run = [options](CommandContext& context) { return run_review(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
