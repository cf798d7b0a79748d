// What a review says at the forge beside its comments: how the head stands, and which of our threads are
// over.
#pragma once

#include <optional>
#include <string>

#include "cli/ci/forge_access.hpp"
#include "cli/context.hpp"
#include "engine/forge/head_report.hpp"
#include "engine/review/pr_review.hpp"
#include "model/posting.hpp"

namespace emend {

inline constexpr const char* kReviewContext = "emend/review";

// What was found becomes issues, so that people can name them; what was dismissed leaves the review. What a
// remark of ours says already, in other words, is the issue of that remark.
[[nodiscard]] Status keep_findings(CommandContext& context, PrReview& review,
                                   const std::vector<Remark>& remarks);

class ReviewedHead {
public:
  ReviewedHead(CommandContext& context, Forge& forge, const PullRequest& pull, TeamSettings settings)
      : context_(context), forge_(forge), pull_(pull), settings_(std::move(settings)) {}

  // Closes what a dead emend left open, then shows this head as pending. Nothing where forge.status is off.
  [[nodiscard]] Status begin();
  // The verdict of the gate, if the head is still the one that was reviewed. ErrorCode::conflict when it is
  // not.
  [[nodiscard]] Status end(const PrReview& review);
  // Our own failure; what goes wrong on the way is only said.
  void fail(const Error& why);
  [[nodiscard]] Json to_json() const; // null = nothing was said

private:
  [[nodiscard]] Result<std::string> override_by();
  void say(const std::vector<std::string>& notes) const;

  CommandContext& context_;
  Forge& forge_;
  const PullRequest& pull_;
  const TeamSettings settings_;
  std::optional<PendingHead> pending_;
  HeadStatus said_;
};

// Answers and resolves our own threads whose findings are gone; says what it did.
[[nodiscard]] Status follow_pull(CommandContext& context, const ForgeAccess& access, const PullRequest& pull,
                                 const PrReview* review);

} // namespace emend
