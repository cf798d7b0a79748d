// An agent's output as events: coalesced, cleaned, capped. The whole text is kept as an artifact, not here.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/run_context.hpp"

namespace emend {

// Used by one thread at a time (the one that runs the agent).
class AgentStream {
public:
  AgentStream(RunContext& context, std::string issue_code) : context_(context), issue_code_(std::move(issue_code)) {}
  [[nodiscard]] std::function<void(std::string_view, bool)> sink();
  void flush();

private:
  void add(std::string_view line, bool is_stderr);

  RunContext& context_;
  std::string issue_code_;
  std::string pending_;
  bool pending_is_stderr_ = false;
  std::int64_t last_sent_ms_ = 0;
  int sent_ = 0;
};

} // namespace emend
