// What all agents that are programs have in common: the environment they get and how a request becomes a process.
#pragma once

#include <string>
#include <vector>

#include "ports/agent.hpp"

namespace emend {

// NAME=VALUE for one agent in one workspace: PATH and locale of ours, a private HOME and TMPDIR, what the binding passes on or sets.
// Nothing else of the engine's environment, and never a variable of the engine's own (EMEND*).
[[nodiscard]] std::vector<std::string> agent_environment(const AgentBinding& binding, const Workspace& workspace);

// argv, in the request's workspace, with the prompt on stdin and the request's limits and listeners. request must outlive the result.
[[nodiscard]] ProcessSpec agent_process(const AgentBinding& binding, const AgentRequest& request, std::vector<std::string> argv);

} // namespace emend
