// The review stage: analyzers look at a commit's files, in parallel; what they find becomes issues. Detects only, never edits.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/session_manager.hpp"
#include "ports/analyzer.hpp"

namespace emend {

struct ReviewRequest {
  std::string ref = "HEAD";        // the commit to look at
  std::string since;               // only files that changed between this commit and ref; empty = all
  std::vector<std::string> paths;  // globs or directories; empty = all
  int parallel = 2;
  std::int64_t timeout_ms = 600'000; // per analyzer
};

struct Review {
  std::string commit;
  std::size_t files = 0;           // looked at
  std::vector<Analysis> analyses;  // one per analyzer, in the order given; only `done` ones say anything about what is not there
  std::vector<Issue> issues;       // stored, merged over analyzers, by file and line
  std::vector<std::string> fresh;  // codes that were not known before
};

[[nodiscard]] Result<Review> review(const Ports& ports, const std::vector<std::unique_ptr<Analyzer>>& analyzers, const ReviewRequest& request,
                                    std::stop_token stop);

// Findings with one fingerprint become one: the highest severity, everybody who found it, the first fix-it.
[[nodiscard]] std::vector<Issue> merge_duplicates(std::vector<Issue> issues);

} // namespace emend
