#include "engine/agents/streaming.hpp"

#include "base/log.hpp"
#include "base/strings.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

constexpr std::int64_t kGapMs = 250;        // a few frames a second are enough for eyes
constexpr std::size_t kFrameBytes = 15'000; // of text as JSON: with all the rest a frame stays below 16 KB
constexpr int kMaxFrames = 2'000;           // a babbling agent must not fill the database

// The beginning of it that fits into a frame, in whole characters.
std::string fitting(std::string_view text) {
  std::size_t bytes = std::min(text.size(), kFrameBytes);
  while (true) {
    std::string cut = clean_text(text.substr(0, bytes));
    const std::size_t size = dump_json(Json(cut)).size();
    if (size <= kFrameBytes) return cut;
    bytes = bytes * kFrameBytes / (size + 1);
  }
}

} // namespace

AgentStream::AgentStream(RunContext& context, std::string issue_code, const AgentRunStart& start)
    : context_(context),
      issue_code_(std::move(issue_code)),
      run_id_(start.id),
      log_(context, start),
      channels_{Channel(context.redactor), Channel(context.redactor)} {}

std::function<void(std::string_view, bool)> AgentStream::sink() {
  return [this](std::string_view line, bool is_stderr) { add(line, is_stderr); };
}

void AgentStream::add(std::string_view line, bool is_stderr) {
  Channel& channel = channels_[is_stderr ? 1 : 0];
  take(channel, channel.lines.add(line));
  send_due();
}

// What does not fit into the next frame is in the log only.
void AgentStream::take(Channel& channel, const std::string& text) {
  const std::uint64_t offset = log_.append(text);
  if (channel.pending.empty()) channel.offset = offset;
  if (channel.pending.size() < kFrameBytes)
    channel.pending += text.substr(0, kFrameBytes - channel.pending.size());
}

void AgentStream::send_due() {
  const std::int64_t now = context_.ports.clock.steady_ms();
  if (now - last_sent_ms_ < kGapMs) return;
  for (Channel& channel : channels_)
    if (!channel.pending.empty() && context_.may_stream(now, RunContext::Frame::running)) send(channel);
}

void AgentStream::send(Channel& channel) {
  last_sent_ms_ = context_.ports.clock.steady_ms();
  const std::string text = fitting(channel.pending);
  channel.pending.clear();
  if (sent_ >= kMaxFrames) return;
  ++sent_;
  auto stored = context_.publish(
      issue_code_,
      FixIssueStreaming{&channel == &channels_[1] ? "stderr" : "stdout", text, run_id_, channel.offset});
  if (!stored) log(LogLevel::warn, stored.error().message);
}

void AgentStream::finish() {
  const std::int64_t now = context_.ports.clock.steady_ms();
  for (Channel& channel : channels_) {
    take(channel, channel.lines.finish());
    if (!channel.pending.empty() && context_.may_stream(now, RunContext::Frame::last)) send(channel);
  }
  log_.finish();
}

} // namespace emend
