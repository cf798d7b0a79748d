// Where the baseline is and what it says, for the commands that use it.
#pragma once

#include <optional>
#include <string>

#include "cli/context.hpp"
#include "engine/intake/baseline.hpp"

namespace emend {

// The one of the checkout; with nothing checked out, or when it has none, the one in the commit. nullopt =
// there is none. `given`: that file and no other; ErrorCode::usage when it is not there.
[[nodiscard]] Result<std::optional<Baseline>> find_baseline(Repository& repository, const std::string& given,
                                                            const std::string& commit);

[[nodiscard]] std::string baseline_path(const RepositoryPlace& repository, const std::string& given);

} // namespace emend
