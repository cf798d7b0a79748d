// Gives the terminal back as it was, however the program ends: also in the middle of a crash.
#pragma once

#include <string>

namespace emend {

class TerminalRescue {
public:
  // `undo`: what has to be written to leave the screen. The terminal's modes are noted now.
  explicit TerminalRescue(const std::string& undo);
  TerminalRescue(const TerminalRescue&) = delete;
  TerminalRescue& operator=(const TerminalRescue&) = delete;
  ~TerminalRescue(); // whoever ends in order has cleaned up already: signals mean what they meant before
};

} // namespace emend
