#include "lsp/diagnostics.hpp"

#include "base/strings.hpp"

namespace emend::lsp {
namespace {

constexpr std::size_t kLongestTitle = 300, kLongestText = 2'000;
constexpr int kUnnecessary = 1, kDeprecated = 2;

int severity_of(Severity severity) {
  switch (severity) {
    case Severity::critical:
    case Severity::high: return 1;
    case Severity::medium: return 2;
    case Severity::low: return 3;
    case Severity::info: return 4;
  }
  return 2;
}

// Editors fade out what is unnecessary and strike through what is deprecated.
Json tags_of(const Finding& finding) {
  const std::string words = to_lower(finding.category + " " + finding.rule);
  Json tags = Json::array();
  if (contains(words, "unused") || contains(words, "dead") || contains(words, "unreachable"))
    tags.push_back(kUnnecessary);
  if (contains(words, "deprecat")) tags.push_back(kDeprecated);
  return tags;
}

std::string state_text(const Issue& issue) {
  if (issue.status == IssueStatus::resolved) return " (a fix is ready to apply)";
  if (issue.status == IssueStatus::in_progress) return " (emend is fixing it)";
  if (issue.status == IssueStatus::failed) return " (emend could not fix it)";
  return "";
}

// Text of a reviewer or an analyzer may be hostile: no link and no markup of it counts.
std::string quoted(const std::string& text) {
  std::string made;
  for (const std::string& line : split(trim_middle(clean_text(text), kLongestText), '\n'))
    made += "    " + line + "\n";
  return made;
}

} // namespace

std::string name_of(const Issue& issue) {
  return issue.code.empty() ? first_line(clean_text(issue.finding.rule), 80) : issue.code;
}

Json diagnostic(const Issue& issue, const Range& range, const std::string& link) {
  const Finding& finding = issue.finding;
  std::string message = first_line(clean_text(finding.title), kLongestTitle) + state_text(issue);
  if (!finding.rule.empty() && !issue.code.empty())
    message += " [" + first_line(clean_text(finding.rule), 80) + "]";
  Json json = {{"range", to_json(range)},
               {"severity", severity_of(finding.severity)},
               {"code", name_of(issue)},
               {"source", "emend"},
               {"message", std::move(message)},
               {"data", {{"code", issue.code}, {"status", std::string(to_string(issue.status))}}}};
  if (json["code"] == "") json.erase("code");
  if (!link.empty()) json["codeDescription"] = {{"href", link}};
  if (Json tags = tags_of(finding); !tags.empty()) json["tags"] = std::move(tags);
  return json;
}

Json diagnostics(const Document& document) {
  Json list = Json::array();
  for (const Shown& shown : document.shown)
    if (!shown.hidden)
      list.push_back(diagnostic(shown.issue, shown.range, document.root->link(shown.issue.code)));
  return list;
}

std::string hover_text(const Issue& issue) {
  const Finding& finding = issue.finding;
  std::string text = "**emend " + name_of(issue) + "** " + std::string(to_string(finding.severity));
  if (!issue.code.empty()) text += ", " + std::string(to_string(issue.status));
  text += "\n\n" + quoted(finding.title);
  if (!finding.description.empty()) text += "\n" + quoted(finding.description);
  if (!finding.suggestion.empty()) text += "\nSuggestion:\n\n" + quoted(finding.suggestion);
  if (!issue.evidence.empty()) text += "\nEvidence of its fix: " + issue.evidence + "\n";
  if (!issue.detail.empty()) text += "\n" + quoted(issue.detail);
  if (issue.last_score >= 0)
    text += "\nThe judge scored the last fix " + std::to_string(issue.last_score) + " of 100.\n";
  if (!issue.code.empty()) text += "\nMore: `emend explain " + issue.code + "`\n";
  return text;
}

} // namespace emend::lsp
