#include "api/byte_range.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kUnit = "bytes=";

// "-500": the last ones.
ByteRange suffix(std::uint64_t wanted, std::uint64_t size) {
  if (wanted == 0 || size == 0) return {ByteRange::Kind::unsatisfiable};
  const std::uint64_t count = std::min(wanted, size);
  return {ByteRange::Kind::part, size - count, count};
}

} // namespace

ByteRange byte_range(std::optional<std::string_view> header, std::uint64_t size) {
  const ByteRange whole{ByteRange::Kind::whole, 0, size};
  if (!header || !to_lower(header->substr(0, kUnit.size())).starts_with(kUnit)) return whole;
  const std::string spec(trim(header->substr(kUnit.size())));
  const std::size_t dash = spec.find('-');
  if (dash == std::string::npos) return whole;
  const std::string_view begin = std::string_view(spec).substr(0, dash),
                         end = std::string_view(spec).substr(dash + 1);
  const auto first = parse_unsigned(begin), last = parse_unsigned(end);
  if (begin.empty()) return last ? suffix(*last, size) : whole;
  if (!first || (!end.empty() && !last) || (last && *last < *first)) return whole;
  if (*first >= size) return {ByteRange::Kind::unsatisfiable};
  const std::uint64_t stop = last ? std::min(*last, size - 1) : size - 1;
  return {ByteRange::Kind::part, *first, stop - *first + 1};
}

} // namespace emend
