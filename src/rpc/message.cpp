#include "rpc/message.hpp"

namespace emend::rpc {
namespace {

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer() || id.is_number_unsigned(); }

Read refused(const Json& id, int code, const std::string& why) {
  return {std::nullopt, error_reply(id, code, why)};
}

} // namespace

Json error_reply(const Json& id, int code, const std::string& message, Json data) {
  Json error = {{"code", code}, {"message", message}};
  if (!data.is_null()) error["data"] = std::move(data);
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}};
}

Read read_message(std::string_view text) {
  const auto json = parse_json(text);
  if (!json) return refused(nullptr, kParseError, "this message is not JSON");
  if (!json->is_object()) return refused(nullptr, kInvalidRequest, "a message is one JSON object");
  const Json* id = find_member(*json, "id");
  Message message;
  if (id != nullptr && is_id(*id)) message.id = *id;
  const Json* method = find_member(*json, "method");
  if (method == nullptr && (json->contains("result") || json->contains("error"))) {
    if (const Json* result = find_member(*json, "result")) message.result = *result;
    if (const Json* error = find_member(*json, "error")) message.error = *error;
    return {std::move(message)};
  }
  if (string_or(*json, "jsonrpc") != "2.0" || method == nullptr || !method->is_string() ||
      method->get<std::string>().empty())
    return refused(message.id, kInvalidRequest, "this is not a JSON-RPC 2.0 request");
  if (id != nullptr && message.id.is_null())
    return refused(nullptr, kInvalidRequest, "an id is a string or an integer");
  message.method = method->get<std::string>();
  const Json* params = find_member(*json, "params");
  if (params == nullptr || params->is_null()) return {std::move(message)};
  if (!params->is_object()) return refused(message.id, kInvalidParams, "params must be an object");
  message.params = *params;
  return {std::move(message)};
}

} // namespace emend::rpc
