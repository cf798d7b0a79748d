// Which lines may be added to existing tests without changing what they ask. Pure and lexical.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/patch/code_mask.hpp"

namespace emend {

// Lines of a file that belong together: a test, or what stands outside of all of them.
struct Region {
  std::vector<std::string_view> text; // as written
  std::vector<std::string_view> code; // masked, see code_mask
  std::vector<std::size_t> numbers;   // of each line in its file, from 0
};

struct Difference {
  std::optional<std::size_t> old_line, new_line; // numbers in the files
  std::string before, after;                     // trimmed
};

enum class RegionKind {
  test,          // one test: lines may be added at its end
  between_tests, // what tests may use, wherever it stands: declarations and imports may be added
  script,        // lines that run one after the other: both
};

// The first difference that is more than an addition; nullopt = old tests stay as they are. known: words of
// the old file.
[[nodiscard]] std::optional<Difference> first_change(const Region& before, const Region& after, CodeKind kind,
                                                     RegionKind region,
                                                     const std::set<std::string_view>& known);

// Every identifier in masked text.
[[nodiscard]] std::set<std::string_view> identifiers(std::string_view masked);

} // namespace emend
