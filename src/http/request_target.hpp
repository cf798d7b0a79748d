// The strict reading of a request's target: one meaning or none, so that nothing downstream has to guess.
// Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emend {

struct RequestTarget {
  std::vector<std::string> path;
  std::vector<std::pair<std::string, std::string>> query;
};

// Origin form only ("/a/b?c=d"). Refused (nullopt): anything else, a broken "%", "%2f", control bytes, text
// that is not UTF-8, empty segments other than one at the end, "." and "..", a backslash, a fragment.
[[nodiscard]] std::optional<RequestTarget> parse_target(std::string_view target);

} // namespace emend
