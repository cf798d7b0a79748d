// Questions about issues: kept with the issue, answered later, in the order they were asked.
#include "tests/contract/store/store_contract.hpp"

namespace emend::testing_support {

namespace {

Clarification question(const Issue& issue, int number) {
  Clarification clarification;
  clarification.issue_id = issue.id;
  clarification.question_id = issue.code + "-q" + std::to_string(number);
  clarification.round = number;
  clarification.question = odd_text() + std::to_string(number);
  clarification.context = "why " + odd_text();
  clarification.suggestions = {"one", odd_text()};
  clarification.asked_ms = kNow + number;
  return clarification;
}

} // namespace

TEST_P(StoreContract, ClarificationsComeWithTheirIssue) {
  const Issue first = add_issue("1"), second = add_issue("2"), third = add_issue("3");
  Change change;
  change.clarifications = {question(second, 1), question(first, 1), question(first, 2)};
  must(store().apply(change, kNow));
  reopen_if_durable();

  const Issue read = must(store().issue("repo", first.code));
  ASSERT_EQ(read.clarifications.size(), 2U);
  EXPECT_EQ(everything(read.clarifications[0]), everything(question(first, 1)));
  EXPECT_EQ(everything(read.clarifications[1]), everything(question(first, 2)));
  const auto listed = must(store().issues({.repository_id = "repo"}));
  ASSERT_EQ(listed.size(), 3U);
  ASSERT_EQ(listed[0].clarifications.size(), 2U);
  EXPECT_EQ(everything(listed[0].clarifications[1]), everything(question(first, 2)));
  EXPECT_EQ(listed[1].clarifications.size(), 1U);
  EXPECT_TRUE(listed[2].clarifications.empty()) << third.code;
}

TEST_P(StoreContract, AnAnswerChangesTheQuestionsStateAndNothingElse) {
  const Issue issue = add_issue("1");
  Change asked;
  asked.clarifications = {question(issue, 1)};
  must(store().apply(asked, kNow));
  Clarification answer = question(issue, 1);
  answer.question = "another question";
  answer.state = ClarificationState::answered;
  answer.answer = odd_text();
  answer.answered_ms = kNow + 9;
  Change answered;
  answered.clarifications = {answer};
  must(store().apply(answered, kNow));
  reopen_if_durable();
  const Issue read = must(store().issue("repo", issue.code));
  ASSERT_EQ(read.clarifications.size(), 1U);
  answer.question = question(issue, 1).question;
  EXPECT_EQ(everything(read.clarifications[0]), everything(answer));
}

TEST_P(StoreContract, AQuestionTakesFurtherSuggestionsWhileItIsOpen) {
  const Issue issue = add_issue("1");
  Change asked;
  asked.clarifications = {question(issue, 1)};
  must(store().apply(asked, kNow));
  Clarification proposed = question(issue, 1);
  proposed.suggestions.insert(proposed.suggestions.begin(), odd_text() + " (proposed through somebody)");
  Change change;
  change.clarifications = {proposed};
  must(store().apply(change, kNow));
  reopen_if_durable();
  const Issue read = must(store().issue("repo", issue.code));
  ASSERT_EQ(read.clarifications.size(), 1U);
  EXPECT_EQ(everything(read.clarifications[0]), everything(proposed));
}

TEST_P(StoreContract, AQuestionAboutNoIssueIsRefused) {
  Issue nobody;
  nobody.id = "no such issue";
  Change change;
  change.clarifications = {question(nobody, 1)};
  EXPECT_FALSE(store().apply(change, kNow));
}

} // namespace emend::testing_support
