#include "ports/work_board.hpp"

namespace emend {

std::string_view to_string(SharedJobState state) {
  switch (state) {
    case SharedJobState::queued: return "queued";
    case SharedJobState::claimed: return "claimed";
    case SharedJobState::done: return "done";
    case SharedJobState::failed: return "failed";
  }
  return "failed";
}

std::optional<SharedJobState> parse_shared_job_state(std::string_view text) {
  for (const SharedJobState state :
       {SharedJobState::queued, SharedJobState::claimed, SharedJobState::done, SharedJobState::failed})
    if (to_string(state) == text) return state;
  return std::nullopt;
}

} // namespace emend
