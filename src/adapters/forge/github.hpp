// GitHub's REST API, version 2022-11-28.
#pragma once

#include <memory>

#include "adapters/forge/rest_client.hpp"
#include "ports/forge.hpp"

namespace emend {

[[nodiscard]] std::unique_ptr<Forge> make_github(ForgePlace place, RestSettings settings, const Clock& clock);

} // namespace emend
