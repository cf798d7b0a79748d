// Comments of people on issues and their fixes, stored for the next fixer.
#pragma once

#include <functional>
#include <string>

#include "engine/context/ports.hpp"
#include "model/withdrawal.hpp"

namespace emend {

inline constexpr std::size_t kLongestComment = 20'000; // bytes

struct CommentOrder {
  std::string code;       // of an issue of this repository, or its id
  std::string session_id; // whose change it is about; empty = the issue itself
  std::string text;
  std::string file; // with line and side: a place in the change
  int line = 0;
  std::string side; // "old", "new" or empty
};

// Stored redacted. `policy` says what counts as a secret here.
[[nodiscard]] Result<Comment> add_comment(const Ports& ports, const Policy& policy,
                                          const std::function<void(const Event&)>& on_event,
                                          const CommentOrder& order);

} // namespace emend
