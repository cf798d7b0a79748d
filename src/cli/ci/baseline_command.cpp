#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/ci/baseline_file.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/review_options.hpp"
#include "engine/review/review.hpp"

namespace emend {

namespace {

struct BaselineOptions {
  std::string file, reason = "accepted";
  bool force = false;
};

Json to_json(const BaselineEntry& entry) {
  return {{"file", entry.file}, {"rule", entry.rule},     {"fingerprint", entry.fingerprint},
          {"code", entry.code}, {"reason", entry.reason}, {"found_by", entry.found_by}};
}

// Everything open that is still there, and what a person has dismissed, with the reason given then.
Result<std::vector<Issue>> acceptable_issues(CommandContext& context) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  IssueFilter filter;
  filter.repository_id = repository->id();
  filter.statuses = {IssueStatus::open, IssueStatus::in_progress, IssueStatus::failed, IssueStatus::ignored};
  std::vector<Issue> issues;
  TRY(store->for_each_issue(filter, [&](Issue&& issue) -> Status {
    if (issue.absent_commit.empty()) issues.push_back(std::move(issue));
    return {};
  }));
  if (issues.empty())
    return fail(ErrorCode::usage, "there is no open issue to put into the baseline",
                "find issues first: emend review --all");
  return issues;
}

std::string reason_of(const Issue& issue, const std::string& otherwise) {
  return issue.status == IssueStatus::ignored && !issue.reason.empty() ? issue.reason : otherwise;
}

Result<std::function<bool(const std::string&)>> files_of_head(CommittedFiles& repository) {
  TRY_ASSIGN(const std::string head, repository.resolve("HEAD"));
  TRY_ASSIGN(const Tree* tree, repository.tree(head));
  return std::function<bool(const std::string&)>(
      [tree](const std::string& file) { return tree->contains(file); });
}

// The parent is made with the modes of any directory in a checkout: others may want to read it.
Status write(CommandContext& context, const std::string& path, const Baseline& baseline) {
  std::error_code problem;
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty()) fs::create_directories(parent, problem);
  if (auto written = write_file(path, write_baseline(baseline), 0644); !written)
    return fail(ErrorCode::io, "cannot write " + one_line(path, 400) + ": " + written.error().message);
  context.hint("wrote " + one_line(path, 400) + "; commit it to share it");
  return {};
}

Result<ExitStatus> answer(CommandContext& context, const std::string& path, std::size_t entries,
                          std::size_t added, std::size_t removed) {
  if (context.global().json)
    context.print_json("baseline_change",
                       {{"path", path}, {"entries", entries}, {"added", added}, {"removed", removed}});
  else
    context.print("baseline: " + plural(added, "finding") + " added, " + std::to_string(removed) +
                  " removed, " + std::to_string(entries) + " in total\n");
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> create(CommandContext& context, const BaselineOptions& options) {
  TRY_ASSIGN(Repository * repository, context.repository());
  const std::string path = baseline_path(*repository, options.file);
  std::error_code ignored;
  if (fs::exists(path, ignored) && !options.force)
    return fail(ErrorCode::usage, one_line(path, 400) + " exists already",
                "`emend baseline update` adds to it, --force replaces it");
  TRY_ASSIGN(const auto issues, acceptable_issues(context));
  Baseline baseline;
  for (const Issue& issue : issues)
    baseline.entries.push_back(baseline_entry(issue, reason_of(issue, options.reason)));
  TRY(write(context, path, baseline));
  return answer(context, path, baseline.entries.size(), baseline.entries.size(), 0);
}

Result<Baseline> existing(Repository& repository, const BaselineOptions& options) {
  TRY_ASSIGN(auto baseline, find_baseline(repository, options.file, ""));
  if (!baseline)
    return fail(ErrorCode::usage, "there is no " + baseline_path(repository, options.file),
                "create it with `emend baseline create`");
  return *std::move(baseline);
}

// Entries that moved are written where they are now and keep their reason; those that match nothing stay (see
// prune).
Result<ExitStatus> update(CommandContext& context, const BaselineOptions& options) {
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Baseline before, existing(*repository, options));
  TRY_ASSIGN(const auto issues, acceptable_issues(context));
  TRY_ASSIGN(const auto has_file, files_of_head(*repository));
  const BaselineMatch match = match_baseline(before, issues, has_file);
  Baseline after;
  std::size_t added = 0;
  for (std::size_t i = 0; i < issues.size(); ++i) {
    const BaselineEntry* known = match.accepted_by[i];
    added += known == nullptr ? 1 : 0;
    after.entries.push_back(
        baseline_entry(issues[i], known != nullptr ? known->reason : reason_of(issues[i], options.reason)));
  }
  for (const BaselineEntry* entry : match.unused) after.entries.push_back(*entry);
  const std::string path = baseline_path(*repository, options.file);
  TRY(write(context, path, after));
  return answer(context, path, after.entries.size(), added, 0);
}

