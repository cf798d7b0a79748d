// What a review says at the forge beside its comments: how the head stands, and which of our threads are
// over.
#pragma once

#include <optional>
#include <string>

#include "cli/ci/forge_access.hpp"
#include "cli/ci/hosted_pages.hpp"
#include "cli/ci/told_head.hpp"
#include "cli/context.hpp"
#include "engine/forge/head_report.hpp"
#include "engine/review/pr_review.hpp"
#include "model/posting.hpp"

namespace emend {

inline constexpr const char* kReviewContext = "emend/review";
// What the button of a check run that asks for a fix is called there.
inline constexpr const char* kFixButton = "emend.fix";

// What was found becomes issues, so that people can name them; what was dismissed leaves the review. What a
// remark of ours says already, in other words, is the issue of that remark.
[[nodiscard]] Status keep_findings(CommandContext& context, PrReview& review,
                                   const std::vector<Remark>& remarks);

// Findings of emend's own threads that are not tracked here are tracked from now on, by their codes; what was
// answered there as dismissed is dismissed. For places that keep nothing, such as a workflow's jobs. The head
// is in the engine's store.
[[nodiscard]] Status learn_from_threads(CommandContext& context, const std::vector<ReviewThread>& threads,
                                        const std::string& head);

// What the gate says of these findings today: by the settings, the label and the claims as they are now. pull
// without a number: none of the latter.
[[nodiscard]] Result<HeadStatus> verdict_of(CommandContext& context, Forge& forge, const PullRequest& pull,
                                            const TeamSettings& settings, const PrReview& review);
// The review that was, as far as the gate asks of it, without what was dismissed since.
[[nodiscard]] PrReview review_from(const KnownReview& known);
// Who put the label of forge.override_label on this head, if that counts; what does not count is said. It is
// noted.
[[nodiscard]] Result<std::string> override_by(CommandContext& context, Forge& forge, const PullRequest& pull,
                                              const std::string& wanted);

class ReviewedHead {
public:
  ReviewedHead(CommandContext& context, Forge& forge, const PullRequest& pull, TeamSettings settings)
      : context_(context),
        forge_(forge),
        pull_(pull),
        settings_(std::move(settings)),
        told_(context, forge, settings_.status, kReviewContext) {}

  // Closes what a dead emend left open, then shows this head as pending. Nothing where forge.status is off.
  [[nodiscard]] Status begin();
  // The verdict of the gate, if the head is still the one that was reviewed. ErrorCode::conflict when it is
  // not.
  [[nodiscard]] Status end(const PrReview& review);
  // The same head judged anew, without a review: a finding was dismissed, a label put on, a check said
  // PROVEN, the gate set otherwise. Nothing is said where nothing changes or no review of this head is known.
  [[nodiscard]] Status again();
  // Our own failure; what goes wrong on the way is only said.
  void fail(const Error& why) { told_.fail(why, "review"); }
  [[nodiscard]] Json to_json() const { return told_.to_json(); } // null = nothing was said

private:
  [[nodiscard]] Status tell(HeadStatus status, const PrReview& review, const ReviewGround& ground);
  [[nodiscard]] std::vector<StatusButton> buttons(const PrReview& review, const HostedPages& pages) const;

  CommandContext& context_;
  Forge& forge_;
  const PullRequest& pull_;
  const TeamSettings settings_;
  ToldHead told_;
};

// Answers and resolves our own threads whose findings are gone; says what it did.
[[nodiscard]] Status follow_pull(CommandContext& context, const ForgeAccess& access, const PullRequest& pull,
                                 const PrReview* review);

} // namespace emend
