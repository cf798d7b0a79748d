#include "mcp/http_rules.hpp"

#include "base/strings.hpp"
#include "mcp/protocol.hpp"

namespace emend::mcp {
namespace {

constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";

std::string version_in(const Json& params) {
  const Json* meta = find_member(params, "_meta");
  return meta == nullptr ? "" : string_or(*meta, kVersionKey);
}

// What Mcp-Name must say; empty = the message names nothing.
std::string named(const rpc::Message& message) {
  if (message.method == "tools/call" || message.method == "prompts/get")
    return string_or(message.params, "name");
  return message.method == "resources/read" ? string_or(message.params, "uri") : "";
}

bool says(const std::optional<std::string>& header, const std::string& expected) {
  return header && trim(*header) == expected;
}

} // namespace

std::optional<Json> header_problem(const HttpHead& head, std::string_view body) {
  const rpc::Read read = rpc::read_message(body);
  if (!read.message || read.message->is_answer()) return std::nullopt; // the message's own problem
  const rpc::Message& message = *read.message;
  const std::string asked = head.version ? std::string(trim(*head.version)) : "",
                    version = version_in(message.params);
  const auto mismatch = [&](const std::string& why) {
    return rpc::error_reply(message.id, kHeaderMismatch, why);
  };
  if (version.empty()) {
    if (is_stateless_version(asked))
      return rpc::error_reply(message.id, rpc::kInvalidParams, std::string("_meta has no ") + kVersionKey);
    if (!asked.empty() && !is_handshake_version(asked))
      return rpc::error_reply(message.id, kUnsupportedVersion,
                              "this version of the protocol is not supported",
                              {{"supported", supported_versions()}, {"requested", asked}});
    return std::nullopt;
  }
  if (asked != version)
    return mismatch("MCP-Protocol-Version must be " + first_line(clean_text(version), 40));
  if (!says(head.method, message.method)) return mismatch("Mcp-Method must be the method of the message");
  const std::string name = named(message);
  if (!name.empty() && !says(head.name, name)) return mismatch("Mcp-Name must be what the message names");
  return std::nullopt;
}

int status_of(const Json& reply, bool stateless) {
  if (reply.is_null()) return 202;
  const Json* error = find_member(reply, "error");
  if (error == nullptr) return 200;
  const int code = error->at("code").get<int>();
  if (code == rpc::kParseError || code == rpc::kInvalidRequest || code == kUnsupportedVersion ||
      code == kHeaderMismatch)
    return 400;
  if (!stateless) return 200;
  return code == rpc::kUnknownMethod ? 404 : code == rpc::kInvalidParams ? 400 : 200;
}

} // namespace emend::mcp
