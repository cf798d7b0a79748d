#include "engine/forge/threads.hpp"

#include <gmock/gmock.h>

#include "engine/forge/forge_text.hpp"

namespace emend {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ThreadsTest : public testing::Test {
protected:
  ThreadsTest() {
    Remark first;
    first.own = true;
    first.author = "emend-user";
    first.body = "Off by one\n\n" + to_string(Mark{kPrint, "k3f9"});
    thread_.id = "T1";
    thread_.path = "src/a.c";
    thread_.line = thread_.line_then = 3;
    thread_.remarks = {first};
    Issue issue;
    issue.code = "BE-001";
    issue.status = IssueStatus::open;
    facts_.issue = issue;
  }

  void says(const std::string& author, const std::string& body, bool bot = false) {
    Remark remark;
    remark.author = author;
    remark.body = body;
    remark.bot = bot;
    thread_.remarks.push_back(remark);
  }

  std::vector<ThreadStep> plan() {
    return plan_threads({thread_}, {{kPrint, facts_}}, kHead, said_, proposed_);
  }

  const std::string kPrint = "0123456789abcdef", kHead = std::string(40, 'a');
  ReviewThread thread_;
  ThreadFacts facts_;
  std::vector<PrThreadAnswered> said_;
  std::vector<PrDismissalProposed> proposed_;
};

TEST_F(ThreadsTest, WhatIsStillThereIsNotSpokenOf) {
  EXPECT_THAT(plan(), IsEmpty());
  facts_.lines_changed = true;
  EXPECT_THAT(plan(), IsEmpty()) << "no review looked for it";
  facts_.still_found = true;
  EXPECT_THAT(plan(), IsEmpty());
  facts_.lines_changed = false;
  facts_.still_found = false;
  EXPECT_THAT(plan(), IsEmpty()) << "found no more, but nothing changed: agents differ from day to day";
}

TEST_F(ThreadsTest, WhatIsGoneIsAnsweredOnceAndResolved) {
  facts_.lines_changed = true;
  facts_.still_found = false;
  ASSERT_THAT(plan(), SizeIs(1));
  EXPECT_TRUE(plan().front().resolve);
  EXPECT_THAT(plan().front().reply, HasSubstr("Gone in aaaaaaaaaaaa: BE-001"));
  said_.push_back({"https://f/p", 42, "T1", kPrint, kHead, true, ""});
  EXPECT_THAT(plan(), IsEmpty());
}

TEST_F(ThreadsTest, WhatACheckProvedIsAnsweredAndOver) {
  facts_.proven = "PROVEN: failed before, passes now";
  ASSERT_THAT(plan(), SizeIs(1));
  EXPECT_TRUE(plan().front().resolve);
  EXPECT_EQ(plan().front().reply, "Checked at aaaaaaaaaaaa: BE-001, PROVEN: failed before, passes now");
  facts_.still_found = true;
  EXPECT_THAT(plan(), IsEmpty()) << "a review that finds it again is believed more";
}

TEST_F(ThreadsTest, ADismissalIsSaidInTheThreadAndKnownAgainByItsMark) {
  facts_.issue->status = IssueStatus::ignored;
  facts_.issue->detail = "alice: the caller checks it";
  ASSERT_THAT(plan(), SizeIs(1));
  EXPECT_TRUE(plan().front().resolve);
  EXPECT_EQ(plan().front().reply, "Dismissed: BE-001, alice: the caller checks it");
  EXPECT_EQ(plan().front().mark, kDismissedMark);
  thread_.resolved = true;
  EXPECT_THAT(plan(), IsEmpty());
}

TEST_F(ThreadsTest, AFixThatIsInTheHeadIsNamedWithItsEvidence) {
  facts_.issue->status = IssueStatus::merged;
  facts_.issue->evidence = "proven";
  facts_.lines_changed = true;
  ASSERT_THAT(plan(), SizeIs(1));
  EXPECT_THAT(plan().front().reply, HasSubstr("Fixed: BE-001 is in aaaaaaaaaaaa"));
  EXPECT_THAT(plan().front().reply, HasSubstr("proven"));
  facts_.still_found = true;
  EXPECT_THAT(plan(), IsEmpty()) << "a review that finds it again is believed more";
}

TEST_F(ThreadsTest, OnlyThreadsThatWeBeganAndMarkedAreOurs) {
  facts_.lines_changed = true;
  facts_.still_found = false;
  thread_.remarks.front().own = false;
  EXPECT_THAT(plan(), IsEmpty()) << "somebody quotes our mark";
  thread_.remarks.front().own = true;
  thread_.remarks.front().body = "no mark";
  EXPECT_THAT(plan(), IsEmpty());
  thread_.remarks.clear();
  EXPECT_THAT(plan(), IsEmpty());
}

TEST_F(ThreadsTest, WhoResolvesItOrDecidesAgainstItIsAskedAboutOnceAndNeverOverruled) {
  thread_.resolved = true;
  thread_.resolved_by = "alice";
  ASSERT_THAT(plan(), SizeIs(1));
  EXPECT_EQ(plan().front().dismissed_by, "alice");
  EXPECT_THAT(plan().front().reply, IsEmpty());
  EXPECT_FALSE(plan().front().resolve);
  proposed_.push_back({"https://f/p", 42, "T1", "BE-001", "alice"});
  EXPECT_THAT(plan(), IsEmpty());
}

TEST_F(ThreadsTest, WordsOfPeopleThatDecideAreProposedForDismissal) {
  says("bob", "is this a false positive?");
  EXPECT_THAT(plan(), IsEmpty()) << "a question decides nothing";
  says("some-bot", "won't fix", true);
  EXPECT_THAT(plan(), IsEmpty());
  says("bob", "Won't fix, the caller checks it.");
  ASSERT_THAT(plan(), SizeIs(1));
  EXPECT_EQ(plan().front().dismissed_by, "bob");
  facts_.issue->status = IssueStatus::resolved;
  EXPECT_THAT(plan(), IsEmpty()) << "what is fixed needs no dismissal";
}

TEST_F(ThreadsTest, ALineIsGoneWhenItsTextIsNowhereInTheFile) {
  EXPECT_TRUE(line_is_gone("a\nb\n", 2, "a\nc\n"));
  EXPECT_FALSE(line_is_gone("a\nb\n", 2, "x\n\n  b\n")) << "it moved";
  EXPECT_TRUE(line_is_gone("a\nb\n", 2, std::nullopt)) << "the file is gone";
  EXPECT_FALSE(line_is_gone(std::nullopt, 2, "a\n")) << "who cannot know does not say";
  EXPECT_FALSE(line_is_gone("a\n", 0, "b\n"));
  EXPECT_FALSE(line_is_gone("a\n", 9, "b\n"));
}

} // namespace emend
