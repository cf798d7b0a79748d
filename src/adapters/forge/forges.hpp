// Opens the forge a repository's pull requests and issues live on.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "adapters/forge/rest_client.hpp"
#include "base/result.hpp"
#include "model/forge_place.hpp"
#include "ports/clock.hpp"
#include "ports/forge.hpp"
#include "ports/process.hpp"

namespace emend {

// The token a forge is asked with: from the environment, else from the gh program. It stays in memory.
struct ForgeToken {
  std::string value;    // empty = there is none
  std::string variable; // that held it; empty = a program gave it
};

// The names that are looked at, in this order.
[[nodiscard]] std::vector<std::string> token_variables(const ForgePlace& place,
                                                       const ForgeSettings& settings);
// ErrorCode::auth when one is set that cannot be one (blanks, line ends).
[[nodiscard]] Result<ForgeToken> find_token(const ForgePlace& place, const ForgeSettings& settings,
                                            const std::vector<std::string>& environment,
                                            ProcessRunner& processes, std::stop_token stop);

// How each forge's API is spoken: make_NAME() in NAME.cpp for each row of model/forges.def. settings: without
// headers, which are the forge's own. The clock outlives the forge.
using MakeForge = std::unique_ptr<Forge> (*)(ForgePlace place, RestSettings settings, const ForgeToken& token,
                                             const Clock& clock);
#define FORGE(NAME, ...) \
  [[nodiscard]] std::unique_ptr<Forge> make_##NAME(ForgePlace, RestSettings, const ForgeToken&, const Clock&);
#include "model/forges.def"
#undef FORGE
// By the names of the rows.
[[nodiscard]] const std::map<std::string, MakeForge>& forge_makers();

// Nothing is asked of it yet. The token comes from `environment` (NAME=VALUE), else from gh; without one only
// what everybody may see can be asked for. SSL_CERT_FILE names further certificates. The clock outlives it.
[[nodiscard]] Result<std::unique_ptr<Forge>> open_forge(const ForgePlace& place,
                                                        const ForgeSettings& settings,
                                                        const std::vector<std::string>& environment,
                                                        ProcessRunner& processes, const Clock& clock,
                                                        std::stop_token stop);

} // namespace emend
