// Words in masked code.
#pragma once

#include <algorithm>
#include <string_view>

#include "adapters/analyzers/code_mask.hpp"

namespace emend {

[[nodiscard]] inline std::size_t skip_blank(std::string_view code, std::size_t at) {
  return std::min(code.find_first_not_of(" \t", at), code.size());
}

// Each place where `name` stands as a whole word: use(begin, end).
template <typename Use>
void each_word(std::string_view code, std::string_view name, const Use& use) {
  for (auto at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_identifier(code[at - 1])) && (end == code.size() || !is_identifier(code[end])))
      use(at, end);
  }
}

} // namespace emend
