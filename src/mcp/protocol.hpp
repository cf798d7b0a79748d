// The Model Context Protocol over one line of JSON a message: what a message asks for, and how answers look
// in both of its eras (the handshake of 2025, and 2026-07-28 where every request speaks for itself). Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "rpc/message.hpp"

namespace emend::mcp {

enum class Era { handshake, stateless };

// Codes of the protocol, beside those of JSON-RPC.
inline constexpr int kHeaderMismatch = -32020, kUnsupportedVersion = -32022;

inline constexpr const char* kFormKey = "answers"; // in inputRequests and inputResponses

[[nodiscard]] bool is_stateless_version(std::string_view version);
[[nodiscard]] bool is_handshake_version(std::string_view version);
[[nodiscard]] Json supported_versions();

struct Request {
  Json id; // null = a notification
  std::string method;
  Json params = Json::object();
  Era era = Era::handshake;

  [[nodiscard]] bool is_notification() const { return id.is_null(); }
};

struct Read {
  std::optional<Request> request; // nullopt: `answer`, or `reply` says what is wrong
  std::optional<Json> reply = {};
  std::optional<rpc::Message> answer = {}; // of the client, to a request of ours
};
[[nodiscard]] Read read_message(std::string_view line);

// Who serves.
struct Identity {
  std::string version;
  std::string instructions;
};
// The era's own additions: resultType, who answers, and for lists how long they hold.
enum class Kept { no, lists };
[[nodiscard]] Json result_reply(const Request& request, const Identity& own, Json result,
                                Kept kept = Kept::no);

// The call goes on when the person has filled in this form, and the client repeats it with the state.
[[nodiscard]] Json input_required(const Request& request, const Identity& own, Json form, std::string state);
// Who asks, as it calls itself for people, in the params of a request; empty = it does not say.
[[nodiscard]] std::string client_in(const Json& params);
// What stands for the braces of "emend://issue/{code}" in this uri; nullopt for any other uri.
[[nodiscard]] std::optional<std::string> named_in(const std::string& pattern, const std::string& uri);
// What the client of a stateless request can do; an empty object in the other era.
[[nodiscard]] Json capabilities_of(const Request& request);

// initialize and server/discover.
[[nodiscard]] Json opening(const Request& request, const Identity& own);

struct Tool {
  std::string name, title, description;
  Json properties = Json::object(); // of the input, as JSON schema
  std::vector<std::string> required = {};
  bool reads_only = true, idempotent = true;
  bool always_load = false;
};
[[nodiscard]] Json to_json(const Tool& tool);
// What is wrong with these arguments, for the model to read; empty = nothing.
[[nodiscard]] std::string argument_problem(const Tool& tool, const Json& arguments);

// One text block. A call that failed is a result too: the model can act on it.
[[nodiscard]] Json text_result(std::string text, bool failed);

} // namespace emend::mcp
