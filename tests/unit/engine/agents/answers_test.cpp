#include "engine/agents/answers.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Issue issue_with(const std::string& code, const std::string& finding_id = {}) {
  Issue issue;
  issue.code = code;
  issue.finding.id = finding_id;
  return issue;
}

const std::vector<Issue>& expected() {
  static const std::vector<Issue> issues = {issue_with("BE-001", "F1"), issue_with("BE-002", "F2")};
  return issues;
}

FixerAnswer answer_of(const std::string& text, const std::vector<Issue>& issues = expected()) {
  auto parsed = parse_fixer_answer(text, issues);
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().message);
  return parsed ? *parsed : FixerAnswer{};
}

Claim claim_of(const FixerAnswer& answer, const std::string& code) {
  const auto found = answer.by_code.find(code);
  EXPECT_NE(found, answer.by_code.end());
  return found == answer.by_code.end() ? Claim::not_reported : found->second.claim;
}

TEST(FixerAnswer, NamesTestsThatAssertTheBug) {
  const FixerAnswer answer = answer_of(
      R"({"outcomes":[{"id":"BE-001","outcome":"fixed","asserts_bug":[{"test":"tests/a.py::test_b","from":"9","to":"10"},7,{"test":""}]},)"
      R"({"id":"BE-002","outcome":"fixed","asserts_bug":"all"}]})");
  ASSERT_EQ(answer.by_code.at("BE-001").asserts_bug.size(), 1U);
  EXPECT_EQ(answer.by_code.at("BE-001").asserts_bug[0].test, "tests/a.py::test_b");
  EXPECT_EQ(answer.by_code.at("BE-001").asserts_bug[0].to, "10");
  EXPECT_THAT(answer.by_code.at("BE-002").asserts_bug, IsEmpty());
  EXPECT_EQ(claim_of(answer, "BE-002"), Claim::fixed);
}

TEST(FixerAnswer, SaysWhichFailingTestsAreAnotherBugs) {
  const FixerAnswer answer = answer_of(
      R"({"outcomes":[{"id":"BE-001","outcome":"fixed","left_failing":[{"test":"t/a.py::test_b","why":"the\ncache is stale"},)"
      R"({"id":"test_c","reason":"the clock"},{"test":"test_d"},{"why":"x"},7]},)"
      R"({"id":"BE-002","outcome":"fixed","left_failing":"test_e"}]})");
  const auto& left = answer.by_code.at("BE-001").left_failing;
  ASSERT_EQ(left.size(), 2U) << "one without a reason says nothing";
  EXPECT_EQ(left[0].test, "t/a.py::test_b");
  EXPECT_EQ(left[0].why.find('\n'), std::string::npos);
  EXPECT_EQ(left[1].test, "test_c");
  EXPECT_THAT(answer.by_code.at("BE-002").left_failing, IsEmpty());
}

TEST(FixerAnswer, OtherFilesNeedAReason) {
  const std::vector<Issue> issues = [] {
    Issue one;
    one.code = "BE-001";
    return std::vector<Issue>{one};
  }();
  const auto answer = parse_fixer_answer(
      R"({"outcomes":[{"id":"BE-001","outcome":"contested","explanation":"it is right","other_files":)"
      R"([{"file":"lib/a.c","why":"the cause is there"},{"file":"lib/b.c"},{"why":"x"},7]}]})",
      issues);
  ASSERT_TRUE(answer);
  const auto& claimed = answer->by_code.at("BE-001");
  EXPECT_EQ(claimed.claim, Claim::contested);
  ASSERT_EQ(claimed.other_files.size(), 1U);
  EXPECT_EQ(claimed.other_files[0].file, "lib/a.c");
  EXPECT_EQ(claimed.other_files[0].why, "the cause is there");
}

TEST(FixerAnswer, OutcomesList) {
  const auto answer = answer_of(
      R"({"outcomes":[{"id":"BE-001","outcome":"fixed","explanation":"did it"},{"id":"BE-002","outcome":"blocked"}]})");
  EXPECT_EQ(claim_of(answer, "BE-001"), Claim::fixed);
  EXPECT_EQ(answer.by_code.at("BE-001").explanation, "did it");
  EXPECT_EQ(claim_of(answer, "BE-002"), Claim::blocked);
  EXPECT_THAT(answer.problems, IsEmpty());
  EXPECT_THAT(answer.unknown_ids, IsEmpty());
}

