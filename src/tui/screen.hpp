// The terminal itself: paints a grid, reads keys. The only file that knows ncurses; only what differs is
// sent.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "tui/render.hpp"
#include "tui/update.hpp"

namespace emend {

enum class Theme { dark, light, mono };

struct ScreenOptions {
  Theme theme = Theme::dark;
  bool mouse = true;
};

// One at a time, used by one thread. The terminal is as before when it is gone, also after a crash.
class Screen {
public:
  // ErrorCode::usage when this terminal cannot do it.
  [[nodiscard]] static Result<std::unique_ptr<Screen>> open(const ScreenOptions& options);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  [[nodiscard]] Size size() const;
  void paint(const Painting& painting);
  // The next key; nullopt when none came in time. A changed size comes as "Resize", a terminal that is gone
  // as "Gone".
  [[nodiscard]] std::optional<Input> read(int timeout_ms);
  // Released while text is looked at, so that the terminal's own selecting works.
  void use_mouse(bool on);
  // To the terminal's clipboard (OSC 52).
  void copy(const std::string& text);
  // The terminal as it was while `work` uses it.
  void lend(const std::function<void()>& work);

private:
  explicit Screen(const ScreenOptions& options);
  void prepare_colours();

  ScreenOptions options_;
  bool mouse_on_ = false;
  struct Rescue;
  std::unique_ptr<Rescue> rescue_;
};

} // namespace emend
