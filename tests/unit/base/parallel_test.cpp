#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <stdexcept>
#include <thread>
#include <vector>

namespace emend {
namespace {

TEST(ParallelFor, InlineRunsInOrderOnTheCallersThread) {
  const auto caller = std::this_thread::get_id();
  for (const std::size_t threads : {0, 1}) {
    std::vector<std::size_t> order;
    parallel_for(5, threads, [&](std::size_t i) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      order.push_back(i);
    });
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  }
}

TEST(ParallelFor, RunsEveryJobOnce) {
  std::vector<std::atomic<int>> runs(1000);
  parallel_for(runs.size(), 8, [&](std::size_t i) { ++runs[i]; });
  for (const auto& count : runs) EXPECT_EQ(count, 1);
}

TEST(ParallelFor, NothingToDoIsFine) {
  parallel_for(0, 4, [](std::size_t) { FAIL(); });
}

// Three jobs that can only end together show that three run at once.
TEST(ParallelFor, RunsAsManyAtOnceAsAsked) {
  std::barrier together(3);
  std::atomic<int> done = 0;
  parallel_for(3, 3, [&](std::size_t) {
    together.arrive_and_wait();
    ++done;
  });
  EXPECT_EQ(done, 3);
}

TEST(ParallelFor, NeverRunsMoreThanAsked) {
  std::atomic<int> running = 0, most = 0;
  parallel_for(200, 3, [&](std::size_t) {
    const int now = ++running;
    int seen = most.load();
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::yield();
    --running;
  });
  EXPECT_LE(most, 3);
}

TEST(ParallelFor, RethrowsTheFirstExceptionAfterTheOthersEnded) {
  std::barrier both(2);
  std::atomic<bool> other_ended = false;
  try {
    parallel_for(2, 2, [&](std::size_t i) {
      both.arrive_and_wait();
      if (i == 0) throw std::runtime_error("first");
      other_ended = true;
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
    EXPECT_TRUE(other_ended);
  }
}

TEST(ParallelFor, StartsNothingMoreAfterAFailure) {
  int started = 0;
  EXPECT_THROW(parallel_for(10, 1,
                            [&](std::size_t i) {
                              ++started;
                              if (i == 2) throw std::runtime_error("stop");
                            }),
               std::runtime_error);
  EXPECT_EQ(started, 3);
}

} // namespace
} // namespace emend
