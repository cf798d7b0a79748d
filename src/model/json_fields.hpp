// Reads members of JSON that this program wrote: missing or of another type means the fallback, never an
// exception.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace emend {

[[nodiscard]] std::int64_t int64_field(const Json& object, std::string_view key, std::int64_t fallback = 0);
[[nodiscard]] int int_field(const Json& object, std::string_view key, int fallback = 0);
[[nodiscard]] bool bool_field(const Json& object, std::string_view key, bool fallback = false);
[[nodiscard]] std::vector<std::string> strings_field(const Json& object, std::string_view key);
// Elements of an array member; none when it is missing.
[[nodiscard]] const Json::array_t& array_field(const Json& object, std::string_view key);

[[nodiscard]] Json null_if_empty(const std::string& text);

} // namespace emend
