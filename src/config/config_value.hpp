// Checks one setting against its key and brings it to the normal form the rest of the program reads.
#pragma once

#include <string>

#include "base/json.hpp"
#include "base/result.hpp"
#include "config/config_key.hpp"

namespace emend {

// Normal forms: durations are text, lists are arrays of strings, commands are objects {name, run, paths,
// timeout}, levels are one level or an object {default, SEVERITY..., paths: {GLOB: LEVEL}}. Errors are
// ErrorCode::config and say what was expected, without the place: the caller knows it.
[[nodiscard]] Result<Json> check_value(const ConfigKey& key, const Json& value);

// The same for a value given as text (--set, EMEND_*): text and durations may be bare words, lists may be
// comma separated, anything that starts with a quote, bracket or brace is TOML. A command line for `commands`
// or `argv` is never split.
[[nodiscard]] Result<Json> value_from_text(const ConfigKey& key, const std::string& text);

} // namespace emend
