// What the Model Context Protocol asks of HTTP beside its messages: headers that repeat the message, and the
// status an answer has. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace emend::mcp {

struct HttpHead {
  std::optional<std::string> version; // MCP-Protocol-Version
  std::optional<std::string> method;  // Mcp-Method
  std::optional<std::string> name;    // Mcp-Name: of a tool or prompt, or the uri of a resource
};

// What is wrong with the headers of this message; nullopt = nothing. 2026-07-28 wants all of them, equal to
// the body; the versions before it want only a version they know.
[[nodiscard]] std::optional<Json> header_problem(const HttpHead& head, std::string_view body);

// The status of the answer to one message; an answer to a notification is null.
[[nodiscard]] int status_of(const Json& reply, bool stateless);

} // namespace emend::mcp
