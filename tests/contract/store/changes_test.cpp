// apply(): one transaction, moves along the table, evidence in order.
#include "base/strings.hpp"
#include "tests/contract/store/store_contract.hpp"

namespace emend::testing_support {

TEST_P(StoreContract, MoveSetsWhatIsGivenAndKeepsTheRest) {
  add_session("sess1");
  const Issue issue = add_issue("1");
  Change change;
  change.moves = {{.issue_id = issue.id,
                   .from = IssueStatus::open,
                   .to = IssueStatus::in_progress,
                   .reason = "r",
                   .detail = odd_text(),
                   .evidence = "judged",
                   .commit = "c1",
                   .session_id = "sess1",
                   .duplicate_of = "BE-009",
                   .last_score = 40,
                   .add_attempts = 2}};
  must(store().apply(change, kNow + 7));
  Issue expected = issue;
  expected.status = IssueStatus::in_progress;
  expected.reason = "r";
  expected.detail = odd_text();
  expected.evidence = "judged";
  expected.commit = "c1";
  expected.session_id = "sess1";
  expected.duplicate_of = "BE-009";
  expected.last_score = 40;
  expected.attempts = 2;
  expected.updated_ms = kNow + 7;
  EXPECT_EQ(everything(must(store().issue("repo", issue.id))), everything(expected));

  change.moves = {{.issue_id = issue.id,
                   .from = IssueStatus::in_progress,
                   .to = IssueStatus::failed,
                   .reason = "x",
                   .add_attempts = 1}};
  must(store().apply(change, kNow + 8));
  expected.status = IssueStatus::failed;
  expected.reason = "x";
  expected.detail = "";
  expected.attempts = 3;
  expected.updated_ms = kNow + 8;
  EXPECT_EQ(everything(must(store().issue("repo", issue.id))), everything(expected));

  change.moves = {{.issue_id = issue.id,
                   .from = IssueStatus::failed,
                   .to = IssueStatus::open,
                   .mover = Mover::person,
                   .evidence = "",
                   .commit = "",
                   .session_id = "",
                   .duplicate_of = ""}};
  must(store().apply(change, kNow + 9));
  const Issue reopened = must(store().issue("repo", issue.id));
  EXPECT_EQ(reopened.evidence + reopened.commit + reopened.session_id + reopened.duplicate_of, "");
}

TEST_P(StoreContract, MoveFromAnotherStatusIsAConflict) {
  const Issue issue = add_issue("1");
  Change change;
  change.moves = {{.issue_id = issue.id, .from = IssueStatus::in_progress, .to = IssueStatus::failed}};
  const auto refused = store().apply(change, kNow);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_TRUE(contains(refused.error().message, "BE-001 is OPEN")) << refused.error().message;
  change.moves[0].issue_id = "nobody";
  EXPECT_EQ(store().apply(change, kNow).error().code, ErrorCode::conflict);
}

TEST_P(StoreContract, OnlyMovesOfTheTableAreMade) {
  const Issue issue = add_issue("1");
  for (const Transition& wrong : {Transition{IssueStatus::open, IssueStatus::resolved, Mover::engine, ""},
                                  Transition{IssueStatus::open, IssueStatus::resolved, Mover::person, ""},
                                  Transition{IssueStatus::open, IssueStatus::merged, Mover::engine, ""}}) {
    Change change;
    change.moves = {{.issue_id = issue.id, .from = wrong.from, .to = wrong.to, .mover = wrong.mover}};
    const auto refused = store().apply(change, kNow);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::internal);
  }
  EXPECT_EQ(must(store().issue("repo", issue.id)).status, IssueStatus::open);
}

TEST_P(StoreContract, ConflictTakesTheWholeChangeBack) {
  const Issue issue = add_issue_in_work("1");
  const Issue other = add_issue("2");
  Change change = resolving(issue, "c1");
  change.sessions = {full_session("sess2")};
  change.units = {full_unit("u9", "sess2")};
  change.attempts = {full_attempt("a9", "sess2", "u9", issue.id)};
  change.verifications = {full_verification("ver9", "sess1", issue.id)};
  change.commits = {full_commit("c1", "sess1")};
  change.moves.push_back({.issue_id = other.id, .from = IssueStatus::in_progress, .to = IssueStatus::failed});
  change.events = {full_event("sess1", "never")};
  const auto refused = store().apply(change, kNow);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);

  EXPECT_EQ(everything(must(store().issue("repo", issue.id))), everything(issue));
  EXPECT_FALSE(store().session("sess2"));
  EXPECT_TRUE(must(store().units("sess2")).empty());
  EXPECT_FALSE(store().attempt("a9"));
  EXPECT_TRUE(must(store().verifications("sess1")).empty());
  EXPECT_TRUE(must(store().verdicts("sess1")).empty());
  EXPECT_TRUE(must(store().commits("sess1")).empty());
  EXPECT_FALSE(must(store().proof(issue.id, "sess1")));
  EXPECT_TRUE(must(store().events_after(0, "", 0)).empty());
  change.moves.pop_back();
  must(store().apply(change, kNow)); // and the store works on
  EXPECT_EQ(must(store().issue("repo", issue.id)).status, IssueStatus::resolved);
}

