#include "formats/source_text.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::size_t sequence_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

} // namespace

SourceText::SourceText(std::string bytes) : bytes_(std::move(bytes)), utf8_(is_valid_utf8(bytes_)) {
  starts_.push_back(0);
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    if (bytes_[at] == '\n') starts_.push_back(at + 1);
    if (bytes_[at] == '\r' && (at + 1 == bytes_.size() || bytes_[at + 1] != '\n')) lone_return_ = true;
  }
}

std::string_view SourceText::line(std::int64_t number) const {
  if (number < 1 || static_cast<std::uint64_t>(number) > starts_.size()) return {};
  const std::size_t begin = starts_[static_cast<std::size_t>(number - 1)];
  return std::string_view(bytes_).substr(begin, std::string_view(bytes_).substr(begin).find('\n'));
}

std::optional<std::size_t> SourceText::advance(std::size_t from, std::size_t end, std::int64_t units,
                                               ColumnUnit unit) const {
  if (!utf8_ && unit != ColumnUnit::bytes) return std::nullopt;
  std::size_t at = from;
  while (units > 0 && at < end) {
    const std::size_t length = unit == ColumnUnit::bytes ? 1 : sequence_length(bytes_[at]);
    units -= unit == ColumnUnit::utf16 && length == 4 ? 2 : 1;
    at += length;
  }
  if (units != 0) return std::nullopt; // past the end, or inside a surrogate pair
  return at;
}

std::optional<std::size_t> SourceText::offset(std::int64_t line_number, std::int64_t column,
                                              ColumnUnit unit) const {
  if (lone_return_ || line_number < 1 || column < 1 ||
      static_cast<std::uint64_t>(line_number) > starts_.size())
    return std::nullopt;
  std::size_t begin = starts_[static_cast<std::size_t>(line_number - 1)];
  const std::size_t end = begin + line(line_number).size();
  if (line_number == 1 && unit != ColumnUnit::bytes && bytes_.starts_with(kByteOrderMark))
    begin += kByteOrderMark.size();
  return advance(begin, end, column - 1, unit);
}

std::optional<std::size_t> SourceText::offset_of_utf16(std::int64_t index) const {
  if (index < 0) return std::nullopt;
  return advance(bytes_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0, bytes_.size(), index,
                 ColumnUnit::utf16);
}

TextPlace SourceText::place(std::size_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line_number = static_cast<std::size_t>(after - starts_.begin());
  return {static_cast<int>(line_number), static_cast<int>(offset - starts_[line_number - 1]) + 1};
}

} // namespace emend
