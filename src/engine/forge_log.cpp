#include "engine/forge_log.hpp"

#include "engine/event_log.hpp"

namespace emend {

namespace {

std::string stream_of(const Ports& ports) { return "forge-" + ports.repository.id(); }

} // namespace

Status note_forge_event(const Ports& ports, std::string_view type, Json data) {
  Event event;
  event.session_id = stream_of(ports);
  event.type = std::string(type);
  event.data = std::move(data);
  return EventLog(ports.store, ports.clock, {}).publish(std::move(event));
}

Result<std::vector<Event>> forge_events(const Ports& ports, std::string_view type) {
  constexpr std::size_t kPage = 500;
  std::vector<Event> found;
  std::int64_t seq = 0;
  while (true) {
    TRY_ASSIGN(std::vector<Event> page, ports.store.events_after(seq, stream_of(ports), kPage));
    for (Event& event : page) {
      seq = event.seq;
      if (event.type == type) found.push_back(std::move(event));
    }
    if (page.size() < kPage) return found;
  }
}

} // namespace emend
