#include "engine/intake/triage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "base/strings.hpp"
#include "tests/fakes/fake_repository.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Finding finding(const std::string& file, int line = 0) {
  Finding made;
  made.file = file;
  made.line = made.line_end = line;
  made.category = "bug";
  made.title = "t";
  made.description = "a leak";
  return made;
}

class Triage : public testing::Test {
protected:
  std::vector<Issue> triaged(const std::vector<Finding>& findings) {
    auto issues = triage(findings, repository, "base");
    EXPECT_TRUE(issues) << (issues ? "" : issues.error().message);
    return issues ? *issues : std::vector<Issue>{};
  }
  Issue triaged(const Finding& one) { return triaged(std::vector<Finding>{one}).at(0); }

  FakeRepository repository{{{"src/a.c", "one\ntwo\nthree\n"}, {"src/sub/b.c", "x\n"}, {"empty.c", ""}}};
};

TEST_F(Triage, KeepsEveryFindingInOrder) {
  const auto issues = triaged(
      {finding("src/a.c", 1), finding("gone.c"), finding(""), finding("../x"), finding("src/a.c", 1)});
  ASSERT_EQ(issues.size(), 5U);
  EXPECT_EQ(issues[0].repository_id, "fake-repository");
  EXPECT_EQ(issues[0].status, IssueStatus::open);
  EXPECT_EQ(issues[0].id, "");
  EXPECT_EQ(issues[0].code, "");
  EXPECT_EQ(issues[0].fingerprint, issues[4].fingerprint);
}

TEST_F(Triage, TheSameTextOnTwoLinesIsTwoIssues) {
  FakeRepository twice{{{"a.c", "x\nfree(p);\ny\nx\nfree(p);\ny\n"}}};
  auto issues = triage({finding("a.c", 2), finding("a.c", 5), finding("a.c", 2)}, twice, "base");
  ASSERT_TRUE(issues);
  EXPECT_NE((*issues)[0].fingerprint, (*issues)[1].fingerprint);
  EXPECT_EQ((*issues)[0].fingerprint, (*issues)[2].fingerprint);
}

TEST_F(Triage, PathsOfOneFileBecomeOne) {
  for (const char* path :
       {"src/a.c", "./src/a.c", "src//a.c", "src/sub/../a.c", "/repo/src/a.c", "/repo/./src//a.c"}) {
    const Issue issue = triaged(finding(path));
    EXPECT_EQ(issue.finding.file, "src/a.c") << path;
    EXPECT_THAT(issue.finding.annotations, IsEmpty()) << path;
  }
}

TEST_F(Triage, PathsThatLeaveTheRepository) {
  for (const char* path : {"../a.c", "src/../../a.c", "/etc/passwd", "/repository/src/a.c", "/repo2/a.c",
                           "..", ".", "/repo", "src/.."})
    EXPECT_THAT(triaged(finding(path)).finding.annotations, ElementsAre(kOutside)) << path;
  EXPECT_THAT(triaged(finding("..a.c")).finding.annotations, ElementsAre(kFileMissing))
      << "a name that only looks like it";
}

TEST_F(Triage, Annotations) {
  EXPECT_THAT(triaged(finding("")).finding.annotations, ElementsAre(kNoFile));
  EXPECT_THAT(triaged(finding("src/gone.c", 3)).finding.annotations, ElementsAre(kFileMissing));
  EXPECT_THAT(triaged(finding("src/a.c", 3)).finding.annotations, IsEmpty());
  EXPECT_THAT(triaged(finding("src/a.c", 4)).finding.annotations, ElementsAre(kLinePastEnd));
  EXPECT_THAT(triaged(finding("empty.c", 1)).finding.annotations, ElementsAre(kLinePastEnd));
  EXPECT_THAT(triaged(finding("src/a.c", 0)).finding.annotations, IsEmpty());
  Finding known = finding("src/gone.c");
  known.annotations = {"duplicate_id", std::string(kFileMissing)};
  EXPECT_THAT(triaged(known).finding.annotations, ElementsAre("duplicate_id", kFileMissing)) << "said once";
}

