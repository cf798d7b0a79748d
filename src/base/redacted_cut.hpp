// Shortening text that may hold a secret: redacted as a whole, then cut, because half a secret is not
// recognised as one.
#pragma once

#include <string>
#include <string_view>

namespace emend {

// As first_line() and trim_middle(), with the built-in patterns of Redactor. Text that is not cut is returned
// as it is.
[[nodiscard]] std::string redacted_first_line(std::string_view text, std::size_t max_bytes);
[[nodiscard]] std::string redacted_trim_middle(std::string_view text, std::size_t max_bytes);

} // namespace emend
