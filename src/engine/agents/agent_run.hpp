// One run of an agent as a session has it: shown while it runs, its child on record, prompt and output kept,
// what it consumed stored.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/run_context.hpp"
#include "model/agent_run_record.hpp"
#include "ports/agent.hpp"

namespace emend {

// An earlier conversation that knows something about the issues at hand.
struct Conversation {
  std::string agent;
  std::string id;
  std::string directory; // absolute
  Usage usage;
  bool shared = false; // others may go on with it as well: branch off instead
};
// Of the unit's own last run in this session; else of the clarifier's or planner's last run on the issue.
[[nodiscard]] Result<std::vector<Conversation>> conversations_about(
    RunContext& context, const std::vector<std::string>& issue_ids);

struct RecordedRun {
  AgentRun run;
  AgentRunRecord record;    // stored already
  std::string refused = {}; // what all work shares is used up: nothing was run or stored
};
// `request` has everything but callbacks and a place for its conversation; `stem` names what is kept. An
// agent that cannot be tried at all (ErrorCode::agent) is a run that was not started.
[[nodiscard]] Result<RecordedRun> run_recorded(RunContext& context, Agent& agent, AgentRequest request,
                                               const std::vector<std::string>& issue_ids,
                                               const std::string& stem, bool keep_conversation,
                                               std::stop_token stop);

// The vendor of the model that answered, by what the stream says; by the configuration where it says nothing.
[[nodiscard]] std::string family_of_run(const AgentBinding& agent, const AgentRun& run);
// "exit 0", "answered, then killed", "exit 1 (no_result)".
[[nodiscard]] std::string describe_ending(const AgentRun& run);

} // namespace emend
