// The strict reading of a chunked request body (RFC 9112, 7.1). One shape is taken: a size in hexadecimal
// digits, perhaps ";" and an extension that is ignored, CR LF, the bytes, CR LF; a chunk of size 0, trailer
// fields that are ignored, an empty line. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/request_head.hpp"

namespace emend {

struct ChunkLimits {
  std::uint64_t body_bytes = 0; // of all chunks together
  std::size_t line_bytes = 512; // of a size with its extension
  std::size_t extension_bytes =
      16 * 1024; // of all extensions together: tiny chunks with long ones are work for nothing
  std::size_t trailer_bytes = 8 * 1024; // of all trailer fields together
};

class ChunkedBody {
public:
  explicit ChunkedBody(ChunkLimits limits) : limits_(limits) {}

  // Takes what came: appends content to `body` and answers how many bytes of `bytes` it needs no more. What
  // is left is the beginning of a line, to be given again with what follows it, or belongs to the next
  // request when the body is done. Nothing more is taken after a refusal.
  [[nodiscard]] std::size_t feed(std::string_view bytes, std::string& body);
  [[nodiscard]] bool done() const { return state_ == State::done; }
  [[nodiscard]] const std::optional<HeadRefusal>& refusal() const { return refusal_; }

private:
  enum class State { size, data, data_end, trailer, done };
  // One line without its CR LF; nullopt = it is not complete yet, or was refused. Moves `at` behind it.
  [[nodiscard]] std::optional<std::string_view> take_line(std::string_view bytes, std::size_t& at,
                                                          std::size_t longest);
  void read_size(std::string_view line, const std::string& body);
  void read_trailer(std::string_view line);
  void refuse(int status, std::string detail) { refusal_ = HeadRefusal{status, std::move(detail)}; }

  ChunkLimits limits_;
  State state_ = State::size;
  std::uint64_t left_ = 0; // of the chunk that is being read
  std::size_t extension_bytes_ = 0, trailer_bytes_ = 0;
  std::optional<HeadRefusal> refusal_;
};

} // namespace emend
