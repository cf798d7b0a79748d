// The instructions of an agent in a role: a file with front matter and a text with placeholders. Built in, or
// the repository's own. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/policy.hpp"
#include "ports/agent.hpp"

namespace emend {

struct AgentFile {
  std::string name;
  std::string description;
  std::string model;              // empty = whatever the agent takes
  std::vector<std::string> tools; // by Claude Code's names; empty = all that the role allows
  std::string body;
};

// Front matter (name, description, model, tools), then the body. `path` is for messages: every mistake is
// ErrorCode::config with its line.
[[nodiscard]] Result<AgentFile> parse_agent_file(std::string_view path, std::string_view text);

// What is built in: agents/*.md.
[[nodiscard]] std::vector<std::string> built_in_agent_files(); // names, sorted
[[nodiscard]] Result<std::string> built_in_agent_text(std::string_view name);

// The file a session uses for a role: the repository's own where the policy holds one, else the built-in one.
// A name without a file is a hard error.
[[nodiscard]] Result<AgentFile> agent_file(const Policy& policy, std::string_view name);

// A model is only meant for a program of its maker: "opus" says nothing to Codex.
[[nodiscard]] bool model_suits(const AgentBinding& agent, const std::string& model);

// Sets model and tools (and read_only) of a request from its role's file, as far as they mean something to
// the agent that will get it: a model only if the agent's program is of that model's maker, tools by name
// only for Claude Code. A file whose tools can neither edit nor run anything makes every agent read-only.
[[nodiscard]] Status use_agent_file(const Policy& policy, const AgentBinding& agent, AgentRequest& request);

} // namespace emend
