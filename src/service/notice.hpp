// What people and other programs are told of: few of all events, in words that show neither code nor secrets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "model/event.hpp"

namespace emend {

struct Notice {
  std::int64_t seq = 0; // of its event; 0 = somebody tries whether notifications arrive
  std::int64_t time_ms = 0;
  std::string topic; // "sessions", "questions", "reviews", "safety"
  std::string type;  // "session.completed"
  std::string session_id, issue_code;
  std::string repository_id, repository; // id and name; empty = of none
  std::string text;                      // one sentence
  std::string page;                      // of the dashboard: "/sessions/k3f9"
  Json figures = Json::object();         // numbers and short words of it
};
[[nodiscard]] Json to_json(const Notice& notice); // as it is kept
[[nodiscard]] Notice notice_from_json(const Json& json);

[[nodiscard]] const std::vector<std::string>& notice_topics();
// Without its repository. nullopt = nobody is told of it.
[[nodiscard]] std::optional<Notice> notice_of(const Event& event);

} // namespace emend
