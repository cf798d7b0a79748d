#include <array>
#include <utility>

#include "base/strings.hpp"
#include "tui/model.hpp"

namespace emend {

namespace {

// The gate names the rule that failed; alone its name would read as a success.
constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kReasons = {{
    {"real_change", "no real change"},
    {"in_scope", "out of scope"},
    {"no_cheats", "hidden text or a secret"},
    {"verified", "broke your checks"},
    {"tests_kept", "tests lost"},
    {"reproduced", "not reproduced"},
    {"rescanned", "still found"},
    {"judged", "not judged"},
    {"in_commit", "not in a commit"},
    {"proof", "no proof"},
    {"verification_failed", "broke your checks"},
    {"below_threshold", "judge not satisfied"},
    {"unevaluated", "no verdict"},
    {"refused", "forbidden change"},
    {"no_change", "nothing changed"},
    {"no_progress", "same change again"},
    {"combination_failed", "breaks with others"},
    {"evidence_too_weak", "no check confirms it"},
    {"budget", "budget used up"},
    {"needs_decision", "needs your decision"},
    {"claimed_false_positive", "code is right, says fixer"},
    {"not_chosen", "another change was better"},
}};

} // namespace

std::string failure_words(std::string_view reason) {
  for (const auto& [name, words] : kReasons)
    if (name == reason) return std::string(words);
  return words_of(reason);
}

std::string status_words(const Issue& issue) {
  if (issue.status == IssueStatus::failed && !issue.reason.empty()) return failure_words(issue.reason);
  if (issue.status == IssueStatus::resolved && !issue.evidence.empty()) return issue.evidence;
  return words_of(to_lower(to_string(issue.status)));
}

} // namespace emend
