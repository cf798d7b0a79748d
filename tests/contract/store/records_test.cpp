// Every field of every record comes back as it was given.
#include "tests/contract/store/store_contract.hpp"

namespace emend::testing_support {

namespace {

// A record that left a field at its default would not show that the field is stored.
void expect_no_defaults(const Json& record, const Json& defaults) {
  for (std::size_t i = 0; i < record.size(); ++i)
    EXPECT_NE(record[i], defaults[i]) << "field " << i << " of " << record;
}

} // namespace

TEST(StoreRecords, SamplesHaveNoDefaults) {
  const Session session = full_session("s");
  expect_no_defaults(everything(session), everything(Session()));
  expect_no_defaults(everything(session.policy), everything(Policy()));
  expect_no_defaults(everything(session.policy.fixer), everything(AgentBinding()));
  expect_no_defaults(everything(session.policy.challenger), everything(AgentBinding()));
  expect_no_defaults(everything(session.policy.commands.at(0)), everything(VerifyCommand()));
  expect_no_defaults(everything(session.owner), everything(ProcessIdentity()));
  expect_no_defaults(everything(full_issue("f").finding), everything(Finding()));
  expect_no_defaults(everything(full_unit("u", "s")), everything(Unit()));
  const Attempt attempt = full_attempt("a", "s", "u", "i");
  expect_no_defaults(everything(attempt), everything(Attempt()));
  expect_no_defaults(everything(attempt.patch.changes.at(0)), everything(FileChange()));
  expect_no_defaults(everything(full_command_run("t")), everything(CommandRun()));
  expect_no_defaults(everything(full_command_run("t").tests), everything(TestReport()));
  expect_no_defaults(everything(full_verification("v", "s", "i")), everything(Verification()));
  const Verdict verdict = full_verdict("v", attempt);
  expect_no_defaults(everything(verdict), everything(Verdict()));
  expect_no_defaults(everything(full_proof(verdict, "c")), everything(Proof()));
  expect_no_defaults(everything(full_commit("c", "s")), everything(CommitRecord()));
}

TEST_P(StoreContract, IssueKeepsEveryField) {
  add_session("sess1");
  Issue given = full_issue("f1");
  given.session_id = "sess1";
  expect_no_defaults(everything(given), everything(Issue()));
  const auto added = must(store().add_issues({given}, kNow));
  ASSERT_EQ(added.size(), 1U);
  EXPECT_NE(added[0].id, "given-id") << "the store gives the id";
  given.id = added[0].id;
  given.code = "BE-001";
  given.trend = IssueTrend::fresh;
  given.created_ms = kNow;
  given.updated_ms = kNow;
  EXPECT_EQ(everything(added[0]), everything(given));
  EXPECT_EQ(everything(must(store().issue("repo", "BE-001"))), everything(given));
}

TEST_P(StoreContract, EverySessionStatusComesBack) {
  for (const SessionStatus status :
       {SessionStatus::running, SessionStatus::interrupted, SessionStatus::passed, SessionStatus::partial,
        SessionStatus::failed, SessionStatus::cancelled, SessionStatus::error}) {
    Change change;
    change.sessions = {full_session("sess1")};
    change.sessions[0].status = status;
    must(store().apply(change, kNow));
    EXPECT_EQ(everything(must(store().session("sess1"))), everything(change.sessions[0]));
  }
}

TEST_P(StoreContract, EveryUnitStatusComesBack) {
  add_session("sess1");
  for (const UnitStatus status : {UnitStatus::pending, UnitStatus::running, UnitStatus::accepted,
                                  UnitStatus::committed, UnitStatus::finished}) {
    Change change;
    change.units = {full_unit("u1", "sess1")};
    change.units[0].status = status;
    must(store().apply(change, kNow));
    const auto units = must(store().units("sess1"));
    ASSERT_EQ(units.size(), 1U);
    EXPECT_EQ(everything(units[0]), everything(change.units[0]));
  }
}

TEST_P(StoreContract, EvidenceKeepsEveryField) {
  const Issue issue = add_issue_in_work("f1");
  Change change = resolving(issue, "c1");
  change.verifications = {full_verification("ver1", "sess1", issue.id)};
  change.commits = {full_commit("c1", "sess1")};
  must(store().apply(change, kNow));
  reopen_if_durable();

  const Attempt attempt = full_attempt("a1-f1", "sess1", "u1", issue.id);
  EXPECT_EQ(everything(must(store().attempt("a1-f1"))), everything(attempt));
  const auto verifications = must(store().verifications("sess1"));
  ASSERT_EQ(verifications.size(), 1U);
  EXPECT_EQ(everything(verifications[0]), everything(change.verifications[0]));
  EXPECT_EQ(must(store().verifications("sess1", verifications[0].patch_sha256)).size(), 1U);
  EXPECT_TRUE(must(store().verifications("sess1", "another")).empty());
  EXPECT_TRUE(must(store().verifications("another", verifications[0].patch_sha256)).empty());
  const auto verdicts = must(store().verdicts("sess1"));
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(everything(verdicts[0]), everything(change.verdicts[0]));
  const auto commits = must(store().commits("sess1"));
  ASSERT_EQ(commits.size(), 1U);
  EXPECT_EQ(everything(commits[0]), everything(change.commits[0]));
  const auto proof = must(store().proof(issue.id, "sess1"));
  ASSERT_TRUE(proof);
  EXPECT_EQ(everything(*proof), everything(change.proofs[0]));
}

TEST_P(StoreContract, RunsOfAgentsComeBackInOrderAndNeverChange) {
  Change change;
  change.agent_runs = {full_agent_run("r1"), full_agent_run("r2")};
  change.agent_runs[1].usage.cost_usd.reset();
  must(store().apply(change, kNow));
  reopen_if_durable();
  const auto runs = must(store().agent_runs("sess1"));
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(everything(runs[0]), everything(change.agent_runs[0]));
  EXPECT_EQ(everything(runs[1]), everything(change.agent_runs[1]));
  EXPECT_EQ(must(store().latest_agent_runs("repo", 1)).at(0).id, "r2");
  EXPECT_TRUE(must(store().agent_runs("another")).empty());
  EXPECT_FALSE(store().apply(change, kNow)) << "inserted twice";
}

TEST_P(StoreContract, RunsOfAgentsAreFoundByRoleAndIssue) {
  Change change;
  for (const char* id : {"r1", "r2", "r3", "r4"}) change.agent_runs.push_back(full_agent_run(id));
  change.agent_runs[0].role = change.agent_runs[2].role = change.agent_runs[3].role = "fixer";
  change.agent_runs[1].role = "fix_challenger";
  change.agent_runs[0].issue_ids = {"issue-1", "issue-2"};
  change.agent_runs[1].issue_ids = change.agent_runs[2].issue_ids = {"issue-1"};
  change.agent_runs[3].issue_ids = {"issue-2"};
  change.agent_runs[3].session_id = "sess2";
  must(store().apply(change, kNow));
  const auto found = [&](const RunSearch& search) {
    std::vector<std::string> ids;
    for (const AgentRunRecord& run : must(store().agent_runs(search))) ids.push_back(run.id);
    return ids;
  };
  using Ids = std::vector<std::string>;
  EXPECT_EQ(found({"", "sess1", {"fixer", "re_fixer"}, "issue-1"}), Ids({"r3", "r1"}));
  EXPECT_EQ(found({"", "sess1", {"fixer"}, "issue-2"}), Ids({"r1"}));
  EXPECT_EQ(found({"repo", "", {"fixer"}, "issue-2"}), Ids({"r4", "r1"}));
  EXPECT_EQ(found({"repo", "", {"fixer"}, "", 2}), Ids({"r4", "r3"}));
  EXPECT_EQ(found({"repo", "", {"fix_challenger"}, "", 2}), Ids());
  EXPECT_EQ(found({"another", "", {}, "", 2}), Ids());
  EXPECT_EQ(found({"repo", "", {}, ""}), Ids({"r4", "r3", "r2", "r1"}));
}

TEST_P(StoreContract, RunsOfAgentsAreFoundByTheirTime) {
  Change change;
  for (const char* id : {"r1", "r2", "r3"}) change.agent_runs.push_back(full_agent_run(id));
  for (std::size_t i = 0; i < 3; ++i) change.agent_runs[i].started_ms = kNow + static_cast<std::int64_t>(i);
  must(store().apply(change, kNow));
  RunSearch search;
  search.from_ms = kNow + 1;
  std::vector<std::string> ids;
  for (const AgentRunRecord& run : must(store().agent_runs(search))) ids.push_back(run.id);
  EXPECT_EQ(ids, std::vector<std::string>({"r3", "r2"}));
}

TEST_P(StoreContract, ARunIsKnownFromItsBeginningOn) {
  AgentRunStart start;
  start.id = "r1";
  start.repository_id = "repo";
  start.session_id = "sess1";
  start.role = "fixer";
  start.agent = "first";
  start.issue_ids = {"i1", "i2"};
  start.prompt_file = "sessions/sess1/runs/BE-001-1-fixer.prompt.md";
  start.log_file = "sessions/sess1/runs/BE-001-1-fixer.log";
  start.live_file = "sessions/sess1/live/BE-001-1-fixer.log";
  start.started_ms = kNow;
  Change begun;
  begun.agent_run_starts = {start};
  must(store().apply(begun, kNow));
  reopen_if_durable();
  EXPECT_EQ(store().agent_run("r1").error().code, ErrorCode::not_found) << "it has not ended";
  EXPECT_EQ(to_json(must(store().agent_run_start("r1"))), to_json(start));
  EXPECT_EQ(must(store().agent_run_starts("sess1")).size(), 1U);
  EXPECT_TRUE(must(store().agent_run_starts("another")).empty());
  EXPECT_EQ(store().agent_run_start("r2").error().code, ErrorCode::not_found);
  Change ended;
  ended.agent_runs = {full_agent_run("r1")};
  must(store().apply(ended, kNow));
  EXPECT_EQ(everything(must(store().agent_run("r1"))), everything(ended.agent_runs[0]));
  EXPECT_FALSE(store().apply(begun, kNow)) << "begun twice";
}

TEST_P(StoreContract, EmptyReferencesComeBackEmpty) {
  const Issue issue = add_issue_in_work("f1");
  Change change;
  change.attempts = {full_attempt("a2", "sess1", "", issue.id)};
  change.verifications = {full_verification("ver1", "sess1", "")};
  Verdict verdict = full_verdict("v2", change.attempts[0]);
  verdict.attempt_id = "";
  verdict.score = std::nullopt;
  change.verdicts = {verdict};
  Proof proof = full_proof(verdict, "c1");
  proof.verdict_id = "";
  proof.detail = nullptr;
  change.proofs = {proof};
  must(store().apply(change, kNow));
  EXPECT_EQ(everything(must(store().attempt("a2"))), everything(change.attempts[0]));
  EXPECT_EQ(everything(must(store().verifications("sess1")).at(0)), everything(change.verifications[0]));
  EXPECT_EQ(everything(must(store().verdicts("sess1")).at(0)), everything(verdict));
  EXPECT_EQ(everything(must(store().proof(issue.id, "sess1")).value()), everything(proof));
}

TEST_P(StoreContract, EveryWordOfAnAttemptComesBack) {
  const Issue issue = add_issue_in_work("f1");
  Change change;
  change.attempts = {full_attempt("a2", "sess1", "u1", issue.id)};
  for (const Claim claim : {Claim::fixed, Claim::blocked, Claim::deferred, Claim::false_positive,
                            Claim::contested, Claim::not_reported}) {
    change.attempts[0].claim = claim;
    must(store().apply(change, kNow));
    EXPECT_EQ(must(store().attempt("a2")).claim, claim);
  }
  for (const AttemptResult result :
       {AttemptResult::accepted, AttemptResult::no_change, AttemptResult::refused,
        AttemptResult::verification_failed, AttemptResult::below_threshold, AttemptResult::unevaluated,
        AttemptResult::agent_failed, AttemptResult::deferred, AttemptResult::blocked,
        AttemptResult::interrupted}) {
    change.attempts[0].result = result;
    must(store().apply(change, kNow));
    EXPECT_EQ(must(store().attempt("a2")).result, result);
  }
}

TEST_P(StoreContract, LargePatchComesBackByteForByte) {
  const Issue issue = add_issue_in_work("f1");
  Change change;
  change.attempts = {full_attempt("a2", "sess1", "u1", issue.id)};
  std::string bytes(5'000'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>((i * 2654435761U) >> 13);
  change.attempts[0].patch.changes[0].new_content = bytes;
  must(store().apply(change, kNow));
  EXPECT_TRUE(must(store().attempt("a2")).patch.changes.at(0).new_content == bytes);
}

} // namespace emend::testing_support
