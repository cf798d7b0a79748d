// The review stage: analyzers look at a tree's files, in parallel; what they find becomes issues. Detects
// only, never edits.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "engine/intake/known_issues.hpp"
#include "engine/intake/review_scope.hpp"
#include "engine/review/agent_review.hpp"
#include "engine/verify/analyze.hpp"
#include "model/review_rules.hpp"
#include "ports/analyzer.hpp"

namespace emend {

struct ReviewRequest {
  ReviewScope scope;
  std::optional<FilterMode> filter; // for scopes about changes; nullopt = added, for `since` file
  std::vector<std::string> paths;   // globs or directories, from the repository's root; empty = all
  ReviewRules rules;                // what is left out; a file that `paths` names itself is not
  bool save = true;                 // false: nothing is stored; known issues are still recognised
  int parallel = 2;
  std::int64_t timeout_ms = 600'000; // of one call of a tool
  TellProgress on_progress;          // optional
  ReviewersOrder reviewers;          // agents that review beside the analyzers; none unless asked for
};

struct Review {
  ScopedTree tree;                // what was looked at
  std::string commit;             // the commit it is, or is laid over
  std::size_t files = 0;          // looked at
  std::vector<Analysis> analyses; // one per analyzer, then one per reviewing agent, in the order given
  std::vector<Issue>
      issues; // merged over analyzers, by file and line; without code when nothing was stored and it is new
  std::size_t outside =
      0; // found in the files looked at, but not part of the change: neither in issues nor stored
  std::size_t excluded = 0;                  // files that the rules leave out
  std::map<std::string, std::size_t> hidden; // why -> how many findings the rules leave out; not stored
  std::vector<std::string> fresh;            // fingerprints that were not known before
  std::int64_t duration_ms = 0;
  std::map<std::string, SeenAs> seen; // by fingerprint
  std::vector<Issue> absent;          // known and open, and not found any more
};

// ErrorCode::usage when a path names no file of the tree.
[[nodiscard]] Result<Review> review(const Ports& ports,
                                    const std::vector<std::unique_ptr<Analyzer>>& analyzers,
                                    const ReviewRequest& request, std::stop_token stop);

// One thing said by several tools becomes one issue: the same fingerprint, or the same rule on the same line.
// See join_finding().
[[nodiscard]] std::vector<Issue> merge_duplicates(std::vector<Issue> issues);

} // namespace emend
