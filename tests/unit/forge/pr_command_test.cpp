#include "engine/forge/pr_command.hpp"

#include <gmock/gmock.h>

#include "engine/forge/command_desk.hpp"
#include "engine/forge/forge_text.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

const std::string kHead(40, 'a'), kOther(40, 'b');

PullRequest open_pull() {
  PullRequest pull;
  pull.number = 42;
  pull.head_sha = kHead;
  return pull;
}

Remark said_by(const std::string& author, std::int64_t at = 2'000) {
  Remark remark;
  remark.author = author;
  remark.created_ms = at;
  return remark;
}

PrCommand command_in(std::string_view body) {
  const ReadComment read = read_comment(body);
  EXPECT_TRUE(read.command) << body << ": " << read.refusal;
  return read.command.value_or(PrCommand{});
}

std::string refusal(std::string_view body, bool fork = false, Right right = Right::write,
                    std::optional<std::int64_t> since = 1'000, const PullRequest& pull = open_pull()) {
  return reason_to_refuse(command_in(body), said_by("alice"), pull, fork, right, since);
}

} // namespace

TEST(PrCommandTest, EveryVerbIsReadWithItsWords) {
  EXPECT_EQ(command_in("/emend review").verb, PrVerb::review);
  EXPECT_EQ(command_in("/emend check BE-001").codes.front(), "BE-001");
  const PrCommand fix = command_in("/emend fix BE-001 BE-1234 --stacked @" + kHead);
  EXPECT_THAT(fix.codes, ElementsAre("BE-001", "BE-1234"));
  EXPECT_TRUE(fix.stacked);
  EXPECT_EQ(fix.commit, kHead);
  EXPECT_EQ(to_string(fix), "fix BE-001 BE-1234 --stacked @aaaaaaaaaaaa");
  const PrCommand dismiss = command_in("/emend dismiss BE-001 because the caller checks it");
  EXPECT_EQ(dismiss.because, "the caller checks it");
  for (const char* body : {"/emend stop", "/emend help", "/emend explain BE-001"})
    EXPECT_TRUE(read_comment(body).command) << body;
}

TEST(PrCommandTest, OnlyTheFirstLineCountsAndOnlyItsEndMayBeBlank) {
  EXPECT_THAT(command_in("/emend fix BE-001  \r\nBE-002\n/emend stop").codes, ElementsAre("BE-001"));
  for (const char* body : {"", "\n/emend fix BE-001", " /emend fix BE-001", "> /emend fix BE-001",
                           "```\n/emend fix BE-001\n```", "<!-- /emend fix -->", "/emender fix", "/emend-fix",
                           "/emend.fix", "/emend/fix", "/emend2 fix", "/EMEND fix", "please /emend fix"}) {
    const ReadComment read = read_comment(body);
    EXPECT_FALSE(read.command) << body;
    EXPECT_THAT(read.refusal, IsEmpty()) << "it is not for us, so nobody waits for an answer: " << body;
  }
}

TEST(PrCommandTest, WhatBeginsLikeOneAndIsNoneIsRefusedInOneLine) {
  const std::string mark = to_string(Mark{"0123456789abcdef", "k3f9"});
  for (const std::string& body : {std::string("/emend"),
                                  std::string("/emend  fix BE-001"),
                                  std::string("/emend\tfix"),
                                  std::string("/emend fix BE-001 --to=branch"),
                                  std::string("/emend fix BE-1"),
                                  std::string("/emend fix be-001"),
                                  std::string("/emend fix BE-001 @abcdef"),
                                  "/emend fix @" + kHead + " BE-001",
                                  "/emend explain @" + kHead,
                                  std::string("/emend explain BE-001 BE-002"),
                                  std::string("/emend check BE-001 BE-002"),
                                  std::string("/emend dismiss BE-001"),
                                  std::string("/emend dismiss BE-001 because"),
                                  std::string("/emend dismiss because"),
                                  std::string("/emend dismiss all because I say so"),
                                  std::string("/emend dismiss BE-001 since it is fine"),
                                  std::string("/emend review --stacked"),
                                  std::string("/emend fix --stacked --stacked"),
                                  std::string("/emend stop now"),
                                  std::string("/emend fi\xE2\x80\x8Bx BE-001"),
                                  "/emend fix BE-001\n\n" + mark,
                                  "/emend fix " + std::string(400, 'A')}) {
    const ReadComment read = read_comment(body);
    EXPECT_FALSE(read.command) << body;
    EXPECT_THAT(read.refusal, Not(IsEmpty())) << body;
    EXPECT_THAT(read.refusal, Not(HasSubstr("\n"))) << body;
  }
}

TEST(PrCommandTest, OwnWordsBotsAndEditedOnesArePassedOverInSilence) {
  const CommandSettings nobody{}, deploy{{"deploy[bot]"}};
  Remark remark = said_by("deploy[bot]");
  remark.body = "/emend review";
  EXPECT_THAT(reason_to_ignore(remark, nobody), IsEmpty());
  remark.bot = true;
  EXPECT_THAT(reason_to_ignore(remark, nobody), HasSubstr("forge.allow_bots"));
  EXPECT_THAT(reason_to_ignore(remark, deploy), IsEmpty());
  remark.edited = true;
  EXPECT_THAT(reason_to_ignore(remark, deploy), HasSubstr("edited"));
  remark.own = true;
  EXPECT_THAT(reason_to_ignore(remark, deploy), HasSubstr("own"));
  Remark quoted = said_by("alice");
  quoted.body = "/emend review\n" + to_string(Mark{"0123456789abcdef", "k3f9"});
  EXPECT_THAT(reason_to_ignore(quoted, nobody), HasSubstr("mark"));
  EXPECT_THAT(reason_to_ignore(said_by(""), nobody), Not(IsEmpty()));
}

