#include "engine/context/event_log.hpp"

#include "model/session_timing.hpp"
#include "model/session_view.hpp"

namespace emend {

EventLog::EventLog(Journal& store, const Clock& clock, std::function<void(const Event&)> doorbell,
                   std::optional<Fence> fence)
    : store_(store), clock_(clock), doorbell_(std::move(doorbell)), fence_(std::move(fence)) {}

Status EventLog::apply(Change change) {
  const std::int64_t now = clock_.wall_ms();
  change.fence = fence_;
  for (Session& session : change.sessions) session.updated_ms = now;
  for (Event& event : change.events)
    if (event.time_ms == 0) event.time_ms = now;
  // What a person did says so wherever it is shown.
  if (!change.audit.empty())
    for (Event& event : change.events) event.data["by"] = change.audit.front().actor.shown();
  TRY_ASSIGN(const std::vector<Event> stored, store_.apply(change, now));
  if (doorbell_)
    for (const Event& event : stored) doorbell_(event);
  return {};
}

Status EventLog::publish(Event event) {
  Change change;
  change.events.push_back(std::move(event));
  return apply(std::move(change));
}

namespace {

// What agents print is left out.
Status each_event(Journal& store, const std::string& session_id,
                  const std::function<void(const Event&)>& take) {
  constexpr std::size_t kPage = 1'000;
  for (std::int64_t after = 0;;) {
    TRY_ASSIGN(const std::vector<Event> events, store.events_after(after, session_id, kPage));
    for (const Event& event : events)
      if (!is<FixIssueStreaming>(event)) take(event);
    if (events.size() < kPage) return {};
    after = events.back().seq;
  }
}

} // namespace

Result<SessionView> session_view(Journal& store, const std::string& session_id) {
  SessionView view;
  TRY(each_event(store, session_id, [&](const Event& event) { take(view, event, event.time_ms); }));
  return view;
}

Result<SessionTiming> session_timing(Journal& store, const std::string& session_id) {
  TimingFold fold;
  TRY(each_event(store, session_id, [&](const Event& event) { fold.take(event); }));
  return fold.result();
}

} // namespace emend
