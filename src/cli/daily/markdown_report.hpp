// A session's report as Markdown, for pull requests and archives.
#pragma once

#include <string>
#include <string_view>

#include "model/report.hpp"

namespace emend {

[[nodiscard]] std::string markdown_report(const FixReport& report);

// Text somebody else wrote, harmless inside a Markdown line: no markup, no HTML, no line breaks, no mentions.
[[nodiscard]] std::string markdown_escape(std::string_view text);
// The text in a code fence longer than any fence inside it.
[[nodiscard]] std::string markdown_fence(std::string_view text, std::string_view language);

} // namespace emend
