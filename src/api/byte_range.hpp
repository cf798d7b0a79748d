// Which part of some bytes a Range header asks for (RFC 9110). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace emend {

struct ByteRange {
  enum class Kind {
    whole, // no range, or one that counts as none: several at once, another unit, nonsense
    part,
    unsatisfiable, // begins behind the end
  };
  Kind kind = Kind::whole;
  std::uint64_t first = 0, count = 0; // of a part; of the whole: everything
};

[[nodiscard]] ByteRange byte_range(std::optional<std::string_view> header, std::uint64_t size);

} // namespace emend
