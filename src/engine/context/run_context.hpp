// What every stage of one session shares: the ports, the session's pinned values, the log.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/redact.hpp"
#include "engine/context/event_log.hpp"
#include "engine/context/ports.hpp"
#include "model/event.hpp"
#include "model/plan_files.hpp"
#include "model/session.hpp"

namespace emend {

// Why no further agent is started in a session: a used-up budget, or agents that cannot work now.
struct QueueStop {
  std::string reason; // "budget", or the agent's state: "rate_limited", "not_logged_in", ...
  std::string detail;
};

inline constexpr std::size_t kStreamFrames = 20; // of agents' words, a second and session
inline constexpr std::size_t kLastFrames = 5;    // of these, kept for the last words of runs

// Names as sessions give them.
[[nodiscard]] bool is_session_id(std::string_view text);
// Where a session keeps what it leaves for people, below the state directory.
[[nodiscard]] fs::path session_folder(const std::string& home, const std::string& session_id);

class RunContext {
public:
  RunContext(Ports ports, EventLog& log, std::string home, Session session, Redactor redactor);

  Ports ports;
  EventLog& log;
  const std::string home;
  const Session session; // as it started: id, base, policy. What changes is in the store
  const Redactor redactor;
  std::optional<PlanFiles> plan; // set before the first unit is worked on
  bool record_children =
      true; // by the session's own process; those of others are no orphans when that one dies

  [[nodiscard]] const Policy& policy() const { return session.policy; }
  // An event of this session (model/events.hpp); issue_code may be empty.
  template <typename E>
  [[nodiscard]] Event event(std::string_view issue_code, const E& told) const {
    return make_event(session.id, issue_code, told);
  }
  template <typename E>
  [[nodiscard]] Status publish(std::string_view issue_code, const E& told) const {
    return log.publish(event(issue_code, told));
  }
  // Said to the person and kept for the report.
  void notice(std::string text);
  [[nodiscard]] std::vector<std::string> notices() const;

  // From now on nothing new is started; what runs may end. The first reason stays.
  void stop_queue(QueueStop why);
  [[nodiscard]] std::optional<QueueStop> queue_stop() const;

  // A run that worked on these issues changed something outside of its workspace: their attempts fail.
  // Thread-safe.
  void blame(const std::vector<std::string>& issue_codes, const std::string& what);
  // What an issue is blamed for since it was last asked; nullopt = nothing.
  [[nodiscard]] std::optional<std::string> take_blame(const std::string& issue_code);

  // Whether one more frame of agents' words may go out now: at most kStreamFrames a second for the session,
  // whatever is going on in it. Nobody waits for its turn: what finds no room is in the run's log only.
  enum class Frame { running, last };
  [[nodiscard]] bool may_stream(std::int64_t steady_ms, Frame frame);

  // Text for prompts, events and reports: valid UTF-8, no escape codes, no secrets.
  [[nodiscard]] std::string safe(std::string_view text) const;
  // Private session folder for prompts and transcripts; failing to write one never fails a session.
  void keep_artifact(const std::string& name, std::string_view text) const;

  // Callback that records a child, so that an engine that dies can be tidied up after; forget it when it has
  // ended.
  [[nodiscard]] std::function<void(int, std::int64_t)> child_recorder(ChildRecord& record) const;
  void forget_child(const ChildRecord& record) const;

private:
  mutable std::mutex mutex_;
  std::vector<std::string> notices_;
  std::optional<QueueStop> queue_stop_;
  std::map<std::string, std::string> blamed_; // by issue code
  std::deque<std::int64_t> frames_ms_;        // those of the last second
};

} // namespace emend
