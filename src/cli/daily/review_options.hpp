// What `emend review` is told on its command line, with the configuration behind it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/context.hpp"
#include "cli/daily/reviewer_choice.hpp"
#include "engine/intake/review_scope.hpp"
#include "model/review_rules.hpp"
#include "ports/analyzer.hpp"

namespace emend {

struct ReviewOptions {
  std::vector<std::string> paths, formats;
  std::string revision, since, commit, range, base; // scopes
  bool staged = false, uncommitted = false, all = false;
  std::string analyzers, filter_mode, min_severity, fail_on, baseline; // empty = as configured
  std::optional<int> jobs, max_findings;
  std::vector<std::string> exclude, include, select, ignore; // lists with commas, any number of times
  std::vector<std::string> per_file_ignores;                 // "GLOB:RULES"
  bool strict = false, fresh = false;
  bool exit_zero = false, statistics = false, no_save = false, no_baseline = false, watch = false;
  ReviewerWords agents;
};

using Analyzers = std::vector<std::unique_ptr<Analyzer>>;

[[nodiscard]] Result<ReviewScope> scope_of(const ReviewOptions& options);
// As typed in the current directory -> from the repository's root.
[[nodiscard]] Result<std::vector<std::string>> repository_paths(const std::vector<std::string>& typed,
                                                                const std::string& root);
// The configuration's rules with the flags on top: lists of what to leave out grow, everything else is
// replaced.
[[nodiscard]] Result<ReviewRules> rules_of(ReviewRules configured, const ReviewOptions& options);
// The analyzers of this repository's configuration. Kept: results of earlier runs count.
enum class Kept { no, yes };
[[nodiscard]] Result<Analyzers> configured_analyzers(CommandContext& context, Kept kept);
// words: all, none, names; "-NAME" leaves one out. ErrorCode::usage for a name that no analyzer has.
[[nodiscard]] Result<Analyzers> chosen_analyzers(Analyzers all, const std::vector<std::string>& words);
// Was an analyzer asked for by its name? Then its absence is a failure.
[[nodiscard]] bool names_analyzers(const std::vector<std::string>& words);

[[nodiscard]] std::vector<Option> review_options(ReviewOptions& options);

} // namespace emend
