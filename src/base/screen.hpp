// The way to the person's screen: ordinary text on stdout and stderr, and a few lines below it that are drawn
// again in place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emend {

// Writes all of it, above the lines at the bottom if there are any. 0 or an errno. Thread-safe.
int write_screen(int fd, std::string_view text);

struct ScreenSize {
  std::size_t columns = 80, rows = 24;
};
// Of the terminal behind fd, now; 80 x 24 when it does not say.
[[nodiscard]] ScreenSize screen_size(int fd);

// Lines at the bottom of a terminal, below everything written with write_screen. The cursor always rests
// below them, so whatever ends the program leaves a screen that can be gone on with. One at a time in a
// process; thread-safe.
class BottomLines {
public:
  explicit BottomLines(int fd);
  ~BottomLines(); // takes them away
  BottomLines(const BottomLines&) = delete;
  BottomLines& operator=(const BottomLines&) = delete;

  // Draws these instead of the last ones. They must be narrower than the terminal; colours in them count
  // nothing. Nothing is drawn while paused, after text that did not end its line, or in the background, where
  // the screen belongs to somebody else.
  void show(std::vector<std::string> lines);
};

// While one of these lives the bottom of the screen is free: somebody is asked something.
class BottomPause {
public:
  BottomPause();
  ~BottomPause();
  BottomPause(const BottomPause&) = delete;
  BottomPause& operator=(const BottomPause&) = delete;
};

} // namespace emend
