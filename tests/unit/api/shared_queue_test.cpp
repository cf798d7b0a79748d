#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "api/work_queue.hpp"
#include "tests/unit/api/memory_ledger.hpp"

namespace emend {
namespace {

using namespace std::chrono_literals;
using testing_support::HandClock;
using testing_support::MemoryLedger;

struct Held {
  std::stop_source stop;
  std::atomic<bool> lost = false;
};

// What several servers know of each other's jobs.
class Board {
public:
  std::shared_ptr<Held> take(const std::string& job) {
    const std::lock_guard lock(mutex_);
    if (held_.contains(job)) return nullptr;
    return held_[job] = std::make_shared<Held>();
  }
  void give_back(const std::string& job, const std::shared_ptr<Held>& held) {
    const std::lock_guard lock(mutex_);
    const auto known = held_.find(job);
    if (known != held_.end() && known->second == held) held_.erase(known);
  }
  void ask_stop(const std::string& job) {
    const std::lock_guard lock(mutex_);
    if (const auto known = held_.find(job); known != held_.end()) known->second->stop.request_stop();
  }
  // As when its server gave no sign of life for too long.
  void lose(const std::string& job) {
    std::shared_ptr<Held> held;
    {
      const std::lock_guard lock(mutex_);
      held = held_.at(job);
      held_.erase(job);
    }
    held->lost = true;
    held->stop.request_stop();
  }
  std::set<std::string> taken() {
    const std::lock_guard lock(mutex_);
    std::set<std::string> jobs;
    for (const auto& [job, held] : held_) jobs.insert(job);
    return jobs;
  }

private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Held>> held_;
};

class Hold final : public JobHold {
public:
  Hold(Board& board, std::string job, std::shared_ptr<Held> held)
      : board_(board), job_(std::move(job)), held_(std::move(held)) {}
  ~Hold() override { board_.give_back(job_, held_); }
  std::stop_token stop() const override { return held_->stop.get_token(); }
  bool lost() const override { return held_->lost; }
  Status finish() override {
    board_.give_back(job_, held_);
    return {};
  }

private:
  Board& board_;
  const std::string job_;
  const std::shared_ptr<Held> held_;
};

class Owners final : public JobOwners {
public:
  explicit Owners(Board& board) : board_(board) {}
  Result<std::unique_ptr<JobHold>> take(const Job& job) override {
    auto held = board_.take(job.id);
    if (!held) return std::unique_ptr<JobHold>();
    return std::unique_ptr<JobHold>(std::make_unique<Hold>(board_, job.id, std::move(held)));
  }
  Status ask_stop(const std::string& job_id) override {
    board_.ask_stop(job_id);
    return {};
  }
  Result<std::set<std::string>> taken() override { return board_.taken(); }
  Status sweep(const std::function<Result<std::set<std::string>>()>&) override { return {}; }
  void wait(std::int64_t, std::stop_token stop) override {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop, 5ms, [] { return false; });
  }

private:
  Board& board_;
};

// Work of all servers: who did what, and a gate that keeps it until it is let go.
class Work {
public:
  Result<Json> pass(const std::string& server, const Job& job, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    done_.push_back(server + " " + job.id);
    changed_.notify_all();
    changed_.wait(lock, stop, [&] { return open_; });
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped");
    return Json{{"by", server}};
  }
  std::vector<std::string> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, 20s, [&] { return done_.size() >= count; });
    return done_;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<std::string> done_;
  bool open_ = false;
};

class SharedQueueTest : public ::testing::Test {
protected:
  std::unique_ptr<WorkQueue> server(const std::string& name, const std::string& home = "home") {
    auto queue = std::make_unique<WorkQueue>(ledger_, clock_, 2);
    queue->handle("work", [this, name](const Job& job, const std::stop_token& stop) {
      return work_.pass(name, job, stop);
    });
    queue->share(owners_, home);
    EXPECT_TRUE(queue->start());
    return queue;
  }
  static JobRecord add(WorkQueue& queue, const std::string& id, const std::string& repository,
                       const std::string& same = "") {
    bool joined = false;
    const auto record = queue.add({id, "work", repository, Json::object(), same}, Actor{}, joined);
    EXPECT_TRUE(record);
    return record ? *record : JobRecord();
  }
  static JobRecord wait_until_over(WorkQueue& queue, const std::string& id) {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    auto record = queue.find(id);
    while (record && !is_over(record->state) && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(1ms);
      record = queue.find(id);
    }
    EXPECT_TRUE(record && is_over(record->state)) << id;
    return record.value_or(JobRecord());
  }
  HandClock clock_;
  MemoryLedger ledger_;
  Board board_;
  Owners owners_{board_};
  Work work_;
};

