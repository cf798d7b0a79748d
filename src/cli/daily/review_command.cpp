#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/ci/baseline_file.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/review_progress.hpp"
#include "cli/daily/review_text.hpp"
#include "cli/daily/reviewer_choice.hpp"
#include "cli/findings_output.hpp"
#include "cli/output_target.hpp"
#include "cli/terminal.hpp"
#include "engine/intake/uncommitted.hpp"
#include "engine/review/review.hpp"

namespace emend {

namespace {

const std::vector<std::string> kSeverities = {"critical", "high", "major", "medium", "low", "minor", "info"};

struct ReviewOptions {
  std::vector<std::string> paths, formats;
  std::string revision, since, commit, range, base; // scopes
  bool staged = false, uncommitted = false, all = false;
  std::string analyzers = "all", filter_mode, min_severity, fail_on = "high", baseline;
  std::optional<int> jobs, max_findings;
  bool exit_zero = false, statistics = false, no_save = false, no_baseline = false;
  ReviewerWords agents;
};

using Analyzers = std::vector<std::unique_ptr<Analyzer>>;

Result<ReviewScope> scope_of(const ReviewOptions& o) {
  const std::vector<std::pair<const char*, bool>> flags = {
      {"--staged", o.staged},        {"--uncommitted", o.uncommitted}, {"--commit", !o.commit.empty()},
      {"--range", !o.range.empty()}, {"--base", !o.base.empty()},      {"--all", o.all},
      {"--since", !o.since.empty()}};
  std::vector<std::string> given;
  for (const auto& [name, is_given] : flags)
    if (is_given) given.emplace_back(name);
  if (given.size() > 1)
    return fail(ErrorCode::usage, join(given, " and ") + " cannot be used together",
                "each of them selects what to review: choose one");
  const bool takes_revision = given.empty() || o.all || !o.since.empty();
  if (!o.revision.empty() && !takes_revision)
    return fail(ErrorCode::usage, "--rev and " + given.front() + " cannot be used together");
  const std::string revision = o.revision.empty() ? "HEAD" : o.revision;
  if (o.staged) return ReviewScope{ScopeKind::staged};
  if (o.uncommitted) return ReviewScope{ScopeKind::uncommitted};
  if (!o.commit.empty()) return ReviewScope{ScopeKind::commit, o.commit};
  if (!o.range.empty()) return parse_range(o.range);
  if (!o.base.empty()) return ReviewScope{ScopeKind::base, "HEAD", o.base};
  if (!o.since.empty()) return ReviewScope{ScopeKind::since, revision, o.since};
  if (!o.revision.empty()) return ReviewScope{ScopeKind::revision, revision};
  return ReviewScope{o.all ? ScopeKind::all : ScopeKind::branch};
}

// As typed in the current directory -> from the repository's root.
Result<std::vector<std::string>> repository_paths(const std::vector<std::string>& typed,
                                                  const std::string& root) {
  std::vector<std::string> paths;
  const fs::path here = fs::current_path().lexically_relative(root);
  const bool inside = !here.empty() && *here.begin() != "..";
  for (const std::string& path : typed) {
    const fs::path whole = fs::path(path).is_absolute() ? fs::path(path).lexically_relative(root)
                                                        : (inside ? here / path : fs::path(path));
    std::string normal = whole.lexically_normal().generic_string();
    while (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
    if (normal.empty() || normal == ".." || normal.starts_with("../"))
      return fail(ErrorCode::usage, path + " is outside the repository");
    paths.push_back(std::move(normal));
  }
  return paths;
}

Result<Analyzers> chosen_analyzers(Analyzers all, const std::string& words) {
  std::vector<std::string> names;
  for (const auto& analyzer : all) names.emplace_back(analyzer->name());
  std::vector<std::string> wanted;
  for (const std::string& word : split(words, ',')) {
    const std::string name(trim(word));
    if (name == "all") return all;
    if (name == "none") continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const auto near = did_you_mean(name, names);
      return fail(ErrorCode::usage,
                  "--analyzers: there is no analyzer \"" + name + "\"" +
                      (near ? "; did you mean " + *near + "?" : ""),
                  "analyzers: all, none, " + join(names, ", ") + "; choose reviewing agents with --agent");
    }
    wanted.push_back(name);
  }
  std::erase_if(all, [&](const auto& analyzer) {
    return std::find(wanted.begin(), wanted.end(), analyzer->name()) == wanted.end();
  });
  return all;
}

Json to_json(const Analysis& analysis) {
  return {{"analyzer", analysis.analyzer},
          {"kind", analysis.by_agent ? "agent" : "tool"},
          {"version", analysis.version},
          {"state", to_string(analysis.state)},
          {"detail", analysis.detail},
          {"files", analysis.files},
          {"findings", analysis.findings.size()},
          {"duration_ms", analysis.duration_ms}};
}

bool is_dismissed(const Issue& issue) {
  return issue.status == IssueStatus::ignored || issue.status == IssueStatus::duplicate;
}

// What the project's baseline says about a review.
struct Accepted {
  std::set<std::string> fingerprints;
  std::size_t unused = 0; // entries that nothing was found for, where everything was looked at
};

Result<Accepted> accepted_by_baseline(const Review& review, const ReviewOptions& options,
                                      Repository& repository) {
  Accepted accepted;
  if (options.no_baseline) return accepted;
  TRY_ASSIGN(const std::optional<Baseline> baseline,
             find_baseline(repository, options.baseline, review.commit));
  if (!baseline) return accepted;
  TRY_ASSIGN(const std::vector<std::string> files, files_of(repository, review.tree));
  const auto has_file = [&](const std::string& file) {
    return std::binary_search(files.begin(), files.end(), file);
  };
  const BaselineMatch match = match_baseline(*baseline, review.issues, has_file);
  for (std::size_t i = 0; i < review.issues.size(); ++i)
    if (match.accepted_by[i] != nullptr) accepted.fingerprints.insert(review.issues[i].fingerprint);
  if (!review.tree.diff && review.files == files.size()) accepted.unused = match.unused.size();
  return accepted;
}

// A review and what of it is to be shown.
struct Shown {
  const Review& review;
  const Accepted& accepted;
  std::vector<Issue> issues;    // by file and line, the dismissed and accepted ones among them
  std::vector<Issue> undecided; // without those
  std::size_t known = 0;        // accepted by the baseline
  std::size_t milder = 0;       // below --min-severity
  std::size_t cut = 0;          // by --max-findings
};

// "new", "unchanged", "regressed" or "dismissed"; what the baseline accepts is never new.
std::string_view state_of(const Issue& issue, const Review& review, const Accepted& accepted) {
  const auto seen = review.seen.find(issue.fingerprint);
  const SeenAs as = seen == review.seen.end() ? SeenAs::unchanged : seen->second;
  return to_string(
      accepted.fingerprints.contains(issue.fingerprint) && as != SeenAs::dismissed ? SeenAs::unchanged : as);
}

Shown shown_of(const Review& review, const Accepted& accepted, const ReviewOptions& options) {
  Shown shown{review, accepted, review.issues, {}};
  if (const auto least = parse_severity(options.min_severity))
    shown.milder =
        std::erase_if(shown.issues, [&](const Issue& issue) { return issue.finding.severity < *least; });
  const auto most = static_cast<std::size_t>(options.max_findings.value_or(0));
  if (most > 0 && shown.issues.size() > most) { // the gravest stay
    std::vector<Severity> severities;
    for (const Issue& issue : shown.issues) severities.push_back(issue.finding.severity);
    std::sort(severities.begin(), severities.end(), std::greater<>());
    const Severity last = severities[most - 1];
    auto room = static_cast<std::size_t>(
        std::count(severities.begin(), severities.begin() + static_cast<std::ptrdiff_t>(most), last));
    shown.cut = std::erase_if(shown.issues, [&](const Issue& issue) {
      if (issue.finding.severity != last) return issue.finding.severity < last;
      return room == 0 || (--room, false);
    });
  }
  for (const Issue& issue : shown.issues) {
    if (is_dismissed(issue)) continue;
    if (accepted.fingerprints.contains(issue.fingerprint))
      ++shown.known;
    else
      shown.undecided.push_back(issue);
  }
  return shown;
}

Json to_json(const Shown& shown) {
  const Review& review = shown.review;
  Json analyses = Json::array(), issues = Json::array(), fresh = Json::array(), regressed = Json::array(),
       absent = Json::array();
  for (const Analysis& analysis : review.analyses) analyses.push_back(to_json(analysis));
  for (const Issue& issue : shown.issues) {
    issues.push_back(emend::to_json(issue));
    issues.back()["state"] = state_of(issue, review, shown.accepted);
    issues.back()["in_baseline"] = shown.accepted.fingerprints.contains(issue.fingerprint);
  }
  for (const Issue& issue : review.issues) {
    const std::string_view state = state_of(issue, review, shown.accepted);
    if (state == to_string(SeenAs::fresh))
      fresh.push_back(issue.code.empty() ? issue.fingerprint : issue.code);
    if (state == to_string(SeenAs::regressed)) regressed.push_back(issue.code);
  }
  for (const Issue& issue : review.absent) absent.push_back(issue.code);
  return {{"commit", review.commit},
          {"scope", review.tree.words},
          {"uncommitted", !review.tree.patch.empty()},
          {"files", review.files},
          {"analyzers", std::move(analyses)},
          {"issues", std::move(issues)},
          {"new", std::move(fresh)},
          {"regressed", std::move(regressed)},
          {"absent", std::move(absent)},
          {"outside_diff", review.outside},
          {"not_shown", shown.milder + shown.cut},
          {"duration_ms", review.duration_ms}};
}

// What is not in the results but must be known to read them.
std::vector<std::string> left_out_lines(const Shown& shown) {
  std::vector<std::string> lines;
  const auto say = [&lines](std::size_t count, const std::string& what) {
    if (count > 0) lines.push_back(plural(count, "issue") + " " + what);
  };
  say(shown.review.outside, "outside the diff (--filter-mode file shows those in changed files)");
  say(shown.milder, "below --min-severity not shown");
  say(shown.cut, "more not shown (--max-findings)");
  say(shown.known, "in the baseline not shown");
  say(shown.issues.size() - shown.undecided.size() - shown.known, "ignored or duplicate not shown");
  say(shown.review.absent.size(), "known issues no longer found");
  if (shown.accepted.unused > 0)
    lines.push_back(plural(shown.accepted.unused, "finding") +
                    " of the baseline no longer found. To remove them: emend baseline prune");
  return lines;
}

class ReviewPrinter {
public:
  ReviewPrinter(CommandContext& context, const ReviewOptions& options, const Shown& shown,
                Repository& repository)
      : context_(context), options_(options), shown_(shown), repository_(repository) {}

