// Exit codes: one enum, and the rules that derive it from errors and reports. docs/exit-codes.md explains
// them to people.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/report.hpp"

namespace emend {

enum class ExitStatus {
  done = 0,
  unresolved = 1,
  usage = 2,
  cannot_run = 3,
  auth = 4,
  agents_failed = 5,
  verification_failed = 6,
  needs_input = 7,
  still_running = 8,
  limit = 9,
  interrupted = 130,
  terminated = 143,
};

[[nodiscard]] ExitStatus exit_status(ErrorCode code);
// What a finished session means: done when every issue is RESOLVED; else the lowest of 5 (an unresolved issue
// whose last attempt brought nothing usable from an agent) and 6 (one that ended in a failing verification);
// else unresolved.
[[nodiscard]] ExitStatus exit_status(const FixReport& report);

struct ExitMeaning {
  ExitStatus status;
  std::string_view meaning;
  std::string_view remedy;
};
[[nodiscard]] const std::vector<ExitMeaning>& exit_meanings();

} // namespace emend