TEST_F(SharedQueueTest, EachJobIsDoneByOneServerAndBothKnowIt) {
  const auto first = server("first"), second = server("second");
  work_.open();
  for (int i = 0; i < 12; ++i)
    add(i % 2 == 0 ? *first : *second, "j" + std::to_string(i), "r" + std::to_string(i));
  std::set<std::string> once;
  for (int i = 0; i < 12; ++i) {
    const std::string id = "j" + std::to_string(i);
    EXPECT_EQ(wait_until_over(*first, id).state, JobState::done);
    EXPECT_EQ(wait_until_over(*second, id).result, first->find(id)->result);
  }
  EXPECT_EQ(work_.wait_for(12).size(), 12U);
  EXPECT_THAT(board_.taken(), testing::IsEmpty());
}

TEST_F(SharedQueueTest, OneRepositoryIsWorkedOnByOneServerAtATime) {
  const auto first = server("first");
  add(*first, "a", "r");
  work_.wait_for(1);
  const auto second = server("second");
  ASSERT_TRUE(second->look_around());
  add(*second, "b", "r");
  EXPECT_EQ(second->find("a")->state, JobState::running);
  EXPECT_EQ(second->find("b")->state, JobState::queued);
  work_.open();
  EXPECT_EQ(wait_until_over(*first, "b").state, JobState::done);
  EXPECT_EQ(work_.wait_for(2).size(), 2U);
}

TEST_F(SharedQueueTest, AServerThatIsLostIsReplaced) {
  auto first = server("first");
  add(*first, "a", "r");
  ASSERT_THAT(work_.wait_for(1), testing::ElementsAre("first a"));
  const auto second = server("second");
  first->pause(true); // it would be as good as the other
  board_.lose("a");
  ASSERT_THAT(work_.wait_for(2), testing::ElementsAre("first a", "second a"));
  work_.open();
  EXPECT_EQ(wait_until_over(*second, "a").result, (Json{{"by", "second"}}));
  EXPECT_EQ(wait_until_over(*first, "a").result, (Json{{"by", "second"}}));
  EXPECT_FALSE(first->given_up("a"));
}

TEST_F(SharedQueueTest, WhatAStoppedServerLeftIsTheOthers) {
  auto first = server("first");
  add(*first, "a", "r");
  work_.wait_for(1);
  const auto second = server("second");
  first->stop();
  ASSERT_THAT(work_.wait_for(2), testing::ElementsAre("first a", "second a"));
  work_.open();
  EXPECT_EQ(wait_until_over(*second, "a").state, JobState::done);
}

TEST_F(SharedQueueTest, AJobIsCancelledAtAnyServer) {
  const auto first = server("first");
  add(*first, "a", "r");
  work_.wait_for(1);
  const auto second = server("second");
  ASSERT_TRUE(second->look_around());
  EXPECT_TRUE(second->cancel("a"));
  EXPECT_EQ(wait_until_over(*first, "a").state, JobState::failed);
  EXPECT_TRUE(first->given_up("a"));
  EXPECT_EQ(wait_until_over(*second, "a").state, JobState::failed);
  EXPECT_FALSE(second->cancel("a"));
  EXPECT_EQ(work_.wait_for(1).size(), 1U);
}

TEST_F(SharedQueueTest, TheSameAskedAtTwoServersIsOneJob) {
  const auto first = server("first"), second = server("second");
  add(*first, "a", "r", "same");
  bool joined = false;
  const auto other = second->add({"b", "work", "r", Json::object(), "same"}, Actor{}, joined);
  ASSERT_TRUE(other);
  EXPECT_TRUE(joined);
  EXPECT_EQ(other->job.id, "a");
  work_.open();
  wait_until_over(*second, "a");
  wait_until_over(*first, "a");
  // When it is over it may be asked for again.
  const auto again = second->add({"c", "work", "r", Json::object(), "same"}, Actor{}, joined);
  ASSERT_TRUE(again);
  EXPECT_FALSE(joined);
  EXPECT_EQ(wait_until_over(*first, "c").state, JobState::done);
}

TEST_F(SharedQueueTest, JobsOfAnotherHomeAreNotBegunHere) {
  const auto first = server("first", "one"), second = server("second", "two");
  first->pause(true);
  add(*first, "a", "r");
  ASSERT_TRUE(second->look_around());
  EXPECT_EQ(second->find("a")->state, JobState::queued); // it is known
  add(*second, "b", "s");
  EXPECT_THAT(work_.wait_for(1), testing::ElementsAre("second b"));
  first->pause(false);
  EXPECT_THAT(work_.wait_for(2), testing::ElementsAre("second b", "first a"));
  work_.open();
  EXPECT_EQ(wait_until_over(*second, "a").state, JobState::done);
}

} // namespace
} // namespace emend
