// One setting changed in the text of a configuration file. Everything else stays byte for byte, comments
// included.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

// As it may stand after "key =": objects become inline tables, without members that are null or empty.
[[nodiscard]] std::string toml_text(const Json& value);

struct ConfigEdit {
  std::string text;
  int line = 0; // where the setting stands now; 0 = it was taken out
};

// value: nullopt takes the setting out. The new text is read again: where it would say anything else than
// wished, or change another setting, the answer is ErrorCode::conflict with the line to change by hand. An
// error of reading starts with "<name>:<line>: ".
[[nodiscard]] Result<ConfigEdit> edit_config(std::string_view text, const std::string& name,
                                             const std::string& key, const std::optional<Json>& value);

} // namespace emend
