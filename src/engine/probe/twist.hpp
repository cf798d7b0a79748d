// A twist: one small change to a file of the test side after which a test that can fail must fail.
#pragma once

#include <string>

namespace emend {

struct Twist {
  enum class Kind { negation, value, sentinel, data };
  Kind kind = Kind::negation;
  std::string file;
  int line = 0;              // 1-based, in the twisted text: where what must fail begins
  int last_line = 0;         // where it ends; runners print one of these
  std::string before, after; // the changed line, trimmed; a sentinel has no line before
  std::string name;          // of a sentinel: the runner has to print it
  std::string text;          // the whole twisted file
};

} // namespace emend
