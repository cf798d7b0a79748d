// What people read after a review: each issue with its source, the sum of it, and what to type next.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/findings_output.hpp"
#include "cli/text_table.hpp"
#include "engine/review/review.hpp"

namespace emend {

struct Review;

// One issue as a small page: place, severity, rule and code; the line with a caret; why; how it could be
// fixed.
[[nodiscard]] std::string issue_frame(const Issue& issue, const std::optional<std::string>& file,
                                      const Palette& palette);
// The line and where to look in it; empty when the file or the line is not there.
[[nodiscard]] std::string source_frame(const Finding& finding, std::string_view file, const Palette& palette);

// Can be fixed by applying what the tool itself proposed.
[[nodiscard]] bool fixable_without_ai(const Issue& issue);
// "11 issues (1 critical, 3 high) in 6 files - 5 can be fixed without AI   2.9 s"
[[nodiscard]] std::string review_summary(const std::vector<Issue>& issues, std::int64_t duration_ms);
// What a code is, where the first of a repository is new (fresh: fingerprints); else empty.
[[nodiscard]] std::string first_code_line(const std::vector<Issue>& issues,
                                          const std::vector<std::string>& fresh);
// What to type next; empty when there is nothing to do. uncommitted: ids of issues that can be fixed only
// after a commit.
[[nodiscard]] std::string next_step(const std::vector<Issue>& issues,
                                    const std::set<std::string>& uncommitted = {});
// How to see more than the change a review was about; empty when it was about everything.
[[nodiscard]] std::string rest_hint(const Review& review);
// Rule, count, how many can be fixed without AI; most frequent first.
[[nodiscard]] std::string statistics_text(const std::vector<Issue>& issues, const Palette& palette);

// "claude/unified_reviewer (claude-opus-5-5): 3 findings, 41 s, 2 experts were asked, $0.0310"; empty when it
// is no agent's or it did not finish.
[[nodiscard]] std::string reviewer_line(const Analysis& analysis);

// One line each: which analyzers ran, which are not installed, which gave up. Those that gave up are
// `alarming`.
struct AnalyzerLines {
  std::string ran;
  std::string missing;
  std::vector<std::string> alarming;
  std::vector<std::string> partial{}; // those that could not read some of the files
  std::vector<std::string> advice{};  // what would make them say more
};
[[nodiscard]] AnalyzerLines analyzer_lines(const std::vector<Analysis>& analyses);

} // namespace emend
