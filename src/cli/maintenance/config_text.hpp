// The effective configuration for people and for programs, as pure functions.
#pragma once

#include <string>

#include "cli/text_table.hpp"
#include "config/config.hpp"

namespace emend {

[[nodiscard]] std::string config_text(const Config& config, bool with_origin, const Palette& palette);
// {"keys": [{key, value, origin}], "files": [...], "untrusted": [...]}; values of environment variables are
// not shown.
[[nodiscard]] Json config_json(const Config& config);

} // namespace emend
