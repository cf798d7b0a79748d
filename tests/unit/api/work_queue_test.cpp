#include "api/work_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  static void add(WorkQueue& queue, const std::string& id, const std::string& repository, const std::string& same = "") {
    bool joined = false;
    EXPECT_TRUE(queue.add({id, "work", repository, Json::object(), same}, joined));
  }
  static void wait_until_over(WorkQueue& queue, const std::string& id) {
    for (auto record = queue.find(id); record && record->state != JobState::done && record->state != JobState::failed; record = queue.find(id)) std::this_thread::yield();
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
  const auto record = queue->add({"second", "work", "a", Json::object(), "x"}, joined);
  ASSERT_TRUE(record);
  EXPECT_TRUE(joined);
  EXPECT_EQ(record->job.id, "first");
  gate.open();
  wait_until_over(*queue, "first");
  EXPECT_TRUE(queue->add({"third", "work", "a", Json::object(), "x"}, joined)); // the first is over: this is new work
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

TEST_F(WorkQueueTest, SurvivesWorkThatThrowsOrThatNobodyKnows) {
  WorkQueue queue(ledger_, clock_, 1);
  queue.handle("throws", [](const Job&, std::stop_token) -> Result<Json> { throw std::runtime_error("broken"); });
  ASSERT_TRUE(queue.start());
  bool joined = false;
  ASSERT_TRUE(queue.add({"t", "throws", "a", {}, ""}, joined));
  ASSERT_TRUE(queue.add({"u", "unknown", "a", {}, ""}, joined));
  wait_until_over(queue, "u");
  EXPECT_EQ(queue.find("t")->problem, "broken");
  EXPECT_EQ(queue.find("u")->state, JobState::failed);
}

} // namespace
} // namespace emend
