// Finds where JSON objects begin and end in text that is not JSON: an agent's prose, fences, logs.
#pragma once

#include <cstddef>
#include <string_view>

namespace emend {

struct ObjectScan {
  enum class End {
    complete,  // text[start, end) is one object by JSON's grammar (numbers are only looked at roughly)
    broken,    // it began like an object (`{"key":`), then something else came at `end`
    cut,       // the text ended inside it
    no_object, // `{` of something else
  };
  End how = End::no_object;
  std::size_t end = 0;
};

// start is the position of a '{'. Never recursive; reads each byte once.
[[nodiscard]] ObjectScan scan_object(std::string_view text, std::size_t start);

// The position after the brace that closes the one at `start`, minding strings but no other grammar; npos
// when there is none.
[[nodiscard]] std::size_t after_balanced_brace(std::string_view text, std::size_t start);

} // namespace emend
