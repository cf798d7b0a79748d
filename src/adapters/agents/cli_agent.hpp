// An agent that is a coding CLI: prompt in, event stream out, one nudge when the answer holds no JSON object.
#pragma once

#include <string>

#include "adapters/agents/agent_process.hpp"
#include "adapters/agents/driver.hpp"

namespace emend {

class CliAgent : public Agent {
public:
  // binding.command[0] must already be an absolute path. runner must outlive the agent.
  CliAgent(ProcessRunner& runner, AgentBinding binding, const Driver& driver, std::string user_home)
      : runner_(runner), binding_(std::move(binding)), driver_(driver), user_home_(std::move(user_home)) {}

  [[nodiscard]] const AgentBinding& binding() const override { return binding_; }
  [[nodiscard]] Result<AgentRun> run(const AgentRequest& request, std::stop_token stop) override;

private:
  [[nodiscard]] Result<AgentRun> run_once(const AgentRequest& request, class PrivateHome& home,
                                          std::stop_token stop);
  [[nodiscard]] Status nudge(const AgentRequest& request, PrivateHome& home, AgentRun& run,
                             std::stop_token stop);

  ProcessRunner& runner_;
  AgentBinding binding_;
  const Driver& driver_;
  std::string user_home_;
};

// What the agent may do in this workspace: nothing but look when asked so; commands only where their traces
// stay private.
[[nodiscard]] Permissions permissions_for(const AgentBinding& binding, const AgentRequest& request);
[[nodiscard]] Permissions permissions_for(const AgentBinding& binding, bool read_only, bool private_tree);
[[nodiscard]] std::string_view to_string(Permissions permissions);
// The part of the call that does not depend on the machine.
[[nodiscard]] DriverRequest driver_request(const AgentBinding& binding, const AgentRequest& request);
// What a coding CLI gets of the user's environment and what is set for it. Proxies and certificates may be
// needed by every program that talks to a model.
[[nodiscard]] DriverEnvironment driver_environment(const Driver& driver, const Invocation& invocation);
// Lines of stderr and events of the parser go to the request's listeners; a finished stream is told to the
// runner.
void connect_listeners(const AgentRequest& request, StreamParser& parser, ChildControl& control,
                       ProcessSpec& spec);
// The whole run, from what the stream said and how the process ended.
[[nodiscard]] AgentRun conclude(const StreamAccount& account, ProcessResult process,
                                const AgentBinding& binding, const AgentRequest& request,
                                const Driver* driver);
// What an agent that gave no JSON object is told, once.
[[nodiscard]] std::string nudge_prompt();

inline constexpr std::int64_t kDefaultIdleMs = 600'000; // tools may be silent for long, but not for ever
inline constexpr std::uint64_t kMostStreamBytes = 256'000'000;

} // namespace emend
