// What may be said on a forge in the person's name: about a pull request, and about issues nobody could fix.
#pragma once

#include <string>
#include <vector>

#include "model/finding.hpp"
#include "model/head_status.hpp"

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

// [forge], as far as it is about heads and commands
struct TeamSettings {
  StatusWay status = StatusWay::off;
  GateMode gate = GateMode::never;
  Severity gate_at = Severity::high;
  std::string override_label;
  std::vector<std::string> allow_bots;
  bool to_branch = false; // where fixes go
  // What is done when a webhook tells of it.
  bool review_heads = false, repair_pipelines = false;
};

// [tracker]
struct TrackerSettings {
  bool enabled = true;
  std::vector<std::string> labels;
  bool blocked = true, exhausted = true; // which ends become issues
  bool dry_run = true;
};

} // namespace emend
