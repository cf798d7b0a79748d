// Where emend keeps its own state, and where the user's own configuration file is.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace emend {

// EMEND_HOME, else $XDG_STATE_HOME/emend, else ~/.local/state/emend. Absolute.
[[nodiscard]] Result<std::string> state_directory(const std::vector<std::string>& environment);
// $EMEND_HOME/config.toml when EMEND_HOME is set, else $XDG_CONFIG_HOME/emend/config.toml, else
// ~/.config/emend/config.toml; may be empty.
[[nodiscard]] std::string user_config_file(const std::vector<std::string>& environment);

} // namespace emend
