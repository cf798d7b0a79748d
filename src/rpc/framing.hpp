// Where one message ends and the next begins: a line each (agents), or a header with the length (editors).
// Bytes in, messages out; pure. Input that cannot be a message is skipped, and reported once.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace emend::rpc {

inline constexpr std::size_t kLongestMessage = 16U << 20;

struct Frame {
  std::string text;
  std::string problem = {}; // not empty: there is no text; what was wrong with the bytes that were skipped
};

class LineFraming {
public:
  void feed(std::string_view bytes) { held_ += bytes; }
  // The next message that is complete; empty lines are skipped.
  [[nodiscard]] std::optional<Frame> next();

private:
  std::string held_;
  std::size_t begin_ = 0;
  bool skipping_ = false; // the rest of a line that was too long
};

class HeaderFraming {
public:
  void feed(std::string_view bytes) { held_ += bytes; }
  [[nodiscard]] std::optional<Frame> next();

private:
  [[nodiscard]] std::optional<Frame> read_header();

  std::string held_;
  std::optional<std::size_t> length_; // of the body, when its header is read
  std::size_t skip_ = 0;              // bytes of a body that was too long
};

// With its header.
[[nodiscard]] std::string with_header(std::string_view text);

} // namespace emend::rpc
