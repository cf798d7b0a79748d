// Other tools' words for how bad something is, in and out: the one place that maps them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/finding.hpp"

namespace emend {

// What compilers and linters say: also "fatal error", "style", "hint", "remark", "convention", ... nullopt:
// no such word.
[[nodiscard]] std::optional<Severity> severity_of_word(std::string_view word);
// A CVSS-like number (SARIF's security-severity).
[[nodiscard]] Severity severity_of_score(double score);

[[nodiscard]] std::string_view sarif_level(Severity severity);         // error, warning, note
[[nodiscard]] std::string_view problem_severity(Severity severity);    // error, warning, recommendation
[[nodiscard]] std::string_view security_severity(Severity severity);   // "9.5"; empty for info
[[nodiscard]] std::string_view rdjson_severity(Severity severity);     // ERROR, WARNING, INFO
[[nodiscard]] std::string_view gitlab_severity(Severity severity);     // critical, major, minor, info
[[nodiscard]] std::string_view github_level(Severity severity);        // error, warning, notice
[[nodiscard]] std::string_view checkstyle_severity(Severity severity); // error, warning, info

} // namespace emend
