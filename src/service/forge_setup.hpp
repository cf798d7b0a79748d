// Finding the forge of a repository: which remote, which project there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/forge_place.hpp"
#include "ports/remotes.hpp"

namespace emend {

struct ForgeWish {
  std::string remote;              // name; empty = origin, else the only one
  std::optional<RemoteAddress> at; // of an address a person gave: one of the remotes must be it
};

// Asks nothing of anybody. ErrorCode::usage when there is no such remote, config when its host is unknown.
[[nodiscard]] Result<ForgePlace> find_forge(const std::vector<NamedRemote>& remotes,
                                            const ForgeSettings& settings,
                                            const std::vector<std::string>& environment,
                                            const ForgeWish& wish);

} // namespace emend
