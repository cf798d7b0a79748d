// The fingerprint GitHub gives a line, so that an alert is recognised when code moves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emend {

// One entry per line: a hash over the 100 characters from the line's start on, blanks left out and line ends
// normalised, as
// "<hex>:<n>" where n counts lines with an equal hash. The text after the last line end is a line as well.
[[nodiscard]] std::vector<std::string> line_hashes(std::string_view content);

} // namespace emend
