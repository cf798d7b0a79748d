// PostgreSQL itself keeps the promises, whoever writes to it.
#include "base/strings.hpp"
#include "tests/contract/store/filled_store.hpp"
#include "tests/contract/store/postgres_database.hpp"

namespace emend::testing_support {

class PostgresRules : public PostgresTest {
protected:
  static void refuses(RawPostgres& raw, const std::string& sql, const std::string& because) {
    const std::string problem = raw.run(sql);
    EXPECT_TRUE(contains(problem, because)) << sql << "\nanswered: " << problem;
  }
  static void allows(RawPostgres& raw, const std::string& sql) { EXPECT_EQ(raw.run(sql), "") << sql; }
  static std::string proof_of(const std::string& id) {
    return "insert into proofs values ('" + id +
           "', 'sess1', 'a1', 'v1', 'b', 'c1', 'br', 'p', 'verified', 97, '{}', 1)";
  }
};

TEST_F(PostgresRules, NoResolvedWithoutProof) {
  (void)fill_store(*open_store(), false);
  RawPostgres raw(address());
  refuses(raw, "update issues set status = 'RESOLVED'", "without a proof");
  refuses(raw, "update issues set status = 'RESOLVED', commit_sha = 'c1'", "without a proof");
  refuses(raw, "update issues set status = 'MERGED', commit_sha = 'c1'", "without a proof");
  refuses(raw,
          "insert into issues (id, repository_id, code, fingerprint, finding, status, reason, detail, "
          "evidence, duplicate_of, session_id, commit_sha, "
          "last_score, attempts, created_ms, updated_ms) values ('x', 'repo', 'BE-7', 'f7', '{}', "
          "'RESOLVED', '', '', '', '', 'sess1', 'c1', 1, 1, 1, 1)",
          "without a proof");
  refuses(raw, "update issues set status = 'resolved'", "check constraint");
  EXPECT_EQ(raw.read("select status from issues"), std::vector<std::string>{"IN_PROGRESS"});
}

TEST_F(PostgresRules, ATemporaryTableDoesNotStandInForProofs) {
  const std::string id = fill_store(*open_store(), false);
  RawPostgres raw(address());
  allows(raw, "create temporary table proofs (like public.proofs)");
  allows(raw, proof_of(id));
  refuses(raw, "update issues set status = 'RESOLVED', commit_sha = 'c1'", "without a proof");
}

TEST_F(PostgresRules, ProofMustBeOfTheSameSessionAndCommit) {
  const std::string id = fill_store(*open_store(), false);
  RawPostgres raw(address());
  allows(raw, proof_of(id));
  refuses(raw, "update issues set status = 'RESOLVED', commit_sha = 'c2'", "without a proof");
  refuses(raw, "update issues set status = 'RESOLVED', commit_sha = 'c1', session_id = null",
          "without a proof");
  allows(raw, "update issues set status = 'RESOLVED', commit_sha = 'c1'");
  refuses(raw, "update proofs set score = 100", "never changes");
  refuses(raw, "delete from proofs", "never deleted");
  refuses(raw, "update issues set code = 'BE-002'", "never change");
}

TEST_F(PostgresRules, EvidenceIsAppendOnly) {
  (void)fill_store(*open_store(), false);
  RawPostgres raw(address());
  for (const std::string table : {"attempts", "verifications", "verdicts"})
    refuses(raw, "delete from " + table, "never deleted");
  for (const std::string table : {"verifications", "verdicts"})
    refuses(raw, "update " + table + " set data = '{}'", "never change");
  refuses(raw, "update events set type = 'other'", "never change");
  refuses(raw, "update attempts set unit_id = null", "belongs to");
  allows(raw, "update attempts set unit_id = unit_id, result = 'accepted'");
  refuses(raw, "update code_counters set last_number = 0", "never given twice");
  refuses(raw, "delete from code_counters", "never given twice");
}

TEST_F(PostgresRules, NumbersAreNeverGivenTwice) {
  auto store = open_store();
  (void)fill_store(*store, false);
  const auto before = store->events_after(0, "", 0).value();
  RawPostgres raw(address());
  allows(raw, "delete from events");
  Change change;
  change.events = {Event{}};
  EXPECT_GT(store->apply(change, 1).value().at(0).seq, before.back().seq);
}

// Two databases must put the same rows into the same order, whatever language they were made for.
TEST_F(PostgresRules, TextsCompareByTheirBytes) {
  const auto store = open_store();
  RawPostgres raw(address());
  EXPECT_EQ(raw.read("select table_name || '.' || column_name from information_schema.columns where "
                     "table_schema = 'public' and data_type = 'text' "
                     "and collation_name is distinct from 'C' and table_name <> 'schema_migrations'"),
            std::vector<std::string>());
}

} // namespace emend::testing_support
