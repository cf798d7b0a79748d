// JSON-RPC 2.0 as coding agents and editors speak it: what a message is, and how errors look. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace emend::rpc {

inline constexpr int kParseError = -32700, kInvalidRequest = -32600, kUnknownMethod = -32601,
                     kInvalidParams = -32602, kInternalError = -32603;

// A request, a notification (no id), or the answer to a request of ours (no method).
struct Message {
  Json id; // a string, an integer, or null
  std::string method = {};
  Json params = Json::object();
  Json result = nullptr, error = nullptr; // of an answer

  [[nodiscard]] bool is_answer() const { return method.empty(); }
  [[nodiscard]] bool is_notification() const { return !is_answer() && id.is_null(); }
};

struct Read {
  std::optional<Message> message; // nullopt: `reply` says what is wrong
  std::optional<Json> reply = {};
};
[[nodiscard]] Read read_message(std::string_view text);

[[nodiscard]] Json error_reply(const Json& id, int code, const std::string& message, Json data = nullptr);

} // namespace emend::rpc
