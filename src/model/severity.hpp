// How bad a finding is, on the one scale everything is mapped to.
#pragma once

#include <optional>
#include <string_view>

namespace emend {

enum class Severity { info, low, medium, high, critical };

[[nodiscard]] std::string_view to_string(Severity severity);
// Case does not matter; "major" is high, "minor" is low, SARIF's error/warning/note are high/medium/info.
[[nodiscard]] std::optional<Severity> parse_severity(std::string_view text);

} // namespace emend
