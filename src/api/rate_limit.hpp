// How many requests one caller may make: as many at once as in a minute, then as fast as they come back. A
// program that runs wild slows down itself, not the others.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace emend {

// Safe to use from many threads.
class RateLimit {
public:
  using Moment = std::chrono::steady_clock::time_point;
  explicit RateLimit(int per_minute) : per_minute_(per_minute) {} // 0 = no limit

  // Whether this request may be answered; otherwise the seconds to wait, at least 1.
  [[nodiscard]] std::optional<int> seconds_to_wait(const std::string& caller, Moment now);

private:
  struct Bucket {
    double left = 0;
    Moment filled;
  };
  void forget_full(Moment now); // who was not here for a minute

  const int per_minute_;
  std::mutex mutex_;
  std::map<std::string, Bucket, std::less<>> buckets_;
  Moment looked_ = {};
};

} // namespace emend