TEST(FixerAnswer, IssuesObject) {
  const auto answer = answer_of(
      R"({"issues":{"BE-001":{"status":"fixed","changes_summary":"x"},"BE-002":{"status":"false_positive","reason":"y"}}})");
  EXPECT_EQ(claim_of(answer, "BE-001"), Claim::fixed);
  EXPECT_EQ(answer.by_code.at("BE-001").explanation, "x");
  EXPECT_EQ(claim_of(answer, "BE-002"), Claim::false_positive);
  EXPECT_EQ(answer.by_code.at("BE-002").explanation, "y");
}

TEST(FixerAnswer, FencedAndBetweenProse) {
  const std::string json = R"({"outcomes":[{"id":"BE-001","outcome":"deferred"}]})";
  for (const std::string& text :
       {"```json\n" + json + "\n```", "I looked at {braces} first.\n\n```\n" + json + "\n```\nDone {really}.",
        "````md\n```json\n" + json + "\n```\n````", "first try {\"outcomes\":[]} then\n" + json})
    EXPECT_EQ(claim_of(answer_of(text), "BE-001"), Claim::deferred) << text;
}

TEST(FixerAnswer, TruncatedOrMissingIsAnAgentError) {
  for (const char* text :
       {"", "all fixed, trust me", R"({"outcomes":[{"id":"BE-001","outcome":"fix)", "[]", "null"}) {
    const auto parsed = parse_fixer_answer(text, expected());
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::agent) << text;
  }
}

TEST(FixerAnswer, ArrayInsteadOfObjectReportsNothing) {
  const auto answer = answer_of(R"([{"id":"BE-001","outcome":"fixed"}])");
  EXPECT_EQ(claim_of(answer, "BE-001"), Claim::not_reported);
  EXPECT_THAT(answer.problems, ElementsAre(HasSubstr("neither")));
}

TEST(FixerAnswer, MissingAndUnknownIds) {
  const auto answer = answer_of(
      R"({"outcomes":[{"id":"BE-999","outcome":"fixed"},{"outcome":"fixed"},"BE-001",{"id":7,"outcome":"fixed"}]})");
  EXPECT_THAT(answer.unknown_ids, ElementsAre("BE-999"));
  EXPECT_THAT(answer.problems, ElementsAre("an outcome without an id", "an outcome without an id",
                                           "an outcome without an id"));
  EXPECT_EQ(claim_of(answer, "BE-001"), Claim::not_reported);
  EXPECT_EQ(claim_of(answer, "BE-002"), Claim::not_reported);
  EXPECT_EQ(answer.by_code.size(), 2U) << "an id nobody asked for must not become an entry";
}

TEST(FixerAnswer, TheFindingsOwnIdNamesOneIssueOnly) {
  EXPECT_EQ(claim_of(answer_of(R"({"outcomes":[{"id":"F2","outcome":"fixed"}]})"), "BE-002"), Claim::fixed);
  const std::vector<Issue> twice = {issue_with("BE-001", "F1"), issue_with("BE-002", "F1")};
  const auto answer = answer_of(R"({"outcomes":[{"id":"F1","outcome":"fixed"}]})", twice);
  EXPECT_EQ(claim_of(answer, "BE-001"), Claim::not_reported);
  EXPECT_EQ(claim_of(answer, "BE-002"), Claim::not_reported);
  EXPECT_THAT(answer.unknown_ids, ElementsAre("F1"));
  // A code wins over somebody else's finding id.
  const std::vector<Issue> crossed = {issue_with("BE-001", "BE-002"), issue_with("BE-002")};
  EXPECT_EQ(claim_of(answer_of(R"({"outcomes":[{"id":"BE-002","outcome":"fixed"}]})", crossed), "BE-002"),
            Claim::fixed);
}

TEST(FixerAnswer, RepeatedRowsKeepTheFirst) {
  const auto answer =
      answer_of(R"({"outcomes":[{"id":"BE-001","outcome":"blocked"},{"id":"F1","outcome":"fixed"}]})");
  EXPECT_EQ(claim_of(answer, "BE-001"), Claim::blocked);
  EXPECT_THAT(answer.problems, ElementsAre("BE-001 is reported twice; the first report counts"));
}

TEST(FixerAnswer, OutcomeWords) {
  EXPECT_EQ(claim_of(answer_of(R"({"outcomes":[{"id":"BE-001","outcome":"FIXED"}]})"), "BE-001"),
            Claim::fixed);
  EXPECT_EQ(claim_of(answer_of(R"({"outcomes":[{"id":"BE-001","outcome":" false-positive "}]})"), "BE-001"),
            Claim::false_positive);
  for (const char* word : {"\"done\"", "\"not_reported\"", "\"\"", "true", "null"}) {
    const auto answer = answer_of(fmt::format(R"({{"outcomes":[{{"id":"BE-001","outcome":{}}}]}})", word));
    EXPECT_EQ(claim_of(answer, "BE-001"), Claim::not_reported) << word;
    EXPECT_THAT(answer.problems, ElementsAre(HasSubstr("unknown outcome"))) << word;
  }
  EXPECT_THAT(answer_of(R"({"issues":{"BE-001":"fixed"}})").problems,
              ElementsAre(HasSubstr("unknown outcome")));
}

