// How an agent's run ended for the agent itself: it answered, or why it could not. Says nothing about whether
// the work is good.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace emend {

enum class AgentStatus {
  ok, // it said it was done, by its own final event, and gave an answer
  // The agent could not work; no attempt at the issue was made.
  rate_limited,      // for a while; resets_at_ms or retry_after_ms when it says
  quota,             // the plan's allowance is used up, for hours or days
  billing,           // no credit
  not_logged_in,     // no key, a wrong key, an expired login
  overloaded,        // the model's servers have no room or fail (5xx)
  unreachable,       // no connection to the model
  unknown_model,     // no such model, or not for this account
  conversation_lost, // the conversation to go on with is not there: start afresh
  // It worked, and did not get to an answer.
  refused,    // the model declined
  too_long,   // the prompt or the conversation does not fit
  turn_limit, // turns, loops, retries of its own
  cost_limit,
  interrupted, // stopped from outside, by us or somebody else; a time limit too
  api_error,   // any other error of the model's interface
  no_result,   // the stream ended without a final event, or with an empty answer
  failed,      // the program failed and nothing else is known
};
[[nodiscard]] std::string_view to_string(AgentStatus status);
[[nodiscard]] std::optional<AgentStatus> parse_agent_status(std::string_view text);

struct AgentState {
  AgentStatus status = AgentStatus::no_result;
  std::string text;    // one or two lines in the agent's words; clean it before it is shown
  int http_status = 0; // of the model's interface, 0 = not known
  std::optional<std::int64_t> resets_at_ms;   // unix time
  std::optional<std::int64_t> retry_after_ms; // from the end of the run

  [[nodiscard]] bool ok() const { return status == AgentStatus::ok; }
  // The run says nothing about the issue and must not be counted as an attempt: wait, stop, or ask another
  // agent.
  [[nodiscard]] bool unavailable() const {
    return status >= AgentStatus::rate_limited && status <= AgentStatus::conversation_lost;
  }
  // Unavailable, and trying again later may help without anybody doing anything.
  [[nodiscard]] bool passing() const;
};

[[nodiscard]] Json to_json(const AgentState& state);
[[nodiscard]] AgentState agent_state_from_json(const Json& json);

} // namespace emend
