// Lines a reader of a patch should look at: one row a pattern, and a small table a language.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <optional>
#include <vector>

#include "engine/probe/language.hpp"

namespace emend {

struct NoteRule {
  enum class Where { anywhere, product, tests };
  const char* what; // "ends the process with success"
  RE2 pattern;      // of one added line
  Where where;
  std::optional<probe::Tongue> tongue = {}; // nullopt: any file
};

[[nodiscard]] const std::vector<std::unique_ptr<NoteRule>>& note_rules();

// Begins what a note says of a line that keeps an analyzer from reporting something.
inline constexpr const char* kSilencesAnalyzer = "suppresses an analyzer";

} // namespace emend
