// The prompt of a vote: the whole change, as much of it in the prompt as fits and the rest in a file, the review token behind it. Pure.
#pragma once

#include <cstddef>
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

struct PrPromptInput {
  std::string template_body;
  std::string range; // what is to be merged into what, in a sentence
  std::vector<FileDiff> files;
  std::string conventions;
  std::string token;
  std::string problem;   // why an earlier answer could not be used
  std::string rest_file; // what a file with the rest of the diff would be called
  std::size_t max_bytes = 200'000;
};

struct PrPrompt {
  std::string text;
  std::string rest; // to be put at rest_file; empty = everything is in the prompt
};

// Files keep their order; one that does not fit any more goes to the rest whole. The token comes last wherever the diff ends, so whoever
// knows it was shown all of it. Longer than max_bytes only when the template alone is.
[[nodiscard]] Result<PrPrompt> build_pr_prompt(const PrPromptInput& input);

} // namespace emend
