#include "cli/agents/agent_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/background_work.hpp"
#include "cli/trust_check.hpp"
#include "engine/branch/recovery.hpp"
#include "ports/machine.hpp"

namespace emend {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kHour = 3'600'000;

// Whoever asks may have read hostile text: what it can spend is bounded, whatever it asks for.
Status room_for_one(Store& store, const Config& config, const std::string& repository_id,
                    std::int64_t now_ms) {
  const auto looked_at = static_cast<std::size_t>(std::max(50, config.fixes_an_hour() + 1));
  TRY_ASSIGN(const std::vector<Session> sessions, store.sessions(repository_id, looked_at));
  const auto running = std::count_if(sessions.begin(), sessions.end(), [](const Session& session) {
    return present_status(session) == SessionStatus::running;
  });
  if (running >= config.most_fixes())
    return fail(
        ErrorCode::conflict,
        fmt::format("{} in this repository already",
                    running == 1 ? "1 fix session runs" : fmt::format("{} fix sessions run", running)),
        "wait for one of them; the limit is mcp.fixes_at_once");
  const auto recent = std::count_if(sessions.begin(), sessions.end(), [&](const Session& session) {
    return session.started_ms > now_ms - kHour;
  });
  if (recent >= config.fixes_an_hour())
    return fail(ErrorCode::conflict, fmt::format("{} fix sessions were begun here in the last hour", recent),
                "a person can start more with: emend fix; the limit is mcp.fixes_an_hour");
  return {};
}

// Held until the new session is in the store, so that whoever is next counts it.
Result<FileLock> lock_beginnings(CommandContext& context, const std::string& repository_id,
                                 const std::stop_token& stop) {
  TRY_ASSIGN(const std::string home, context.home());
  const auto until = std::chrono::steady_clock::now() + 60s;
  for (;;) {
    auto lock = FileLock::try_lock(fs::path(home) / "locks" / (repository_id + ".begin.lock"));
    if (lock || lock.error().code != ErrorCode::conflict) return lock;
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "the call was cancelled");
    if (std::chrono::steady_clock::now() > until)
      return fail(ErrorCode::conflict, "other fix sessions are beginning in this repository",
                  "try again in a minute");
    std::this_thread::sleep_for(50ms);
  }
}

// The session of that process appears in the store a moment after it began.
Result<std::string> session_of(Store& store, const std::string& repository_id, int process,
                               std::int64_t begun, BackgroundWork& work, const std::stop_token& stop) {
  bool over = false;
  for (int i = 0; i < 300 && !stop.stop_requested(); ++i) {
    TRY_ASSIGN(const std::vector<Session> sessions, store.sessions(repository_id, 20));
    for (const Session& session : sessions)
      if (session.owner.pid == process && session.owner.boot_id == boot_and_machine() &&
          session.started_ms >= begun)
        return session.id;
    if (over) break;
    const std::vector<BackgroundWork::Failure> failures = work.failures();
    if (!failures.empty())
      return fail(ErrorCode::agent, "the session did not begin: " + first_line(failures.front().said, 300));
    over = !work.any(); // looked at once more: it may have ended since
    if (!over) std::this_thread::sleep_for(100ms);
  }
  return fail(ErrorCode::agent, "the session did not begin", "run `emend fix` by hand to see why");
}

} // namespace

Result<std::string> begin_session(CommandContext& context, const std::vector<std::string>& codes,
                                  std::stop_token stop) {
  if (codes.empty() || codes.size() > 10) return fail(ErrorCode::usage, "name 1 to 10 issues");
  TRY_ASSIGN(const Config config, trusted_config(context));
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  std::vector<std::string> words = {"fix"};
  for (const std::string& code : codes) {
    TRY_ASSIGN(const Issue issue, store->issue(repository->id(), code));
    words.push_back(issue.code);
  }
  TRY_ASSIGN(const FileLock one_at_a_time, lock_beginnings(context, repository->id(), stop));
  const std::int64_t begun = context.dependencies().clock->wall_ms();
  TRY(room_for_one(*store, config, repository->id(), begun));
  BackgroundWork work(context);
  TRY_ASSIGN(const int process, work.start("agent-fix", words));
  return session_of(*store, repository->id(), process, begun, work, stop);
}

Result<std::optional<FixReport>> wait_for_session(CommandContext& context, const std::string& id,
                                                  std::chrono::milliseconds most, std::stop_token stop,
                                                  const std::function<void(const std::string&)>& tell) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(SessionManager * manager, context.manager());
  const auto until = std::chrono::steady_clock::now() + most;
  std::int64_t seen = 0;
  for (;;) {
    TRY_ASSIGN(const Session session, store->session(id));
    if (session.status != SessionStatus::running) {
      TRY_ASSIGN(FixReport report, manager->report(session.id));
      return std::optional<FixReport>(std::move(report));
    }
    TRY_ASSIGN(const std::vector<Event> events, store->events_after(seen, session.id, 200));
    if (!events.empty()) {
      seen = events.back().seq;
      tell(fmt::format("{} {}", events.back().issue_code, replace_all(events.back().type, "_", " ")));
    }
    if (stop.stop_requested() || std::chrono::steady_clock::now() >= until) return std::optional<FixReport>{};
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

} // namespace emend
