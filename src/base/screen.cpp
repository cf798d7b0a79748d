#include "base/screen.hpp"

#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>

#include "base/columns.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

// A program that was stopped (Ctrl-Z) comes back to a screen on which others have written.
std::atomic<bool> was_away{false};

void come_back(int) { was_away.store(true, std::memory_order_relaxed); }

int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

bool in_foreground(int fd) {
  const pid_t front = ::tcgetpgrp(fd);
  return front < 0 || front == ::getpgrp(); // not our controlling terminal: nobody competes for it
}

struct Bottom {
  std::mutex mutex;
  int fd = -1; // -1 = there are no lines
  int pauses = 0;
  bool mid_line = false;
  std::vector<std::string> lines;
  std::vector<std::size_t> drawn; // width of each line on the screen

  bool may_draw() const { return fd >= 0 && pauses == 0 && !mid_line && in_foreground(fd); }

  // To the first row of what is drawn. A terminal that became narrower has broken the lines.
  std::string go_up() {
    if (was_away.exchange(false, std::memory_order_relaxed)) drawn.clear();
    const std::size_t columns = std::max<std::size_t>(screen_size(fd).columns, 1);
    std::size_t rows = 0;
    for (const std::size_t width : drawn) rows += std::max<std::size_t>((width + columns - 1) / columns, 1);
    drawn.clear();
    return rows == 0 ? "" : "\r\x1b[" + std::to_string(rows) + "A";
  }

  std::string draw() {
    std::string text;
    for (const std::string& line : lines) {
      text += line + "\x1b[K\n";
      drawn.push_back(columns_of(without_ansi(line)));
    }
    return text;
  }

  void redraw() {
    std::string text = go_up();
    const bool anything = !text.empty();
    if (may_draw()) text += draw();
    if (anything) text += "\x1b[J";
    write_all(fd, text);
  }
};

Bottom& bottom() {
  static Bottom one;
  return one;
}

} // namespace

ScreenSize screen_size(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {size.ws_col, size.ws_row};
}

int write_screen(int fd, std::string_view text) {
  Bottom& below = bottom();
  std::unique_lock guard(below.mutex);
  if (below.fd < 0 || text.empty() || ::isatty(fd) != 1) {
    guard.unlock(); // a reader that does not read holds up nobody else
    return write_all(fd, text);
  }
  std::string whole = below.go_up();
  if (!whole.empty()) whole += "\x1b[J";
  whole += text;
  below.mid_line = text.back() != '\n';
  if (fd == below.fd && below.may_draw()) return write_all(fd, whole + below.draw());
  const int problem = write_all(fd, whole);
  if (below.may_draw()) below.redraw();
  return problem;
}

BottomLines::BottomLines(int fd) {
  struct sigaction action {};
  action.sa_handler = come_back;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGCONT, &action, nullptr);
  const std::lock_guard guard(bottom().mutex);
  bottom().fd = fd;
}

BottomLines::~BottomLines() {
  show({});
  const std::lock_guard guard(bottom().mutex);
  bottom().fd = -1;
}

void BottomLines::show(std::vector<std::string> lines) {
  Bottom& below = bottom();
  const std::lock_guard guard(below.mutex);
  if (lines.empty() && below.drawn.empty())
    below.lines.clear();
  else {
    below.lines = std::move(lines);
    below.redraw();
  }
}

BottomPause::BottomPause() {
  Bottom& below = bottom();
  const std::lock_guard guard(below.mutex);
  ++below.pauses;
  if (below.fd >= 0) below.redraw();
}

BottomPause::~BottomPause() {
  Bottom& below = bottom();
  const std::lock_guard guard(below.mutex);
  --below.pauses;
  below.mid_line = false; // the answer ended the line
  if (below.fd >= 0) below.redraw();
}

} // namespace emend
