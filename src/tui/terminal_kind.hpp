// What the database of terminals knows about the one we are on (TERM).
#pragma once

#include <string>

namespace emend {

[[nodiscard]] bool know_terminal(); // once, before the others
void forget_terminal();             // after them: the screen learns it anew
[[nodiscard]] std::string capability(
    const char* name); // the sequence by its terminfo name; empty = it has none

} // namespace emend
