#include "tui/filter.hpp"

#include "base/strings.hpp"

namespace emend {

namespace {

// "high", ">=high"; empty = no such severity.
std::vector<std::string> severities_of(std::string_view value) {
  const bool at_least = value.starts_with(">=");
  const auto wanted = parse_severity(to_lower(at_least ? value.substr(2) : value));
  std::vector<std::string> words;
  for (const Severity one :
       {Severity::critical, Severity::high, Severity::medium, Severity::low, Severity::info})
    if (wanted && (at_least ? one >= *wanted : one == *wanted)) words.emplace_back(to_string(one));
  return words;
}

} // namespace

bool Filter::take(std::string_view key, const std::string& value) {
  if (key == "status") {
    const auto status = parse_issue_status(to_lower(value));
    if (status)
      search_.statuses.push_back(*status);
    else
      problem_ = "status: open, in_progress, resolved, failed, merged, ignored or duplicate";
  } else if (key == "severity") {
    const std::vector<std::string> words = severities_of(value);
    if (words.empty()) problem_ = "severity: critical, high, medium, low or info";
    search_.severities.insert(search_.severities.end(), words.begin(), words.end());
  } else if (key == "is") {
    search_.trend = parse_issue_trend(to_lower(value));
    if (!search_.trend) problem_ = "is: new, ongoing or regressed";
  } else if (key == "file") {
    search_.file_glob = value.find_first_of("*?[") != std::string::npos ? value : "*" + value + "*";
  } else if (key == "rule") {
    search_.rules.push_back(value);
  } else if (key == "tool") {
    search_.tools.push_back(value);
  } else if (key == "category") {
    search_.categories.push_back(value);
  } else {
    return false;
  }
  return true;
}

Filter::Filter(std::string_view text) {
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    const std::size_t colon = word.find(':');
    const bool keyed = colon != std::string::npos && colon > 0 && colon + 1 < word.size();
    if (keyed && take(to_lower(word.substr(0, colon)), word.substr(colon + 1))) continue;
    search_.text += (search_.text.empty() ? "" : " ") + word;
  }
}

std::string without_last_word(std::string_view filter) {
  filter = trim(filter);
  const std::size_t space = filter.rfind(' ');
  return space == std::string_view::npos ? std::string() : std::string(trim(filter.substr(0, space)));
}

} // namespace emend
