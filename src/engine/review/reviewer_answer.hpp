// What a reviewing agent answers: groups of findings. Read strictly; a row that cannot be read is reported,
// never dropped in silence. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "model/finding.hpp"

namespace emend {

struct ReviewerAnswer {
  std::vector<Finding> findings; // with id, group and rule ("review/CATEGORY"), without the reviewer's name
  std::vector<std::string>
      problems; // what could not be read; not empty = this is not all the reviewer had to say
};

// {"review_token", "groups": [{"description", "findings": [{"id", "file", "line": "45" or "45-67", "issue",
// "severity", "category", "fix_hint", "estimated_effort": 1-5, "estimated_files_count"}]}]}. ErrorCode::agent
// when there is no such object or it does not hold the token.
[[nodiscard]] Result<ReviewerAnswer> parse_reviewer_answer(std::string_view text, std::string_view token);

[[nodiscard]] Json reviewer_schema(); // JSON Schema of that object

// "45", "45-67", 45 -> lines; 0, 0 for "" and null: the file as a whole. nullopt for anything else.
struct LineRange {
  int line = 0, line_end = 0;
};
[[nodiscard]] std::optional<LineRange> parse_line_range(const Json& value);

} // namespace emend
