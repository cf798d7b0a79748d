#include "tui/terminal_kind.hpp"

#include <curses.h>
#include <term.h> // defines words like `columns`: kept away from everybody else
#include <unistd.h>

namespace emend {

bool know_terminal() {
  int problem = 0;
  return ::setupterm(nullptr, STDOUT_FILENO, &problem) == OK;
}

void forget_terminal() { ::del_curterm(cur_term); }

std::string capability(const char* name) {
  const char* text = ::tigetstr(name);
  return text == nullptr || text == reinterpret_cast<char*>(-1) ? std::string() : std::string(text);
}

} // namespace emend
