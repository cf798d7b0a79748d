// What people said about fixes, and what they took back.
#include "tests/contract/store/store_contract.hpp"

namespace emend::testing_support {

namespace {

Comment comment(const std::string& id, const Issue& issue, const std::string& session_id) {
  return {id, issue.id, session_id, odd_text() + id, "src/a.c", 12, "new", kNow};
}

Withdrawal withdrawal(const std::string& id, const Issue& issue,
                      BranchChange branch = BranchChange::pending) {
  Withdrawal made;
  made.id = id;
  made.session_id = "sess1";
  made.issue_id = issue.id;
  made.kind = WithdrawalKind::rejected;
  made.reason = odd_text();
  made.commit = "c1";
  made.patch_sha256 = "p1";
  made.branch_from = "c2";
  made.branch_to = "c3";
  made.branch = branch;
  made.created_ms = kNow + 3;
  return made;
}

IssueMove back_to_open(const Issue& issue) {
  IssueMove move;
  move.issue_id = issue.id;
  move.from = IssueStatus::resolved;
  move.to = IssueStatus::open;
  move.mover = Mover::person;
  move.reason = "rejected";
  return move;
}

} // namespace

TEST_P(StoreContract, AFixGetsItsNewFateAndKeepsWhoMadeIt) {
  const Issue issue = add_issue("1");
  FixOutcome outcome;
  outcome.issue_id = issue.id;
  outcome.session_id = "sess1";
  outcome.repository_id = issue.repository_id;
  outcome.code = issue.code;
  outcome.agent = "claude";
  outcome.rule = odd_text();
  outcome.updated_ms = kNow;
  Change change;
  change.fix_outcomes = {outcome};
  outcome.session_id = "sess2";
  change.fix_outcomes.push_back(outcome);
  must(store().apply(change, kNow));
  outcome.session_id = "sess1";
  outcome.fate = FixFate::rejected;
  outcome.reason = odd_text();
  outcome.changed_again = outcome.back = true;
  outcome.agent = "another";
  change.fix_outcomes = {outcome};
  must(store().apply(change, kNow));
  reopen_if_durable();
  const auto all = must(store().fix_outcomes(issue.repository_id));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].fate, FixFate::rejected);
  EXPECT_EQ(all[0].reason, odd_text());
  EXPECT_EQ(all[0].agent, "claude");
  EXPECT_EQ(all[0].rule, odd_text());
  EXPECT_TRUE(all[0].changed_again && all[0].back);
  EXPECT_EQ(all[1].fate, FixFate::waiting);
  EXPECT_TRUE(must(store().fix_outcomes("another repository")).empty());
}

TEST_P(StoreContract, CommentsAreKeptInOrderByIssueAndSession) {
  const Issue first = add_issue("1"), second = add_issue("2");
  Change change;
  change.comments = {comment("b", first, ""), comment("a", second, "sess1"), comment("c", first, "sess1")};
  must(store().apply(change, kNow));
  reopen_if_durable();
  const auto of_first = must(store().comments(first.id, ""));
  ASSERT_EQ(of_first.size(), 2U);
  EXPECT_EQ(of_first[0].id, "b");
  EXPECT_EQ(of_first[0].text, odd_text() + "b");
  EXPECT_EQ(of_first[0].file, "src/a.c");
  EXPECT_EQ(of_first[0].line, 12);
  EXPECT_EQ(of_first[0].side, "new");
  EXPECT_EQ(of_first[0].created_ms, kNow);
  EXPECT_EQ(must(store().comments("", "sess1")).size(), 2U);
  EXPECT_EQ(must(store().comments(first.id, "sess1")).at(0).id, "c");
  EXPECT_EQ(must(store().comments("", "")).size(), 3U);
}

TEST_P(StoreContract, NewCommentsOfOneRepositoryAreFound) {
  const Issue here = add_issue("1");
  Issue foreign;
  foreign.repository_id = "another repository";
  foreign.fingerprint = "1";
  foreign.finding.file = "src/a.c";
  foreign = must(store().add_issues({foreign}, kNow)).front();
  Change change;
  change.comments = {comment("old", here, ""), comment("new", here, ""), comment("foreign", foreign, "")};
  change.comments[1].created_ms = change.comments[2].created_ms = kNow + 5;
  must(store().apply(change, kNow));
  const auto ids = [&](const std::string& repository, std::int64_t after) {
    std::vector<std::string> found;
    for (const Comment& one : must(store().comments_since(repository, after))) found.push_back(one.id);
    return found;
  };
  EXPECT_EQ(ids(here.repository_id, 0), (std::vector<std::string>{"old", "new"}));
  EXPECT_EQ(ids(here.repository_id, kNow), (std::vector<std::string>{"new"}));
  EXPECT_EQ(ids(foreign.repository_id, 0), (std::vector<std::string>{"foreign"}));
  EXPECT_TRUE(ids(here.repository_id, kNow + 5).empty());
}

