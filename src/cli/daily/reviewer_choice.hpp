// Which agents review, with which views, from what was typed: --agent and --reviewers.
#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"
#include "engine/review/agent_review.hpp"

namespace emend {

struct ReviewerWords {
  std::vector<std::string> agents; // --agent, each a name or a comma separated list
  std::string reviewers; // --reviewers: unified, be_quality, ..., all; empty = unified when an agent is named
  std::string specs = "specs";

  [[nodiscard]] bool any() const { return !agents.empty() || !reviewers.empty(); }
};

// Every view by every agent; without --agent by the one that fixes. The policy holds the repository's own
// agent files as the scope's starting point has them. ErrorCode::usage for views and agents there are none
// of.
[[nodiscard]] Result<ReviewersOrder> chosen_reviewers(CommandContext& context, const ReviewerWords& words,
                                                      const ReviewScope& scope);

// The files a list of views stands for. Pure.
[[nodiscard]] Result<std::vector<std::string>> reviewer_files(const std::string& words, const Policy& policy);

} // namespace emend
