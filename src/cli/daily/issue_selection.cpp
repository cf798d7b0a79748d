#include "cli/daily/issue_selection.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/strings.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

constexpr std::size_t kOften = 3;

std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> words;
  for (const std::string& part : split(text, ','))
    if (const auto word = trim(part); !word.empty()) words.emplace_back(word);
  return words;
}

} // namespace

std::vector<Option> selection_options(IssueWords& words) {
  return {
      {"--severity", &words.severity, "only issues of at least this severity", "LEVEL"},
      {"--rule", &words.rules, "only these rules: F4, SC2086, bugprone-*", "RULES"},
      {"--analyzer", &words.analyzers, "only findings of these analyzers", "NAMES"},
      {"--file", &words.file_glob, "only these files: a directory or a glob", "GLOB"},
  };
}

Result<IssueSelection> IssueSelection::of(const IssueWords& words) {
  IssueSelection selection;
  selection.least_ = parse_severity(words.severity);
  if (!words.severity.empty() && !selection.least_)
    return fail(ErrorCode::usage, "--severity: \"" + words.severity + "\" is not a severity",
                "severities: critical, high, medium, low, info");
  selection.rules_ = listed(words.rules);
  selection.analyzers_ = listed(words.analyzers);
  selection.file_glob_ = words.file_glob;
  return selection;
}

bool IssueSelection::takes(const Issue& issue) const {
  const Finding& finding = issue.finding;
  if (least_ && finding.severity < *least_) return false;
  if (!file_glob_.empty() && !names_path(file_glob_, finding.file)) return false;
  if (!rules_.empty() && std::none_of(rules_.begin(), rules_.end(), [&](const std::string& rule) {
        return names_rule(rule, finding.rule, finding.agent);
      }))
    return false;
  const auto found_it = [&](const std::string& name) {
    return finding.agent == name ||
           std::find(finding.found_by.begin(), finding.found_by.end(), name) != finding.found_by.end();
  };
  return analyzers_.empty() || std::any_of(analyzers_.begin(), analyzers_.end(), found_it);
}

void sort_worst_first(std::vector<Issue>& issues) {
  std::stable_sort(issues.begin(), issues.end(), [](const Issue& a, const Issue& b) {
    if (a.finding.severity != b.finding.severity) return a.finding.severity > b.finding.severity;
    return std::tie(a.finding.file, a.finding.line) < std::tie(b.finding.file, b.finding.line);
  });
}

std::vector<std::string> proposed_ignores(const std::vector<Issue>& all,
                                          const std::vector<std::string>& rules) {
  struct Count {
    std::size_t all = 0, ignored = 0, resolved = 0;
  };
  std::map<std::string, Count> counts;
  for (const Issue& issue : all) {
    Count& count = counts[issue.finding.rule];
    ++count.all;
    if (issue.status == IssueStatus::ignored) ++count.ignored;
    if (issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged) ++count.resolved;
  }
  std::vector<std::string> lines;
  for (const std::string& rule : std::set<std::string>(rules.begin(), rules.end())) {
    const Count& count = counts[rule];
    if (rule.empty() || count.ignored < kOften || count.ignored <= count.resolved) continue;
    lines.push_back(rule + ": " + std::to_string(count.ignored) + " of " + std::to_string(count.all) +
                    " issues were ignored, " + std::to_string(count.resolved) +
                    " fixed. To leave the rule out of reviews, in emend.toml: [review] ignore = [\"" + rule +
                    "\"]");
  }
  return lines;
}

} // namespace emend
