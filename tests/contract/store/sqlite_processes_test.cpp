// Several threads, several processes, and processes that die at the worst moment.
#include <sys/wait.h>

#include <atomic>
#include <set>
#include <thread>

#include "adapters/sql/migrations.hpp"
#include "adapters/sql/sql_store.hpp"
#include "tests/contract/store/records.hpp"
#include "tests/contract/store/sqlite_file.hpp"
#include "tests/contract/store/store_child.hpp"

namespace emend::testing_support {

class SqliteProcesses : public SqliteFile {
protected:
  void SetUp() override {
    SqliteFile::SetUp();
    auto store = open_store();
    (void)fill(*store, false);
    ASSERT_TRUE(put_intent(
        *store, {.id = "old", .session_id = "sess1", .kind = "publish", .data = 1, .done = false}));
  }
  // Ends the role just before (1) or just after (2) its commit.
  void crash(const std::string& role, int at) const {
    ASSERT_TRUE(was_killed(end_of(start_child(role, path(), std::to_string(at))))) << role << " at " << at;
  }
};

TEST_F(SqliteProcesses, ChangeIsAllOrNothingWhenTheProcessDies) {
  for (const bool committed : {false, true}) {
    crash("apply", committed ? 2 : 1);
    auto store = open_store();
    const std::string id = only_issue_id(*store);
    EXPECT_EQ(store->issue("repo", id).value().status,
              committed ? IssueStatus::resolved : IssueStatus::in_progress);
    EXPECT_EQ(store->verdicts("sess1").value().size(), committed ? 2U : 1U);
    EXPECT_EQ(store->commits("sess1").value().size(), committed ? 1U : 0U);
    EXPECT_EQ(store->proof(id, "sess1").value().has_value(), committed);
    EXPECT_EQ(store->events_after(0, "", 0).value().size(), committed ? 3U : 2U);
  }
}

TEST_F(SqliteProcesses, IssuesAreAddedAllOrNotAtAllWhenTheProcessDies) {
  crash("add_issues", 1);
  EXPECT_EQ(open_store()->issues({}).value().size(), 1U);
  crash("add_issues", 2);
  const auto issues = open_store()->issues({}).value();
  ASSERT_EQ(issues.size(), 3U);
  EXPECT_EQ(issues[1].code, "BE-002");
  EXPECT_EQ(issues[2].code, "BE-003");
}

TEST_F(SqliteProcesses, IntentsAreDurableOnReturn) {
  crash("put_intent", 1);
  EXPECT_EQ(open_store()->open_intents("sess1").value().size(), 1U);
  crash("put_intent", 2);
  EXPECT_EQ(open_store()->open_intents("sess1").value().size(), 2U);
  crash("finish_intent", 1);
  EXPECT_EQ(open_store()->open_intents("sess1").value().size(), 2U);
  crash("finish_intent", 2);
  const auto left = open_store()->open_intents("sess1").value();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].id, "new");
}

TEST_F(SqliteProcesses, DeathWhileTheSchemaIsMadeIsRepairedByTheNext) {
  const std::string fresh = (directory() / "fresh.db").string();
  ASSERT_TRUE(was_killed(end_of(start_child("open", fresh, "1"))));
  auto store = open_sql_store(fresh);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_TRUE((*store)->issues({}).value().empty());
}

TEST_F(SqliteProcesses, ProcessesWriteEventsAtOnceWithoutLossOrDuplicate) {
  const std::vector<pid_t> children = {start_child("write_events", path()),
                                       start_child("write_events", path())};
  auto store = open_store();
  std::set<std::string> followed; // a reader beside them sees each event once, in order
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
  EXPECT_EQ(followed.size(), 2U + 2U * kEventsPerProcess);
  for (const pid_t child : children) {
    for (int i = 0; i < kEventsPerProcess; ++i)
      EXPECT_TRUE(followed.contains(std::to_string(child) + "/" + std::to_string(i)));
  }
}

TEST_F(SqliteProcesses, ProcessesMayCreateTheDatabaseAtOnce) {
  const std::string fresh = (directory() / "sub" / "fresh.db").string();
  std::vector<pid_t> children;
  for (int i = 0; i < 6; ++i) children.push_back(start_child("open", fresh));
  for (const pid_t child : children) EXPECT_TRUE(was_fine(end_of(child)));
  EXPECT_EQ(RawDatabase(fresh).read("select count(*) from schema_migrations"),
            std::vector<std::string>{std::to_string(schema_migrations().size())});
}

TEST_F(SqliteProcesses, TwentyThreadsApply) {
  auto store = open_store();
  const std::string id = only_issue_id(*store);
  constexpr int kThreads = 20;
  constexpr int kChanges = 20;
  std::atomic<int> moved = 0;
  std::atomic<int> failed = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kChanges; ++i) {
          if (!store->apply(one_event(std::to_string(t) + "/" + std::to_string(i)), 1)) ++failed;
          if (!store->events_after(0, "sess1", 5)) ++failed;
        }
        Change change; // all want the same move; one gets it
        change.moves = {{.issue_id = id, .from = IssueStatus::in_progress, .to = IssueStatus::failed}};
        const auto answer = store->apply(change, 1);
        if (answer) ++moved;
        if (!answer && answer.error().code != ErrorCode::conflict) ++failed;
      });
    }
  }
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(moved, 1);
  std::set<std::string> types;
  std::set<std::int64_t> numbers;
  const auto events = store->events_after(0, "", 0).value();
  for (const Event& event : events) {
    types.insert(event.type);
    numbers.insert(event.seq);
  }
  EXPECT_EQ(types.size(), 2U + kThreads * kChanges);
  EXPECT_EQ(numbers.size(), types.size());
}

TEST_F(SqliteProcesses, ThreadsAddIssuesWithDistinctCodes) {
  auto first = open_store();
  auto second = open_store(); // a second connection of the same process
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 10; ++i) {
          Issue issue;
          issue.repository_id = "repo";
          issue.finding.file = "a.c";
          issue.fingerprint =
              "t" + std::to_string(t / 2) + "-" + std::to_string(i); // two threads want the same ones
          EXPECT_TRUE((t % 2 == 0 ? first : second)->add_issues({issue}, 1));
        }
      });
    }
  }
  std::set<std::string> codes;
  const auto issues = first->issues({}).value();
  for (const Issue& issue : issues) codes.insert(issue.code);
  EXPECT_EQ(codes.size(), 41U);
  EXPECT_TRUE(codes.contains("BE-041"));
}

} // namespace emend::testing_support
