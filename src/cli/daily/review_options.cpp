#include "cli/daily/review_options.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/output_target.hpp"
#include "service/analyzer_setup.hpp"

namespace emend {

namespace {

const std::vector<std::string> kSeverities = {"critical", "high", "major", "medium", "low", "minor", "info"};

// "a,b" and "c" -> a, b, c.
std::vector<std::string> words_in(const std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (const std::string& list : lists)
    for (const std::string& part : split(list, ','))
      if (const auto word = trim(part); !word.empty()) words.emplace_back(word);
  return words;
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
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

std::vector<Option> rule_options(ReviewOptions& o) {
  return {
      {"--analyzers,--agents", &o.analyzers,
       "which analyzers, comma separated: builtin, all, none or names; -NAME leaves one out "
       "(review.analyzers, default all)",
       "LIST"},
      {"--exclude", &o.exclude, "leave these files and directories out, too (review.exclude)", "GLOB"},
      {"--include", &o.include, "only these files and directories (review.include)", "GLOB"},
      {"--select", &o.select, "only these rules: F4, SC2086, bugprone-*, codespell: (review.select)",
       "RULES"},
      {"--ignore", &o.ignore, "not these rules (review.ignore)", "RULES"},
      {"--per-file-ignore", &o.per_file_ignores, "not these rules in these files (review.per_file_ignores)",
       "GLOB:RULES"},
      {"--no-cache", &o.fresh, "run every tool, also where nothing changed since its last run"},
      {"--strict", &o.strict, "also rules that are mostly noise (review.strict)"},
  };
}

std::vector<Option> result_options(ReviewOptions& o) {
  std::vector<std::string> fail_levels = kSeverities;
  fail_levels.emplace_back("never");
  return {
      {"--agent", &o.agents.agents, "let this agent review too; it only reads (may be repeated)", "NAME"},
      {"--reviewers", &o.agents.reviewers,
       "reviewer roles: unified (default), be_architecture, be_quality, fe_architecture, fe_quality, all",
       "LIST"},
      {"--spec", &o.agents.specs, "folder with the specifications for the unified reviewer (default specs)",
       "DIR"},
      format_option(&o.formats),
      {"--min-severity", &o.min_severity, "show only issues of at least this severity (review.min_severity)",
       "SEVERITY", kSeverities},
      {"--max-findings", NumberTarget{&o.max_findings, 0, 1'000'000},
       "show at most N issues, the most severe first; 0 = all (review.max_findings)", "N"},
      {"--watch", &o.watch, "review again whenever a file is saved, until Ctrl-C"},
      {"--statistics", &o.statistics, "count by rule"},
      {"--no-save", &o.no_save, "store nothing"},
      {"--fail-on", &o.fail_on,
       "exit 1 if an open issue has at least this severity (review.fail_on, default high)", "SEVERITY",
       fail_levels},
      {"--baseline", &o.baseline, "file of known findings to leave out (default .emend/baseline.json)",
       "FILE"},
      {"--no-baseline", &o.no_baseline, "use no baseline"},
      {"--jobs", NumberTarget{&o.jobs, 1, 64}, "analyzers to run at the same time (default 2)", "N"},
      {"--exit-zero", &o.exit_zero, "exit 0 even when there are issues"},
  };
}

} // namespace

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

Result<ReviewRules> rules_of(ReviewRules rules, const ReviewOptions& options) {
  for (const std::string& words : options.per_file_ignores) {
    const auto colon = words.find(':');
    if (colon == 0 || colon == std::string::npos || colon + 1 == words.size())
      return fail(ErrorCode::usage, "--per-file-ignore: \"" + words + "\" names no files and rules",
                  "  emend review --per-file-ignore 'tests/**:SC2034,E501'");
    append(rules.per_file_ignores[words.substr(0, colon)], words_in({words.substr(colon + 1)}));
  }
  append(rules.exclude, words_in(options.exclude));
  append(rules.ignore, words_in(options.ignore));
  if (!options.include.empty()) rules.include = words_in(options.include);
  if (!options.select.empty()) rules.select = words_in(options.select);
  if (options.strict) rules.strict = true;
  if (!options.analyzers.empty()) rules.analyzers = words_in({options.analyzers});
  if (!options.min_severity.empty()) rules.min_severity = options.min_severity;
  if (!options.fail_on.empty()) rules.fail_on = options.fail_on;
  return rules;
}

Result<Analyzers> configured_analyzers(CommandContext& context, Kept kept) {
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const AnalyzerSetup setup, analyzer_setup(
                                            config, [&context] { return context.store(); },
                                            repository->root(), kept == Kept::yes ? home + "/analyses" : ""));
  return context.dependencies().make_analyzers(setup);
}

bool names_analyzers(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word != "all" && word != "none" && !word.starts_with('-');
  });
}

Result<Analyzers> chosen_analyzers(Analyzers all, const std::vector<std::string>& words) {
  std::vector<std::string> names, wanted;
  for (const auto& analyzer : all) names.emplace_back(analyzer->name());
  const bool only_without = !words.empty() && std::all_of(words.begin(), words.end(), [](const auto& word) {
    return word.starts_with('-');
  });
  if (only_without) wanted = names;
  for (const std::string& word : words) {
    if (word == "all") wanted = names;
    if (word == "all" || word == "none") continue;
    const std::string name = word.starts_with('-') ? word.substr(1) : word;
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const auto near = did_you_mean(name, names);
      return fail(ErrorCode::usage,
                  "--analyzers: there is no analyzer \"" + name + "\"" +
                      (near ? "; did you mean " + *near + "?" : ""),
                  "analyzers: all, none, " + join(names, ", ") + "; choose reviewing agents with --agent");
    }
    if (word.starts_with('-'))
      std::erase(wanted, name);
    else
      wanted.push_back(name);
  }
  std::erase_if(all, [&](const auto& analyzer) {
    return std::find(wanted.begin(), wanted.end(), analyzer->name()) == wanted.end();
  });
  return all;
}

std::vector<Option> review_options(ReviewOptions& options) {
  std::vector<Option> all = scope_options(options);
  for (Option& option : rule_options(options)) all.push_back(std::move(option));
  for (Option& option : result_options(options)) all.push_back(std::move(option));
  return all;
}

} // namespace emend
