#include "base/parallel.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace emend {

namespace {

// What the threads share: the next index to start, and the first exception, after which nothing more is
// started.
class Jobs {
public:
  Jobs(std::size_t count, const std::function<void(std::size_t)>& job) : count_(count), job_(job) {}

  void work() {
    std::size_t index = 0;
    while (take(index)) {
      try {
        job_(index);
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
    }
  }

  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

private:
  bool take(std::size_t& index) {
    const std::scoped_lock lock(mutex_);
    if (failure_ || next_ == count_) return false;
    index = next_++;
    return true;
  }

  std::size_t count_;
  const std::function<void(std::size_t)>& job_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::exception_ptr failure_;
};

} // namespace

void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& job) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) job(i);
    return;
  }
  Jobs jobs(count, job);
  {
    std::vector<std::jthread> workers;
    try {
      for (std::size_t i = 0; i < std::min(threads, count); ++i)
        workers.emplace_back([&jobs] { jobs.work(); });
    } catch (const std::system_error&) { // no more threads to be had: fewer will do
      jobs.work();
    }
  }
  jobs.rethrow_failure();
}

} // namespace emend
