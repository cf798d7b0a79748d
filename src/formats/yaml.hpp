// YAML as tools write it in reports: maps, lists and scalars. No anchors, aliases or tags.
#pragma once

#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

struct YamlDocument {
  Json root;
  bool ended = false; // by "...": a document without may be cut off
};

// Every document of the text; scalars are strings. A quoted scalar over several lines becomes {"folded":
// text}: some versions of LLVM double its line breaks and others do not, so its exact bytes are not known.
// Bounded depth. What is refused is ErrorCode::usage and says the line.
[[nodiscard]] Result<std::vector<YamlDocument>> parse_yaml(std::string_view text);

} // namespace emend
