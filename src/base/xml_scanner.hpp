// Reads XML token by token: elements, attributes, text, CDATA, the five entities and character references. No
// DTD, nothing external.
#pragma once

#include <cstddef>
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

  [[nodiscard]] std::string attribute(std::string_view key) const; // "" when missing
};

// Bounded: at most 100 open elements, 100 attributes each. <a/> comes as open and close. Text of white space
// only is left out. Errors are ErrorCode::usage and say the line.
class XmlScanner {
public:
  explicit XmlScanner(std::string_view text) : text_(text) {}

  [[nodiscard]] Result<XmlToken> next();
  [[nodiscard]] std::size_t line() const; // of where it is now; counts on from the last time it was asked

private:
  [[nodiscard]] Result<XmlToken> read_markup();
  [[nodiscard]] Result<XmlToken> read_open();
  [[nodiscard]] Result<XmlToken> read_close();
  [[nodiscard]] Status read_attribute(XmlToken& token);
  [[nodiscard]] Status skip_past(std::string_view mark, std::string_view what);
  [[nodiscard]] Result<std::string> read_name();
  void skip_space();
  [[nodiscard]] tl::unexpected<Error> wrong(const std::string& what) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  bool close_next_ = false; // after <a/>
  mutable std::size_t counted_to_ = 0, lines_ = 1;
  bool seen_root_ = false;
};

} // namespace emend
