// Reads what a coding CLI prints, line by line, into one account of the run. Pure: no processes, no clock, no
// files.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "ports/agent.hpp"

namespace emend {

// Everything a stream said. Before its final event the state is no_result, or what the last sign of trouble
// was.
struct StreamAccount {
  bool final_event = false; // the stream's own end was seen; without it nothing counts as success
  AgentState state;
  std::string answer; // the agent's last words, or its schema-checked answer as JSON
  std::string model;
  std::string conversation_id;
  Usage usage;                           // as the stream counts
  bool usage_is_of_conversation = false; // the stream counts on over resumed runs
  int tools_used = 0;
  int unreadable_lines = 0; // noise between the events
};

class StreamParser {
public:
  using Listener = std::function<void(const AgentEvent&)>;

  virtual ~StreamParser() = default;
  void listen(Listener listener) { listener_ = std::move(listener); }
  // One line of stdout without its newline. Whatever it holds, it is never fatal.
  void line(std::string_view text);
  // The run has said its last word: nothing is known to be still under way.
  [[nodiscard]] virtual bool finished() const = 0;
  [[nodiscard]] virtual StreamAccount account() const = 0;

protected:
  virtual void event(const Json& event) = 0;
  void tell(AgentEvent::Kind kind, std::string text, std::string name = {}, std::string id = {},
            std::string parent = {}) const;
  [[nodiscard]] int unreadable_lines() const { return unreadable_; }

private:
  Listener listener_;
  int unreadable_ = 0;
};

// The member as an object or array; a null of the same life otherwise.
[[nodiscard]] const Json& member(const Json& object, std::string_view key);
// A count of tokens: 0 for anything but a whole number that makes sense.
[[nodiscard]] std::int64_t count_of(const Json& object, std::string_view key);
// What a tool is used on, in short: a path, a command, a pattern.
[[nodiscard]] std::string tool_target(const Json& input);
// For a terminal line: "Edit src/a.c", "agent fixer: started", the text itself.
[[nodiscard]] std::string as_line(const AgentEvent& event);

} // namespace emend
