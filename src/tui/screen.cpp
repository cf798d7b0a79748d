#include "tui/screen.hpp"

#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <poll.h>
#include <unistd.h>
#include <wchar.h>

#include <algorithm>
#include <clocale>
#include <map>

#include "base/code_points.hpp"
#include "base/strings.hpp"
#include "tui/terminal_kind.hpp"
#include "tui/terminal_rescue.hpp"

namespace emend {

struct Screen::Rescue {
  TerminalRescue keeper;
};

namespace {

struct Ink {
  short colour; // -1 = the terminal's own
  attr_t attributes;
};

// Never a colour without a sign or a word: mono loses nothing.
Ink ink_of(Shade role, Theme theme) {
  const bool light = theme == Theme::light;
  switch (role) {
    case Shade::plain: return {-1, A_NORMAL};
    case Shade::dim: return {-1, A_DIM};
    case Shade::strong: return {-1, A_BOLD};
    case Shade::border: return {-1, A_DIM};
    case Shade::focus: return {static_cast<short>(light ? COLOR_BLUE : COLOR_CYAN), A_BOLD};
    case Shade::good: return {COLOR_GREEN, A_NORMAL};
    case Shade::bad: return {COLOR_RED, A_BOLD};
    case Shade::warn: return {static_cast<short>(light ? COLOR_MAGENTA : COLOR_YELLOW), A_NORMAL};
    case Shade::busy: return {static_cast<short>(light ? COLOR_BLUE : COLOR_CYAN), A_NORMAL};
    case Shade::added: return {COLOR_GREEN, A_NORMAL};
    case Shade::removed: return {COLOR_RED, A_NORMAL};
    case Shade::key: return {static_cast<short>(light ? COLOR_BLUE : COLOR_CYAN), A_NORMAL};
    case Shade::match: return {static_cast<short>(light ? COLOR_MAGENTA : COLOR_YELLOW), A_BOLD};
  }
  return {-1, A_NORMAL};
}

constexpr int kRoles = static_cast<int>(Shade::match) + 1;

// Colours off, cursor on, keypad and mouse off, the screen from before.
std::string undo_sequences() {
  return capability("sgr0") + capability("cnorm") + capability("rmkx") +
         "\033[?1000l\033[?1002l\033[?1003l\033[?1006l" + capability("rmcup") + "\r\n";
}

const std::map<int, const char*>& named_keys() {
  static const std::map<int, const char*> names = {
      {KEY_UP, "Up"},        {KEY_DOWN, "Down"},      {KEY_LEFT, "Left"},
      {KEY_RIGHT, "Right"},  {KEY_HOME, "Home"},      {KEY_END, "End"},
      {KEY_PPAGE, "PgUp"},   {KEY_NPAGE, "PgDn"},     {KEY_BACKSPACE, "Backspace"},
      {KEY_DC, "Delete"},    {KEY_BTAB, "Shift+Tab"}, {KEY_ENTER, "Enter"},
      {KEY_RESIZE, "Resize"}};
  return names;
}

std::optional<Input> mouse_input() {
  MEVENT event{};
  if (::getmouse(&event) != OK) return std::nullopt;
  if ((event.bstate & BUTTON4_PRESSED) != 0) return Input{"WheelUp", event.x, event.y};
  if ((event.bstate & BUTTON5_PRESSED) != 0) return Input{"WheelDown", event.x, event.y};
  if ((event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) != 0) return Input{"Click", event.x, event.y};
  return std::nullopt;
}

// Otherwise nothing would ever come again, and at once.
bool terminal_is_gone() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

std::string character_key(wint_t code) {
  if (code == '\r' || code == '\n') return "Enter";
  if (code == '\t') return "Tab";
  if (code == 27) return "Esc";
  if (code == 127 || code == 8) return "Backspace";
  if (code < 32) return std::string("Ctrl+") + static_cast<char>('A' + code - 1);
  std::string text;
  append_utf8(text, static_cast<unsigned>(code));
  return text;
}

// The library's own idea of widths is what counts on this terminal: what it does not agree with is shown as a
// question mark.
void put_cell(int x, int y, const GridCell& cell, int width, attr_t attributes, short pair) {
  std::wstring wide;
  int known = 0;
  for (std::size_t at = 0; at < cell.text.size() && wide.size() < CCHARW_MAX - 1;) {
    wide.push_back(static_cast<wchar_t>(next_code_point(cell.text, at)));
    known += std::max(::wcwidth(wide.back()), wide.size() == 1 ? -5 : 0);
  }
  if (known != width) wide = L"?";
  cchar_t drawn{};
  if (::setcchar(&drawn, wide.c_str(), attributes, pair, nullptr) != OK) return;
  ::mvadd_wch(y, x, &drawn);
  if (width == 2 && wide == L"?") ::mvaddch(y, x + 1, ' ');
}

} // namespace

Result<std::unique_ptr<Screen>> Screen::open(const ScreenOptions& options) {
  std::setlocale(LC_CTYPE, "");
  if (!know_terminal())
    return fail(ErrorCode::usage, "unknown terminal type (TERM)",
                "set TERM, for example TERM=xterm, or use: emend tui --plain");
  if (capability("cup").empty())
    return fail(ErrorCode::usage, "this terminal cannot move the cursor", "use: emend tui --plain");
  return std::unique_ptr<Screen>(new Screen(options));
}

Screen::Screen(const ScreenOptions& options)
    : options_(options), rescue_(new Rescue{TerminalRescue(undo_sequences())}) {
  forget_terminal();
  ::set_escdelay(25);
  ::initscr();
  ::raw();
  ::noecho();
  ::nonl();
  ::keypad(stdscr, TRUE);
  ::intrflush(stdscr, FALSE);
  prepare_colours();
  use_mouse(options.mouse);
}

Screen::~Screen() {
  ::mousemask(0, nullptr);
  ::endwin();
}

void Screen::prepare_colours() {
  if (options_.theme != Theme::mono && ::has_colors()) {
    ::start_color();
    ::use_default_colors();
    for (int i = 0; i < kRoles; ++i)
      ::init_pair(static_cast<short>(i + 1), ink_of(static_cast<Shade>(i), options_.theme).colour, -1);
  } else {
    options_.theme = Theme::mono;
  }
}

Size Screen::size() const { return {::getmaxx(stdscr), ::getmaxy(stdscr)}; }

void Screen::paint(const Painting& painting) {
  const Grid& grid = painting.grid;
  const Size screen = size();
  ::werase(stdscr);
  for (int y = 0; y < std::min(grid.size().rows, screen.rows); ++y)
    for (int x = 0; x < std::min(grid.size().columns, screen.columns); ++x) {
      const GridCell& cell = grid.at(x, y);
      if (cell.text.empty()) continue;
      const bool wide = x + 1 < grid.size().columns && grid.at(x + 1, y).text.empty();
      const Ink ink = ink_of(cell.role, options_.theme);
      const short pair = options_.theme == Theme::mono || ink.colour < 0
                             ? 0
                             : static_cast<short>(static_cast<int>(cell.role) + 1);
      put_cell(x, y, cell, wide ? 2 : 1, ink.attributes | (cell.lit ? A_REVERSE : A_NORMAL), pair);
    }
  ::curs_set(painting.cursor ? 1 : 0);
  if (painting.cursor) ::wmove(stdscr, painting.cursor->second, painting.cursor->first);
  ::wrefresh(stdscr);
}

std::optional<Input> Screen::read(int timeout_ms) {
  ::wtimeout(stdscr, timeout_ms);
  wint_t code = 0;
  const int kind = ::wget_wch(stdscr, &code);
  if (kind == OK) return Input{character_key(code)};
  if (kind != KEY_CODE_YES) return terminal_is_gone() ? std::optional(Input{"Gone"}) : std::nullopt;
  if (code == KEY_MOUSE) return mouse_input();
  const auto named = named_keys().find(static_cast<int>(code));
  return named == named_keys().end() ? std::nullopt : std::optional(Input{named->second});
}

void Screen::use_mouse(bool on) {
  on = on && options_.mouse;
  if (on == mouse_on_) return;
  ::mouseinterval(0);
  ::mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, nullptr);
  mouse_on_ = on;
}

void Screen::copy(const std::string& text) {
  const std::string order = "\033]52;c;" + to_base64(text) + "\a";
  std::size_t sent = 0;
  while (sent < order.size()) {
    const ssize_t written = ::write(STDOUT_FILENO, order.data() + sent, order.size() - sent);
    if (written <= 0) return;
    sent += static_cast<std::size_t>(written);
  }
}

void Screen::lend(const std::function<void()>& work) {
  ::def_prog_mode();
  ::endwin();
  work();
  ::reset_prog_mode();
  ::clearok(stdscr, TRUE);
  ::wrefresh(stdscr);
}

} // namespace emend
