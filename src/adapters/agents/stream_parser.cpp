#include "adapters/agents/stream_parser.hpp"

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::int64_t kMostTokens = 1'000'000'000'000;
constexpr std::size_t kTargetBytes = 200;

// Most programs print valid UTF-8; what comes out of a killed or confused one is repaired once, then given up
// on.
Result<Json> read_event(std::string_view text) {
  auto json = parse_json(text);
  if (json || is_valid_utf8(text)) return json;
  return parse_json(clean_text(text));
}

} // namespace

void StreamParser::line(std::string_view text) {
  text = trim(text);
  if (text.empty()) return;
  if (text.front() != '{') {
    ++unreadable_;
    return;
  }
  const auto json = read_event(text);
  if (!json || !json->is_object()) {
    ++unreadable_;
    return;
  }
  event(*json);
}

void StreamParser::tell(AgentEvent::Kind kind, std::string text, std::string name, std::string id,
                        std::string parent) const {
  if (listener_) listener_({kind, std::move(text), std::move(name), std::move(id), std::move(parent)});
}

const Json& member(const Json& object, std::string_view key) {
  static const Json nothing;
  const Json* found = find_member(object, key);
  return found != nullptr ? *found : nothing;
}

std::int64_t count_of(const Json& object, std::string_view key) {
  return exact_int(member(object, key), 0, kMostTokens).value_or(0);
}

std::string tool_target(const Json& input) {
  for (const char* key :
       {"file_path", "filePath", "path", "command", "cmd", "pattern", "query", "url", "description"}) {
    const std::string text = string_or(input, key);
    if (!text.empty()) return first_line(text, kTargetBytes);
  }
  return {};
}

std::string as_line(const AgentEvent& event) {
  switch (event.kind) {
    case AgentEvent::Kind::text:
    case AgentEvent::Kind::thinking: return event.text;
    case AgentEvent::Kind::tool_use: return "> " + event.name + (event.text.empty() ? "" : " " + event.text);
    case AgentEvent::Kind::sub_agent:
      return "> agent " + event.name + (event.text.empty() ? "" : " " + event.text);
    case AgentEvent::Kind::retry: return "! asked again: " + event.text;
    case AgentEvent::Kind::warning: return "! " + event.text;
    case AgentEvent::Kind::other: break;
  }
  return {};
}

} // namespace emend
