#include "cli/daily/issue_selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/daily/rule_text.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Issue issue(std::string code, std::string rule, std::string file, Severity severity,
            IssueStatus status = IssueStatus::open) {
  Issue made;
  made.code = std::move(code);
  made.finding.rule = std::move(rule);
  made.finding.file = std::move(file);
  made.finding.severity = severity;
  made.finding.agent = "shellcheck";
  made.finding.title = "it is wrong";
  made.status = status;
  return made;
}

bool takes(const IssueWords& words, const Issue& one) {
  const auto selection = IssueSelection::of(words);
  EXPECT_TRUE(selection);
  return selection && selection->takes(one);
}

TEST(IssueSelection, ByRuleSeverityAnalyzerAndPath) {
  const Issue one = issue("BE-001", "SC2016", "tests/a.sh", Severity::low);
  EXPECT_TRUE(takes({}, one));
  EXPECT_TRUE(takes({"low", "SC20*,F401", "shellcheck", "tests"}, one));
  EXPECT_FALSE(takes({"medium", "", "", ""}, one));
  EXPECT_FALSE(takes({"", "SC2017", "", ""}, one));
  EXPECT_FALSE(takes({"", "", "flake8", ""}, one));
  EXPECT_FALSE(takes({"", "", "", "src/**"}, one));
  EXPECT_FALSE(IssueSelection::of({"awful", "", "", ""}));
}

TEST(IssueSelection, WorstFirst) {
  std::vector<Issue> issues = {issue("BE-001", "", "b", Severity::low),
                               issue("BE-002", "", "b", Severity::high),
                               issue("BE-003", "", "a", Severity::high)};
  sort_worst_first(issues);
  std::vector<std::string> codes;
  for (const Issue& one : issues) codes.push_back(one.code);
  EXPECT_THAT(codes, ElementsAre("BE-003", "BE-002", "BE-001"));
}

TEST(ProposedIgnores, ARuleThatWasDismissedThreeTimesIsProposedWithTheNumbers) {
  std::vector<Issue> all;
  for (int i = 0; i < 2; ++i) all.push_back(issue("", "SC2016", "a", Severity::low, IssueStatus::ignored));
  all.push_back(issue("", "SC2016", "a", Severity::low));
  EXPECT_TRUE(proposed_ignores(all, {"SC2016"}).empty());
  all.push_back(issue("", "SC2016", "a", Severity::low, IssueStatus::ignored));
  const auto lines = proposed_ignores(all, {"SC2016", "SC2016", ""});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0], HasSubstr("3 of 4 issues were ignored, 0 fixed"));
  EXPECT_THAT(lines[0], HasSubstr("[review] ignore = [\"SC2016\"]"));
  EXPECT_TRUE(proposed_ignores(all, {"SC2086"}).empty());
}

