#include "api/work_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/unit/api/memory_ledger.hpp"

namespace emend {
namespace {

using testing_support::HandClock;
using testing_support::MemoryLedger;

// Work that waits until it is let go, so that tests decide the order.
class Gate {
public:
  Result<Json> pass(const Job& job, std::stop_token stop) {
    std::unique_lock lock(mutex_);
    entered_.push_back(job.id);
    changed_.notify_all();
    changed_.wait(lock, stop, [&] { return open_; });
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped");
    return Json{{"id", job.id}};
  }
  void wait_for(std::size_t entered) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return entered_.size() >= entered; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  std::vector<std::string> entered() {
    const std::lock_guard lock(mutex_);
    return entered_;
  }

private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<std::string> entered_;
  bool open_ = false;
};

class WorkQueueTest : public ::testing::Test {
protected:
  std::unique_ptr<WorkQueue> start(Gate& gate, int parallel = 2) {
    auto queue = std::make_unique<WorkQueue>(ledger_, clock_, parallel);
    queue->handle("work", [&gate](const Job& job, std::stop_token stop) { return gate.pass(job, stop); });
    EXPECT_TRUE(queue->start());
    return queue;
  }
  static void add(WorkQueue& queue, const std::string& id, const std::string& repository,
                  const std::string& same = "") {
    bool joined = false;
    EXPECT_TRUE(queue.add({id, "work", repository, Json::object(), same}, Actor{}, joined));
  }
  static void wait_until_over(WorkQueue& queue, const std::string& id) {
    for (auto record = queue.find(id);
         record && record->state != JobState::done && record->state != JobState::failed;
         record = queue.find(id))
      std::this_thread::yield();
  }
  HandClock clock_;
  MemoryLedger ledger_;
};

TEST_F(WorkQueueTest, KnowsWhatBecameOfItsJobsAfterARestart) {
  Gate gate;
  auto queue = start(gate);
  gate.open();
  add(*queue, "a1", "a");
  wait_until_over(*queue, "a1");
  queue->pause(true);
  add(*queue, "a2", "a");
  EXPECT_TRUE(queue->cancel("a2"));
  queue.reset();
  queue = start(gate);
  ASSERT_TRUE(queue->find("a1"));
  EXPECT_EQ(queue->find("a1")->state, JobState::done);
  EXPECT_EQ(queue->find("a1")->result, (Json{{"id", "a1"}}));
  EXPECT_EQ(queue->find("a1")->job.repository_id, "a");
  ASSERT_TRUE(queue->find("a2"));
  EXPECT_EQ(queue->find("a2")->state, JobState::failed);
  EXPECT_THAT(queue->find("a2")->problem, testing::HasSubstr("cancelled"));
  EXPECT_THAT(gate.entered(), testing::ElementsAre("a1")) << "what is over is not done again";
  add(*queue, "a1", "a"); // a session that is taken up again has the id of its first job
  wait_until_over(*queue, "a1");
  EXPECT_THAT(gate.entered(), testing::ElementsAre("a1", "a1"));
}

TEST_F(WorkQueueTest, WorksOnOneThingAtATimeForEachRepository) {
  Gate gate;
  const auto queue = start(gate);
  add(*queue, "a1", "a");
  gate.wait_for(1);
  add(*queue, "a2", "a");
  add(*queue, "b1", "b");
  gate.wait_for(2);
  EXPECT_THAT(gate.entered(), testing::ElementsAre("a1", "b1"));
  EXPECT_EQ(queue->depth(), 1u);
  gate.open();
  gate.wait_for(3);
  wait_until_over(*queue, "a2");
  EXPECT_EQ(queue->find("a2")->state, JobState::done);
  EXPECT_EQ(queue->find("a2")->result.at("id"), "a2");
}

TEST_F(WorkQueueTest, MakesOneOfTwoThatAreTheSame) {
  Gate gate;
  const auto queue = start(gate);
  add(*queue, "first", "a", "x");
  bool joined = false;
  const auto record = queue->add({"second", "work", "a", Json::object(), "x"}, Actor{}, joined);
  ASSERT_TRUE(record);
  EXPECT_TRUE(joined);
  EXPECT_EQ(record->job.id, "first");
  gate.open();
  wait_until_over(*queue, "first");
  EXPECT_TRUE(queue->add({"third", "work", "a", Json::object(), "x"}, Actor{},
                         joined)); // the first is over: this is new work
  EXPECT_FALSE(joined);
}

TEST_F(WorkQueueTest, TakesUpWhatAStoppedServerLeft) {
  Gate first;
  {
    const auto queue = start(first, 1);
    add(*queue, "running", "a");
    first.wait_for(1);
    add(*queue, "waiting", "a");
    queue->stop();
  }
  Gate second;
  second.open();
  const auto queue = start(second, 1);
  second.wait_for(2);
  EXPECT_THAT(second.entered(), testing::UnorderedElementsAre("running", "waiting"));
  wait_until_over(*queue, "running");
  wait_until_over(*queue, "waiting");
  queue->stop();
  EXPECT_TRUE(ledger_.all_remembered("job", 0)->empty());
}

TEST_F(WorkQueueTest, DoesNotTakeUpWhatAPersonCancelled) {
  Gate gate;
  {
    const auto queue = start(gate, 1);
    add(*queue, "running", "a");
    gate.wait_for(1);
    add(*queue, "waiting", "a");
    EXPECT_TRUE(queue->cancel("waiting"));
    EXPECT_TRUE(queue->cancel("running"));
    EXPECT_FALSE(queue->cancel("unknown"));
    wait_until_over(*queue, "running");
    EXPECT_EQ(queue->find("waiting")->state, JobState::failed);
    EXPECT_FALSE(queue->cancel("running"));
  }
  EXPECT_TRUE(ledger_.all_remembered("job", 0)->empty());
}

// A cancelled session that is resumed: the same id again.
TEST_F(WorkQueueTest, TakesAnIdAgainWhenItsFirstJobIsOver) {
  Gate first;
  const auto queue = start(first);
  add(*queue, "a", "r");
  first.wait_for(1);
  EXPECT_TRUE(queue->cancel("a"));
  add(*queue, "a", "r", "again"); // waits until the first one has ended
  first.wait_for(2);
  EXPECT_EQ(queue->list().size(), 1U);
  EXPECT_FALSE(queue->given_up("a"));
  first.open();
  wait_until_over(*queue, "a");
  EXPECT_EQ(queue->find("a")->state, JobState::done);
}

TEST_F(WorkQueueTest, KnowsWhatIsNotAJobsLastWord) {
  Gate gate;
  const auto queue = start(gate);
  queue->pause(true);
  add(*queue, "a", "r");
  const std::int64_t before = clock_.wall_ms() - 1;
  EXPECT_TRUE(queue->goes_on_after("a", clock_.wall_ms() + 1'000)); // it has not even begun
  queue->pause(false);
  gate.wait_for(1);
  EXPECT_TRUE(queue->goes_on_after("a", before));
  EXPECT_FALSE(queue->goes_on_after("a", clock_.wall_ms())); // said by this very run
  gate.open();
  wait_until_over(*queue, "a");
  EXPECT_FALSE(queue->goes_on_after("a", before));
  EXPECT_FALSE(queue->goes_on_after("b", 0));
}

TEST_F(WorkQueueTest, BeginsNothingWhilePaused) {
  Gate gate;
  gate.open();
  const auto queue = start(gate);
  queue->pause(true);
  add(*queue, "a", "a");
  EXPECT_TRUE(queue->paused());
  EXPECT_EQ(queue->depth(), 1u);
  queue->pause(false);
  wait_until_over(*queue, "a");
  EXPECT_EQ(queue->find("a")->state, JobState::done);
}

TEST_F(WorkQueueTest, TeamsTakeTurnsWhateverTheyAsk) {
  Gate gate;
  auto queue = start(gate, 1);
  queue->pause(true);
  const auto ask = [&](const std::string& id, const std::string& team, JobPriority priority) {
    bool joined = false;
    Job job{id, "work", "repository-" + id, Json::object(), ""};
    job.team = team;
    job.priority = priority;
    EXPECT_TRUE(queue->add(std::move(job), Actor{}, joined));
    clock_.now += 1;
  };
  for (const char* id : {"a1", "a2", "a3", "a4"}) ask(id, "a", JobPriority::normal);
  ask("low", "c", JobPriority::low);
  for (const char* id : {"b1", "b2"}) ask(id, "b", JobPriority::normal);
  ask("high", "a", JobPriority::high);
  gate.open();
  queue->handle("work", [&](const Job& job, std::stop_token stop) {
    clock_.now += 1'000;
    return gate.pass(job, stop);
  });
  queue->pause(false);
  for (const char* id : {"a4", "low"}) wait_until_over(*queue, id);
  EXPECT_THAT(gate.entered(), testing::ElementsAre("high", "b1", "a1", "b2", "a2", "a3", "a4", "low"));
}

TEST_F(WorkQueueTest, WhatIsNotUrgentDoesNotWaitForEver) {
  Gate gate;
  auto queue = start(gate, 1);
  queue->pause(true);
  bool joined = false;
  Job low{"low", "work", "a", Json::object(), ""};
  low.priority = JobPriority::low;
  EXPECT_TRUE(queue->add(low, Actor{}, joined));
  clock_.now += 31 * 60'000;
  add(*queue, "normal", "b");
  queue = nullptr;
  auto next = std::make_unique<WorkQueue>(ledger_, clock_, 1);
  next->handle("work", [&](const Job& job, std::stop_token stop) { return gate.pass(job, stop); });
  gate.open();
  EXPECT_TRUE(next->start());
  for (const char* id : {"normal", "low"}) wait_until_over(*next, id);
  EXPECT_THAT(gate.entered(), testing::ElementsAre("low", "normal")); // also after a restart
}

TEST_F(WorkQueueTest, SurvivesWorkThatThrowsOrThatNobodyKnows) {
  WorkQueue queue(ledger_, clock_, 1);
  queue.handle("throws",
               [](const Job&, std::stop_token) -> Result<Json> { throw std::runtime_error("broken"); });
  ASSERT_TRUE(queue.start());
  bool joined = false;
  ASSERT_TRUE(queue.add({"t", "throws", "a", {}, ""}, Actor{}, joined));
  ASSERT_TRUE(queue.add({"u", "unknown", "a", {}, ""}, Actor{}, joined));
  wait_until_over(queue, "u");
  EXPECT_EQ(queue.find("t")->problem, "broken");
  EXPECT_EQ(queue.find("u")->state, JobState::failed);
}

// A store that can be away.
class AwayLedger : public MemoryLedger {
public:
  Status remember(const Remembered& entry) override { return away ? gone() : MemoryLedger::remember(entry); }
  Status forget(const std::string& kind, const std::string& key) override {
    return away ? gone() : MemoryLedger::forget(kind, key);
  }
  static Status gone() { return fail(ErrorCode::database, "the database is away"); }
  std::atomic<bool> away = false;
};

class KeptJobsTest : public ::testing::Test {
protected:
  // Work whose answers a test gives one after the other; the last one stands.
  std::unique_ptr<WorkQueue> start(std::vector<Result<Json>> answers, int tries = 5) {
    answers_ = std::move(answers);
    JobKeeping keeping;
    keeping.shortest = std::chrono::milliseconds(1);
    keeping.longest = std::chrono::milliseconds(4);
    keeping.tries = tries;
    auto queue = std::make_unique<WorkQueue>(ledger_, clock_, 1, keeping);
    WorkQueue::Handler handler;
    handler.work = [this](const Job& job, std::stop_token) -> Result<Json> {
      const std::size_t n = runs_++;
      if (job.taken_up) ++taken_up_;
      return answers_[std::min(n, answers_.size() - 1)];
    };
    handler.waits = [](const Error& error) { return error.code == ErrorCode::conflict; };
    handler.failed = [this](const Job&, const Error& error) -> Status {
      if (ledger_.away) return AwayLedger::gone();
      const std::lock_guard lock(mutex_);
      told_.push_back(error.message);
      return {};
    };
    queue->handle("work", std::move(handler));
    EXPECT_TRUE(queue->start());
    return queue;
  }
  static void add(WorkQueue& queue, const std::string& id) {
    bool joined = false;
    EXPECT_TRUE(queue.add({id, "work", "r", Json::object(), ""}, Actor{}, joined));
  }
  // Conditions are waited for, never times; a test that hangs is ended by ctest.
  template <typename Condition>
  static void until(Condition condition) {
    while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::vector<std::string> told() {
    const std::lock_guard lock(mutex_);
    return told_;
  }
  static Result<Json> lost() { return fail(ErrorCode::database, "the connection was lost"); }

  HandClock clock_;
  AwayLedger ledger_;
  std::vector<Result<Json>> answers_;
  std::atomic<std::size_t> runs_ = 0, taken_up_ = 0;
  std::mutex mutex_;
  std::vector<std::string> told_;
};

TEST_F(KeptJobsTest, TakesUpAJobAgainWhenTheStoreAnswers) {
  auto queue = start({lost(), Json{{"status", "passed"}}});
  queue->pause(true);
  add(*queue, "a");
  ledger_.away = true;
  queue->pause(false);
  until([&] { return queue->trouble().has_value(); });
  EXPECT_EQ(queue->find("a")->state, JobState::queued) << "it is neither running nor over";
  EXPECT_THAT(*queue->trouble(), testing::HasSubstr("1 job waits to be resumed"));
  EXPECT_FALSE(queue->check());
  EXPECT_EQ(runs_, 1u);
  ledger_.away = false;
  until([&] { return queue->find("a")->state == JobState::done; });
  EXPECT_EQ(taken_up_, 1u);
  until([&] { return !queue->trouble(); });
  EXPECT_TRUE(ledger_.all_remembered("job", 0)->empty());
  EXPECT_THAT(told(), testing::IsEmpty());
}

TEST_F(KeptJobsTest, StoresAnEndThatCouldNotBeStored) {
  auto queue = start({Json{{"status", "passed"}}});
  queue->pause(true);
  add(*queue, "a");
  ledger_.away = true;
  queue->pause(false);
  until([&] { return queue->find("a")->state == JobState::done; });
  EXPECT_TRUE(queue->trouble());
  ledger_.away = false;
  until([&] { return !queue->trouble(); });
  EXPECT_EQ(runs_, 1u) << "it was done, and is not done twice";
  EXPECT_TRUE(ledger_.all_remembered("job", 0)->empty());
  EXPECT_EQ(ledger_.all_remembered("job_done", 0)->size(), 1u);
}

TEST_F(KeptJobsTest, GivesUpWhatFailsAlthoughTheStoreIsThere) {
  auto queue = start({lost()}, 3);
  add(*queue, "a");
  until([&] { return queue->find("a")->state == JobState::failed; });
  EXPECT_EQ(runs_, 3u);
  EXPECT_THAT(told(), testing::ElementsAre("the connection was lost"));
}

TEST_F(KeptJobsTest, WaitsForSomebodyElsesWorkHoweverLongThatTakes) {
  std::vector<Result<Json>> answers(20, fail(ErrorCode::conflict, "another one works there"));
  answers.emplace_back(Json{{"status", "passed"}});
  auto queue = start(std::move(answers), 3);
  add(*queue, "a");
  until([&] {
    EXPECT_FALSE(queue->trouble()) << "nothing is wrong with the store";
    return queue->find("a")->state == JobState::done;
  });
  EXPECT_EQ(runs_, 21u);
  EXPECT_THAT(told(), testing::IsEmpty());
}

TEST_F(KeptJobsTest, DoesNotRepeatWhatCannotPass) {
  auto queue = start({fail(ErrorCode::config, "no such agent")});
  add(*queue, "a");
  until([&] { return queue->find("a")->state == JobState::failed; });
  EXPECT_EQ(runs_, 1u);
  EXPECT_THAT(told(), testing::ElementsAre("no such agent"));
}

TEST_F(KeptJobsTest, CancelsWhatWaitsAndTellsWhenItCan) {
  auto queue = start({lost()});
  queue->pause(true);
  add(*queue, "a");
  ledger_.away = true;
  queue->pause(false);
  until([&] { return queue->trouble().has_value(); });
  EXPECT_TRUE(queue->cancel("a"));
  EXPECT_EQ(queue->find("a")->state, JobState::failed);
  EXPECT_THAT(told(), testing::IsEmpty());
  ledger_.away = false;
  until([&] { return !queue->trouble(); });
  EXPECT_THAT(told(), testing::ElementsAre(testing::HasSubstr("cancelled")));
  EXPECT_EQ(runs_, 1u);
  EXPECT_TRUE(ledger_.all_remembered("job", 0)->empty());
}

TEST_F(KeptJobsTest, WhoAsksForItAgainJoinsWhatWaits) {
  auto queue = start({lost(), Json{{"status", "passed"}}});
  queue->pause(true);
  add(*queue, "a");
  ledger_.away = true;
  queue->pause(false);
  until([&] { return queue->trouble().has_value(); });
  bool joined = false;
  EXPECT_TRUE(queue->add({"a", "work", "r", Json::object(), "resume a"}, Actor{}, joined));
  EXPECT_TRUE(joined);
  EXPECT_TRUE(queue->hurry("a"));
  EXPECT_FALSE(queue->hurry("b"));
  ledger_.away = false;
  until([&] { return queue->find("a")->state == JobState::done; });
  EXPECT_EQ(runs_, 2u);
}

} // namespace
} // namespace emend
