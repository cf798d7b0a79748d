// One run of an agent in any role, as it is kept: who ran for what, how it ended, what it consumed.
// Append-only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "model/agent_state.hpp"
#include "model/usage.hpp"

namespace emend {

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
