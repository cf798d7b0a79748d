#include "api/rate_limit.hpp"

#include <algorithm>
#include <cmath>

namespace emend {

namespace {

constexpr double kMinute = 60;

double seconds(RateLimit::Moment from, RateLimit::Moment to) {
  return std::chrono::duration<double>(to - from).count();
}

} // namespace

std::optional<int> RateLimit::seconds_to_wait(const std::string& caller, Moment now) {
  if (per_minute_ <= 0) return std::nullopt;
  const double each_second = per_minute_ / kMinute;
  const std::lock_guard guard(mutex_);
  if (seconds(looked_, now) > kMinute) forget_full(now);
  const auto [entry, is_new] = buckets_.try_emplace(caller, Bucket{static_cast<double>(per_minute_), now});
  Bucket& bucket = entry->second;
  bucket.left =
      std::min(static_cast<double>(per_minute_), bucket.left + seconds(bucket.filled, now) * each_second);
  bucket.filled = now;
  if (bucket.left < 1) return std::max(1, static_cast<int>(std::ceil((1 - bucket.left) / each_second)));
  bucket.left -= 1;
  return std::nullopt;
}

void RateLimit::forget_full(Moment now) {
  looked_ = now;
  std::erase_if(buckets_, [&](const auto& entry) { return seconds(entry.second.filled, now) > kMinute; });
}

} // namespace emend
