// The prompt about a change: all of it, as much of it in the prompt as fits and the rest in a file, the
// review token behind it. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/patch.hpp"

namespace emend {

// All text in here must already be clean and redacted.
struct FileDiff {
  std::string path;
  DiffStat stat;
  bool binary = false;
  std::string text; // its unified diff
};

// A name that no change can have.
[[nodiscard]] std::string new_rest_file();

// The last line of a file with the rest of a diff.
[[nodiscard]] std::string end_of_diff(const std::string& token);

struct ChangePromptInput {
  std::string template_body;
  std::vector<FileDiff> files;
  std::string conventions;
  std::string token;
  std::string problem;                       // why an earlier answer could not be used
  std::string rest_file = new_rest_file();   // what a file with the rest of the diff would be called
  std::map<std::string, std::string> values; // whatever else the template names
  std::size_t max_bytes = 200'000;
};

struct ChangePrompt {
  std::string text;
  std::string rest; // to be put at rest_file; empty = everything is in the prompt
};

// Files keep their order; one that does not fit any more goes to the rest whole. The token comes last
// wherever the diff ends, so whoever knows it was shown all of it. Longer than max_bytes only when the
// template alone is.
[[nodiscard]] Result<ChangePrompt> build_change_prompt(const ChangePromptInput& input);

} // namespace emend
