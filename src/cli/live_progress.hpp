// Shows a running session at the bottom of the terminal, or line by line where that cannot be.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/context.hpp"

namespace emend {

// May lines be redrawn there: TERM says the terminal can, and no CI keeps it as a log.
[[nodiscard]] bool can_redraw(const std::vector<std::string>& environment, bool is_terminal);
// Does the locale say that the terminal shows UTF-8?
[[nodiscard]] bool shows_utf8(const std::vector<std::string>& environment);

class LiveProgress {
public:
  LiveProgress(CommandContext& context, bool ascii);
  ~LiveProgress(); // takes away what is at the bottom

  // For CommandContext::manager; may outlive this. Thread-safe.
  [[nodiscard]] std::function<void(const Event&)> listener() const { return listener_; }
  // A session that goes on: what is behind it already.
  void begin_with(const FixReport& report);

private:
  struct View;
  std::shared_ptr<View> view_; // nullptr = line by line
  std::function<void(const Event&)> listener_;
};

} // namespace emend