  // On stderr: what was looked at, with what.
  void introduce() {
    const AnalyzerLines lines = analyzer_lines(shown_.review.analyses);
    const auto config = context_.config();
    const std::string defaults = config && config->files().empty() ? "no emend.toml: using defaults. " : "";
    context_.hint(defaults + "analyzers: " + lines.ran +
                  (lines.missing.empty() ? "" : " (not installed: " + lines.missing + ")"));
    context_.hint("scope: " + one_line(shown_.review.tree.words, 200));
    for (const Analysis& analysis : shown_.review.analyses)
      if (const std::string line = reviewer_line(analysis); !line.empty()) context_.hint(line);
    for (const std::string& line : lines.alarming)
      write_stderr("warning: " + line + "\n"); // --quiet or not: it is not clean
  }

  std::string render(const OutputTarget& target) {
    if (target.format == "json")
      return dump_json({{"schema", "emend.review/v1"}, {"data", to_json(shown_)}}, 2) + "\n";
    if (target.format == "text") return text(target.path.empty() ? context_.palette() : Palette{});
    const OutputFormat format = parse_output_format(target.format).value_or(OutputFormat::concise);
    return render_findings(context_, format, findings(format), run());
  }

private:
  std::optional<std::string> source(const std::string& file) const {
    auto content = read_from(repository_, shown_.review.tree, file);
    return content ? std::optional<std::string>(*std::move(content)) : std::nullopt;
  }

