#include "cli/agents/agent_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/strings.hpp"
#include "cli/background_work.hpp"
#include "cli/trust_check.hpp"

namespace emend {
namespace {

constexpr std::size_t kMostAtOnce = 3, kMostAnHour = 10;
constexpr std::int64_t kHour = 3'600'000;

// Whoever asks may have read hostile text: what it can spend is bounded, whatever it asks for.
Status room_for_one(Store& store, const std::string& repository_id, std::int64_t now_ms) {
  TRY_ASSIGN(const std::vector<Session> sessions, store.sessions(repository_id, 50));
  const auto running = std::count_if(sessions.begin(), sessions.end(), [](const Session& session) {
    return session.status == SessionStatus::running;
  });
  if (running >= static_cast<std::ptrdiff_t>(kMostAtOnce))
    return fail(ErrorCode::conflict, "three fixes are running in this repository", "wait for one of them");
  const auto recent = std::count_if(sessions.begin(), sessions.end(), [&](const Session& session) {
    return session.started_ms > now_ms - kHour;
  });
  if (recent >= static_cast<std::ptrdiff_t>(kMostAnHour))
    return fail(ErrorCode::conflict, "ten fix sessions were begun here in the last hour",
                "a person can start more with: emend fix");
  return {};
}

} // namespace

Result<std::string> begin_session(CommandContext& context, const std::vector<std::string>& codes,
                                  std::stop_token stop) {
  if (codes.empty() || codes.size() > 10) return fail(ErrorCode::usage, "name 1 to 10 issues");
  TRY(trusted_config(context));
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  std::vector<std::string> words = {"fix"};
  for (const std::string& code : codes) {
    TRY_ASSIGN(const Issue issue, store->issue(repository->id(), code));
    words.push_back(issue.code);
  }
  const std::int64_t begun = context.dependencies().clock->wall_ms();
  TRY(room_for_one(*store, repository->id(), begun));
  BackgroundWork work(context);
  TRY(work.start("agent-fix", words));
  // The session appears in the store a moment after its process began.
  for (int i = 0; i < 300 && !stop.stop_requested(); ++i) {
    TRY_ASSIGN(const std::vector<Session> sessions, store->sessions(repository->id(), 20));
    for (const Session& session : sessions)
      if (session.started_ms >= begun) return session.id;
    for (const BackgroundWork::Failure& failure : work.failures())
      return fail(ErrorCode::agent, "the session did not begin: " + first_line(failure.said, 300));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return fail(ErrorCode::agent, "the session did not begin", "run `emend fix` by hand to see why");
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
