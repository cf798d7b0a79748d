// One tiny real prompt to an agent: does it answer, with which model, how fast, and if not, what would help?
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "ports/agent.hpp"
#include "ports/repository.hpp"

namespace emend {

struct AgentTest {
  std::string name;
  AgentRun run;
  std::string problem; // it could not be tried at all

  [[nodiscard]] bool good() const { return problem.empty() && run.state.ok(); }
};

// Configured ones first, then what is installed and needs no configuration.
[[nodiscard]] std::vector<std::string> agents_here(const Config& config, const AgentFactory& factory);

// Each in a throw-away copy of HEAD, a few at a time. An agent that does not answer is a value; errors are
// those of the repository.
[[nodiscard]] Result<std::vector<AgentTest>> test_agents(const Config& config, AgentFactory& factory,
                                                         Repository& repository,
                                                         const std::vector<std::string>& names,
                                                         std::int64_t limit_ms, std::stop_token stop);

// What to do about an agent that did not answer; empty when it did, or nothing is known to help.
[[nodiscard]] std::string remedy_for(const AgentTest& test, const std::string& engine);

} // namespace emend
