// A command line that somebody wrote as one text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emend {

// Its words as a shell takes them apart: quotes and backslashes hold words together. Nothing is expanded.
[[nodiscard]] std::vector<std::string> command_words(std::string_view line);

} // namespace emend