// Silence counts only from those who found it: each of them that is here ended `done`, and at least one is
// here.
bool is_gone(const BaselineEntry& entry, const Review& review,
             const std::function<bool(const std::string&)>& has_file) {
  if (!has_file(entry.file)) return true;
  bool listened = false;
  for (const Analysis& analysis : review.analyses) {
    if (std::find(entry.found_by.begin(), entry.found_by.end(), analysis.analyzer) == entry.found_by.end())
      continue;
    if (analysis.state == AnalysisState::done)
      listened = true;
    else if (analysis.state != AnalysisState::skipped)
      return false;
  }
  return listened;
}

Result<ExitStatus> prune(CommandContext& context, const BaselineOptions& options) {
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Baseline before, existing(*repository, options));
  TRY_ASSIGN(SessionManager * manager, context.manager());
  ReviewRequest request;
  request.scope = {ScopeKind::revision, "HEAD"};
  context.hint("checking what is still in HEAD");
  request.rules.strict = true; // what is not shown is still there
  TRY_ASSIGN(const Analyzers analyzers, configured_analyzers(context, Kept::yes));
  TRY_ASSIGN(const Review review, manager->review(analyzers, request, context.dependencies().stop));
  TRY_ASSIGN(const auto has_file, files_of_head(*repository));
  const BaselineMatch match = match_baseline(before, review.issues, has_file);
  std::set<const BaselineEntry*> gone;
  for (const BaselineEntry* entry : match.unused)
    if (is_gone(*entry, review, has_file)) gone.insert(entry);
  Baseline after;
  for (const BaselineEntry& entry : before.entries)
    if (!gone.contains(&entry)) after.entries.push_back(entry);
  if (const std::size_t unsure = match.unused.size() - gone.size(); unsure > 0)
    context.hint(plural(unsure, "finding") +
                 " not found, but kept: the analyzer that reported it did not run here");
  const std::string path = baseline_path(*repository, options.file);
  if (!gone.empty()) TRY(write(context, path, after));
  return answer(context, path, after.entries.size(), 0, gone.size());
}

Result<ExitStatus> show(CommandContext& context, const BaselineOptions& options) {
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Baseline baseline, existing(*repository, options));
  if (context.global().json) {
    Json list = Json::array();
    for (const BaselineEntry& entry : baseline.entries) list.push_back(to_json(entry));
    context.print_json_list("baseline", std::move(list));
    return context.finish(ExitStatus::done);
  }
  TextTable table({"file", "rule", "reason", "code"});
  for (const BaselineEntry& entry : baseline.entries)
    table.add({{entry.file}, {entry.rule}, {one_line(entry.reason, 80)}, {entry.code, Tone::dim}});
  context.print((baseline.entries.empty() ? "" : table.render(context.palette()) + "\n") +
                plural(baseline.entries.size(), "known finding") + "\n");
  return context.finish(ExitStatus::done);
}

using Action = Result<ExitStatus> (*)(CommandContext&, const BaselineOptions&);

Command action(std::string name, std::string summary, std::vector<Option> more, Action run,
               const std::shared_ptr<BaselineOptions>& options) {
  Command command;
  command.name = std::move(name);
  command.summary = std::move(summary);
  command.options = std::move(more);
  command.options.push_back(
      {"--baseline", &options->file, "use this file instead of .emend/baseline.json", "FILE"});
  command.run = [run, options](CommandContext& context) { return run(context, *options); };
  command.storage = options;
  return command;
}

} // namespace

Command baseline_command() {
  const auto options = std::make_shared<BaselineOptions>();
  const Option reason = {"--reason", &options->reason,
                         "reason to record (default \"accepted\"; ignored issues keep theirs)", "TEXT"};
  Command command = action("baseline", "record today's issues as known, so that reviews report only new ones",
                           {}, show, options);
  command.examples =
      "  emend review --all && emend baseline create     record every open issue\n  emend baseline prune     "
      "                       remove what has been fixed\n";
  command.subcommands = {
      action("create", "write .emend/baseline.json from the open issues",
             {reason, {"--force", &options->force, "replace the file"}}, create, options),
      action("update", "add new open issues, and update the lines of those that moved", {reason}, update,
             options),
      action("prune", "run a review and remove what is no longer found", {}, prune, options),
      action("show", "show the baseline (default)", {}, show, options),
  };
  return command;
}

} // namespace emend
