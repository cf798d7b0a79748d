// What a check finds around its tree: variables, and what the one before it left.
#pragma once

#include <string>
#include <vector>

#include "model/policy.hpp"
#include "ports/repository.hpp"

namespace emend {

// NAME=VALUE: what the person's own shell would give a check, so that nothing tells it who runs it. The
// second look has what build servers set instead. Help = variables that keep tools from waiting for a network
// or a person, for commands that cannot do without.
[[nodiscard]] std::vector<std::string> check_environment(const Policy& policy, const CheckPlace& place,
                                                         Look look, bool help);

// Throws away what a command left beside its tree, in /tmp, /dev/shm or a cache: the next one must not find a
// message there. What it left in the tree stays, because builds need it.
[[nodiscard]] Status forget_beside(const CheckPlace& place, const Workspace& workspace);

} // namespace emend
