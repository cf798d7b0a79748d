#include "engine/forge/forge_log.hpp"

#include <iterator>

namespace emend {

std::string forge_stream(const std::string& repository_id) { return "forge-" + repository_id; }
std::string forge_stream(const Ports& ports) { return forge_stream(ports.repository.id()); }

Result<std::vector<Event>> all_forge_events(const Ports& ports) {
  return all_forge_events(ports.store, ports.repository.id());
}

Result<std::vector<Event>> all_forge_events(Journal& journal, const std::string& repository_id) {
  constexpr std::size_t kPage = 500;
  std::vector<Event> found;
  while (true) {
    const std::int64_t after = found.empty() ? 0 : found.back().seq;
    TRY_ASSIGN(std::vector<Event> page, journal.events_after(after, forge_stream(repository_id), kPage));
    const bool last = page.size() < kPage;
    found.insert(found.end(), std::make_move_iterator(page.begin()), std::make_move_iterator(page.end()));
    if (last) return found;
  }
}

} // namespace emend
