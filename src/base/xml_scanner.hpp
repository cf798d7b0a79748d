// Reads XML token by token with expat: elements, attributes, text. No document types, nothing external.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace emend {

struct XmlToken {
  enum class Kind { open, close, text, end };
  Kind kind = Kind::end;
  std::string name;                                            // open, close
  std::vector<std::pair<std::string, std::string>> attributes; // open
  std::string text;                                            // text; references resolved
  std::size_t line = 0;                                        // where it begins

  [[nodiscard]] std::string attribute(std::string_view key) const; // "" when missing
};

// The text is read as UTF-8 and in pieces, so a report of any length needs little memory beside its own text,
// which must outlive the scanner. What tools write although XML forbids it is repaired: bytes that are no
// UTF-8 and control characters become U+FFFD, entities nobody declared stay as they are written. Bounded: at
// most 100 open elements, 100 attributes each. <a/> comes as open and close. Text of white space only is left
// out. Errors are ErrorCode::usage and say the line.
class XmlScanner {
public:
  explicit XmlScanner(std::string_view text);
  ~XmlScanner();
  XmlScanner(const XmlScanner&) = delete;
  XmlScanner& operator=(const XmlScanner&) = delete;

  [[nodiscard]] Result<XmlToken> next();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace emend
