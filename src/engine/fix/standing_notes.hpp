// What people said about fixes in this repository, for every later fixer: one file, which they may edit.
#pragma once

#include <string>
#include <vector>

#include "engine/context/ports.hpp"

namespace emend {

// Enough for what matters; the rest stays in the file.
inline constexpr std::size_t kStandingNotes = 1'024;

[[nodiscard]] std::string standing_notes_file(const std::string& home, const std::string& repository_id);

// Adds a line for each comment and each rejection that is newer than the file, and returns the file's text.
// A line that a person deleted or changed stays so. in_work: issues whose comments wait, because whoever
// works on them is shown the comments with the issue.
[[nodiscard]] Result<std::string> collect_standing_notes(const Ports& ports, const std::string& home,
                                                         const std::vector<std::string>& in_work = {});

// The newest notes that fit, without what is only for the file; empty = there are none. Pure.
[[nodiscard]] std::string notes_for_prompt(const std::string& file, std::size_t most);

} // namespace emend
