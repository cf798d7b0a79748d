#include <algorithm>
#include <condition_variable>
#include <functional>
#include <iterator>
#include <mutex>
#include <set>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/ci/baseline_file.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/review_options.hpp"
#include "cli/daily/review_screen.hpp"
#include "cli/daily/review_text.hpp"
#include "cli/findings_output.hpp"
#include "cli/output_target.hpp"
#include "cli/terminal.hpp"
#include "engine/intake/uncommitted.hpp"
#include "engine/review/review.hpp"

namespace emend {

namespace {

Json to_json(const Analysis& analysis) {
  return {{"analyzer", analysis.analyzer},
          {"kind", analysis.by_agent ? "agent" : "tool"},
          {"version", analysis.version},
          {"state", to_string(analysis.state)},
          {"partial", analysis.partial},
          {"detail", analysis.detail},
          {"advice", analysis.advice},
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
  std::size_t dismissed = 0;    // ignored or duplicate
  std::size_t milder = 0;       // below --min-severity
  std::size_t cut = 0;          // undecided ones, by --max-findings
};

// "new", "unchanged", "regressed" or "dismissed"; what the baseline accepts is never new.
std::string_view state_of(const Issue& issue, const Review& review, const Accepted& accepted) {
  const auto seen = review.seen.find(issue.fingerprint);
  const SeenAs as = seen == review.seen.end() ? SeenAs::unchanged : seen->second;
  return to_string(
      accepted.fingerprints.contains(issue.fingerprint) && as != SeenAs::dismissed ? SeenAs::unchanged : as);
}

// What stays when there is room for some: what nobody has decided on before all that somebody has, then the
// gravest.
using Rank = std::pair<bool, Severity>;

void keep_foremost(Shown& shown, std::size_t most, const std::function<Rank(const Issue&)>& rank) {
  if (most == 0 || shown.issues.size() <= most) return;
  std::vector<Rank> ranks;
  for (const Issue& issue : shown.issues) ranks.push_back(rank(issue));
  std::sort(ranks.begin(), ranks.end(), std::greater<>());
  const Rank last = ranks[most - 1];
  auto room = static_cast<std::size_t>(
      std::count(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(most), last));
  std::erase_if(shown.issues, [&](const Issue& issue) {
    const Rank its = rank(issue);
    const bool stays = its > last || (its == last && room > 0);
    if (its == last && room > 0) --room;
    if (!stays && its.first) ++shown.cut;
    return !stays;
  });
}

Shown shown_of(const Review& review, const Accepted& accepted, const ReviewRules& rules, std::size_t most) {
  Shown shown{review, accepted, review.issues, {}};
  const auto is_known = [&](const Issue& issue) { return accepted.fingerprints.contains(issue.fingerprint); };
  const auto undecided = [&](const Issue& issue) { return !is_dismissed(issue) && !is_known(issue); };
  if (const auto least = parse_severity(rules.min_severity))
    shown.milder =
        std::erase_if(shown.issues, [&](const Issue& issue) { return issue.finding.severity < *least; });
  for (const Issue& issue : shown.issues)
    if (!undecided(issue)) ++(is_dismissed(issue) ? shown.dismissed : shown.known);
  keep_foremost(shown, most,
                [&](const Issue& issue) { return Rank(undecided(issue), issue.finding.severity); });
  std::copy_if(shown.issues.begin(), shown.issues.end(), std::back_inserter(shown.undecided), undecided);
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
          {"not_shown", review.issues.size() - shown.issues.size()},
          {"hidden", review.hidden},
          {"excluded_files", review.excluded},
          {"duration_ms", review.duration_ms}};
}

// What is not in the results but must be known to read them.
std::vector<std::string> left_out_lines(const Shown& shown) {
  std::vector<std::string> lines;
  const auto say = [&lines](std::size_t count, const std::string& what) {
    if (count > 0) lines.push_back(plural(count, "issue") + " " + what);
  };
  say(shown.review.outside, "outside the diff (--filter-mode file shows those in changed files)");
  for (const auto& [why, count] : shown.review.hidden) say(count, "not shown: " + why);
  if (shown.review.excluded > 0)
    lines.push_back(plural(shown.review.excluded, "file") +
                    " not reviewed: review.exclude or review.include");
  say(shown.milder, "below --min-severity not shown");
  if (shown.cut > 0)
    lines.push_back("and " + plural(shown.cut, "issue") + " more (--max-findings 0 shows all)");
  say(shown.known, "in the baseline not shown");
  say(shown.dismissed, "ignored or duplicate not shown");
  say(shown.review.absent.size(), "known issues no longer found");
  if (shown.accepted.unused > 0)
    lines.push_back(plural(shown.accepted.unused, "finding") +
                    " of the baseline no longer found. To remove them: emend baseline prune");
  return lines;
}

std::vector<Issue> worst_first(std::vector<Issue> issues) {
  std::stable_sort(issues.begin(), issues.end(),
                   [](const Issue& a, const Issue& b) { return a.finding.severity > b.finding.severity; });
  return issues;
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
    context_.hint(
        defaults + "analyzers: " + lines.ran +
        (lines.missing.empty() ? "" : " (not installed: " + lines.missing + "; emend doctor says how)"));
    context_.hint("scope: " + one_line(shown_.review.tree.words, 200));
    for (const Analysis& analysis : shown_.review.analyses)
      if (const std::string line = reviewer_line(analysis); !line.empty()) context_.hint(line);
    for (const std::string& line : lines.partial) context_.hint(line);
    for (const std::string& line : lines.advice) context_.hint(line);
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
    for (const Issue& issue : worst_first(shown_.undecided)) {
      if (issue.finding.file != opened || !content) content = source(opened = issue.finding.file);
      out += issue_frame(issue, content, palette);
    }
    if (options_.statistics) out += statistics_text(shown_.undecided, palette) + "\n";
    for (const std::string& line : left_out_lines(shown_)) out += line + "\n";
    out += review_summary(shown_.undecided, shown_.review.duration_ms) + "\n";
    if (shown_.undecided.empty() && !rest_hint(shown_.review).empty()) out += rest_hint(shown_.review) + "\n";
    if (const std::string what = first_code_line(shown_.undecided, shown_.review.fresh); !what.empty())
      out += what + "\n";
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
// that gave up, or was asked for by name and is not there, says nothing, and nothing is not clean. Files that
// a tool cannot read here do not make it a broken one.
ExitStatus status_of(const Review& review, const Accepted& accepted, const ReviewOptions& options,
                     const ReviewRules& rules) {
  const auto threshold = parse_severity(rules.fail_on); // "never" is none
  const bool bad =
      threshold && std::any_of(review.issues.begin(), review.issues.end(), [&](const Issue& issue) {
        return issue.finding.severity >= *threshold &&
               (issue.status == IssueStatus::open || issue.status == IssueStatus::failed) &&
               !accepted.fingerprints.contains(issue.fingerprint);
      });
  if (bad && !options.exit_zero) return ExitStatus::unresolved;
  const bool named = names_analyzers(rules.analyzers);
  for (const Analysis& analysis : review.analyses) {
    const bool gave_up = (analysis.state == AnalysisState::failed && !analysis.partial) ||
                         analysis.state == AnalysisState::timed_out ||
                         analysis.state == AnalysisState::cancelled;
    if (gave_up || (named && analysis.state == AnalysisState::missing)) return ExitStatus::agents_failed;
  }
  return ExitStatus::done;
}

// " with claude, codex"; empty = none reviews. What analyzers there is work for is known when the files are.
std::string with_agents(const std::vector<Reviewer>& reviewers) {
  std::vector<std::string> names;
  for (const Reviewer& reviewer : reviewers) names.push_back(one_line(reviewer.name(), 80));
  return names.empty() ? "" : " with " + join(names, ", ");
}

void say_what_needs_trust(CommandContext& context, const Config& config) {
  for (const CommandFile& file : config.untrusted())
    for (const std::string& wish : file.wants)
      if (wish.starts_with("analyzers.") || wish.starts_with("review."))
        return context.hint(one_line(file.path, 200) +
                            " sets analyzers to run, which you have not allowed: they are left out. To allow "
                            "them: emend trust");
}

// What stays the same when a review is repeated.
struct ReviewRound {
  CommandContext& context;
  const ReviewOptions& options;
  const std::vector<OutputTarget>& targets;
  SessionManager& manager;
  Repository& repository;
  const Analyzers& analyzers;
};

Result<Review> run_with_screen(const ReviewRound& round, ReviewRequest& request) {
  const ReviewScreen screen(round.context);
  const auto least = parse_severity(request.rules.min_severity).value_or(Severity::info);
  request.on_progress = [listen = screen.listener(), least](AnalyzerProgress progress) {
    std::erase_if(progress.found, [least](const Finding& finding) { return finding.severity < least; });
    listen(progress);
  };
  auto review = round.manager.review(round.analyzers, request, round.context.dependencies().stop);
  request.on_progress = {};
  return review;
}

Result<ExitStatus> review_once(const ReviewRound& round, ReviewRequest& request) {
  CommandContext& context = round.context;
  const ReviewOptions& options = round.options;
  TRY_ASSIGN(const Review review, run_with_screen(round, request));
  TRY_ASSIGN(const Accepted accepted, accepted_by_baseline(review, options, round.repository));
  const int on_terminal =
      context.output_is_terminal() && writes_text(round.targets) ? request.rules.max_findings : 0;
  const Shown shown = shown_of(review, accepted, request.rules,
                               static_cast<std::size_t>(options.max_findings.value_or(on_terminal)));
  ReviewPrinter printer(context, options, shown, round.repository);
  printer.introduce();
  TRY(write_targets(context, round.targets,
                    [&](const OutputTarget& target) { return printer.render(target); }));
  if (!writes_text(round.targets)) {
    for (const std::string& line : left_out_lines(shown)) context.hint(line);
    if (options.statistics) context.hint(statistics_text(shown.undecided, Palette{}));
    context.hint(review_summary(shown.undecided, review.duration_ms));
    if (shown.undecided.empty() && !rest_hint(review).empty()) context.hint(rest_hint(review));
  }
  return context.finish(status_of(review, accepted, options, request.rules));
}

// Everything a review of this scope looks at.
Result<std::string> look_of(const ReviewRound& round, const ReviewRequest& request) {
  TRY_ASSIGN(const ScopedTree tree, look_up(round.repository, request.scope));
  return tree.commit + " " + tree.patch.sha256();
}

// Once more whenever something was saved, until Ctrl-C. What is there already costs nothing: results are
// kept.
Result<ExitStatus> watch(const ReviewRound& round, ReviewRequest& request) {
  constexpr std::chrono::milliseconds kLookAgain(500);
  const std::stop_token stop = round.context.dependencies().stop;
  std::mutex mutex;
  std::condition_variable_any wake;
  while (!stop.stop_requested()) {
    TRY_ASSIGN(const std::string seen, look_of(round, request));
    TRY(review_once(round, request));
    round.context.hint("watching for changes; Ctrl-C ends it");
    for (std::string now = seen; now == seen && !stop.stop_requested();) {
      std::unique_lock lock(mutex);
      wake.wait_for(lock, stop, kLookAgain, [] { return false; });
      if (auto look = look_of(round, request)) now = *std::move(look); // half a save is looked at once more
    }
  }
  return ExitStatus::done;
}

Result<ExitStatus> run_review(CommandContext& context, const ReviewOptions& options) {
  TRY_ASSIGN(const std::vector<OutputTarget> targets,
             output_targets(options.formats, context, context.output_is_terminal() ? "text" : "concise"));
  ReviewRequest request;
  TRY_ASSIGN(request.scope, scope_of(options));
  request.filter = parse_filter_mode(options.filter_mode);
  request.save = !options.no_save;
  request.parallel = options.jobs.value_or(2);
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(request.rules, rules_of(config.review_rules(), options));
  say_what_needs_trust(context, config);
  TRY_ASSIGN(Analyzers all, configured_analyzers(context, options.fresh ? Kept::no : Kept::yes));
  TRY_ASSIGN(const Analyzers analyzers, chosen_analyzers(std::move(all), request.rules.analyzers));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(request.paths, repository_paths(options.paths, repository->root()));
  if (options.agents.any()) {
    TRY_ASSIGN(request.reviewers, chosen_reviewers(context, options.agents, request.scope));
    request.reviewers.parallel = std::max(request.reviewers.policy.parallel, request.parallel);
  }
  TRY_ASSIGN(SessionManager * manager, context.manager());
  context.hint("reviewing" + with_agents(request.reviewers.reviewers) +
               "; this can take minutes. Ctrl-C stops it and keeps the results so far");
  const ReviewRound round{context, options, targets, *manager, *repository, analyzers};
  if (!options.watch) return review_once(round, request);
  return watch(round, request);
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
      "  emend review --watch                            again after each save\n"
      "  emend review --agent claude,gemini              two agents review it too, independently\n"
      "What is said in brackets, as (review.ignore), is a line below [review] in emend.toml:\n"
      "  [review]\n  ignore = [\"SC2034\"]\n"
      "To leave one place out: a comment there, `emend: ignore RULE reason`. To see why: emend explain RULE\n"
      "To fix what is safe to fix in your files: emend fix --safe --apply\n";
  command.options = review_options(*options);
  command.run = [options](CommandContext& context) { return run_review(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
