#include "engine/forge/forge_log.hpp"

#include <iterator>

namespace emend {

std::string forge_stream(const Ports& ports) { return "forge-" + ports.repository.id(); }

Result<std::vector<Event>> all_forge_events(const Ports& ports) {
  constexpr std::size_t kPage = 500;
  std::vector<Event> found;
  while (true) {
    const std::int64_t after = found.empty() ? 0 : found.back().seq;
    TRY_ASSIGN(std::vector<Event> page, ports.store.events_after(after, forge_stream(ports), kPage));
    const bool last = page.size() < kPage;
    found.insert(found.end(), std::make_move_iterator(page.begin()), std::make_move_iterator(page.end()));
    if (last) return found;
  }
}

} // namespace emend
