#include "base/redacted_cut.hpp"

#include "base/redact.hpp"
#include "base/strings.hpp"

namespace emend {

std::string redacted_first_line(std::string_view text, std::size_t max_bytes) {
  const bool whole = text.size() <= max_bytes && text.find('\n') == std::string_view::npos;
  return whole ? std::string(text) : first_line(Redactor().redact(text), max_bytes);
}

std::string redacted_trim_middle(std::string_view text, std::size_t max_bytes) {
  return text.size() <= max_bytes ? std::string(text) : trim_middle(Redactor().redact(text), max_bytes);
}

} // namespace emend
