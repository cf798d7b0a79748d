// The identity of an issue while its code moves: triage and a store together, on trees that change.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "engine/intake/known_issues.hpp"
#include "engine/intake/triage.hpp"
#include "tests/contract/store/store_contract.hpp"
#include "tests/fakes/fake_repository.hpp"

namespace emend::testing_support {

namespace {

using Tree = std::map<std::string, std::string, std::less<>>;
using Codes = std::vector<std::string>;

const std::string kSource =
    "int total(int* values, int count) {\n"
    "  int sum = 0;\n"
    "  for (int i = 0; i <= count; ++i) sum += values[i];\n"
    "  return sum;\n"
    "}\n"
    "\n"
    "void clear(char* text) {\n"
    "  strcpy(text, \"\");\n"
    "}\n";

// Where a tool would point: every line with this text, at the text.
std::vector<Finding> reported(const std::string& file, const std::string& content, const std::string& text,
                              const std::string& rule, bool columns = true) {
  std::vector<Finding> findings;
  int line = 0;
  for (const std::string_view row : lines_of(content)) {
    ++line;
    if (row.find(text) == std::string_view::npos) continue;
    Finding finding;
    finding.file = file;
    finding.line = line;
    if (columns) finding.column = static_cast<int>(row.find(text)) + 1;
    finding.rule = rule;
    finding.agent = "tool";
    finding.description = "seen on line " + std::to_string(line); // prose that changes with the place
    findings.push_back(finding);
  }
  return findings;
}

} // namespace

class IdentityContract : public StoreContract {
protected:
  // One look at a tree: both rules of the sample, in every file.
  std::vector<Issue> look(const Tree& tree, bool columns = true) {
    FakeRepository repository(tree);
    std::vector<Finding> findings;
    for (const auto& [file, content] : tree) {
      for (const auto& [text, rule] :
           {std::pair<std::string, std::string>{"i <=", "off-by-one"}, {"strcpy", "unsafe-copy"}}) {
        const auto more = reported(file, content, text, rule, columns);
        findings.insert(findings.end(), more.begin(), more.end());
      }
    }
    const std::string commit = "commit" + std::to_string(++looks_);
    auto issues = must(triage(findings, repository, commit));
    return must(store().add_issues(
        std::move(issues), kNow + looks_,
        new_sighting(commit, [tree](const std::string& file) { return tree.contains(file); })));
  }
  static Codes codes(const std::vector<Issue>& issues) {
    Codes result;
    for (const Issue& issue : issues) result.push_back(issue.code);
    return result;
  }
  std::size_t stored() { return must(store().issues({.repository_id = "fake-repository"})).size(); }

private:
  int looks_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Stores, IdentityContract, ::testing::ValuesIn(store_kinds()),
                         [](const auto& test) { return test.param.name; });

TEST_P(IdentityContract, CodeThatMovesDownKeepsItsIssuesAndTheirNewPlace) {
  const auto first = look({{"a.c", kSource}});
  ASSERT_EQ(codes(first), (Codes{"BE-001", "BE-002"}));
  std::string above;
  for (int i = 0; i < 50; ++i) above += "int filler_" + std::to_string(i) + ";\n";
  const auto second = look({{"a.c", above + kSource}});
  EXPECT_EQ(codes(second), codes(first));
  EXPECT_EQ(second[0].finding.line, 53);
  EXPECT_EQ(second[0].trend, IssueTrend::ongoing);
  EXPECT_EQ(second[0].seen_commit, "commit2");
  EXPECT_EQ(must(store().issue("fake-repository", "BE-001")).finding.line, 53);
  EXPECT_EQ(stored(), 2U);
}

TEST_P(IdentityContract, SeenAgainAsItWasChangesNothingButWhenItWasSeen) {
  const auto first = look({{"a.c", kSource}});
  auto second = look({{"a.c", kSource}});
  EXPECT_EQ(second[0].updated_ms, first[0].updated_ms);
  EXPECT_EQ(second[0].seen_commit, "commit2");
  second[0].seen_commit = first[0].seen_commit;
  second[0].trend = first[0].trend;
  EXPECT_EQ(everything(second[0]), everything(first[0]));
}

TEST_P(IdentityContract, ARenamedFileTakesItsIssuesAlong) {
  const auto first = look({{"a.c", kSource}});
  const auto second = look({{"lib/b.c", kSource}});
  EXPECT_EQ(codes(second), codes(first));
  EXPECT_EQ(second[0].id, first[0].id);
  EXPECT_EQ(second[0].finding.file, "lib/b.c");
  EXPECT_EQ(codes(look({{"lib/b.c", kSource}})), codes(first)) << "and is known by its new name from then on";
  EXPECT_EQ(stored(), 2U);
}

TEST_P(IdentityContract, RenamedAndShifted) {
  const auto first = look({{"a.c", kSource}});
  EXPECT_EQ(codes(look({{"b.c", "#include <string.h>\n\n\n/* moved */\n" + kSource}})), codes(first));
}

TEST_P(IdentityContract, RenamedAndEditedBelowOnePlaceFollowsTheOthers) {
  const auto first = look({{"a.c", kSource}});
  std::string edited = kSource;
  edited.replace(edited.find("strcpy(text, \"\");\n") + 18, 0, "  done(text, 17, another, thing);\n");
  EXPECT_EQ(codes(look({{"b.c", edited}})), codes(first));
}

TEST_P(IdentityContract, ReformattingChangesNothing) {
  const auto first = look({{"a.c", kSource}});
  std::string tabs = replace_all(kSource, "  ", "\t\t");
  EXPECT_EQ(codes(look({{"a.c", tabs}})), codes(first)) << "indented anew";
  EXPECT_EQ(codes(look({{"a.c", replace_all(kSource, "\n", "\r\n")}})), codes(first)) << "CRLF";
  const std::string wrapped =
      replace_all(replace_all(kSource, "for (int i = 0; i <= count; ++i) sum",
                              "for (int i = 0;\n       i <= count;\n       ++i)\n    sum"),
                  "strcpy(text, \"\")", "strcpy(\n      text,\n      \"\")");
  EXPECT_EQ(codes(look({{"a.c", wrapped}})), codes(first)) << "a statement over several lines";
  EXPECT_EQ(codes(look({{"other.c", wrapped}})), codes(first)) << "and the file renamed";
  EXPECT_EQ(stored(), 2U);
}

TEST_P(IdentityContract, QuotesTrailingCommasAndParenthesesOfAFormatterChangeNothing) {
  const std::string before = "x = dict(a='strcpy', b=2)\ny = first and strcpy('q', z)\n";
  const std::string after =
      "x = dict(\n    a=\"strcpy\",\n    b=2,\n)\ny = (\n    first\n    and strcpy(\"q\", z)\n)\n";
  const auto first = look({{"a.py", before}});
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(codes(look({{"a.py", after}})), codes(first));
}

TEST_P(IdentityContract, AnEditNearItChangesNothing) {
  const auto first = look({{"a.c", kSource}});
  std::string edited = kSource;
  edited.replace(edited.find("  return sum;"), 0, "  log_total(sum);\n");
  edited.replace(edited.find("  strcpy"), 0, "  if (text == NULL) return;\n");
  EXPECT_EQ(codes(look({{"a.c", edited}})), codes(first));
}

TEST_P(IdentityContract, ACopyIsNewAndTheOriginalKeepsItsIssues) {
  const auto first = look({{"b.c", kSource}});
  const auto second = look({{"a.c", kSource}, {"b.c", kSource}});
  EXPECT_EQ(codes(second), (Codes{"BE-003", "BE-004", "BE-001", "BE-002"}));
  EXPECT_EQ(second[0].trend, IssueTrend::fresh);
  EXPECT_EQ(second[2].id, first[0].id);
}

TEST_P(IdentityContract, TwoFilesOfTheSameContentBothRenamed) {
  const auto first = look({{"x/a.c", kSource}, {"y/b.c", kSource}});
  const auto second = look({{"z/a.c", kSource}, {"z/b.c", kSource}});
  EXPECT_EQ(codes(second), codes(first)) << "each to the file of its own name";
}

TEST_P(IdentityContract, TheSameStatementTwiceIsTwoIssues) {
  const std::string twice = kSource + kSource;
  const auto first = look({{"a.c", twice}});
  EXPECT_EQ(codes(first), (Codes{"BE-001", "BE-002", "BE-003", "BE-004"}));
  EXPECT_EQ(codes(look({{"a.c", "int x;\n" + twice}})), codes(first));
  EXPECT_EQ(codes(look({{"b.c", twice}})), codes(first));
}

TEST_P(IdentityContract, AMovedSecondOneIsNotTakenForAFixedFirstOne) {
  const auto first = look({{"a.c", kSource + kSource}}); // off-by-one: BE-001 and BE-002
  add_session("sess1");
  Issue fixed = first[0];
  move(fixed.id, IssueStatus::open, IssueStatus::in_progress);
  Unit unit = full_unit("u1", "sess1");
  Attempt attempt = full_attempt("a1-" + fixed.fingerprint, "sess1", "u1", fixed.id);
  Change made;
  made.units = {unit};
  made.attempts = {attempt};
  must(store().apply(made, kNow));
  must(store().apply(resolving(fixed, "c1"), kNow));
  std::string mended = kSource;
  mended.replace(mended.find("i <= count"), 10, "i < count");
  const auto second = look({{"a.c", mended + kSource}});
  EXPECT_EQ(second[0].code, first[1].code) << "the open one, although it is the first of its kind now";
  EXPECT_EQ(must(store().issue("fake-repository", fixed.code)).seen_commit, "commit1");
}

TEST_P(IdentityContract, WithoutColumnsTheLineIsThePlace) {
  const auto first = look({{"a.c", kSource}}, false);
  EXPECT_EQ(codes(look({{"b.c", "int y;\n" + kSource}}, false)), codes(first));
  EXPECT_EQ(codes(look({{"b.c", kSource}}, true)), codes(first)) << "a tool that starts to tell columns";
}

TEST_P(IdentityContract, NotFoundAnyMoreIsKeptUntilItIsFoundAgain) {
  const auto first = look({{"a.c", kSource}});
  Change change;
  change.absences = {{first[0].id, "commit2"}};
  must(store().apply(change, kNow));
  change.absences = {{first[0].id, "commit3"}};
  must(store().apply(change, kNow));
  EXPECT_EQ(must(store().issue("fake-repository", "BE-001")).absent_commit, "commit2")
      << "the first commit without it";
  EXPECT_EQ(look({{"a.c", kSource}})[0].absent_commit, "");
}

TEST_P(IdentityContract, OneLookMayComeInSeveralCalls) {
  FakeRepository repository({{"a.c", kSource}});
  const Sighting sighting = new_sighting("c", [](const std::string&) { return true; });
  const auto findings = reported("a.c", kSource, "strcpy", "unsafe-copy");
  const auto once = must(store().add_issues(must(triage(findings, repository, "c")), kNow, sighting));
  const auto again = must(store().add_issues(must(triage(findings, repository, "c")), kNow, sighting));
  EXPECT_EQ(again[0].id, once[0].id);
  EXPECT_EQ(again[0].trend, IssueTrend::fresh) << "still the same look";
}

TEST_P(IdentityContract, PagesHoldEveryIssueOnceAndTrendsFilter) {
  std::vector<Issue> many;
  for (int i = 0; i < 4'500; ++i) {
    Issue issue;
    issue.repository_id = "repo";
    issue.fingerprint = std::to_string(i);
    issue.finding.file = i % 2 == 0 ? "a.c" : "b.c";
    many.push_back(issue);
  }
  must(store().add_issues(many, kNow));
  many.resize(10);
  must(store().add_issues(many, kNow + 1));
  const auto count = [&](const IssueFilter& filter) {
    std::set<std::string> seen;
    must(store().for_each_issue(filter, [&](Issue&& issue) -> Status {
      EXPECT_TRUE(seen.insert(issue.id).second);
      return {};
    }));
    return seen.size();
  };
  EXPECT_EQ(count({.repository_id = "repo"}), 4'500U);
  EXPECT_EQ(count({.repository_id = "repo", .limit = 2'001}), 2'001U);
  EXPECT_EQ(count({.repository_id = "repo", .file_glob = "a.c", .limit = 2'001}), 2'001U);
  EXPECT_EQ(count({.repository_id = "repo", .trend = IssueTrend::ongoing}), 10U);
  EXPECT_EQ(count({.repository_id = "repo", .trend = IssueTrend::fresh}), 4'490U);
}

} // namespace emend::testing_support