TEST_F(Triage, RelatedFilesAreNormalisedAndBounded) {
  Finding one = finding("src/a.c");
  one.related_files = {"./src/sub/b.c", "/repo/src/new.c", "../../etc/passwd", ""};
  EXPECT_THAT(triaged(one).finding.related_files, ElementsAre("src/sub/b.c", "src/new.c"));
}

TEST_F(Triage, ARepositoryThatCannotBeReadIsAnError) {
  repository.break_path("src/a.c", ErrorCode::git);
  const auto issues = triage({finding("src/a.c")}, repository, "base");
  ASSERT_FALSE(issues);
  EXPECT_EQ(issues.error().code, ErrorCode::git);
}

TEST(Fingerprint, IndependentOfTheLineNumber) {
  EXPECT_EQ(fingerprint(finding("a.c", 2), "one\ntwo\nthree\n"),
            fingerprint(finding("a.c", 5), "new\nlines\nhere\none\ntwo\nthree\n"));
}

TEST(Fingerprint, IndependentOfWhiteSpace) {
  const auto plain = fingerprint(finding("a.c", 2), "one\ntwo + 2\nthree\n");
  EXPECT_EQ(plain, fingerprint(finding("a.c", 2), "one\n\ttwo+2\nthree\n"));
  EXPECT_EQ(plain, fingerprint(finding("a.c", 2), "one\r\ntwo + 2\r\nthree\r\n"));
  EXPECT_EQ(plain, fingerprint(finding("a.c", 4), "one\n\n  \n two + 2\n\n\nthree\n"))
      << "blank neighbours do not count";
  Finding wrapped = finding("a.c", 2);
  wrapped.description = "a\n  Leak";
  EXPECT_EQ(plain, fingerprint(wrapped, "one\ntwo + 2\nthree\n"))
      << "nor does how the description is wrapped";
}

TEST(Fingerprint, DifferentThingsDiffer) {
  const std::string text = "one\ntwo\nthree\nfour\n";
  const auto plain = fingerprint(finding("a.c", 2), text);
  EXPECT_NE(plain, fingerprint(finding("b.c", 2), text));
  EXPECT_NE(plain, fingerprint(finding("a.c", 3), text));
  EXPECT_NE(plain, fingerprint(finding("a.c", 0), text));
  EXPECT_NE(plain, fingerprint(finding("a.c", 2), "one\n2\nthree\nfour\n"));
  Finding other = finding("a.c", 2);
  other.description = "another leak";
  EXPECT_NE(plain, fingerprint(other, text));
}

TEST(Fingerprint, ARuleOutranksItsWords) {
  Finding one = finding("a.c", 2), two = finding("a.c", 2);
  one.rule = two.rule = "R1";
  two.description = "said differently";
  EXPECT_EQ(fingerprint(one, "a\nb\n"), fingerprint(two, "a\nb\n"));
  two.rule = "R2";
  EXPECT_NE(fingerprint(one, "a\nb\n"), fingerprint(two, "a\nb\n"));
}

TEST(Fingerprint, EdgesDoNotMatter) {
  for (const int line : {0, 1, 2, 3, 100'000'000})
    EXPECT_EQ(fingerprint(finding("a.c", line), "a\n").size(), 32U);
  EXPECT_EQ(fingerprint(finding("a.c", 5), "").size(), 32U);
}

