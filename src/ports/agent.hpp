// An agent: something that reads a prompt, may edit a workspace, and answers. Its answer is a claim, never
// evidence.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "model/agent_run_record.hpp"
#include "model/policy.hpp"
#include "ports/process.hpp"
#include "ports/repository.hpp"

namespace emend {

// Something that happened inside a running agent, in the order it was reported. For screens and records;
// decides nothing.
struct AgentEvent {
  enum class Kind {
    text, // words of the agent
    thinking,
    tool_use,  // name = the tool, text = what on, in short
    sub_agent, // name = its kind, text = "started: ...", "completed", ...; id = what ties its events together
    retry,     // the model did not answer and is asked again; text says why
    warning,
    other, // an event this version does not know; text = its type
  };
  Kind kind = Kind::other;
  std::string text;
  std::string name;
  std::string id;
  std::string parent; // id of the sub-agent this comes from; empty = the main one
};

struct AgentRequest {
  std::string role; // "fixer", "re_fixer", "fix_challenger"
  std::vector<std::string> issue_codes;
  int cycle = 1;
  std::string prompt;
  Workspace* workspace = nullptr;
  std::int64_t timeout_ms = 0;
  std::function<void(std::string_view line, bool is_stderr)>
      on_output; // cleaned and redacted by the caller before it is stored
  std::function<void(int pid, std::int64_t start_ticks)> on_start;
  std::function<void(const AgentEvent&)>
      on_event; // agents with an event stream only; on_output tells the same as text

  bool read_only = false; // the agent is to look and answer: no edits, no commands that change files
  Json schema;            // JSON Schema of the answer; null = free text with a JSON object at its end
  Json sub_agents;        // {NAME: {"description", "prompt", "tools"?, "model"?}}, for agents that take such
                          // definitions; null = none
  std::string model;      // what the role's agent file wants; counts where the binding names none
  std::vector<std::string> tools; // same, by the agent's own names
  int max_turns = 0;              // 0 = no limit; agents without such a limit ignore it
  double max_cost_usd = 0;        // same

  // One conversation over several runs. Ids are the agent's own (AgentRun::conversation_id), never the
  // engine's.
  std::string resume;  // go on with this conversation
  std::string fork;    // start a new one that knows what was said in this one
  Usage resumed_usage; // AgentRun::conversation_usage of the run that is gone on with; some agents count on
                       // from there
  std::string conversation_from; // a directory in which an earlier run kept the conversation to go on with;
                                 // empty = conversation_dir
  std::string conversation_dir; // a directory of this run's own in which its conversation is kept afterwards;
                                // empty = it is not kept
  [[nodiscard]] const std::string& restored_from() const {
    return conversation_from.empty() ? conversation_dir : conversation_from;
  }
};

struct AgentRun {
  ProcessResult process;
  std::string answer; // text in which the answer object is looked for (the last complete JSON object)
  std::string model;  // as reported by the agent; else the configured one
  bool model_reported = false; // model comes from the agent's own stream
  AgentState state;         // did the agent get to its end? The exit status does not tell: see docs/agents.md
  Usage usage;              // of this run alone, a nudge included
  Usage conversation_usage; // of the whole conversation, as far as the agent says; to be handed back in
                            // resumed_usage
  std::string conversation_id; // empty = it cannot be gone on with
  std::vector<std::string>
      notes; // what somebody who reads the log should know: nudged, exit 1 after its answer, ...
};

class Agent {
public:
  virtual ~Agent() = default;
  [[nodiscard]] virtual const AgentBinding& binding() const = 0;
  // A failing agent is a value (process.ending, exit_code); ErrorCode::agent only when it cannot be tried at
  // all.
  [[nodiscard]] virtual Result<AgentRun> run(const AgentRequest& request, std::stop_token stop) = 0;
};

// A coding program found on this machine that can be used without any configuration.
struct FoundAgent {
  std::string engine; // also the agent's name: "claude"
  std::string path;
  std::string family; // its vendor
};

// What a run would be, for people to look at.
struct AgentPlan {
  std::vector<std::string> argv;
  std::vector<std::string> env;    // names only: values may be secrets
  std::vector<std::string> logins; // files of the user's that the private home gets a copy of
  std::int64_t wall_limit_ms = 0, idle_limit_ms = 0;
  std::string permissions; // what the agent may do, in words
};

class AgentFactory {
public:
  virtual ~AgentFactory() = default;
  // Checks the binding (command resolvable outside the repository, script readable) and makes the agent.
  [[nodiscard]] virtual Result<std::unique_ptr<Agent>> make(const AgentBinding& binding) = 0;
  // Known programs on PATH, in the order in which they are preferred.
  [[nodiscard]] virtual std::vector<FoundAgent> found() const { return {}; }
  // What the program says about itself when asked for its version; ErrorCode::agent when it cannot.
  [[nodiscard]] virtual Result<std::string> version(const AgentBinding& binding) {
    return fail(ErrorCode::agent, binding.engine + " agents have no version");
  }
  [[nodiscard]] virtual Result<AgentPlan> plan(const AgentBinding& binding, bool /*read_only*/) {
    return fail(ErrorCode::agent, binding.engine + " agents run no program");
  }
};

} // namespace emend
