#include "cli/state_directory.hpp"

#include "base/environment.hpp"
#include "base/files.hpp"
#include "cli/terminal.hpp"

namespace emend {

namespace {

// The XDG rules: a relative value is to be ignored.
std::string xdg_directory(const std::vector<std::string>& environment, std::string_view name,
                          std::string_view below_home) {
  const std::string given = variable(environment, name);
  if (!given.empty() && given.front() == '/') return given;
  const std::string home = variable(environment, "HOME");
  return home.empty() ? std::string() : home + "/" + std::string(below_home);
}

} // namespace

Result<std::string> state_directory(const std::vector<std::string>& environment) {
  const std::string own = variable(environment, "EMEND_HOME");
  if (!own.empty()) return fs::absolute(own).lexically_normal().string();
  const std::string state = xdg_directory(environment, "XDG_STATE_HOME", ".local/state");
  if (state.empty())
    return fail(ErrorCode::usage, "no state directory: HOME is not set",
                "set EMEND_HOME to a directory you can write to");
  return fs::absolute(state + "/emend").lexically_normal().string();
}

std::string user_config_file(const std::vector<std::string>& environment) {
  const std::string own = variable(environment, "EMEND_HOME");
  if (!own.empty()) return own + "/config.toml";
  const std::string config = xdg_directory(environment, "XDG_CONFIG_HOME", ".config");
  return config.empty() ? std::string() : config + "/emend/config.toml";
}

} // namespace emend
