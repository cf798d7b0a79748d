// Event: the one thing every screen reads. docs/events.md lists the types.
#pragma once

#include <cstdint>
#include <string>

#include "base/json.hpp"

namespace emend {

struct Event {
  std::int64_t seq = 0; // given by the store; increasing, database-wide
  std::int64_t time_ms = 0;
  std::string session_id;
  std::string type;       // "fix_session_started", ...
  std::string issue_code; // may be empty
  Json data = Json::object();
};

[[nodiscard]] Json to_json(const Event& event);

} // namespace emend
