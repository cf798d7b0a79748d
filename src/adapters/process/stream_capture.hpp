// One output stream of a child: its bytes up to a cap, and its lines as they are completed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace emend {

class StreamCapture {
public:
  using OnLine = std::function<void(std::string_view, bool)>;

  // `into` receives the bytes and must outlive this; on_line may be empty.
  StreamCapture(std::string& into, std::uint64_t max_bytes, std::uint64_t max_line_bytes,
                const OnLine& on_line, bool is_stderr)
      : into_(into),
        max_bytes_(max_bytes),
        max_line_bytes_(max_line_bytes),
        on_line_(on_line),
        is_stderr_(is_stderr) {}

  void add(std::string_view bytes);
  // Delivers a last line that has no newline.
  void finish();
  [[nodiscard]] bool truncated() const { return truncated_; }

private:
  void deliver(std::size_t end);

  std::string& into_;
  std::uint64_t max_bytes_;
  std::uint64_t max_line_bytes_;
  const OnLine& on_line_;
  bool is_stderr_;
  bool truncated_ = false;
  std::size_t line_start_ = 0; // of the line not yet delivered, in into_
};

} // namespace emend
