// How wide text is on a terminal, and cutting it to a width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emend {

// Columns of a terminal: two for wide characters (CJK, most emoji), none for marks that sit on the one
// before.
[[nodiscard]] std::size_t columns_of(std::string_view text);

// At most `columns` wide; what was cut off ends with `ellipsis`, as far as that fits.
[[nodiscard]] std::string fit_columns(std::string_view text, std::size_t columns, std::string_view ellipsis);

} // namespace emend
