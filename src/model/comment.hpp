// What a person said about an issue or about a line of its fix. Given to whoever fixes the issue next; never
// evidence.
#pragma once

#include <cstdint>
#include <string>

#include "base/json.hpp"

namespace emend {

struct Comment {
  std::string id; // UUID
  std::string issue_id;
  std::string session_id; // whose change it is about; empty = the issue itself
  std::string text;
  std::string file; // may be empty
  int line = 0;     // 0 = none
  std::string side; // of the change: "old" or "new"; empty = not about a line of it
  std::int64_t created_ms = 0;
};

[[nodiscard]] Json to_json(const Comment& comment);

} // namespace emend
