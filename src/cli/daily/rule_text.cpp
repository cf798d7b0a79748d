#include "cli/daily/rule_text.hpp"

#include <re2/re2.h>

#include <algorithm>

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

bool has_form(const KnownAnalyzer& tool, const std::string& rule) {
  return !tool.rule_form.empty() && RE2::FullMatch(rule, tool.rule_form);
}

bool spells(const KnownAnalyzer& tool, const std::string& rule) { // "|empty|" may be a part of a longer name
  return has_form(tool, rule) && contains("|" + tool.rule_form + "|", "|" + rule + "|");
}

// It cannot be asked about one rule, but says what all mean.
bool lists_all(const KnownAnalyzer& tool) {
  return std::none_of(tool.explain.begin(), tool.explain.end(), [](const std::string& argument) {
    return contains(argument, "{rule}") || contains(argument, "{name}");
  });
}

bool is_in(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Whoever reported it, or else those that may have such a rule, until one knows it.
void ask_tools(RuleAccount& account, const std::vector<std::string>& installed, const AskAnalyzer& ask) {
  if (!ask) return;
  const auto try_it = [&](const std::string& analyzer) {
    if (!account.explanation.empty() || !is_in(installed, analyzer)) return;
    account.explanation = ask(analyzer);
    if (!account.explanation.empty()) account.analyzer = analyzer;
  };
  if (!account.analyzer.empty()) return try_it(account.analyzer);
  try_it("builtin");
  for (const KnownAnalyzer& tool : known_analyzers())
    if (has_form(tool, account.rule)) try_it(tool.name);
  for (const KnownAnalyzer& tool : known_analyzers())
    if (!tool.explain.empty() && lists_all(tool)) try_it(tool.name);
}

// By its name alone: a tool whose form holds it letter by letter before one of whose rules many look so, and
// an installed one before another.
void guess_analyzer(RuleAccount& account, const std::vector<std::string>& installed) {
  for (const bool by_letter : {true, false})
    for (const bool here : {true, false})
      for (const KnownAnalyzer& tool : known_analyzers())
        if (account.analyzer.empty() && is_in(installed, tool.name) == here &&
            (by_letter ? spells(tool, account.rule) : has_form(tool, account.rule))) {
          account.analyzer = tool.name;
          account.guessed = true;
        }
}

// "eslint" of "eslint:no-undef": whoever asks says whose rule it is.
std::string take_analyzer(std::string& rule) {
  const auto colon = rule.find(':');
  const std::string name = rule.substr(0, std::min(colon, rule.size()));
  if (colon == std::string::npos || colon + 1 == rule.size() || rule[colon + 1] == ':' ||
      (name != "builtin" && find_known_analyzer(name) == nullptr))
    return {};
  rule.erase(0, colon + 1);
  return name;
}

} // namespace

std::optional<RuleAccount> account_of_rule(std::string rule, const std::vector<Issue>& issues,
                                           const std::vector<std::string>& installed,
                                           const AskAnalyzer& ask) {
  RuleAccount account;
  account.analyzer = take_analyzer(rule);
  account.rule = rule;
  for (const Issue& issue : issues) {
    const Finding& finding = issue.finding;
    if (finding.rule != rule) continue;
    if (!account.analyzer.empty() && account.analyzer != finding.agent) continue;
    account.analyzer = finding.agent;
    account.severity = to_string(finding.severity);
    account.says = finding.description.empty() ? finding.title : finding.description;
    count(account, issue);
  }
  ask_tools(account, installed, ask);
  if (account.analyzer.empty()) guess_analyzer(account, installed);
  for (const KnownAnalyzer& tool : known_analyzers()) {
    for (const QuietRule& quiet : tool.quiet) {
      if (!names_rule(quiet.rule, rule, tool.name)) continue;
      if (account.analyzer.empty()) account.analyzer = tool.name;
      if (account.analyzer == tool.name)
        account.quiet = quiet.why + (quiet.files.empty() ? "" : " (in " + quiet.files + ")");
    }
  }
  if (account.analyzer.empty()) return std::nullopt;
  if (const KnownAnalyzer* tool = find_known_analyzer(account.analyzer))
    account.page = page_of_rule(*tool, rule);
  return account;
}

std::string rule_text(const RuleAccount& account) {
  const std::string rule = one_line(account.rule);
  std::string text = rule + (account.guessed ? ", by its name a rule of " : ", a rule of ") +
                     one_line(account.analyzer) + "\n";
  const std::string& words = account.explanation.empty() ? account.says : account.explanation;
  if (!words.empty()) text += "\n" + indented(words, "  ");
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
  return {{"rule", account.rule},
          {"analyzer", account.analyzer},
          {"severity", account.severity},
          {"says", account.says},
          {"explanation", account.explanation},
          {"guessed", account.guessed},
          {"page", account.page},
          {"quiet", account.quiet},
          {"issues", account.all},
          {"open", account.open},
          {"ignored", account.ignored},
          {"resolved", account.resolved}};
}

} // namespace emend
