// Unicode in the three ways formats count it: bytes, code points, UTF-16 units.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emend {

// What cannot be a character (surrogates, zero, past the end) becomes U+FFFD.
void append_utf8(std::string& out, unsigned code);

// The code point at `at`, which moves past it; a byte that starts no valid sequence counts as U+FFFD of one
// byte.
[[nodiscard]] unsigned next_code_point(std::string_view text, std::size_t& at);

// A 1-based column in bytes of this line as a 1-based column in UTF-16 units; past the line's end it goes on
// byte by byte.
[[nodiscard]] int utf16_column(std::string_view line, int byte_column);

} // namespace emend
