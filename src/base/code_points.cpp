#include "base/code_points.hpp"

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr unsigned kReplacement = 0xFFFD;

std::size_t length_by_first(unsigned char first) {
  return first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
}

} // namespace

void append_utf8(std::string& out, unsigned code) {
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = kReplacement;
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int following = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr unsigned kFirst[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(kFirst[following] | code >> (6 * following));
  for (int i = following - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> (6 * i) & 0x3F));
}

unsigned next_code_point(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = length_by_first(first);
  const std::string_view sequence = text.substr(at, length);
  if (length == 0 || sequence.size() != length || !is_valid_utf8(sequence)) {
    ++at;
    return kReplacement;
  }
  at += length;
  if (length == 1) return first;
  unsigned code = first & (0x7FU >> length);
  for (const char c : sequence.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

int utf16_column(std::string_view line, int byte_column) {
  const std::size_t target = byte_column > 0 ? static_cast<std::size_t>(byte_column) - 1 : 0;
  std::size_t at = 0;
  int units = 0;
  while (at < target && at < line.size()) units += next_code_point(line, at) > 0xFFFF ? 2 : 1;
  return 1 + units + static_cast<int>(target > at ? target - at : 0);
}

} // namespace emend
