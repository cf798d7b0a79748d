#include "cli/daily/rule_text.hpp"

#include "base/strings.hpp"
#include "cli/report_text.hpp"
#include "model/known_analyzers.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

constexpr std::size_t kPlaces = 5;

void count(RuleAccount& account, const Issue& issue) {
  ++account.all;
  if (issue.status == IssueStatus::ignored) ++account.ignored;
  if (issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged) ++account.resolved;
  if (issue.status != IssueStatus::open && issue.status != IssueStatus::failed) return;
  ++account.open;
  if (account.places.size() < kPlaces)
    account.places.push_back(one_line(issue.code) + "  " + one_line(place_of(issue.finding), 200));
}

} // namespace

std::optional<RuleAccount> account_of_rule(const std::string& rule, const std::vector<Issue>& issues) {
  RuleAccount account;
  account.rule = rule;
  for (const Issue& issue : issues) {
    const Finding& finding = issue.finding;
    if (finding.rule != rule) continue;
    account.analyzer = finding.agent;
    account.severity = to_string(finding.severity);
    account.says = finding.description.empty() ? finding.title : finding.description;
    count(account, issue);
  }
  for (const KnownAnalyzer& tool : known_analyzers()) {
    for (const QuietRule& quiet : tool.quiet) {
      if (!names_rule(quiet.rule, rule, tool.name)) continue;
      if (account.analyzer.empty()) account.analyzer = tool.name;
      if (account.analyzer == tool.name)
        account.quiet = quiet.why + (quiet.files.empty() ? "" : " (in " + quiet.files + ")");
    }
    if (account.analyzer == tool.name)
      account.page = tool.rule_page.empty() ? tool.home_page : replace_all(tool.rule_page, "{rule}", rule);
  }
  if (account.analyzer.empty()) return std::nullopt;
  return account;
}

std::string rule_text(const RuleAccount& account) {
  const std::string rule = one_line(account.rule);
  std::string text = rule + ", a rule of " + one_line(account.analyzer) + "\n";
  if (!account.says.empty()) text += "\n" + indented(account.says, "  ");
  text += "\n";
  if (account.all > 0) {
    text += "  here: " + plural(account.all, "issue") + " of severity " + account.severity + ", " +
            std::to_string(account.open) + " open, " + std::to_string(account.ignored) + " ignored, " +
            std::to_string(account.resolved) + " fixed\n";
    for (const std::string& place : account.places) text += "    " + place + "\n";
  } else {
    text += "  here: no issue\n";
  }
  if (!account.quiet.empty()) text += "  not shown unless --strict asks for it: " + account.quiet + "\n";
  if (!account.page.empty()) text += "  more: " + account.page + "\n";
  text += "  to leave it out: [review] ignore = [\"" + rule +
          "\"] in emend.toml, or once: emend review --ignore " + rule +
          "\n  in one place: a comment on the line or above it, \"emend: ignore " + rule + " REASON\"\n";
  return text;
}

Json to_json(const RuleAccount& account) {
  return {{"rule", account.rule},        {"analyzer", account.analyzer}, {"severity", account.severity},
          {"says", account.says},        {"page", account.page},         {"quiet", account.quiet},
          {"issues", account.all},       {"open", account.open},         {"ignored", account.ignored},
          {"resolved", account.resolved}};
}

} // namespace emend
