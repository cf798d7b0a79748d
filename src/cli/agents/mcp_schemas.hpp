// What coding agents are told about emend's tools: names, arguments, when to call them.
#pragma once

#include <vector>

#include "mcp/server.hpp"

namespace emend {

struct McpSchemas {
  mcp::Tool check, review, findings, show, wait; // write nothing of the person's
  mcp::Tool fix, apply, answer;
};
[[nodiscard]] McpSchemas mcp_schemas();
[[nodiscard]] std::vector<mcp::Prompt> mcp_prompts();

extern const char* const kMcpInstructions; // clients show it before any tool
extern const char* const kMcpGuide;

} // namespace emend
