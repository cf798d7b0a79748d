// Reads TOML text into a flat list of settings with their line numbers. The only place that knows the TOML
// library.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

struct TomlEntry {
  std::string key; // dotted
  Json value;
  int line = 0;
};

// Tables are opened until is_leaf(dotted key) says that the table itself is the value. An empty table is an
// entry with an empty object. Errors are ErrorCode::config and start with "<name>:<line>: ". Date values and
// keys with '.' inside are refused: nothing uses them.
[[nodiscard]] Result<std::vector<TomlEntry>> read_toml(std::string_view text, const std::string& name,
                                                       const std::function<bool(std::string_view)>& is_leaf);

// One value as it may stand after "key =".
[[nodiscard]] Result<Json> read_toml_value(std::string_view text);

} // namespace emend
