// A fix-it: byte-exact edits an analyzer proposes for one finding.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace emend {

// Replaces `length` bytes at `offset` of the file's bytes by `text`; length 0 inserts.
struct Edit {
  std::string file;
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string text;

  friend bool operator==(const Edit&, const Edit&) = default;
};

struct FixIt {
  std::string description;
  bool safe = false; // the tool promises that behaviour does not change for the worse
  std::vector<Edit> edits;
  std::map<std::string, std::string>
      sources; // file -> sha256 of the bytes the offsets count in; triage fills it in

  friend bool operator==(const FixIt&, const FixIt&) = default;
};

[[nodiscard]] Json to_json(const FixIt& fixit);
[[nodiscard]] FixIt fixit_from_json(const Json& json);

// The file's content with the edits that name it applied; nullopt when they overlap or lie outside the
// content.
[[nodiscard]] std::optional<std::string> apply_edits(const std::string& content, const std::string& file,
                                                     const std::vector<Edit>& edits);

} // namespace emend
