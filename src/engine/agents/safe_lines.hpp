// An agent's words line by line as they may be kept and shown: clean, and without secrets, also those that go
// over several lines.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "base/redact.hpp"

namespace emend {

class SafeLines {
public:
  explicit SafeLines(const Redactor& redactor) : redactor_(redactor) {} // outlives it

  // Whole lines that may go out now. Nothing while the end of a private key is awaited.
  [[nodiscard]] std::string add(std::string_view line);
  [[nodiscard]] std::string finish(); // what is still held back

private:
  [[nodiscard]] std::string release();

  const Redactor& redactor_;
  std::deque<std::string>
      before_; // the last lines that went out, as they came: a name may stand above its secret
  std::string held_;
  bool in_key_ = false;
};

} // namespace emend
