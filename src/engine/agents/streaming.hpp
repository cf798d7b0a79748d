// An agent's output as events: coalesced, cleaned, capped. The whole text is in the run's log, not here.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "engine/agents/run_log.hpp"
#include "engine/agents/safe_lines.hpp"
#include "engine/context/run_context.hpp"

namespace emend {

// Used by one thread at a time (the one that runs the agent).
class AgentStream {
public:
  AgentStream(RunContext& context, std::string issue_code, const AgentRunStart& start); // outlive it
  [[nodiscard]] std::function<void(std::string_view, bool)> sink();
  void finish(); // the agent has ended. Never waits; last words that find no room are in the log only

private:
  // What one channel has said since its last frame.
  struct Channel {
    explicit Channel(const Redactor& redactor) : lines(redactor) {}
    SafeLines lines;
    std::string pending;
    std::uint64_t offset = 0; // of pending in the log
  };
  void add(std::string_view line, bool is_stderr);
  void take(Channel& channel, const std::string& text);
  void send_due();
  void send(Channel& channel);

  RunContext& context_;
  const std::string issue_code_, run_id_;
  RunLog log_;
  std::array<Channel, 2> channels_; // stdout, stderr
  std::int64_t last_sent_ms_ = 0;
  int sent_ = 0;
};

} // namespace emend