  // Only formats that can tell a dismissed issue from another are given them.
  [[nodiscard]] std::vector<OutputFinding> findings(OutputFormat format) const {
    const bool all =
        format == OutputFormat::sarif || format == OutputFormat::jsonl || format == OutputFormat::html;
    std::vector<OutputFinding> findings = output_findings(
        all ? shown_.issues : shown_.undecided, [this](const std::string& file) { return source(file); });
    const auto& seen = shown_.review.seen;
    for (OutputFinding& output : findings) {
      const auto as = seen.find(output.fingerprint);
      const bool is_new = as != seen.end() &&
                          (as->second == SeenAs::fresh || as->second == SeenAs::regressed) &&
                          !shown_.accepted.fingerprints.contains(output.fingerprint);
      output.finding.annotations.emplace_back(is_new ? "baseline:new" : "baseline:unchanged");
    }
    return findings;
  }

  [[nodiscard]] std::set<std::string> uncommitted() const {
    if (shown_.review.tree.patch.empty()) return {};
    auto ids = uncommitted_issues(repository_, shown_.undecided);
    return ids ? *std::move(ids) : std::set<std::string>{};
  }

  [[nodiscard]] RunInfo run() const {
    RunInfo run = run_info(context_, shown_.review.tree.patch.empty() ? shown_.review.commit : "");
    run.end_ms = context_.dependencies().clock->wall_ms();
    run.start_ms = run.end_ms - shown_.review.duration_ms;
    for (const Analysis& analysis : shown_.review.analyses) {
      if (!analysis.version.empty()) run.tools[analysis.analyzer].version = analysis.version;
      if (analysis.state == AnalysisState::failed || analysis.state == AnalysisState::timed_out)
        run.success = false;
    }
    return run;
  }

