#include "cli/daily/review_progress.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::int64_t kEveryMs = 10'000;

} // namespace

std::optional<std::string> ReviewProgress::line(const AnalyzerProgress& progress, std::int64_t now_ms) {
  if (progress.ended)
    running_.erase(progress.analyzer);
  else
    running_[progress.analyzer] = progress;
  if (running_.empty() || now_ms - told_ms_ < kEveryMs) return std::nullopt;
  told_ms_ = now_ms;
  std::vector<std::string> parts;
  for (const auto& [name, at] : running_)
    parts.push_back(fmt::format("{} {} of {} files", name, at.done, at.all));
  return fmt::format("{} s: {}", (now_ms - start_ms_) / 1000, join(parts, ", "));
}

TellProgress review_progress(CommandContext& context) {
  const Clock& clock = *context.dependencies().clock;
  return
      [&context, &clock, progress = ReviewProgress(clock.steady_ms())](const AnalyzerProgress& now) mutable {
        if (const auto line = progress.line(now, clock.steady_ms())) context.hint(*line);
      };
}

} // namespace emend
