#include "engine/claims/running_sessions.hpp"

#include <mutex>
#include <set>

namespace emend {

namespace {

struct Running {
  std::mutex mutex;
  std::multiset<std::string> ids;
};

Running& running() {
  static Running sessions;
  return sessions;
}

} // namespace

RunningHere::RunningHere(std::string session_id) : session_id_(std::move(session_id)) {
  const std::lock_guard lock(running().mutex);
  running().ids.insert(session_id_);
}

RunningHere::~RunningHere() {
  const std::lock_guard lock(running().mutex);
  running().ids.extract(session_id_);
}

bool runs_here(const std::string& session_id) {
  const std::lock_guard lock(running().mutex);
  return running().ids.contains(session_id);
}

} // namespace emend
