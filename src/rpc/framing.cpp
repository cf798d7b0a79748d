#include "rpc/framing.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend::rpc {
namespace {

constexpr std::size_t kLongestHeader = 8'192;

// nullopt = there is no length a body could have.
std::optional<std::size_t> length_in(std::string_view header) {
  for (const std::string& line : split(header, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || to_lower(trim(line.substr(0, colon))) != "content-length") continue;
    const auto length = parse_unsigned(trim(line.substr(colon + 1)));
    if (!length) return std::nullopt;
    return static_cast<std::size_t>(*length);
  }
  return std::nullopt;
}

} // namespace

std::optional<Frame> LineFraming::next() {
  for (;;) {
    const std::size_t end = held_.find('\n', begin_);
    const std::size_t length = (end == std::string::npos ? held_.size() : end) - begin_;
    const bool too_long = !skipping_ && length > kLongestMessage;
    if (end == std::string::npos && !too_long && !skipping_) {
      held_.erase(0, begin_);
      begin_ = 0;
      return std::nullopt;
    }
    std::string text = too_long || skipping_ ? std::string() : held_.substr(begin_, length);
    begin_ = end == std::string::npos ? held_.size() : end + 1;
    const bool skipped = skipping_;
    skipping_ = end == std::string::npos;
    if (too_long) return Frame{{}, "a message is longer than 16 MB"};
    if (!skipped && !trim(text).empty()) return Frame{std::move(text)};
    if (skipping_) return std::nullopt;
  }
}

std::optional<Frame> HeaderFraming::read_header() {
  const std::size_t end = held_.find("\r\n\r\n");
  if (end == std::string::npos) {
    if (held_.size() <= kLongestHeader) return std::nullopt;
    held_.erase(0, held_.size() - 3); // a header's end may have begun
    return Frame{{}, "this is not a header: Content-Length is expected"};
  }
  length_ = length_in(std::string_view(held_).substr(0, end));
  held_.erase(0, end + 4);
  if (!length_) return Frame{{}, "a header has no valid Content-Length"};
  if (*length_ <= kLongestMessage) return std::nullopt;
  skip_ = *length_;
  length_.reset();
  return Frame{{}, "a message is longer than 16 MB"};
}

std::optional<Frame> HeaderFraming::next() {
  const std::size_t skipped = std::min(skip_, held_.size());
  held_.erase(0, skipped);
  skip_ -= skipped;
  if (skip_ > 0) return std::nullopt;
  if (!length_)
    if (auto problem = read_header()) return problem;
  if (!length_ || held_.size() < *length_) return std::nullopt;
  Frame frame{held_.substr(0, *length_)};
  held_.erase(0, *length_);
  length_.reset();
  return frame;
}

std::string with_header(std::string_view text) {
  return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + std::string(text);
}

} // namespace emend::rpc
