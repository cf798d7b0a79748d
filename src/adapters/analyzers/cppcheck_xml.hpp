// Walks over the tags of an XML document, one after the other. Reads what cppcheck writes; not a validating
// parser.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace emend {

struct CppcheckTag {
  std::string name;   // "error"; "/error" for a closing tag
  bool empty = false; // <location .../>
  std::map<std::string, std::string> attributes;

  [[nodiscard]] std::string attribute(const std::string& key) const;
};

class CppcheckTags {
public:
  explicit CppcheckTags(std::string_view text) : text_(text) {}
  // The next tag; nothing at the end; an error for what is not XML. Declarations and comments are passed
  // over.
  [[nodiscard]] Result<std::optional<CppcheckTag>> next();

private:
  [[nodiscard]] Result<CppcheckTag> tag(std::string_view body) const;

  std::string_view text_;
  std::size_t at_ = 0;
};

} // namespace emend
