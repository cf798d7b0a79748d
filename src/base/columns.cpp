#include "base/columns.hpp"

#include <algorithm>
#include <array>

#include "base/code_points.hpp"

namespace emend {

namespace {

struct Range {
  unsigned first, last;
};

constexpr std::array<Range, 14> kMarks{{{0x0300, 0x036F},
                                        {0x0483, 0x0489},
                                        {0x0591, 0x05BD},
                                        {0x0610, 0x061A},
                                        {0x064B, 0x065F},
                                        {0x0E31, 0x0E31},
                                        {0x0E34, 0x0E3A},
                                        {0x1AB0, 0x1AFF},
                                        {0x1DC0, 0x1DFF},
                                        {0x200B, 0x200F},
                                        {0x20D0, 0x20FF},
                                        {0xFE00, 0xFE0F},
                                        {0xFE20, 0xFE2F},
                                        {0xFEFF, 0xFEFF}}};
constexpr std::array<Range, 17> kWide{{{0x1100, 0x115F},
                                       {0x231A, 0x231B},
                                       {0x23E9, 0x23EC},
                                       {0x25FD, 0x25FE},
                                       {0x2614, 0x2615},
                                       {0x26A1, 0x26A1},
                                       {0x2705, 0x2705},
                                       {0x274C, 0x274C},
                                       {0x2E80, 0x303E},
                                       {0x3041, 0xA4CF},
                                       {0xA960, 0xA97F},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0x1F300, 0x1FAFF},
                                       {0x20000, 0x3FFFD}}};

template <std::size_t count>
bool holds(const std::array<Range, count>& ranges, unsigned code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](const Range& range) { return range.first <= code && code <= range.last; });
}

std::size_t columns_of_code(unsigned code) {
  if (code < 0x300) return 1;
  if (holds(kMarks, code)) return 0;
  return holds(kWide, code) ? 2 : 1;
}

} // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) columns += columns_of_code(next_code_point(text, at));
  return columns;
}

std::string fit_columns(std::string_view text, std::size_t columns, std::string_view ellipsis) {
  if (columns_of(text) <= columns) return std::string(text);
  const std::size_t tail = columns_of(ellipsis);
  const std::size_t room = tail < columns ? columns - tail : columns;
  std::size_t used = 0, end = 0;
  for (std::size_t at = 0; at < text.size(); end = at) {
    used += columns_of_code(next_code_point(text, at));
    if (used > room) break;
  }
  std::string kept(text.substr(0, end));
  return tail < columns ? kept + std::string(ellipsis) : kept;
}

} // namespace emend
