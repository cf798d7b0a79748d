// Which sessions threads of this process work on now. A row that says `running` only says what was stored
// last.
#pragma once

#include <string>

namespace emend {

// Holds from before a session is stored as running until its end is stored, or could not be.
class RunningHere {
public:
  explicit RunningHere(std::string session_id);
  RunningHere(const RunningHere&) = delete;
  RunningHere& operator=(const RunningHere&) = delete;
  ~RunningHere();

private:
  const std::string session_id_;
};

[[nodiscard]] bool runs_here(const std::string& session_id);

} // namespace emend
