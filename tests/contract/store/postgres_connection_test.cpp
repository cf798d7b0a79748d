// Connections that are lost, locks that are held, and several processes at once.
#include <sys/wait.h>

#include <set>

#include "adapters/sql/database_address.hpp"
#include "adapters/sql/migrations.hpp"
#include "base/strings.hpp"
#include "tests/contract/store/filled_store.hpp"
#include "tests/contract/store/postgres_database.hpp"
#include "tests/contract/store/store_child.hpp"

namespace emend::testing_support {

class PostgresConnection : public PostgresTest {
protected:
  // Ends every other connection to the database, and waits until they are gone.
  void cut() const {
    RawPostgres raw(address());
    (void)raw.read(
        "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() "
        "and pid <> pg_backend_pid()");
  }
};

TEST_F(PostgresConnection, LostWhileNothingIsUnderWayIsMadeAgain) {
  auto store = open_store();
  (void)fill_store(*store, false);
  cut();
  EXPECT_EQ(store->issues({}).value().size(), 1U) << "a read";
  cut();
  EXPECT_TRUE(store->apply(one_event("after"), 1)) << "a change";
  cut();
  EXPECT_TRUE(store->cache_run("key", {})) << "a write of its own";
  EXPECT_EQ(store->events_after(0, "", 0).value().size(), 3U);
}

TEST_F(PostgresConnection, LostInATransactionIsAnErrorAndNothingIsStored) {
  (void)open_store();
  auto database = open_database(address(), 5'000).value();
  {
    auto transaction = Transaction::begin(*database);
    ASSERT_TRUE(transaction);
    const std::string trust = "insert into trust (path, sha256, time_ms) values ('p', 's', 1)";
    ASSERT_TRUE(run(*database, trust, {}));
    cut();
    const auto next = run(*database, "select path from trust", {});
    ASSERT_FALSE(next);
    EXPECT_EQ(next.error().code, ErrorCode::database);
    EXPECT_TRUE(contains(next.error().message, "the connection to the database postgresql://emend@/"))
        << next.error().message;
    EXPECT_TRUE(contains(next.error().remedy, "was not stored")) << next.error().remedy;
    EXPECT_FALSE(run(*database, "select path from trust", {}))
        << "it does not go on by itself with half of a transaction";
    EXPECT_FALSE(transaction->commit());
  }
  EXPECT_EQ(run(*database, "select path from trust", {}).value(), 0) << "the next one connects again";
}

TEST_F(PostgresConnection, LostWhileCommittingIsNotCalledStored) {
  (void)open_store();
  auto database = open_database(address(), 5'000).value();
  auto transaction = Transaction::begin(*database);
  ASSERT_TRUE(transaction);
  cut();
  const auto done = transaction->commit();
  ASSERT_FALSE(done);
  EXPECT_TRUE(contains(done.error().remedy, "not known whether")) << done.error().remedy;
}

TEST_F(PostgresConnection, WhatFailedInATransactionIsNotCommitted) {
  (void)open_store();
  auto database = open_database(address(), 5'000).value();
  auto transaction = Transaction::begin(*database);
  ASSERT_TRUE(transaction);
  ASSERT_TRUE(run(*database, "insert into trust (path, sha256, time_ms) values ('p', 's', 1)", {}));
  EXPECT_FALSE(run(*database, "insert into trust (path, sha256, time_ms) values ('p', 's', 1)", {}));
  EXPECT_FALSE(transaction->commit()) << "PostgreSQL would answer ROLLBACK, and no error";
}

TEST_F(PostgresConnection, AWriterIsWaitedForAndReadersAreNot) {
  auto store = open_store();
  (void)fill_store(*store, false);
  auto writer = open_database(address(), 5'000).value();
  auto transaction = Transaction::begin(*writer);
  ASSERT_TRUE(transaction);
  ASSERT_TRUE(writer->execute(
      "set local idle_in_transaction_session_timeout = 0")); // else it is cut off, and waited for no longer
  ASSERT_TRUE(run(*writer, "update issues set detail = 'not committed'", {}));
  auto other = open_sql_store(address(), 200).value();
  EXPECT_NE(other->issues({}).value().at(0).detail, "not committed");
  const auto blocked = other->apply(one_event("blocked"), 1);
  ASSERT_FALSE(blocked);
  EXPECT_EQ(blocked.error().code, ErrorCode::database);
  EXPECT_TRUE(contains(blocked.error().message, "locked by another process")) << blocked.error().message;
  ASSERT_TRUE(transaction->commit());
  EXPECT_TRUE(other->apply(one_event("free"), 1));
}

TEST_F(PostgresConnection, ProcessesWriteEventsAtOnceAndAReaderMissesNone) {
  auto store = open_store();
  (void)fill_store(*store, false);
  const std::vector<pid_t> children = {start_child("write_events", address()),
                                       start_child("write_events", address()),
                                       start_child("write_events", address())};
  std::set<std::string> followed;
  std::int64_t cursor = 0;
  const auto follow = [&] {
    const auto news = store->events_after(cursor, "", 0).value();
    for (const Event& event : news) {
      EXPECT_GT(event.seq, cursor);
      cursor = event.seq;
      EXPECT_TRUE(followed.insert(event.type).second) << event.type;
    }
  };
  for (const pid_t child : children) {
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) follow();
    EXPECT_TRUE(was_fine(status));
  }
  follow();
  EXPECT_EQ(followed.size(), 2U + children.size() * kEventsPerProcess)
      << "one that was stored later with a smaller number would be missed";
}

TEST_F(PostgresConnection, ProcessesMayCreateTheSchemaAtOnce) {
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) children.push_back(start_child("open", address()));
  for (const pid_t child : children) EXPECT_TRUE(was_fine(end_of(child)));
  EXPECT_EQ(RawPostgres(address()).read("select count(*) from schema_migrations"),
            std::vector<std::string>{std::to_string(schema_migrations().size())});
}

TEST_F(PostgresConnection, ChangeIsAllOrNothingWhenTheProcessDies) {
  (void)fill_store(*open_store(), false);
  for (const bool committed : {false, true}) {
    EXPECT_TRUE(was_killed(end_of(start_child("apply", address(), committed ? "2" : "1"))));
    auto store = open_store();
    const std::string id = only_issue_id(*store);
    EXPECT_EQ(store->issue("repo", id).value().status,
              committed ? IssueStatus::resolved : IssueStatus::in_progress);
    EXPECT_EQ(store->proof(id, "sess1").value().has_value(), committed);
    EXPECT_EQ(store->events_after(0, "", 0).value().size(), committed ? 3U : 2U);
  }
}

} // namespace emend::testing_support
