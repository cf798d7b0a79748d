// The fixer without a model: applies the edits an analyzer proposes for its own finding, byte for byte.
#pragma once

#include <stop_token>

#include "engine/fix/fix.hpp"
#include "engine/verify/rescan.hpp"

namespace emend {

// Same contract as run_fixer(): the attempt is stored before, comes back with claim and patch, and is judged
// like any other.
[[nodiscard]] Result<Attempt> apply_fixit(RunContext& context, Rescanner& rescanner, const FixOrder& order,
                                          std::stop_token stop);

// The patch the edits make of this commit's files. nullopt: they overlap, lie outside their file, or name one
// that is not there.
[[nodiscard]] Result<std::optional<Patch>> patch_of(const FixIt& fixit, CommittedFiles& repository,
                                                    const std::string& commit);

} // namespace emend
