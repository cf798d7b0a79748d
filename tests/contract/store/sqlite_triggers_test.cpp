// The database itself keeps the promises, whoever writes to it.
#include "base/strings.hpp"
#include "tests/contract/store/sqlite_file.hpp"

namespace emend::testing_support {

namespace {

const std::string kNewIssue =
    "into issues (id, repository_id, code, fingerprint, finding, status, reason, detail, evidence, "
    "duplicate_of, session_id, commit_sha, "
    "last_score, attempts, created_ms, updated_ms) values ";

} // namespace

class SqliteTriggers : public SqliteFile {
protected:
  void refuses(RawDatabase& raw, const std::string& sql, const std::string& because) const {
    const std::string problem = raw.run(sql);
    EXPECT_TRUE(contains(problem, because)) << sql << "\nanswered: " << problem;
  }
  void allows(RawDatabase& raw, const std::string& sql) const { EXPECT_EQ(raw.run(sql), "") << sql; }
};

TEST_F(SqliteTriggers, NoResolvedWithoutProof) {
  const std::string id = fill(*open_store(), false);
  RawDatabase raw(path());
  refuses(raw, "update issues set status = 'RESOLVED'", "without a proof");
  refuses(raw, "update issues set status = 'RESOLVED', commit_sha = 'c1'", "without a proof");
  refuses(raw,
          "insert " + kNewIssue +
              "('x', 'repo', 'BE-7', 'f7', '{}', 'RESOLVED', '', '', '', '', 'sess1', 'c1', 1, 1, 1, 1)",
          "without a proof");
  refuses(raw,
          "insert or replace " + kNewIssue + "('" + id +
              "', 'repo', 'BE-001', 'f1', '{}', 'RESOLVED', '', '', '', '', 'sess1', 'c1', 1, 1, 1, 1)",
          "without a proof");
  refuses(raw, "update or ignore issues set status = 'RESOLVED'", "without a proof");
  refuses(raw, "update issues set status = 'resolved'", "CHECK");
  EXPECT_EQ(raw.read("select status from issues"), std::vector<std::string>{"IN_PROGRESS"});
}

TEST_F(SqliteTriggers, ProofMustBeOfTheSameSessionAndCommit) {
  const std::string id = fill(*open_store(), false);
  RawDatabase raw(path());
  allows(raw, "insert into proofs values ('" + id +
                  "', 'sess1', 'a1', 'v1', 'b', 'c1', 'br', 'p', 'verified', 97, '{}', 1)");
  refuses(raw, "update issues set status = 'RESOLVED'", "without a proof");
  refuses(raw, "update issues set status = 'RESOLVED', commit_sha = 'c2'", "without a proof");
  refuses(raw, "update issues set status = 'RESOLVED', commit_sha = 'c1', session_id = null",
          "without a proof");
  allows(raw, "update issues set status = 'RESOLVED', commit_sha = 'c1'");
}

TEST_F(SqliteTriggers, ResolvedIssueCannotBeBentAfterwards) {
  (void)fill(*open_store(), true);
  RawDatabase raw(path());
  EXPECT_EQ(raw.read("select status from issues"), std::vector<std::string>{"RESOLVED"});
  refuses(raw, "update issues set commit_sha = 'other'", "without a proof");
  refuses(raw, "update issues set session_id = null", "without a proof");
  refuses(raw, "update issues set code = 'BE-002'", "never change");
  refuses(raw, "update proofs set score = 100", "never changes");
  refuses(raw, "update proofs set commit_sha = 'other'", "never changes");
  refuses(raw, "delete from proofs", "never deleted");
  refuses(raw,
          "insert or replace into proofs select issue_id, session_id, attempt_id, verdict_id, base, "
          "commit_sha, branch, patch_sha256, "
          "evidence, 100, detail, created_ms from proofs",
          "never changes");
  allows(raw, "update issues set detail = 'fine', updated_ms = 9");
  EXPECT_EQ(raw.read("select score from proofs"), std::vector<std::string>{"97"});
}

TEST_F(SqliteTriggers, MergedNeedsAProofToo) {
  const std::string id = fill(*open_store(), false);
  RawDatabase raw(path());
  refuses(raw, "update issues set status = 'MERGED', commit_sha = 'c1'", "without a proof");
  allows(raw, "insert into proofs values ('" + id +
                  "', 'sess1', 'a1', 'v1', 'b', 'c1', 'br', 'p', 'verified', 97, '{}', 1)");
  refuses(raw, "update issues set status = 'MERGED', session_id = null", "without a proof");
  allows(raw, "update issues set status = 'MERGED', commit_sha = 'the merge'");
  refuses(raw, "update proofs set score = 100", "never changes");
}

TEST_F(SqliteTriggers, EvidenceIsAppendOnly) {
  (void)fill(*open_store(), false);
  RawDatabase raw(path());
  for (const std::string table : {"attempts", "verifications", "verdicts"}) {
    refuses(raw, "delete from " + table, "never deleted");
    EXPECT_EQ(raw.read("select count(*) from " + table), std::vector<std::string>{"1"});
  }
  for (const std::string table : {"verifications", "verdicts"}) {
    refuses(raw, "update " + table + " set data = '{}'", "never change");
    refuses(raw, "insert or replace into " + table + " select * from " + table, "never change");
  }
  refuses(raw,
          "insert or replace into attempts select n, id, session_id, null, issue_id, cycle, agent, model, "
          "family, ending, exit_code, "
          "claim, explanation, result, detail, base, notes, started_ms, duration_ms, patch from attempts",
          "belongs to");
  for (const std::string column : {"id", "session_id", "unit_id", "issue_id", "cycle"}) {
    refuses(raw, "update attempts set " + column + " = '7'", "belongs to");
  }
  allows(raw, "update attempts set unit_id = unit_id, result = 'accepted'");
}

TEST_F(SqliteTriggers, EventsNeverChange) {
  (void)fill(*open_store(), false);
  RawDatabase raw(path());
  refuses(raw, "update events set type = 'other'", "never change");
  refuses(raw, "update events set seq = seq + 10", "never change");
  refuses(raw, "insert or replace into events select seq, 1, session_id, 'other', '', data, '' from events",
          "never change");
  EXPECT_EQ(raw.read("select type from events order by seq"), (std::vector<std::string>{"one", "two"}));
}

TEST_F(SqliteTriggers, CodesAreNeverGivenTwice) {
  auto store = open_store();
  Issue issue;
  issue.repository_id = "repo";
  issue.finding.file = "a.c";
  issue.fingerprint = "1";
  EXPECT_EQ(store->add_issues({issue}, 1).value().at(0).code, "BE-001");
  RawDatabase raw(path());
  allows(raw, "delete from issues");
  refuses(raw, "update code_counters set last_number = 0", "never given twice");
  refuses(raw, "delete from code_counters", "never given twice");
  EXPECT_EQ(store->add_issues({issue}, 1).value().at(0).code, "BE-002") << "even when the row is gone";
}

TEST_F(SqliteTriggers, SequenceNumbersAreNeverGivenTwice) {
  auto store = open_store();
  (void)fill(*store, false);
  const auto before = store->events_after(0, "", 0).value();
  RawDatabase raw(path());
  allows(raw, "delete from events");
  Change change;
  change.events = {Event{}};
  EXPECT_GT(store->apply(change, 1).value().at(0).seq, before.back().seq);
}

} // namespace emend::testing_support
