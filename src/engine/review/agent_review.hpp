// Agents as reviewers: each looks at the same change with a view of its own, alone and read-only, and what
// they find becomes findings like an analyzer's. A reviewer that failed, or cannot show that it read the
// change to its end, has said nothing: that is never a clean review.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "engine/intake/review_scope.hpp"
#include "ports/analyzer.hpp"

namespace emend {

struct Reviewer {
  std::string file; // its agent file: "unified_reviewer", "reviewer_be_quality"
  AgentBinding agent;

  [[nodiscard]] std::string name() const { return agent.name + "/" + file; } // who found it
};

struct ReviewersOrder {
  std::vector<Reviewer> reviewers;
  Policy policy;
  std::string home; // prompts and transcripts are kept below it
  std::string
      rules_commit; // whose conventions hold: never those of the change itself; empty = there are none
  std::string specs =
      "specs"; // folder of specifications; the unified reviewer asks an expert for them when it is there
  int parallel = 2;
  std::function<void(const Event&)> on_event = {};
};

// What they look at.
struct ReviewedChange {
  const ScopedTree& tree;
  std::vector<std::string>
      files; // of the tree, those that belong to the review; without a diff their whole content is reviewed
  bool removed_too = true; // files the change removes are shown, too
};

// One Analysis per reviewer, in the order given; `analyzer` is its name, `version` the model that answered.
[[nodiscard]] std::vector<Analysis> run_reviewers(const Ports& ports, const ReviewersOrder& order,
                                                  const ReviewedChange& change, std::stop_token stop);

// One thing said by several reviewers becomes one finding: the same category on overlapping lines of one
// file. Who said it, the gravest severity, and the first one's words and id are kept. Findings of one
// reviewer are never joined.
[[nodiscard]] std::vector<Finding> join_reviewers(const std::vector<Finding>& findings);

// The experts of the unified reviewer as AgentRequest::sub_agents takes them, and the paragraph that tells it
// about them. An agent that has no sub-agents is told to take their views itself; null then.
struct Experts {
  Json sub_agents;
  std::string text;
};
[[nodiscard]] Result<Experts> experts_for(const Policy& policy, const AgentBinding& agent,
                                          const std::string& specs); // specs "" = none

} // namespace emend