TEST(PrCommandTest, RightsAreThoseOfTheVerb) {
  for (const char* body : {"/emend review", "/emend check", "/emend fix BE-001", "/emend stop",
                           "/emend dismiss BE-001 because no"}) {
    EXPECT_THAT(refusal(body), IsEmpty()) << body;
    EXPECT_THAT(refusal(body, false, Right::read), HasSubstr("alice may only read")) << body;
    EXPECT_THAT(refusal(body, false, Right::none), HasSubstr("neither read nor write")) << body;
  }
  for (const char* body : {"/emend explain BE-001", "/emend help"}) {
    EXPECT_THAT(refusal(body, false, Right::read), IsEmpty()) << body;
    EXPECT_THAT(refusal(body, false, Right::none), Not(IsEmpty())) << body;
  }
}

TEST(PrCommandTest, ItIsBoundToTheCommitThatThePersonSaw) {
  EXPECT_THAT(refusal("/emend fix BE-001", false, Right::write, 1'999), IsEmpty());
  EXPECT_THAT(refusal("/emend fix BE-001", false, Right::write, 2'000), HasSubstr("branch changed"))
      << "in the same moment is not before";
  EXPECT_THAT(refusal("/emend fix BE-001", false, Right::write, 2'001),
              HasSubstr("/emend fix BE-001 @" + kHead));
  EXPECT_THAT(refusal("/emend fix BE-001", false, Right::write, std::nullopt),
              HasSubstr("does not say when"));
  EXPECT_THAT(refusal("/emend fix @" + kHead, false, Right::write, std::nullopt), IsEmpty());
  EXPECT_THAT(refusal("/emend fix @" + kOther), HasSubstr("is not the newest commit"));
  EXPECT_THAT(refusal("/emend stop", false, Right::write, 9'000), IsEmpty()) << "not about a commit";
}

TEST(PrCommandTest, CodeOfForksIsRunForNamedCommitsOnlyAndNeverFixed) {
  EXPECT_THAT(refusal("/emend review", true), IsEmpty());
  EXPECT_THAT(refusal("/emend check", true), HasSubstr("/emend check @" + kHead));
  EXPECT_THAT(refusal("/emend check @" + kHead, true), IsEmpty());
  EXPECT_THAT(refusal("/emend fix BE-001 @" + kHead, true), HasSubstr("fork"));
}

TEST(PrCommandTest, TheCodeMayBeLeftOutOnlyWhereTheThreadSaysIt) {
  const PrCommand dismiss = command_in("/emend dismiss because the caller checks it");
  EXPECT_THAT(dismiss.codes, IsEmpty());
  EXPECT_EQ(dismiss.because, "the caller checks it");
  for (const char* body : {"/emend explain", "/emend dismiss because no"})
    EXPECT_THAT(refusal(body), HasSubstr("only in a thread that emend began")) << body;
  PrCommand explain = command_in("/emend explain");
  explain.codes = {"BE-001"}; // as the thread says it
  EXPECT_THAT(reason_to_refuse(explain, said_by("alice"), open_pull(), false, Right::read, 1'000), IsEmpty());
}

TEST(PrCommandTest, NothingIsDoneWhereItIsOver) {
  PullRequest merged = open_pull();
  merged.state = PullState::merged;
  EXPECT_THAT(refusal("/emend fix BE-001", false, Right::write, 1'000, merged), HasSubstr("not open"));
}

TEST(PrCommandTest, ReceiptsSayWhatBecameOfEachAndAreBounded) {
  std::vector<PrCommandTaken> taken;
  std::vector<PrCommandEnded> ended;
  for (int i = 0; i < 30; ++i) {
    const std::string id = std::to_string(i);
    taken.push_back({"https://f/p", 42, id, "al|ice @all", "fix BE-001", kHead});
    if (i < 29) ended.push_back({"https://f/p", 42, id, "refused", "because " + id + "\n/merge"});
  }
  const std::string text = receipts_text(taken, ended, "");
  EXPECT_THAT(text, Not(HasSubstr("because 9\n"))) << "the oldest make room";
  EXPECT_THAT(text, HasSubstr("because 28"));
  EXPECT_THAT(text, Not(HasSubstr("\n/merge")));
  EXPECT_THAT(text, Not(HasSubstr("@all"))) << "nobody is mentioned";
  EXPECT_EQ(mark_in(text)->fingerprint, "commands");
  EXPECT_THAT(text, Not(HasSubstr("| command |")));
  taken.push_back({"https://f/p", 42, "30", "alice", "help", kHead});
  EXPECT_THAT(receipts_text(taken, ended, ""), HasSubstr("| command |"));
}

TEST(ReceiptsTest, AMachineThatKeepsNothingLeavesTheAnswersOfOthers) {
  const std::string before = receipts_text(
      {{"p", 42, "1", "alice", "fix BE-001", "head"}, {"p", 42, "2", "alice", "review", "head"}},
      {{"p", 42, "1", "done", "pull request 7"}}, "");
  const std::string after = receipts_text({{"p", 42, "3", "bob", "help", "head"}},
                                          {{"p", 42, "3", "done", "the commands are listed below"}}, before);
  EXPECT_THAT(after, HasSubstr("- done (`fix BE-001`, alice): pull request 7\n- done (`help`, bob)"));
  EXPECT_THAT(after, Not(HasSubstr("at work"))) << "who was at it is not known here";
  EXPECT_EQ(receipts_text({{"p", 42, "3", "bob", "help", "head"}},
                          {{"p", 42, "3", "done", "the commands are listed below"}}, after),
            after)
      << "nothing twice";
}

} // namespace emend
