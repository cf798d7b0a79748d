// Closed sets as text and back, from one table per set.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace emend {

template <typename Enum>
struct EnumName {
  Enum value;
  std::string_view name;
};

template <typename Enum, std::size_t N>
[[nodiscard]] std::string_view name_of(const EnumName<Enum> (&table)[N], Enum value) {
  for (const auto& row : table) {
    if (row.value == value) return row.name;
  }
  throw std::logic_error("a value outside its closed set");
}

template <typename Enum, std::size_t N>
[[nodiscard]] std::optional<Enum> value_of(const EnumName<Enum> (&table)[N], std::string_view name) {
  for (const auto& row : table) {
    if (row.name == name) return row.value;
  }
  return std::nullopt;
}

} // namespace emend
