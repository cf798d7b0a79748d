// What emend did on a forge, kept where everything is kept: events of a stream of their own, one for each
// repository.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/context/event_log.hpp"
#include "engine/context/ports.hpp"
#include "model/events.hpp"

namespace emend {

// The stream of this repository.
[[nodiscard]] std::string forge_stream(const std::string& repository_id);
[[nodiscard]] std::string forge_stream(const Ports& ports);
[[nodiscard]] Result<std::vector<Event>> all_forge_events(Journal& journal, const std::string& repository_id);
[[nodiscard]] Result<std::vector<Event>> all_forge_events(const Ports& ports);

// Durable when it returns.
template <typename E>
[[nodiscard]] Status note_forge_event(const Ports& ports, const E& told) {
  return EventLog(ports.store, ports.clock, {}).publish(make_event(forge_stream(ports), "", told));
}

// Of that type, in order.
template <typename E>
[[nodiscard]] Result<std::vector<E>> forge_events(Journal& journal, const std::string& repository_id) {
  TRY_ASSIGN(const std::vector<Event> events, all_forge_events(journal, repository_id));
  std::vector<E> found;
  for (const Event& event : events)
    if (auto told = event_as<E>(event)) found.push_back(*std::move(told));
  return found;
}
template <typename E>
[[nodiscard]] Result<std::vector<E>> forge_events(const Ports& ports) {
  return forge_events<E>(ports.store, ports.repository.id());
}

} // namespace emend
