#include "http/chunked_body.hpp"

#include <algorithm>

namespace emend {

namespace {

constexpr std::size_t kMostDigits = 16; // of a size; leading zeros among them

std::optional<std::uint64_t> parse_hex(std::string_view digits) {
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    value = value * 16 + static_cast<std::uint64_t>(digit);
  }
  return value;
}

} // namespace

std::optional<std::string_view> ChunkedBody::take_line(std::string_view bytes, std::size_t& at,
                                                       std::size_t longest) {
  const std::string_view rest = bytes.substr(at);
  const std::size_t end = rest.find('\n');
  if (std::min(end, rest.size()) > longest + 1) { // one for the CR
    refuse(400, "a line of the chunked body is longer than " + std::to_string(longest) + " bytes");
    return std::nullopt;
  }
  if (end == std::string_view::npos) return std::nullopt;
  if (end == 0 || rest[end - 1] != '\r') {
    refuse(400, "lines of a chunked body end with CR LF");
    return std::nullopt;
  }
  at += end + 1;
  return rest.substr(0, end - 1);
}

void ChunkedBody::read_size(std::string_view line, const std::string& body) {
  const std::size_t mark = line.find(';');
  const auto size = parse_hex(line.substr(0, mark));
  if (!size) return refuse(400, "the size of a chunk is not a hexadecimal number");
  if (mark != std::string_view::npos) {
    if (!is_field_text(line.substr(mark)))
      return refuse(400, "the extension of a chunk has bytes that do not belong there");
    extension_bytes_ += line.size() - mark;
    if (extension_bytes_ > limits_.extension_bytes)
      return refuse(400, "the extensions of the chunks are too long");
  }
  if (*size > limits_.body_bytes || body.size() > limits_.body_bytes - *size)
    return refuse(413, "the body is too long");
  left_ = *size;
  state_ = *size == 0 ? State::trailer : State::data;
}

void ChunkedBody::read_trailer(std::string_view line) {
  if (line.empty()) {
    state_ = State::done;
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)) ||
      !is_field_text(line.substr(colon + 1)))
    return refuse(400, "a trailer field is not NAME: VALUE");
  trailer_bytes_ += line.size();
  if (trailer_bytes_ > limits_.trailer_bytes) refuse(431, "the trailer fields are too long");
}

std::size_t ChunkedBody::feed(std::string_view bytes, std::string& body) {
  std::size_t at = 0;
  while (!refusal_ && state_ != State::done) {
    if (state_ == State::data) {
      const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size() - at));
      body.append(bytes.substr(at, part));
      at += part;
      left_ -= part;
      if (left_ > 0) break;
      state_ = State::data_end;
    }
    const bool ends_chunk = state_ == State::data_end;
    const auto line = take_line(bytes, at,
                                ends_chunk                 ? 0
                                : state_ == State::trailer ? limits_.trailer_bytes
                                                           : limits_.line_bytes);
    if (!line) break;
    if (ends_chunk)
      state_ = State::size;
    else if (state_ == State::size)
      read_size(*line, body);
    else
      read_trailer(*line);
  }
  return at;
}

} // namespace emend
