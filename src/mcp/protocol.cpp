#include "mcp/protocol.hpp"

#include <algorithm>
#include <array>

#include "base/strings.hpp"

namespace emend::mcp {
namespace {

constexpr const char* kStateless = "2026-07-28";
constexpr std::array<const char*, 3> kHandshakes = {"2025-11-25", "2025-06-18", "2025-03-26"};
constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kServerKey = "io.modelcontextprotocol/serverInfo";
constexpr std::size_t kLongestText = 8'000; // what every client shows whole

Json server_info(const Identity& own) {
  return {{"name", "emend"}, {"title", "emend"}, {"version", own.version}};
}

Json capabilities() {
  return {{"tools", Json::object()}, {"prompts", Json::object()}, {"resources", Json::object()}};
}

const Json* meta_of(const Json& params) {
  const Json* meta = find_member(params, "_meta");
  return meta != nullptr && meta->is_object() ? meta : nullptr;
}

// nullopt = the request may go on.
std::optional<Json> problem_of_stateless(const Request& request, const Json& meta) {
  const Json& version = *find_member(meta, kVersionKey);
  if (!version.is_string() || version.get<std::string>() != kStateless)
    return rpc::error_reply(request.id, kUnsupportedVersion, "this version of the protocol is not supported",
                            {{"supported", Json::array({kStateless})}, {"requested", version}});
  const Json* capable = find_member(meta, kCapabilitiesKey);
  if (capable == nullptr || !capable->is_object())
    return rpc::error_reply(request.id, rpc::kInvalidParams, std::string("_meta has no ") + kCapabilitiesKey);
  return std::nullopt;
}

std::string type_problem(const std::string& name, const Json& schema, const Json& value) {
  const std::string type = string_or(schema, "type");
  const bool fits = type == "string"    ? value.is_string()
                    : type == "boolean" ? value.is_boolean()
                    : type == "integer" ? value.is_number_integer() || value.is_number_unsigned()
                    : type == "array"   ? value.is_array()
                                        : true;
  if (!fits) return name + " must be of type " + type;
  const Json* choices = find_member(schema, "enum");
  if (choices != nullptr && std::find(choices->begin(), choices->end(), value) == choices->end())
    return name + " must be one of " + dump_json(*choices);
  if (type != "array") return "";
  for (const Json& item : value)
    if (!item.is_string()) return name + " must be a list of strings";
  return "";
}

} // namespace

bool is_stateless_version(std::string_view version) { return version == kStateless; }

bool is_handshake_version(std::string_view version) {
  return std::find(kHandshakes.begin(), kHandshakes.end(), version) != kHandshakes.end();
}

Json supported_versions() {
  Json versions = Json::array({kStateless});
  for (const char* version : kHandshakes) versions.push_back(version);
  return versions;
}

Read read_message(std::string_view line) {
  rpc::Read read = rpc::read_message(line);
  if (read.reply) return {std::nullopt, std::move(read.reply)};
  if (read.message->is_answer()) return {std::nullopt, std::nullopt, std::move(read.message)};
  Request request{std::move(read.message->id), std::move(read.message->method),
                  std::move(read.message->params)};
  const Json* meta = meta_of(request.params);
  if (meta == nullptr || !meta->contains(kVersionKey)) return {std::move(request)};
  request.era = Era::stateless;
  if (auto problem = problem_of_stateless(request, *meta)) {
    if (request.is_notification()) return {};
    return {std::nullopt, std::move(problem)};
  }
  return {std::move(request)};
}

Json result_reply(const Request& request, const Identity& own, Json result, Kept kept) {
  if (request.era == Era::stateless) {
    result["resultType"] = "complete";
    result["_meta"][kServerKey] = server_info(own);
    if (kept == Kept::lists) {
      result["ttlMs"] = 0;
      result["cacheScope"] = "private";
    }
  }
  return {{"jsonrpc", "2.0"}, {"id", request.id}, {"result", std::move(result)}};
}

Json input_required(const Request& request, const Identity& own, Json form, std::string state) {
  Json reply = result_reply(request, own, Json::object());
  Json& result = reply["result"];
  result["resultType"] = "input_required";
  result["inputRequests"] = {{kFormKey, {{"method", "elicitation/create"}, {"params", std::move(form)}}}};
  result["requestState"] = std::move(state);
  return reply;
}

std::string client_in(const Json& params) {
  const Json* info = find_member(params, "clientInfo");
  const Json* meta = meta_of(params);
  if (info == nullptr && meta != nullptr) info = find_member(*meta, "io.modelcontextprotocol/clientInfo");
  return info == nullptr ? "" : string_or(*info, "title", string_or(*info, "name"));
}

std::optional<std::string> named_in(const std::string& pattern, const std::string& uri) {
  const std::size_t open = pattern.find('{'), close = pattern.find('}');
  const std::string_view before = std::string_view(pattern).substr(0, open),
                         after = std::string_view(pattern).substr(close + 1);
  if (uri.size() <= before.size() + after.size() || !uri.starts_with(before) || !uri.ends_with(after))
    return std::nullopt;
  const std::string name = uri.substr(before.size(), uri.size() - before.size() - after.size());
  if (contains(name, "/")) return std::nullopt;
  return name;
}

Json capabilities_of(const Request& request) {
  const Json* meta = meta_of(request.params);
  const Json* able = meta == nullptr ? nullptr : find_member(*meta, kCapabilitiesKey);
  return able == nullptr ? Json::object() : *able;
}

Json opening(const Request& request, const Identity& own) {
  if (request.method == "server/discover") {
    if (request.era != Era::stateless)
      return rpc::error_reply(request.id, rpc::kInvalidParams, std::string("_meta has no ") + kVersionKey);
    return result_reply(request, own,
                        {{"supportedVersions", Json::array({kStateless})},
                         {"capabilities", capabilities()},
                         {"instructions", own.instructions}},
                        Kept::lists);
  }
  const std::string asked = string_or(request.params, "protocolVersion");
  const bool known = std::find(kHandshakes.begin(), kHandshakes.end(), asked) != kHandshakes.end();
  return result_reply(request, own,
                      {{"protocolVersion", known ? asked : kHandshakes.front()},
                       {"capabilities", capabilities()},
                       {"serverInfo", server_info(own)},
                       {"instructions", own.instructions}});
}

Json to_json(const Tool& tool) {
  Json schema = {{"type", "object"}, {"properties", tool.properties}, {"additionalProperties", false}};
  if (!tool.required.empty()) schema["required"] = tool.required;
  Json json = {{"name", tool.name},
               {"title", tool.title},
               {"description", tool.description},
               {"inputSchema", std::move(schema)},
               {"annotations",
                {{"title", tool.title},
                 {"readOnlyHint", tool.reads_only},
                 {"destructiveHint", false},
                 {"idempotentHint", tool.idempotent},
                 {"openWorldHint", false}}}};
  if (tool.always_load) json["_meta"] = {{"anthropic/alwaysLoad", true}};
  return json;
}

std::string argument_problem(const Tool& tool, const Json& arguments) {
  if (!arguments.is_object()) return "arguments must be an object";
  for (const std::string& name : tool.required)
    if (!arguments.contains(name)) return name + " is missing";
  for (const auto& [name, value] : arguments.items()) {
    const Json* schema = find_member(tool.properties, name);
    if (schema == nullptr) return "there is no argument " + first_line(clean_text(name), 60);
    if (std::string problem = type_problem(name, *schema, value); !problem.empty()) return problem;
  }
  return "";
}

Json text_result(std::string text, bool failed) {
  Json block = {{"type", "text"}, {"text", trim_middle(clean_text(text), kLongestText)}};
  return {{"content", Json::array({std::move(block)})}, {"isError", failed}};
}

} // namespace emend::mcp
