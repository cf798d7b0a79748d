// What the status of a reviewed head says: from the findings, from what the pull request claims to fix, and
// from who overrode it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/review/pr_review.hpp"
#include "model/head_status.hpp"
#include "model/posting.hpp"
#include "ports/forge.hpp"

namespace emend {

// An issue that a pull request says it fixes.
struct FixClaim {
  std::string code;
  bool proven = false;
  std::string line; // how it stands
};

// "Fixes BE-001", "closes BE-002 and BE-003" -> the codes, each once, in order. At most some dozens.
[[nodiscard]] std::vector<std::string> claimed_codes(std::string_view text);

// What a pull request says it fixes, and how that stands; empty when it says nothing.
[[nodiscard]] std::string claims_text(const std::vector<FixClaim>& claims);

struct GateFacts {
  const PrReview& review; // without what was dismissed
  std::vector<FixClaim> claims;
  std::string override_by; // who put the label on; empty = nobody whose label counts
};

// Without sha and context.
[[nodiscard]] HeadStatus conclude(const GateFacts& facts, const TeamSettings& settings);

// Of the findings on lines that the forge shows in the diff, the worst first, at most some hundreds.
[[nodiscard]] std::vector<Annotation> annotations_of(const std::vector<Issue>& findings,
                                                     const std::vector<DiffFile>& diff);

} // namespace emend