TEST(RuleText, SaysWhatIsKnownAboutARule) {
  const std::vector<Issue> all = {issue("BE-007", "SC2016", "a.sh", Severity::low)};
  const auto account = account_of_rule("SC2016", all);
  ASSERT_TRUE(account);
  const std::string text = rule_text(*account);
  for (const char* part :
       {"SC2016, a rule of shellcheck", "it is wrong", "1 issue of severity low, 1 open", "BE-007  a.sh",
        "https://www.shellcheck.net/wiki/SC2016", "--strict", "emend: ignore SC2016"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_TRUE(account_of_rule("SC2317", {})) << "known as one that is not shown";
  EXPECT_FALSE(account_of_rule("NOBODY-1", all));
}

TEST(RuleText, ARuleNobodyHasMetIsKnownByItsName) {
  const std::vector<std::pair<std::string, std::string>> rules = {
      {"SC2001", "shellcheck"},
      {"bugprone-sizeof-expression", "clang-tidy"},
      {"clang-diagnostic-unused", "clang-tidy"},
      {"lint/style/useConst", "biome"},
      {"TS2322", "tsc"},
      {"reportCallIssue", "pyright"},
      {"union-attr", "mypy"},
      {"clippy::needless_return", "clippy"},
      {"unused_must_use", "clippy"},
      {"Lint/Void", "rubocop"},
      {"DL3009", "hadolint"},
      {"MD012", "markdownlint"},
      {"LT01", "sqlfluff"},
      {"terraform_naming_convention", "tflint"},
      {"key-duplicates", "yamllint"},
      {"no-unused-vars", "eslint"},
      {"@typescript-eslint/no-floating-promises", "eslint"},
      {"codespell/teh", "codespell"},
      {"SA4006", "golangci-lint"},
      {"divzero", "javac"},
      {"Generic.Files.LineLength", "phpcs"},
      {"syntax-check", "actionlint"},
      {"block-no-empty", "stylelint"}};
  for (const auto& [rule, analyzer] : rules) {
    const auto account = account_of_rule(rule, {});
    ASSERT_TRUE(account) << rule;
    EXPECT_EQ(account->analyzer, analyzer) << rule;
    EXPECT_TRUE(account->guessed);
    EXPECT_THAT(account->page, HasSubstr("https://")) << rule;
    EXPECT_THAT(account->page, testing::Not(HasSubstr("{"))) << rule;
    EXPECT_THAT(rule_text(*account), HasSubstr("by its name a rule of " + analyzer));
  }
  const std::vector<std::pair<std::string, std::string>> spelled = {
      {"dot-notation", "eslint"}, {"semi", "eslint"},          {"strict", "eslint"}, {"empty", "javac"},
      {"unchecked", "javac"},     {"nullPointer", "cppcheck"}, {"no-redef", "mypy"}, {"pyflakes", "pyflakes"},
      {"uninitvar", "cppcheck"},  {"line-length", "yamllint"}};
  for (const auto& [rule, analyzer] : spelled)
    EXPECT_EQ(account_of_rule(rule, {}).value().analyzer, analyzer);
  EXPECT_EQ(account_of_rule("eslint:brand-new", {}).value().page,
            "https://eslint.org/docs/latest/rules/brand-new");
  EXPECT_EQ(account_of_rule("eslint:brand-new", {}).value().rule, "brand-new");
  EXPECT_EQ(account_of_rule("cppcheck:brandNew", {}).value().page, "https://cppcheck.sourceforge.io");
  EXPECT_FALSE(account_of_rule("nobody:brand-new", {}));
  EXPECT_EQ(account_of_rule("F401", {})->analyzer, "ruff");
  EXPECT_EQ(account_of_rule("F401", {}, {"flake8"})->analyzer, "flake8") << "which is installed here";
  EXPECT_EQ(account_of_rule("bugprone-sizeof-expression", {})->page,
            "https://clang.llvm.org/extra/clang-tidy/checks/bugprone/sizeof-expression.html");
  EXPECT_EQ(account_of_rule("clang-analyzer-core.DivideZero", {})->page,
            "https://clang.llvm.org/extra/clang-tidy/checks/clang-analyzer/core.DivideZero.html");
  EXPECT_FALSE(account_of_rule("be-001", {})) << "an issue's code in small letters";
}

TEST(RuleText, TheToolItselfIsAskedAndKnowsBest) {
  std::vector<std::string> asked;
  const auto ask = [&](const std::string& analyzer) {
    asked.push_back(analyzer);
    return std::string(analyzer == "cppcheck" ? "A null pointer is read." : "");
  };
  const auto account = account_of_rule("nullPointer", {}, {"cppcheck", "shellcheck"}, ask);
  ASSERT_TRUE(account);
  EXPECT_EQ(account->analyzer, "cppcheck");
  EXPECT_FALSE(account->guessed);
  EXPECT_THAT(rule_text(*account), HasSubstr("A null pointer is read."));
  EXPECT_EQ(asked, std::vector<std::string>{"cppcheck"}) << "whose rules never look so is not asked";
  EXPECT_FALSE(account_of_rule("noSuchRule", {}, {"shellcheck"}, ask));
  asked.clear();
  const std::vector<Issue> all = {issue("BE-007", "SC2016", "a.sh", Severity::low)};
  EXPECT_TRUE(account_of_rule("SC2016", all, {"cppcheck", "shellcheck"}, ask));
  EXPECT_EQ(asked, std::vector<std::string>{"shellcheck"}) << "who reported it";
}

} // namespace
} // namespace emend
