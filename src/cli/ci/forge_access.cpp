#include "cli/ci/forge_access.hpp"

#include "base/files.hpp"
#include "config/forge_config.hpp"

namespace emend {

Result<std::unique_ptr<Remotes>> access_remotes(CommandContext& context) {
  TRY_ASSIGN(const std::string home, context.home());
  return context.dependencies().open_remotes(fs::current_path().string(), home);
}

Result<ForgePlace> look_up_forge(CommandContext& context, const ForgeWish& wish) {
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(const ForgeSettings settings, forge_settings(config));
  TRY_ASSIGN(const auto remotes, access_remotes(context));
  TRY_ASSIGN(const std::vector<NamedRemote> all, remotes->list());
  return find_forge(all, settings, context.environment(), wish);
}

Result<ForgeAccess> access_forge(CommandContext& context, const ForgeWish& wish) {
  ForgeAccess access;
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(access.settings, forge_settings(config));
  TRY_ASSIGN(access.remotes, access_remotes(context));
  TRY_ASSIGN(const std::vector<NamedRemote> remotes, access.remotes->list());
  TRY_ASSIGN(const ForgePlace place, find_forge(remotes, access.settings, context.environment(), wish));
  TRY_ASSIGN(access.forge, context.dependencies().open_forge(place, access.settings, context.environment()));
  return access;
}

} // namespace emend