TEST_F(Triage, ASecretNeverGetsIntoAnIssue) {
  const std::string secret = "ghp_" + std::string(36, 'Q');
  Finding made = finding("src/a.c", 2);
  made.title = "leaks " + secret;
  made.description = "it prints " + secret;
  made.suggestion = "remove " + secret;
  made.group = made.category = made.agent = made.id = secret;
  made.found_by = {secret};
  made.fixit = FixIt{"insert " + secret, true, {{"src/a.c", 0, 0, "token = \"" + secret + "\";\n"}}, {}};
  const Issue issue = triaged(made);
  EXPECT_FALSE(contains(dump_json(to_json(issue.finding)), secret)) << dump_json(to_json(issue.finding));
  EXPECT_EQ(issue.finding.title, "leaks [redacted:github-token]") << "the rest of the words stays";
  EXPECT_FALSE(issue.finding.fixit) << "an edit without its secret would be another edit";
}

// What a reader cuts it cuts before anybody asked the user's own patterns.
TEST_F(Triage, HalfASecretOfTheUsersIsNotLeftWhereLongWordsAreCut) {
  const auto redactor = Redactor::with_patterns({"CUST-[0-9]{20}"}).value();
  const std::string secret = "CUST-" + std::string(20, '7');
  for (const std::size_t length : {100U, 160U, 200U, 300U, 500U, 4'000U, 10'000U, 20'000U}) {
    for (std::size_t before = length - 30; before < length + 5; ++before) {
      const std::string words = std::string(before, 'x') + " " + secret + " " + std::string(before, 'y');
      Finding titled = finding("src/a.c", 1), plain = titled, noted = titled;
      titled.title = titled.suggestion = titled.category = words;
      plain.description = words;
      plain.title = first_line(words, 100); // as readers take it
      noted.annotations = {"fingerprint:" + words};
      noted.fixit = FixIt{words, true, {{"src/a.c", 0, 0, "z"}}, {}};
      const auto issues = triage({titled, plain, noted}, repository, "base", redactor);
      ASSERT_TRUE(issues);
      for (const Issue& issue : *issues)
        EXPECT_FALSE(contains(dump_json(to_json(issue.finding)), "CUST")) << length << ": " << before;
    }
  }
}

TEST_F(Triage, LongWordsAreCut) {
  Finding made = finding("src/a.c", 1);
  made.title = made.suggestion = std::string(50'000, 'x');
  made.description = "begin" + made.title + "end";
  made.annotations = {std::string(50'000, 'x')};
  const Finding kept = triaged(made).finding;
  EXPECT_EQ(kept.title.size(), 300U);
  EXPECT_LT(kept.description.size(), 20'100U);
  EXPECT_TRUE(kept.description.starts_with("begin") && kept.description.ends_with("end"));
  EXPECT_LT(kept.suggestion.size(), 20'100U);
  EXPECT_EQ(kept.annotations.front().size(), 500U);
}

TEST_F(Triage, APathWithASecretStaysOnlyWhereThereIsSuchAFile) {
  const auto redactor = Redactor::with_patterns({"CUST-[0-9]{6}"}).value();
  FakeRepository named{{{"src/CUST-123456.c", "one\n"}}};
  Finding made = finding("src/CUST-123456.c", 1), wrong = finding("CUST-999999.c", 1);
  made.related_files = {"src/CUST-123456.c", "CUST-654321", "src/other.c"};
  const auto issues = triage({made, wrong}, named, "base", redactor);
  ASSERT_TRUE(issues);
  EXPECT_EQ((*issues)[0].finding.file, "src/CUST-123456.c");
  EXPECT_THAT((*issues)[0].finding.related_files, ElementsAre("src/CUST-123456.c", "src/other.c"));
  EXPECT_FALSE(contains((*issues)[1].finding.file, "999999"));
}

TEST_F(Triage, TheSameFindingIsTheSameIssueWhateverItsSecret) {
  Finding made = finding("src/a.c", 0);
  made.line = made.line_end = 0;
  made.title = made.description = "leaks ghp_" + std::string(36, 'Q');
  const std::string once = triaged(made).fingerprint;
  EXPECT_EQ(triaged(made).fingerprint, once);
  made.title = made.description = triaged(made).finding.title; // as it is stored and exported
  EXPECT_EQ(triaged(made).fingerprint, once);
}

} // namespace
} // namespace emend
