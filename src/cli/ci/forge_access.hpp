// The forge of the repository around the current directory, for commands that talk to it.
#pragma once

#include <memory>

#include "cli/context.hpp"
#include "ports/forge.hpp"
#include "ports/remotes.hpp"
#include "service/forge_setup.hpp"

namespace emend {

struct ForgeAccess {
  ForgeSettings settings;
  std::unique_ptr<Remotes> remotes;
  std::unique_ptr<Forge> forge;
};

// With the configuration as it is now: what decides where a token goes counts only from files a person has
// allowed.
[[nodiscard]] Result<ForgeAccess> access_forge(CommandContext& context, const ForgeWish& wish);
[[nodiscard]] Result<std::unique_ptr<Remotes>> access_remotes(CommandContext& context);
// For links alone: nobody is asked for anything, no token is looked for.
[[nodiscard]] Result<ForgePlace> look_up_forge(CommandContext& context, const ForgeWish& wish);

} // namespace emend
