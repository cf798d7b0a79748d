#include "engine/intake/baseline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.hpp"

namespace emend {
namespace {

using testing::HasSubstr;

Issue issue(const std::string& file, const std::string& fingerprint, const std::string& content = "c",
            const std::string& line = "l") {
  Issue made;
  made.code = "BE-001";
  made.fingerprint = fingerprint;
  made.content_fingerprint = content;
  made.line_key = line;
  made.finding.file = file;
  made.finding.rule = "R";
  made.finding.agent = "tool";
  return made;
}

Baseline of(const std::vector<Issue>& issues) {
  Baseline baseline;
  for (const Issue& one : issues) baseline.entries.push_back(baseline_entry(one, "accepted"));
  return baseline;
}

bool has(const std::string& file) { return file != "gone.c"; }

TEST(BaselineFile, IsSortedOneEntryALineAndReadsBackTheSame) {
  const std::string text = write_baseline(of({issue("b.c", "2"), issue("a.c", "9"), issue("a.c", "1")}));
  EXPECT_EQ(text, write_baseline(of({issue("a.c", "1"), issue("b.c", "2"), issue("a.c", "9")})));
  EXPECT_EQ(lines_of(text).size(), 3U + 5U);
  const auto read = parse_baseline(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(write_baseline(*read), text);
  EXPECT_EQ(read->entries[0].fingerprint, "1");
  EXPECT_EQ(read->entries[0].found_by, std::vector<std::string>{"tool"});
  EXPECT_EQ(write_baseline({}), write_baseline(*parse_baseline(write_baseline({}))));
}

TEST(BaselineFile, AnythingElseIsRefusedWithWords) {
  for (const char* text :
       {"", "[]", "{}", "{\"schema\":\"emend.baseline/v1\"}", "{\"schema\":\"x\",\"entries\":[]}",
        "{\"schema\":\"emend.baseline/v1\",\"entries\":[{\"file\":\"a\"}]}",
        "{\"schema\":\"emend.baseline/v1\",\"entries\":[7]}"})
    EXPECT_FALSE(parse_baseline(text)) << text;
  EXPECT_THAT(parse_baseline("{}").error().remedy, HasSubstr("baseline create"));
}

TEST(BaselineMatch, AnEntryAcceptsOneIssue) {
  const Baseline baseline = of({issue("a.c", "1")});
  const auto match = match_baseline(baseline, {issue("a.c", "2", "other", "other"), issue("a.c", "1")}, has);
  EXPECT_EQ(match.accepted_by[0], nullptr);
  EXPECT_EQ(match.accepted_by[1], &baseline.entries[0]);
  EXPECT_TRUE(match.unused.empty());
}

TEST(BaselineMatch, ARenamedFileAndAnEditNearbyAreFollowedButACopyIsNew) {
  const Baseline gone = of({issue("gone.c", "1")}), kept = of({issue("a.c", "1")});
  EXPECT_NE(match_baseline(gone, {issue("new.c", "2", "c", "x")}, has).accepted_by[0], nullptr) << "renamed";
  EXPECT_NE(match_baseline(kept, {issue("a.c", "2", "x", "l")}, has).accepted_by[0], nullptr)
      << "edited near it";
  const auto copied = match_baseline(kept, {issue("copy.c", "2"), issue("a.c", "1")}, has);
  EXPECT_EQ(copied.accepted_by[0], nullptr);
  EXPECT_NE(copied.accepted_by[1], nullptr);
}

TEST(BaselineMatch, ASecondEqualFindingIsNewAndWhatIsNotFoundIsUnused) {
  const Baseline baseline = of({issue("a.c", "1"), issue("a.c", "2", "other", "other line")});
  const auto match = match_baseline(baseline, {issue("a.c", "1"), issue("a.c", "3")}, has);
  EXPECT_NE(match.accepted_by[0], nullptr);
  EXPECT_EQ(match.accepted_by[1], nullptr) << "its line is accepted once, and that is taken";
  ASSERT_EQ(match.unused.size(), 1U);
  EXPECT_EQ(match.unused[0]->fingerprint, "2");
}

} // namespace
} // namespace emend
