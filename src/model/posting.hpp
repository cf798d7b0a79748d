// What may be said on a forge in the person's name: about a pull request, and about issues nobody could fix.
#pragma once

#include <string>
#include <vector>

namespace emend {

// [pr]
struct PostingSettings {
  bool summary = false, inline_comments = false;
  bool suggest = false;
  int max_inline = 20;
  std::vector<std::string> skip_labels;
  bool skip_drafts = true;

  [[nodiscard]] bool any() const { return summary || inline_comments; }
};

// [tracker]
struct TrackerSettings {
  bool enabled = true;
  std::vector<std::string> labels;
  bool blocked = true, exhausted = true; // which ends become issues
  bool dry_run = true;
};

} // namespace emend
