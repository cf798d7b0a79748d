// A person has looked at a fix and takes it as it is. Nothing of issue or branch changes: it is written down
// for everybody to see.
#pragma once

#include <functional>
#include <string>

#include "engine/context/ports.hpp"

namespace emend {

struct Acceptance {
  Session session;
  Issue issue;
  bool again = false; // it had been accepted before
};
[[nodiscard]] Json to_json(const Acceptance& acceptance);

// Of an issue the session has RESOLVED, also once it is MERGED. ErrorCode::conflict when there is no such
// fix, or it was taken back.
[[nodiscard]] Result<Acceptance> accept_fix(const Ports& ports,
                                            const std::function<void(const Event&)>& on_event,
                                            const std::string& session_id, const std::string& code);

} // namespace emend
