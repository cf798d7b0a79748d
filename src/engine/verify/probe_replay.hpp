// A stored run with probes, made again: the same changes to the same test files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/patch.hpp"
#include "model/verification.hpp"
#include "ports/repository.hpp"

namespace emend {

// What the probes of one run were laid over base + product with. nullopt: it cannot be made again from what
// is stored of them.
[[nodiscard]] Result<std::optional<Patch>> twist_again(CommittedFiles& repository, const std::string& base,
                                                       const Patch& product,
                                                       const std::vector<Probe>& probes);

// What a probe changes, in words: "`assert x` at t.py:3 was turned around: `assert not x`".
[[nodiscard]] std::string change_of(const Probe& probe);

} // namespace emend
