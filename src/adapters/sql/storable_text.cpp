#include "adapters/sql/storable_text.hpp"

#include "base/code_points.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

// U+10FF00 to U+10FFFF: F4 8F, then 10 bits of which the last 8 are the byte.
constexpr std::string_view kStart = "\xF4\x8F";
constexpr std::size_t kLength = 4;

bool stands_for_a_byte(std::string_view text) {
  return text.size() >= kLength && text.starts_with(kStart) &&
         (static_cast<unsigned char>(text[2]) & 0xFCU) == 0xBCU &&
         (static_cast<unsigned char>(text[3]) & 0xC0U) == 0x80U;
}

void append_byte(std::string& out, char byte) {
  const auto value = static_cast<unsigned char>(byte);
  out += kStart;
  out += static_cast<char>(0xBCU | value >> 6U);
  out += static_cast<char>(0x80U | (value & 0x3FU));
}

char byte_of(std::string_view character) {
  return static_cast<char>((static_cast<unsigned char>(character[2]) & 3U) << 6U |
                           (static_cast<unsigned char>(character[3]) & 0x3FU));
}

} // namespace

std::string storable_text(std::string_view bytes) {
  if (!contains(bytes, kStart) && bytes.find('\0') == std::string_view::npos && is_valid_utf8(bytes))
    return std::string(bytes);
  std::string stored;
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t end = at;
    const bool whole =
        next_code_point(bytes, end) != 0xFFFD || end - at == 3; // a real U+FFFD has three bytes
    const std::string_view piece = bytes.substr(at, end - at);
    if (whole && piece != std::string_view("\0", 1) && !stands_for_a_byte(piece)) {
      stored += piece;
    } else {
      for (const char byte : piece) append_byte(stored, byte);
    }
    at = end;
  }
  return stored;
}

std::string text_as_it_was(std::string_view stored) {
  std::string bytes;
  while (true) {
    const std::size_t found = stored.find(kStart);
    bytes += stored.substr(0, found);
    if (found == std::string_view::npos) return bytes;
    stored.remove_prefix(found);
    const std::size_t length = stands_for_a_byte(stored) ? kLength : kStart.size();
    if (length == kLength)
      bytes += byte_of(stored);
    else
      bytes += kStart;
    stored.remove_prefix(length);
  }
}

} // namespace emend
