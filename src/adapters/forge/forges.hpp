// Opens the forge a repository's pull requests and issues live on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/forge_place.hpp"
#include "ports/clock.hpp"
#include "ports/forge.hpp"
#include "ports/process.hpp"

namespace emend {

// Nothing is asked of it yet. The token comes from `environment` (NAME=VALUE), else from gh; without one only
// what everybody may see can be asked for. SSL_CERT_FILE names further certificates. The clock outlives it.
[[nodiscard]] Result<std::unique_ptr<Forge>> open_forge(const ForgePlace& place,
                                                        const ForgeSettings& settings,
                                                        const std::vector<std::string>& environment,
                                                        ProcessRunner& processes, const Clock& clock,
                                                        std::stop_token stop);

} // namespace emend
