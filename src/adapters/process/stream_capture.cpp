#include "adapters/process/stream_capture.hpp"

#include <algorithm>

namespace emend {

void StreamCapture::add(std::string_view bytes) {
  const std::uint64_t room = max_bytes_ - std::min<std::uint64_t>(max_bytes_, into_.size());
  if (bytes.size() > room) {
    truncated_ = true;
    bytes = bytes.substr(0, room);
  }
  std::size_t scan = into_.size();
  into_.append(bytes);
  if (!on_line_) return;
  for (auto newline = into_.find('\n', scan); newline != std::string::npos;
       newline = into_.find('\n', scan)) {
    deliver(newline);
    scan = line_start_ = newline + 1;
  }
}

void StreamCapture::finish() {
  if (on_line_ && line_start_ < into_.size()) deliver(into_.size());
  line_start_ = into_.size();
}

void StreamCapture::deliver(std::size_t end) {
  const std::size_t length = std::min<std::uint64_t>(end - line_start_, max_line_bytes_);
  on_line_(std::string_view(into_).substr(line_start_, length), is_stderr_);
}

} // namespace emend
