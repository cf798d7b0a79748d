// Sessions that write at the same time do not wait for each other, and readers of all events miss none.
#include <atomic>
#include <thread>

#include "adapters/sql/database_address.hpp"
#include "adapters/sql/journal_rows.hpp"
#include "adapters/sql/shared_work_rows.hpp"
#include "adapters/sql/sql_ledger.hpp"
#include "tests/contract/store/postgres_database.hpp"

namespace emend::testing_support {

namespace {

Event event_of(const std::string& session, const std::string& type = "fix_notice") {
  Event event;
  event.session_id = session;
  event.type = type;
  event.data = Json::object();
  return event;
}

Change change_of(const std::string& session) {
  Change change;
  change.events = {event_of(session)};
  return change;
}

std::vector<std::int64_t> numbers(const std::vector<Event>& events) {
  std::vector<std::int64_t> list;
  for (const Event& event : events) list.push_back(event.seq);
  return list;
}

} // namespace

// A change that somebody makes on a connection of his own.
class Attempted {
public:
  Attempted(const std::string& address, Change change)
      : raw_(address), thread_([this, address, change = std::move(change)] {
          auto store = open_sql_store(address).value();
          stored_ = store->apply(change, 1).has_value();
          done_ = true;
        }) {}
  Attempted(const Attempted&) = delete;
  Attempted& operator=(const Attempted&) = delete;
  ~Attempted() { EXPECT_TRUE(stored()); }

  // Until it is done or stands before a lock.
  [[nodiscard]] bool waits() {
    while (!done_)
      if (raw_.read("select count(*) from pg_locks where not granted") == std::vector<std::string>{"1"})
        return true;
    return false;
  }
  bool stored() {
    if (thread_.joinable()) thread_.join();
    return stored_;
  }

private:
  RawPostgres raw_;
  std::atomic<bool> done_{false}, stored_{false};
  std::thread thread_;
};

class PostgresBeside : public PostgresTest {
protected:
  void SetUp() override {
    PostgresTest::SetUp();
    if (IsSkipped()) return;
    store_ = open_store();
  }
  [[nodiscard]] Store& store() const { return *store_; }
  // May stand still in the middle of a change for as long as a busy machine needs.
  [[nodiscard]] std::unique_ptr<Database> connect() const {
    const std::string patient = "&options=-cidle_in_transaction_session_timeout%3D300000";
    return open_database(address() + patient, 20'000).value();
  }
  static bool applies(Store& store, const Change& change) { return store.apply(change, 1).has_value(); }
  // Whether the change has to wait while the transaction is open; it is made in the end.
  void expect_to_wait(Result<Transaction> held, Change change, bool waits) const {
    ASSERT_TRUE(held);
    Attempted attempted(address(), std::move(change));
    EXPECT_EQ(attempted.waits(), waits);
    { const Transaction ended = *std::move(held); }
  }

private:
  std::unique_ptr<Store> store_;
};

TEST_F(PostgresBeside, AChangeWaitsForItsOwnSessionAlone) {
  const auto database = connect();
  Change two_sessions = change_of("s2"), shared = change_of("s2");
  two_sessions.events.push_back(event_of("s3"));
  shared.trusted = {{"/p", "sha", 1}};
  expect_to_wait(Transaction::begin_beside(*database, "s1"), change_of("s1"), true);
  expect_to_wait(Transaction::begin_beside(*database, "s1"), change_of("s2"), false);
  expect_to_wait(Transaction::begin_beside(*database, "s1"), two_sessions, true);
  expect_to_wait(Transaction::begin_beside(*database, "s1"), shared, true);
  expect_to_wait(Transaction::begin(*database), change_of("s2"), true);
}

// A number is taken when an event is written and seen when its transaction ends: the other way round it would
// be missed by whoever has seen a higher one.
TEST_F(PostgresBeside, AReaderWaitsForLowerNumbersThatMayStillCome) {
  const auto ledger = open_sql_ledger(address()).value();
  const auto database = connect();
  EXPECT_TRUE(applies(store(), change_of("before")));
  auto slow = Transaction::begin_beside(*database, "slow");
  ASSERT_TRUE(slow);
  const std::int64_t low = insert_event(*database, event_of("slow"), 1).value().seq;
  const std::int64_t high = store().apply(change_of("quick"), 1).value().front().seq;
  ASSERT_LT(low, high);
  EXPECT_EQ(numbers(store().events_after(0, "", 0).value()), (std::vector<std::int64_t>{low - 1}));
  EXPECT_EQ(ledger->newest_event().value(), low - 1);
  EXPECT_EQ(numbers(store().events_after(0, "quick", 0).value()), (std::vector<std::int64_t>{high}))
      << "within a session there is nothing to wait for";
  ASSERT_TRUE(slow->commit());
  EXPECT_EQ(numbers(store().events_after(low - 1, "", 0).value()), (std::vector<std::int64_t>{low, high}));
  EXPECT_EQ(ledger->newest_event().value(), high);
}

TEST_F(PostgresBeside, NumbersThatWereTakenBackHoldNobodyUp) {
  {
    const auto database = connect();
    auto given_up = Transaction::begin_beside(*database, "s1");
    ASSERT_TRUE(given_up);
    ASSERT_TRUE(insert_event(*database, event_of("s1"), 1));
  }
  const std::int64_t seq = store().apply(change_of("s2"), 1).value().front().seq;
  EXPECT_EQ(numbers(store().events_after(0, "", 0).value()), (std::vector<std::int64_t>{seq}));
}

TEST_F(PostgresBeside, ManySessionsAtOnceAndNoEventIsMissed) {
  constexpr int kSessions = 6, kEach = 60;
  std::atomic<int> writing{kSessions};
  std::vector<std::thread> writers;
  for (int n = 0; n < kSessions; ++n)
    writers.emplace_back([&, session = "s" + std::to_string(n)] {
      const auto own = must_open(address());
      for (int i = 0; i < kEach; ++i) EXPECT_TRUE(applies(*own, change_of(session)));
      --writing;
    });
  const auto reader = open_sql_ledger(address(), 20'000).value();
  std::vector<std::int64_t> seen;
  for (bool over = false; !over;) {
    over = writing == 0; // before the last look
    const auto news = reader->events_after(seen.empty() ? 0 : seen.back(), "", 25).value();
    for (const Event& event : news) seen.push_back(event.seq);
    over = over && news.empty();
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(seen.size(), std::size_t{kSessions * kEach});
  EXPECT_EQ(numbers(reader->events_after(0, "", 0).value()), seen);
}

// Servers of an older release take what they see for all there is up to there.
TEST_F(PostgresBeside, WhileReleasesDifferAllTakeTurns) {
  const auto database = connect();
  for (const char* version : {"1.0", "1.1"}) {
    WorkerRecord worker;
    worker.id = std::string("w") + version;
    worker.host = "h";
    worker.version = version;
    ASSERT_TRUE(put_worker(*database, worker, 60'000));
  }
  EXPECT_TRUE(several_releases(*database).value());
  expect_to_wait(Transaction::begin_beside(*database, "s1"), change_of("s2"), true);
}

} // namespace emend::testing_support
