// What all agents that are programs have in common: the environment they get and how a request becomes a
// process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "ports/agent.hpp"

namespace emend {

// NAME=VALUE for one agent in one workspace: PATH and locale of ours, a private HOME and TMPDIR, what the
// binding passes on or sets. Nothing else of the engine's environment, and never a variable of the engine's
// own (EMEND*). What pushes to a remote, asks for a password or starts ssh is switched off. `own`: what the
// agent's driver passes on and sets; the binding's settings are stronger.
struct DriverEnvironment {
  std::vector<std::string> pass_env, env;
};
[[nodiscard]] std::vector<std::string> agent_environment(const AgentBinding& binding,
                                                         const Workspace& workspace,
                                                         const DriverEnvironment& own = {});

// argv, in the request's workspace, with the prompt on stdin and the request's limits and listeners. request
// must outlive the result.
[[nodiscard]] ProcessSpec agent_process(const AgentBinding& binding, const AgentRequest& request,
                                        std::vector<std::string> argv);

// The state of an agent that has no event stream: it did what it did, and its exit status is all there is.
[[nodiscard]] AgentState state_by_exit(const ProcessResult& process);

// Which file an agent's command is: decided once, before anything runs, and never a file the repository
// brought along by itself. A bare name is looked up in search_path (a PATH value); entries that are not
// absolute and files inside repository_root are passed over. An absolute path is taken wherever it lies:
// whoever wrote the configuration named that very file. ErrorCode::agent with a remedy when there is no such
// program, ErrorCode::config for a relative path.
[[nodiscard]] Result<std::string> resolve_command(const std::string& command, std::string_view search_path,
                                                  const std::string& repository_root);

} // namespace emend
