// Expected data of tests, changed so that a program that is right no longer matches it.
#pragma once

#include <optional>
#include <string_view>

#include "engine/probe/twist.hpp"

namespace emend {

// Tables of cases (JSON, JSON lines): the first value under a key such as "expected" or "output". Files with
// expected output (.out, .expected, .golden, .snap, .txt ...): one character of the first line that is not
// blank. Line numbers stay. Empty when the file holds no expected data we know.
[[nodiscard]] std::optional<Twist> flip_data(std::string_view path, std::string_view text);

} // namespace emend
