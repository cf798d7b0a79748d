#include "tui/filter.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> keys = {"status", "severity", "file", "rule",
                                                "tool",   "category", "is"};
  return keys;
}

bool has(std::string_view text, std::string_view lower_part) { return contains(to_lower(text), lower_part); }

bool severity_passes(Severity severity, std::string_view value) {
  const bool at_least = value.starts_with(">=");
  const auto wanted = parse_severity(at_least ? value.substr(2) : value);
  return wanted && (at_least ? severity >= *wanted : severity == *wanted);
}

bool any_tool(const Issue& issue, std::string_view value) {
  return has(issue.finding.agent, value) ||
         std::any_of(issue.finding.found_by.begin(), issue.finding.found_by.end(),
                     [&](const std::string& name) { return has(name, value); });
}

bool any_part(const Issue& issue, std::string_view word) {
  const Finding& finding = issue.finding;
  return has(issue.code, word) || has(finding.title, word) || has(finding.file, word) ||
         has(finding.rule, word) || has(to_string(issue.status), word) || has(issue.reason, word);
}

} // namespace

Filter::Filter(std::string_view text) {
  for (const std::string& word : split(to_lower(text), ' ')) {
    if (word.empty()) continue;
    const std::size_t colon = word.find(':');
    const bool keyed =
        colon != std::string::npos && colon > 0 && colon + 1 < word.size() &&
        std::find(known_keys().begin(), known_keys().end(), word.substr(0, colon)) != known_keys().end();
    Term term = keyed ? Term{word.substr(0, colon), word.substr(colon + 1)} : Term{"", word};
    check(term);
    terms_.push_back(std::move(term));
  }
}

void Filter::check(const Term& term) {
  const std::string value = term.value.starts_with(">=") ? term.value.substr(2) : term.value;
  if (term.key == "severity" && !parse_severity(value))
    problem_ = "severity: critical, high, medium, low or info";
  if (term.key == "status" && !parse_issue_status(term.value))
    problem_ = "status: open, in_progress, resolved, failed, merged, ignored or duplicate";
  if (term.key == "is" && !parse_issue_trend(term.value)) problem_ = "is: new, ongoing or regressed";
}

bool Filter::passes(const Term& term, const Issue& issue) {
  if (term.key == "status") return parse_issue_status(term.value) == issue.status;
  if (term.key == "severity") return severity_passes(issue.finding.severity, term.value);
  if (term.key == "file") return has(issue.finding.file, term.value);
  if (term.key == "rule") return has(issue.finding.rule, term.value);
  if (term.key == "tool") return any_tool(issue, term.value);
  if (term.key == "category") return has(issue.finding.category, term.value);
  if (term.key == "is") return parse_issue_trend(term.value) == issue.trend;
  return any_part(issue, term.value);
}

bool Filter::passes(const Issue& issue) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) { return passes(term, issue); });
}

std::string without_last_word(std::string_view filter) {
  filter = trim(filter);
  const std::size_t space = filter.rfind(' ');
  return space == std::string_view::npos ? std::string() : std::string(trim(filter.substr(0, space)));
}

} // namespace emend
