// The event stream of Claude Code (2.1.197 to 2.1.325) and of Qwen Code, which took over its shape.
#pragma once

#include <set>

#include "adapters/agents/stream_parser.hpp"

namespace emend {

class ClaudeStream : public StreamParser {
public:
  enum class Dialect { claude, qwen };
  explicit ClaudeStream(Dialect dialect) : dialect_(dialect) {}

  [[nodiscard]] bool finished() const override { return account_.final_event && tasks_.empty(); }
  [[nodiscard]] StreamAccount account() const override;

protected:
  void event(const Json& event) override;

private:
  void system_event(const Json& event);
  void task(const Json& event, const std::string& subtype);
  void assistant(const Json& event);
  void content_block(const Json& block, const std::string& parent);
  void rate_limit(const Json& info);
  void result(const Json& event);
  void read_usage(const Json& event);
  [[nodiscard]] AgentState state_of(const Json& event, const std::string& text) const;

  Dialect dialect_;
  StreamAccount account_;
  AgentState trouble_; // the last retry or error message; explains an end without a result
  bool in_trouble_ = false;
  std::string error_word_;      // of the message that stands for a failed request
  std::set<std::string> tasks_; // sub-agents under way
};

} // namespace emend
