// The strict reading of a request's head. Whatever two programs could read in two ways (folded lines, bare
// line feeds, two lengths, a length and a coding, any coding but chunked) is refused and the connection
// closed: nothing can be smuggled past a parser that only knows one shape. Pure.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "http/message.hpp"

namespace emend {

struct HeadLimits {
  std::size_t line_bytes = 8 * 1024;
  std::size_t head_bytes = 32 * 1024;
  std::size_t headers = 64;
};

// Why a head is not accepted; what to answer before closing.
struct HeadRefusal {
  int status = 400;
  std::string detail;
};

[[nodiscard]] bool is_token(std::string_view text); // RFC 9110, 5.6.2
[[nodiscard]] bool is_field_text(
    std::string_view text); // what a field's value may hold: visible ASCII, blanks and tabs

// Where a head ends in `bytes` (one past its last byte), 0 = not yet. A line feed that does not belong to
// "\r\n" ends it at once, so that it is refused instead of waited for.
[[nodiscard]] std::size_t head_end(std::string_view bytes);

// `head`: with its empty line.
[[nodiscard]] std::variant<HttpRequest, HeadRefusal> parse_head(std::string_view head,
                                                                const HeadLimits& limits);

} // namespace emend
