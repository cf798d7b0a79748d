// Filling in a prompt's template, and quoting untrusted text.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace emend {

// {{name}} is replaced; {{#name}} ... {{/name}} stays only when the value is not empty. Unknown names are an
// error: a typo in a template must not reach an agent. Values are inserted as they are and never expanded
// again.
[[nodiscard]] Result<std::string> render_template(std::string_view text,
                                                  const std::map<std::string, std::string>& values);

// Puts untrusted text between fences longer than any run of backticks in it.
[[nodiscard]] std::string fenced(std::string_view text, std::string_view label);

} // namespace emend
