#include "engine/streaming.hpp"

#include "base/log.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {
constexpr std::int64_t kGapMs = 250;         // a few frames a second are enough for eyes
constexpr std::size_t kFrameBytes = 16'000;
constexpr int kMaxFrames = 2'000;            // a babbling agent must not fill the database
} // namespace

std::function<void(std::string_view, bool)> AgentStream::sink() {
  return [this](std::string_view line, bool is_stderr) { add(line, is_stderr); };
}

void AgentStream::add(std::string_view line, bool is_stderr) {
  if (sent_ >= kMaxFrames) return;
  if (is_stderr != pending_is_stderr_) flush();
  pending_is_stderr_ = is_stderr;
  if (pending_.size() < kFrameBytes) {
    pending_ += line.substr(0, kFrameBytes - pending_.size());
    pending_ += '\n';
  }
  const std::int64_t now = context_.ports.clock.steady_ms();
  if (now - last_sent_ms_ < kGapMs) return;
  flush();
}

void AgentStream::flush() {
  if (pending_.empty()) return;
  last_sent_ms_ = context_.ports.clock.steady_ms();
  ++sent_;
  auto stored = context_.publish("fix_issue_streaming", issue_code_,
                                 {{"channel", pending_is_stderr_ ? "stderr" : "stdout"}, {"text", context_.safe(pending_)}});
  if (!stored) log(LogLevel::warn, stored.error().message);
  pending_.clear();
}

} // namespace emend