TEST_P(StoreContract, ResolvedNeedsTheProofOfThisSessionAndCommit) {
  const Issue issue = add_issue_in_work("1");
  Change without_proof = resolving(issue, "c1");
  without_proof.proofs.clear();
  Change of_other_commit = resolving(issue, "c1");
  of_other_commit.proofs[0].commit = "c2";
  Change of_other_session = resolving(issue, "c1");
  of_other_session.sessions = {full_session("sess2")};
  of_other_session.proofs[0].session_id = "sess2";
  Change without_commit = resolving(issue, "");
  for (const Change& change : {without_proof, of_other_commit, of_other_session, without_commit}) {
    const auto refused = store().apply(change, kNow);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::database);
    EXPECT_TRUE(contains(refused.error().message, "proof")) << refused.error().message;
    EXPECT_EQ(must(store().issue("repo", issue.id)).status, IssueStatus::in_progress);
  }
  must(store().apply(resolving(issue, "c1"), kNow));
  const Issue resolved = must(store().issue("repo", issue.id));
  EXPECT_EQ(resolved.status, IssueStatus::resolved);
  EXPECT_EQ(resolved.commit, "c1");
  EXPECT_EQ(resolved.evidence, "unbroken");
  EXPECT_EQ(resolved.last_score, 97);
}

TEST_P(StoreContract, ProofIsReplacedUntilTheIssueIsResolved) {
  const Issue issue = add_issue_in_work("1");
  Change change = resolving(issue, "c1");
  change.moves.clear();
  must(store().apply(change, kNow));
  change.verdicts.clear();
  change.proofs[0].commit = "c2";
  must(store().apply(change, kNow));
  EXPECT_EQ(must(store().proof(issue.id, "sess1"))->commit, "c2");
  Change resolve = resolving(issue, "c2");
  resolve.verdicts.clear();
  resolve.proofs.clear();
  must(store().apply(resolve, kNow));
  change.proofs[0].score = 100;
  EXPECT_EQ(store().apply(change, kNow).error().code, ErrorCode::database);
  EXPECT_EQ(must(store().proof(issue.id, "sess1"))->score, 97);
  EXPECT_FALSE(must(store().proof(issue.id, "sess2")));
}

TEST_P(StoreContract, AttemptIsUpdatedButNeverMoved) {
  const Issue issue = add_issue_in_work("1");
  const Issue other = add_issue("2");
  Change change;
  change.attempts = {full_attempt("a2", "sess1", "u1", issue.id)};
  must(store().apply(change, kNow));
  change.attempts[0].result = AttemptResult::accepted;
  change.attempts[0].patch = {};
  must(store().apply(change, kNow));
  EXPECT_EQ(everything(must(store().attempt("a2"))), everything(change.attempts[0]));
  for (int field = 0; field < 3; ++field) {
    Change moved = change;
    if (field == 0) moved.attempts[0].issue_id = other.id;
    if (field == 1) moved.attempts[0].cycle += 1;
    if (field == 2) moved.attempts[0].unit_id = "";
    EXPECT_EQ(store().apply(moved, kNow).error().code, ErrorCode::database) << field;
  }
  EXPECT_EQ(everything(must(store().attempt("a2"))), everything(change.attempts[0]));
}

TEST_P(StoreContract, AttemptsAreListedInTheOrderTheyCame) {
  const Issue issue = add_issue_in_work("1");
  const Issue other = add_issue("2");
  Change change;
  change.attempts = {full_attempt("z", "sess1", "u1", issue.id), full_attempt("b", "sess1", "u1", other.id)};
  must(store().apply(change, kNow));
  must(store().apply(change, kNow)); // an update keeps the place
  const auto ids = [](const std::vector<Attempt>& attempts) {
    std::vector<std::string> found;
    for (const Attempt& attempt : attempts) found.push_back(attempt.id);
    return found;
  };
  EXPECT_EQ(ids(must(store().attempts_of_session("sess1"))), (std::vector<std::string>{"a1-1", "z", "b"}));
  EXPECT_EQ(ids(must(store().attempts_of_issue(issue.id))), (std::vector<std::string>{"a1-1", "z"}));
  EXPECT_TRUE(must(store().attempts_of_session("nobody")).empty());
  EXPECT_EQ(store().attempt("nobody").error().code, ErrorCode::not_found);
}

TEST_P(StoreContract, VerificationsAndVerdictsAreInsertedOnce) {
  const Issue issue = add_issue_in_work("1");
  Change change;
  change.verifications = {full_verification("ver1", "sess1", issue.id)};
  must(store().apply(change, kNow));
  EXPECT_FALSE(store().apply(change, kNow));
  Change verdict;
  verdict.verdicts = resolving(issue, "c1").verdicts;
  must(store().apply(verdict, kNow));
  EXPECT_FALSE(store().apply(verdict, kNow));
  EXPECT_EQ(must(store().verifications("sess1")).size(), 1U);
  EXPECT_EQ(must(store().verdicts("sess1")).size(), 1U);
}

TEST_P(StoreContract, CommitsKeepTheirOrderAndMayComeTwice) {
  add_session("sess1");
  add_session("sess2");
  Change change;
  change.commits = {full_commit("c9", "sess1"), full_commit("c1", "sess1"), full_commit("c9", "sess2")};
  must(store().apply(change, kNow));
  must(store().apply(change, kNow));
  const auto commits = must(store().commits("sess1"));
  ASSERT_EQ(commits.size(), 2U);
  EXPECT_EQ(commits[0].sha, "c9");
  EXPECT_EQ(commits[1].sha, "c1");
  EXPECT_EQ(must(store().commits("sess2")).size(), 1U);
}

TEST_P(StoreContract, RecordsOfUnknownSessionsAreRefused) {
  Change change;
  change.units = {full_unit("u1", "nobody")};
  const auto refused = store().apply(change, kNow);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::database);
}

} // namespace emend::testing_support