TEST_P(StoreContract, DecisionsAboutTestsAreKeptInOrder) {
  const Issue first = add_issue("1"), second = add_issue("2");
  Change change;
  change.opened_tests = {{"a", first.id, "tests/a.py", "test_a", true, odd_text(), "ada", kNow},
                         {"b", second.id, "tests/a.py", "", true, "", "", kNow},
                         {"c", first.id, "tests/a.py", "test_a", false, "", "bob", kNow + 1}};
  must(store().apply(change, kNow));
  reopen_if_durable();
  const auto of_first = must(store().opened_tests(first.id));
  ASSERT_EQ(of_first.size(), 2U);
  EXPECT_EQ(of_first[0].name(), "tests/a.py::test_a");
  EXPECT_EQ(of_first[0].reason, odd_text());
  EXPECT_EQ(of_first[0].by, "ada");
  EXPECT_TRUE(of_first[0].open);
  EXPECT_FALSE(of_first[1].open);
  EXPECT_TRUE(still_open(of_first).empty());
  EXPECT_EQ(still_open(must(store().opened_tests(second.id))).at(0).name(), "tests/a.py");
}

TEST_P(StoreContract, AJudgesDecisionAboutATestIsForOneChange) {
  const Issue issue = add_issue("1");
  Change change;
  change.opened_tests = {{"a", issue.id, "tests/a.py", "test_a", true, "", "judge", kNow, "one"},
                         {"b", issue.id, "tests/a.py", "test_a", true, "", "judge", kNow, "two"}};
  must(store().apply(change, kNow));
  reopen_if_durable();
  const auto decisions = must(store().opened_tests(issue.id));
  EXPECT_EQ(still_open(decisions).size(), 2U);
  EXPECT_TRUE(open_for(decisions).empty());
  ASSERT_EQ(open_for(decisions, "two").size(), 1U);
  EXPECT_EQ(open_for(decisions, "two").at(0).id, "b");
  Change taken_back;
  taken_back.opened_tests = {{"c", issue.id, "tests/a.py", "test_a", false, "", "ada", kNow + 1, ""}};
  must(store().apply(taken_back, kNow + 1));
  EXPECT_TRUE(open_for(must(store().opened_tests(issue.id)), "two").empty());
}

TEST_P(StoreContract, AWithdrawalLearnsOnlyWhatBecameOfTheBranch) {
  const Issue issue = add_issue_in_work("1");
  Change change;
  change.withdrawals = {withdrawal("w1", issue)};
  must(store().apply(change, kNow));
  Withdrawal other = withdrawal("w1", issue, BranchChange::done);
  other.reason = "something else";
  change.withdrawals = {other};
  must(store().apply(change, kNow));
  reopen_if_durable();
  const auto read = must(store().withdrawals(issue.id, "sess1"));
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].branch, BranchChange::done);
  EXPECT_EQ(read[0].kind, WithdrawalKind::rejected);
  EXPECT_EQ(read[0].reason, odd_text());
  EXPECT_EQ(read[0].commit, "c1");
  EXPECT_EQ(read[0].patch_sha256, "p1");
  EXPECT_EQ(read[0].branch_from, "c2");
  EXPECT_EQ(read[0].branch_to, "c3");
  EXPECT_EQ(read[0].created_ms, kNow + 3);
  change.withdrawals = {withdrawal("w1", issue, BranchChange::pending)};
  EXPECT_FALSE(store().apply(change, kNow)) << "what is done stays done";
  change.withdrawals = {withdrawal("w2", issue)};
  EXPECT_FALSE(store().apply(change, kNow)) << "one fix is taken back once";
}

TEST_P(StoreContract, AFixThatWasTakenBackResolvesNothingAnyMore) {
  const Issue issue = add_issue_in_work("1");
  must(store().apply(resolving(issue, "c1"), kNow));
  Change back;
  back.withdrawals = {withdrawal("w1", issue)};
  back.moves = {back_to_open(issue)};
  must(store().apply(back, kNow));
  EXPECT_EQ(must(store().issue("repo", issue.id)).status, IssueStatus::open);
  move(issue.id, IssueStatus::open, IssueStatus::in_progress);
  Change again;
  again.moves = resolving(issue, "c1").moves; // its proof is still there
  EXPECT_FALSE(store().apply(again, kNow));
  EXPECT_EQ(must(store().issue("repo", issue.id)).status, IssueStatus::in_progress);
}

} // namespace emend::testing_support
