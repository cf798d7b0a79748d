// The first fix in a repository nobody has configured: the checks that were recognised are offered, written
// down and trusted at a yes.
#pragma once

#include "cli/context.hpp"

namespace emend {

// Does nothing where there is a configuration. Unattended it never asks: it says that nothing will be run,
// and how to change that.
[[nodiscard]] Status offer_checks(CommandContext& context, const std::vector<ConfigOverride>& flags);

} // namespace emend
