// Notes: what a judge and a person should look at in a patch, with file and line. A note refuses nothing.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/issue.hpp"
#include "model/patch.hpp"

namespace emend {

// Notes of an attempt that begin so were shown to its judge.
inline constexpr std::string_view kSeenNote = "note: ";

// Begins a note of an attempt with a failing test that, its fixer says, is another bug's: "TEST: why".
inline constexpr std::string_view kLeftFailingNote = "left failing: ";

struct Note {
  std::string path;
  int line = 0; // of the new file; 0 = the whole file
  std::string text;

  [[nodiscard]] std::string sentence() const; // "src/a.py:12 ends the process with success: sys.exit(0)"
};

// By the look of the added lines: each kind once a file, at its first line. What was merely moved within a
// file is not noted.
[[nodiscard]] std::vector<Note> form_notes(const Finding& finding, const Patch& patch);

using TestFiles = std::vector<std::pair<std::string, std::string>>; // path and text
// Answers that stand in a test as well, and new files of a name that the tests load already.
[[nodiscard]] std::vector<Note> test_notes(const Patch& product, const TestFiles& tests);

// Does it keep an analyzer from reporting something? Then that analyzer's silence says nothing.
[[nodiscard]] bool silences_analyzer(const Patch& patch);

} // namespace emend
