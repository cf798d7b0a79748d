// Text from outside, made harmless for the place it is written to. All results are valid UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace emend {

// Control characters out, every kind of white space one space, directional overrides out: one line that reads
// as it is.
[[nodiscard]] std::string single_line(std::string_view text);
// Attribute values: line ends survive as references. What XML 1.0 cannot hold is taken out.
[[nodiscard]] std::string xml_escaped(std::string_view text);
// The same for text between tags, where line ends need no reference.
[[nodiscard]] std::string xml_text(std::string_view text);
[[nodiscard]] std::string html_escaped(std::string_view text);
// A cell of a Markdown table: one line, no markup, no mentions.
[[nodiscard]] std::string markdown_cell(std::string_view text);
// GitHub workflow commands: the message after "::", and a property before it.
[[nodiscard]] std::string command_message(std::string_view text);
[[nodiscard]] std::string command_property(std::string_view text);

} // namespace emend
