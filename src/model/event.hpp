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
  std::string digest; // given by the store: over this event and all of its session's before it; empty =
                      // written before there were digests
};

[[nodiscard]] Json to_json(const Event& event);

// What `event` carries when it follows `before` in its session (a default Event for the first): a changed,
// missing, added or moved event shows in every digest after it.
[[nodiscard]] std::string chained_digest(const Event& before, const Event& event);

} // namespace emend