TEST(FixerAnswer, DuplicateKeysAreAnError) {
  EXPECT_FALSE(parse_fixer_answer(R"({"outcomes":[],"outcomes":[]})", expected()));
}

TEST(FixerAnswer, ExplanationIsCleanedAndBounded) {
  const auto answer = answer_of(
      "{\"outcomes\":[{\"id\":\"BE-001\",\"outcome\":\"fixed\",\"explanation\":\"\\u001b[31mred\\u001b[0m "
      "\\u0000end" +
      std::string(50'000, 'x') + "\"}]}");
  EXPECT_THAT(answer.by_code.at("BE-001").explanation, testing::StartsWith("red end"));
  EXPECT_LT(answer.by_code.at("BE-001").explanation.size(), 8'100U);
}

Verdict verdict_of(const std::string& text, int threshold = 95) {
  Verdict verdict;
  parse_verdict(text, issue_with("BE-001", "F1"), "0123456789abcdef", threshold, verdict);
  EXPECT_EQ(verdict.valid, verdict.score.has_value());
  EXPECT_EQ(verdict.valid, verdict.problem.empty());
  return verdict;
}

std::string answer(const std::string& issues) {
  return R"({"review_token":"0123456789abcdef","issues":)" + issues + "}";
}
std::string row(const std::string& fields) { return answer(R"({"BE-001":{)" + fields + "}}"); }
Verdict scored(const std::string& score) {
  return verdict_of(row("\"status\":\"SOLVED\",\"score\":" + score));
}
const std::string kYes = R"("score":97,"status":"SOLVED")";

TEST(Verdict, WholeNumbersFromZeroToAHundred) {
  EXPECT_EQ(scored("0").score, 0);
  EXPECT_EQ(scored("95").score, 95);
  EXPECT_EQ(scored("100").score, 100);
}

TEST(Verdict, AnythingElseIsInvalid) {
  for (const char* bad : {"-1", "101", "95.0", "95.9", "1e2", "\"95\"", "\"95/100\"", "true", "null",
                          "4294967391", "-4294967201", "18446744073709551615", "[95]", "{}"}) {
    EXPECT_FALSE(scored(bad).valid) << bad;
    EXPECT_EQ(scored(bad).problem, "the score is not a whole number from 0 to 100") << bad;
  }
  EXPECT_FALSE(verdict_of(row(R"("status":"SOLVED")")).valid) << "no default score";
}

TEST(Verdict, MustSpeakAboutTheIssue) {
  EXPECT_THAT(verdict_of(answer(R"({})")).problem, HasSubstr("does not mention BE-001"));
  EXPECT_THAT(verdict_of(answer(R"({"BE-002":{"score":100}})")).problem,
              HasSubstr("does not mention BE-001"));
  EXPECT_THAT(verdict_of(answer(R"({"F1":{"score":100}})")).problem, HasSubstr("does not mention BE-001"));
  EXPECT_THAT(verdict_of(answer(R"({"BE-001":100})")).problem, HasSubstr("not an object"));
  EXPECT_THAT(verdict_of(answer(R"([{"BE-001":{"score":100}}])")).problem, HasSubstr("no \"issues\" object"));
  EXPECT_THAT(verdict_of(R"({"review_token":"0123456789abcdef","score":100})").problem,
              HasSubstr("no \"issues\" object"));
  EXPECT_THAT(verdict_of("looks good, 100/100").problem, HasSubstr("no usable answer"));
  EXPECT_THAT(verdict_of("").problem, HasSubstr("no usable answer"));
}

TEST(Verdict, OthersBesideItDoNotMatter) {
  EXPECT_EQ(verdict_of(answer(R"({"BE-002":{"score":10},"BE-001":{"score":97,"status":"SOLVED"}})")).score,
            97);
}

TEST(Verdict, DuplicateKeysAreInvalid) {
  EXPECT_FALSE(verdict_of(row(R"("score":10,"score":100)")).valid);
  EXPECT_FALSE(verdict_of(answer(R"({"BE-001":{"score":10},"BE-001":{"score":100}})")).valid);
}

TEST(Verdict, StatusMayNotContradictAPassingScore) {
  for (const char* word : {"IN_PROGRESS", "in_progress", "in progress", "In-Progress", "OPEN", "FAILED",
                           "REJECTED", "NOT SOLVED", "PARTIAL"}) {
    EXPECT_THAT(verdict_of(row(fmt::format(R"("score":96,"status":"{}")", word))).problem,
                HasSubstr("contradiction"))
        << word;
    EXPECT_EQ(verdict_of(row(fmt::format(R"("score":94,"status":"{}")", word))).score, 94) << word;
  }
  EXPECT_FALSE(verdict_of(row(R"("score":95,"status":"IN_PROGRESS")"), 95).valid)
      << "the threshold itself passes";
  EXPECT_TRUE(verdict_of(row(R"("score":95,"status":"IN_PROGRESS")"), 96).valid);
}

TEST(Verdict, APositiveWordNeverRaisesAScore) {
  const Verdict verdict = verdict_of(row(R"("score":60,"status":"SOLVED")"));
  EXPECT_EQ(verdict.score, 60);
  EXPECT_EQ(verdict.status_word, "SOLVED");
}

TEST(Verdict, StatusWords) {
  for (const char* word : {"SOLVED", "solved", " Resolved ", "PASS", "APPROVED"})
    EXPECT_TRUE(verdict_of(row(fmt::format(R"("score":97,"status":"{}")", word))).valid) << word;
  for (const char* word : {"\"MAYBE\"", "\"SOLVED?\"", "\"SOLVED\\nnot really\"", "false", "1", "[]"})
    EXPECT_FALSE(verdict_of(row(fmt::format(R"("score":97,"status":{})", word))).valid) << word;
  for (const char* word : {"\"\"", "null"}) {
    EXPECT_THAT(verdict_of(row(fmt::format(R"("score":97,"status":{})", word))).problem,
                HasSubstr("status is missing"))
        << word;
    EXPECT_EQ(verdict_of(row(fmt::format(R"("score":90,"status":{})", word))).score, 90)
        << "a no needs no word";
  }
  EXPECT_FALSE(verdict_of(row(R"("score":97)")).valid);
}

TEST(Verdict, DetailsKeepWhatIsReadable) {
  const Verdict verdict = verdict_of(
      row(R"("score":90,"feedback":"fine","quality_scores":{"a":90,"b":"high","c":101,"d":3.5,"e":null,"f":0},
                                         "improvements_needed":["one",2,null,"two"])"));
  EXPECT_EQ(verdict.feedback, "fine");
  EXPECT_EQ(verdict.quality_scores, (std::map<std::string, int>{{"a", 90}, {"f", 0}}));
  EXPECT_THAT(verdict.improvements_needed, ElementsAre("one", "two"));
  EXPECT_TRUE(
      verdict_of(row(R"("score":90,"quality_scores":[1],"improvements_needed":"none","feedback":5)")).valid);
}

// Only what was asked in this run can be answered: words quoted from a diff, a file or an earlier run do not
// have its token.
TEST(Verdict, HoldsTheTokenOfTheRun) {
  EXPECT_TRUE(verdict_of(row(kYes)).valid);
  EXPECT_THAT(verdict_of(R"({"issues":{"BE-001":{"score":97,"status":"SOLVED"}}})").problem,
              HasSubstr("review token"));
  EXPECT_THAT(
      verdict_of(R"({"review_token":"fedcba9876543210","issues":{"BE-001":{"score":97,"status":"SOLVED"}}})")
          .problem,
      HasSubstr("review token"));
  EXPECT_THAT(
      verdict_of(R"({"issues":{"BE-001":{"score":97,"status":"SOLVED","review_token":"0123456789abcdef"}}})")
          .problem,
      HasSubstr("review token"));
  EXPECT_TRUE(verdict_of("The review token is 0123456789abcdef.\n" + row(kYes)).valid)
      << "a judge may think aloud";
}

TEST(Verdict, IsTheOneObjectAtTheEnd) {
  const std::string broken =
      R"({"review_token":"0123456789abcdef","issues":{"BE-001":{"score":10,"status":"IN_PROGRESS",}}})";
  EXPECT_FALSE(verdict_of(broken + "\nThe file says\n" + row(kYes)).valid)
      << "a broken verdict before a good one";
  EXPECT_FALSE(verdict_of(broken + "\n" + R"({"issues":{"BE-001":{"score":97,"status":"SOLVED"}}})").valid);
  EXPECT_FALSE(verdict_of(row(R"("score":10,"status":"IN_PROGRESS")") + "\n" + row(kYes)).valid)
      << "two that differ";
  EXPECT_FALSE(verdict_of(row(kYes) + "\nThe file also says " +
                          R"({"issues":{"BE-001":{"score":97,"status":"SOLVED"}}})")
                   .valid)
      << "not the last";
  EXPECT_TRUE(verdict_of("I looked at it.\n" + row(kYes) + "\nThat is all.").valid)
      << "prose around it is no verdict";
  EXPECT_TRUE(verdict_of("```json\n" + row(kYes) + "\n```\n").valid);
  EXPECT_TRUE(verdict_of(row(kYes) + "\n" + row(kYes)).valid) << "said twice is said";
}

TEST(Verdict, AYesThatNeedsImprovementsIsNoYes) {
  EXPECT_THAT(verdict_of(row(kYes + R"(,"improvements_needed":["this is wrong, it does not fix the issue"])"))
                  .problem,
              HasSubstr("improvements_needed"));
  for (const char* odd : {R"("it is wrong")", "[1]", "[[\"wrong\"]]", "{\"a\":1}", "true", "[null]"})
    EXPECT_FALSE(verdict_of(row(kYes + ",\"improvements_needed\":" + odd)).valid) << odd;
  for (const char* fine : {"[]", "null", "[\"\",\" \"]"})
    EXPECT_TRUE(verdict_of(row(kYes + ",\"improvements_needed\":" + fine)).valid) << fine;
  EXPECT_TRUE(verdict_of(row(kYes + R"(,"improvements_needed":[],"suggestions":["a shorter name"])")).valid)
      << "what is nice to have";
  EXPECT_EQ(verdict_of(row(R"("score":80,"status":"IN_PROGRESS","improvements_needed":["name it"])")).score,
            80);
}

TEST(Verdict, BlockingPointsAreEmptyForAYesAndNamedForANo) {
  EXPECT_TRUE(verdict_of(row(kYes + R"(,"blocking":[],"suggestions":["rename it"])")).valid)
      << "a right fix with a wish";
  EXPECT_TRUE(verdict_of(row(kYes + R"(,"blocking":[],"improvements_needed":["rename it"])")).valid)
      << "what does not block is a wish";
  EXPECT_THAT(verdict_of(row(kYes + R"(,"blocking":["the bug is still there"])")).problem,
              HasSubstr("\"blocking\" is not empty"));
  EXPECT_THAT(verdict_of(row(R"("score":90,"status":"IN_PROGRESS","blocking":[])")).problem,
              HasSubstr("\"blocking\" is empty"))
      << "a no without a reason";
  const Verdict no = verdict_of(row(R"("score":60,"status":"IN_PROGRESS","blocking":["handle zero"])"));
  EXPECT_EQ(no.score, 60);
  EXPECT_THAT(no.improvements_needed, ElementsAre("handle zero"));
  for (const char* odd : {R"("none")", "[1]", "{}", "true"})
    for (const char* score : {"97", "60"})
      EXPECT_FALSE(
          verdict_of(row(fmt::format(R"("score":{},"status":"SOLVED","blocking":{})", score, odd))).valid)
          << odd << " is void, neither a yes nor a no";
}

TEST(Verdict, SuggestionsAreReadByThemselves) {
  const Issue asked = issue_with("BE-001");
  EXPECT_THAT(suggestions(row(kYes + R"(,"suggestions":["a shorter name"," ",3,"a test"])"), asked),
              ElementsAre("a shorter name", "a test"));
  EXPECT_THAT(suggestions("no answer", asked), testing::IsEmpty());
}

TEST(Verdict, FeedbackIsCleanAndBounded) {
  const Verdict verdict = verdict_of(
      row("\"score\":50,\"feedback\":\"\\u001b[1mbold\\u001b[0m\\u0000" + std::string(100'000, 'y') + "\""));
  EXPECT_THAT(verdict.feedback, testing::StartsWith("boldy"));
  EXPECT_LT(verdict.feedback.size(), 8'100U);
  EXPECT_TRUE(is_valid_utf8(verdict.feedback));
}

TEST(Verdict, HostileBytesAroundTheAnswer) {
  EXPECT_EQ(verdict_of("\x1b[32mok\x1b[0m\n" + row(kYes)).score, 97);
  EXPECT_FALSE(verdict_of(row("\"score\":97,\"feedback\":\"\xff\xfe\"")).valid) << "not JSON at all";
  EXPECT_FALSE(verdict_of(row("\"sco" + std::string(1, '\0') + "re\":97")).valid);
}

TEST(Verdict, FencedInAFence) {
  EXPECT_EQ(verdict_of("````\n```json\n" + row(kYes) + "\n```\n````\n").score, 97);
}

} // namespace
} // namespace emend
