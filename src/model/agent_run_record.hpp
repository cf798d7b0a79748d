// One run of an agent in any role, as it is kept: who ran for what, how it ended, what it consumed.
// Append-only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace emend {

// What a run of an agent consumed, as the agent's own stream reported it; nothing here is computed from a
// price list.

struct Usage {
  std::int64_t input_tokens =
      0; // as the agent counts them: some leave out what came from a cache, some do not
  std::int64_t output_tokens = 0;
  std::int64_t cached_tokens = 0; // input that came from a cache
  std::optional<double> cost_usd; // nullopt = the agent does not say
  int turns = 0;                  // requests to the model, or what the agent calls turns; 0 = it does not say

  Usage& operator+=(const Usage& other);
  [[nodiscard]] bool empty() const {
    return input_tokens == 0 && output_tokens == 0 && cached_tokens == 0 && !cost_usd && turns == 0;
  }
  bool operator==(const Usage&) const = default;
};

// What came on top of `earlier`; never negative.
[[nodiscard]] Usage usage_since(const Usage& total, const Usage& earlier);

[[nodiscard]] Json to_json(const Usage& usage);
[[nodiscard]] Usage usage_from_json(const Json& json);

// How an agent's run ended for the agent itself: it answered, or why it could not. Says nothing about
// whether the work is good.

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

struct AgentRunRecord {
  std::string id;
  std::string repository_id;
  std::string session_id; // or whatever groups the runs of one command
  std::string role;       // the agent file's name: "fixer", "fix_challenger"
  std::string agent;
  std::string model;  // as the agent's stream reported it, else the configured one
  std::string family; // vendor of that model
  std::vector<std::string>
      issue_ids; // what it worked on; several share a run in the strategies batched and one-call
  AgentState state;
  Usage usage;              // of this run alone
  Usage conversation_usage; // of the conversation so far
  std::string conversation_id;
  std::string conversation_dir; // where it is kept, below the state directory; empty = nowhere
  std::int64_t started_ms = 0;
  std::int64_t duration_ms = 0;
};

// What is known of a run while it goes on: who works on what, and the files that hold what it was told and
// what it says.
struct AgentRunStart {
  std::string id; // AgentRunRecord::id, once it has ended
  std::string repository_id;
  std::string session_id;
  std::string role;
  std::string agent;
  std::vector<std::string> issue_ids;
  std::string prompt_file; // below the state directory, as the others
  std::string log_file;    // whole; there when the run has ended
  std::string live_file;   // as far as it is; gone when the run has ended
  std::int64_t started_ms = 0;
};
[[nodiscard]] Json to_json(const AgentRunStart& start);
[[nodiscard]] AgentRunStart agent_run_start_from_json(const Json& json);

// What runs consumed together. Prices are the agents' own.
struct Consumed {
  double cost_usd = 0;
  std::int64_t tokens = 0; // in and out
  std::int64_t time_ms = 0;
  int runs = 0;
  bool priced = false; // some run named a price

  void add(const AgentRunRecord& run, double share = 1);
};
// For one issue: a run on several counts for each with an equal share.
[[nodiscard]] Consumed consumed_by(const std::vector<AgentRunRecord>& runs, const std::string& issue_id);
[[nodiscard]] Consumed consumed_by(const std::vector<AgentRunRecord>& runs);
[[nodiscard]] Json to_json(const Consumed& consumed);

[[nodiscard]] Json to_json(const AgentRunRecord& record);
[[nodiscard]] AgentRunRecord agent_run_from_json(const Json& json);

} // namespace emend