  [[nodiscard]] std::string text(const Palette& palette) const {
    std::string out;
    std::optional<std::string> content;
    std::string opened;
    for (const Issue& issue : shown_.undecided) {
      if (issue.finding.file != opened || !content) content = source(opened = issue.finding.file);
      out += issue_frame(issue, content, palette);
    }
    if (options_.statistics) out += statistics_text(shown_.undecided, palette) + "\n";
    for (const std::string& line : left_out_lines(shown_)) out += line + "\n";
    out += review_summary(shown_.undecided, shown_.review.duration_ms) + "\n";
    if (shown_.undecided.empty() && !rest_hint(shown_.review).empty()) out += rest_hint(shown_.review) + "\n";
    const std::string next = next_step(shown_.undecided, uncommitted());
    return next.empty() ? out : out + next + "\n";
  }

  CommandContext& context_;
  const ReviewOptions& options_;
  const Shown& shown_;
  Repository& repository_;
};

bool writes_text(const std::vector<OutputTarget>& targets) {
  return std::any_of(targets.begin(), targets.end(), [](const OutputTarget& target) {
    return target.path.empty() && target.format == "text";
  });
}

// Only what is still open counts: a dismissed finding stays dismissed, an accepted one is known. An analyzer
// that gave up, or was asked for by name and is not there, says nothing, and nothing is not clean.
ExitStatus status_of(const Review& review, const Accepted& accepted, const ReviewOptions& options) {
  const bool named = options.analyzers != "all";
  for (const Analysis& analysis : review.analyses) {
    const bool gave_up = analysis.state == AnalysisState::failed ||
                         analysis.state == AnalysisState::timed_out ||
                         analysis.state == AnalysisState::cancelled;
    if (gave_up || (named && analysis.state == AnalysisState::missing)) return ExitStatus::agents_failed;
  }
  const auto threshold = parse_severity(options.fail_on); // "never" is none
  const bool bad =
      threshold && std::any_of(review.issues.begin(), review.issues.end(), [&](const Issue& issue) {
        return issue.finding.severity >= *threshold &&
               (issue.status == IssueStatus::open || issue.status == IssueStatus::failed) &&
               !accepted.fingerprints.contains(issue.fingerprint);
      });
  return bad && !options.exit_zero ? ExitStatus::unresolved : ExitStatus::done;
}

// Those that can be started here.
std::string names_of(const Analyzers& analyzers, const std::vector<Reviewer>& reviewers) {
  std::vector<std::string> names;
  for (const auto& analyzer : analyzers)
    if (!analyzer->version().empty()) names.emplace_back(analyzer->name());
  for (const Reviewer& reviewer : reviewers) names.push_back(one_line(reviewer.name(), 80));
  return names.empty() ? "no analyzer" : join(names, ", ");
}

Result<ExitStatus> run_review(CommandContext& context, const ReviewOptions& options) {
  TRY_ASSIGN(const std::vector<OutputTarget> targets,
             output_targets(options.formats, context, context.output_is_terminal() ? "text" : "concise"));
  ReviewRequest request;
  TRY_ASSIGN(request.scope, scope_of(options));
  request.filter = parse_filter_mode(options.filter_mode);
  request.save = !options.no_save;
  request.parallel = options.jobs.value_or(2);
  request.on_progress = review_progress(context);
  TRY_ASSIGN(const Analyzers analyzers,
             chosen_analyzers(context.dependencies().make_analyzers(), options.analyzers));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(request.paths, repository_paths(options.paths, repository->root()));
  if (options.agents.any()) {
    TRY_ASSIGN(request.reviewers, chosen_reviewers(context, options.agents, request.scope));
    request.reviewers.parallel = std::max(request.reviewers.policy.parallel, request.parallel);
  }
  TRY_ASSIGN(SessionManager * manager, context.manager());
  context.hint("reviewing with " + names_of(analyzers, request.reviewers.reviewers) +
               "; this can take minutes. Ctrl-C stops it and keeps the results so far");
  TRY_ASSIGN(const Review review, manager->review(analyzers, request, context.dependencies().stop));
  TRY_ASSIGN(const Accepted accepted, accepted_by_baseline(review, options, *repository));
  const Shown shown = shown_of(review, accepted, options);
  ReviewPrinter printer(context, options, shown, *repository);
  printer.introduce();
  TRY(write_targets(context, targets, [&](const OutputTarget& target) { return printer.render(target); }));
  if (!writes_text(targets)) {
    for (const std::string& line : left_out_lines(shown)) context.hint(line);
    if (options.statistics) context.hint(statistics_text(shown.undecided, Palette{}));
    context.hint(review_summary(shown.undecided, review.duration_ms));
    if (shown.undecided.empty() && !rest_hint(review).empty()) context.hint(rest_hint(review));
  }
  return context.finish(status_of(review, accepted, options));
}

std::vector<Option> scope_options(ReviewOptions& o) {
  return {
      {"PATH", &o.paths, "only these files, directories or globs", "PATH"},
      {"--staged", &o.staged, "review what `git commit` would commit now"},
      {"--uncommitted", &o.uncommitted, "review changes that are not committed"},
      {"--commit", &o.commit, "review what this commit changed", "SHA"},
      {"--range", &o.range, "review what these commits changed", "A..B"},
      {"--base", &o.base, "review what changed since the merge base with REF, committed or not", "REF"},
      {"--all", &o.all, "review the whole repository"},
      {"--rev", &o.revision, "review the whole repository at this commit", "REF"},
      {"--since", &o.since, "review files that changed since this commit", "REF"},
      {"--filter-mode",
       &o.filter_mode,
       "which findings count as part of a change (default added)",
       "MODE",
       {"added", "diff_context", "file", "nofilter"}},
  };
}

std::vector<Option> result_options(ReviewOptions& o) {
  std::vector<std::string> fail_levels = kSeverities;
  fail_levels.emplace_back("never");
  return {
      {"--analyzers,--agents", &o.analyzers,
       "which analyzers, comma separated: builtin, all, none or names (default all)", "LIST"},
      {"--agent", &o.agents.agents, "let this agent review too; it only reads (may be repeated)", "NAME"},
      {"--reviewers", &o.agents.reviewers,
       "reviewer roles: unified (default), be_architecture, be_quality, fe_architecture, fe_quality, all",
       "LIST"},
      {"--spec", &o.agents.specs, "folder with the specifications for the unified reviewer (default specs)",
       "DIR"},
      format_option(&o.formats),
      {"--min-severity", &o.min_severity, "show only issues of at least this severity", "SEVERITY",
       kSeverities},
      {"--max-findings", NumberTarget{&o.max_findings, 0, 1'000'000},
       "show at most N issues, the most severe first; 0 = all", "N"},
      {"--statistics", &o.statistics, "count by rule"},
      {"--no-save", &o.no_save, "store nothing"},
      {"--fail-on", &o.fail_on, "exit 1 if an open issue has at least this severity (default high)",
       "SEVERITY", fail_levels},
      {"--baseline", &o.baseline, "file of known findings to leave out (default .emend/baseline.json)",
       "FILE"},
      {"--no-baseline", &o.no_baseline, "use no baseline"},
      {"--jobs", NumberTarget{&o.jobs, 1, 64}, "analyzers to run at the same time (default 2)", "N"},
      {"--exit-zero", &o.exit_zero, "exit 0 even when there are issues"},
  };
}

} // namespace

Command review_command() {
  const auto options = std::make_shared<ReviewOptions>();
  Command command;
  command.name = "review";
  command.summary = "find issues with the installed analyzers, and with agents if you name some";
  command.examples =
      "Default: what changed since the merge base with the default branch, committed or not. On the "
      "first review, or if nothing changed: the whole repository.\n"
      "  emend review                                    review my branch\n"
      "  emend review --all --statistics\n  emend review --staged --format concise          before a commit\n"
      "  emend review --base origin/main --format sarif:out.sarif --format github\n"
      "  emend review --agent claude,gemini              two agents review it too, independently\n";
  command.options = scope_options(*options);
  for (Option& option : result_options(*options)) command.options.push_back(std::move(option));
  command.run = [options](CommandContext& context) { return run_review(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
