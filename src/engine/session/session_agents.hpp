// Who works on a session and with what: its agents by role, its meter, and the stages a unit goes through.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "engine/agents/budget.hpp"
#include "engine/agents/role_agents.hpp"
#include "engine/context/run_context.hpp"
#include "engine/judge/challenge.hpp"
#include "engine/session/unit_loop.hpp"
#include "engine/verify/reproduction.hpp"
#include "engine/verify/rescan.hpp"
#include "engine/verify/verify.hpp"
#include "ports/store.hpp"

namespace emend {

class SessionAgents {
public:
  // As the session's policy says; what earlier runs consumed is on the meter. `context` outlives it.
  [[nodiscard]] static Result<std::unique_ptr<SessionAgents>> assemble(RunContext& context);
  SessionAgents(const SessionAgents&) = delete;
  SessionAgents& operator=(const SessionAgents&) = delete;

  // What a person should know about who does what; said once a session.
  void introduce();
  [[nodiscard]] Stages stages();

private:
  explicit SessionAgents(RunContext& context)
      : context_(context), meter_(context.policy()), verifier_(context), rescanner_(context) {}

  [[nodiscard]] Status find_candidates();

  RunContext& context_;
  Meter meter_;
  std::unique_ptr<RoleAgents> fixer_, challenging_, second_judge_,
      reproducing_; // none for a role the engine plays itself, or nobody does
  std::vector<std::unique_ptr<RoleAgents>> candidates_;
  Verifier verifier_;
  Rescanner rescanner_;
  std::unique_ptr<Reproduction> reproduction_;
  std::unique_ptr<Challenger> challenger_;
};

// Watches for `emend sessions cancel` from another process. Store and source outlive it.
class CancelWatch {
public:
  CancelWatch(SessionStore& store, std::string session_id, std::stop_source& source)
      : thread_([&store, session_id = std::move(session_id), &source](std::stop_token self) {
          std::mutex mutex;
          std::condition_variable_any wake;
          std::unique_lock lock(mutex);
          while (!wake.wait_for(lock, self, std::chrono::milliseconds(300), [] { return false; }) &&
                 !self.stop_requested()) {
            const auto asked = store.cancel_requested(session_id);
            if (asked && *asked) source.request_stop();
          }
        }) {}

private:
  std::jthread thread_;
};

} // namespace emend
