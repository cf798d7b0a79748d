#include "service/sharing.hpp"

namespace emend {

Result<Sharing> Sharing::open(const Dependencies& dependencies, const std::string& address,
                              std::int64_t lease_ms) {
  Sharing sharing;
  if (!dependencies.open_board) return sharing;
  TRY_ASSIGN(sharing.board, dependencies.open_board(address));
  if (!sharing.board) return sharing;
  PresenceOptions options;
  options.lease_ms = lease_ms;
  options.version = dependencies.version;
  TRY_ASSIGN(sharing.presence, Presence::begin(*sharing.board, std::move(options)));
  return sharing;
}

} // namespace emend
