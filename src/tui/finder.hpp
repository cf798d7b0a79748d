// Ctrl-K: finds issues by their words, sessions, files, settings and commands while somebody types.
#pragma once

#include "tui/update.hpp"

namespace emend {

void open_finder(Turn& turn);
void press_in_finder(Turn& turn);

} // namespace emend
