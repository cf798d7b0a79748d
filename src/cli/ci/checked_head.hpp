// The head of a pull request with the project's checks: running them, and what is said of it at the forge.
#pragma once

#include <string>

#include "cli/ci/pull_fix.hpp"
#include "cli/ci/told_head.hpp"
#include "engine/forge/check_verdict.hpp"
#include "engine/forge/claims.hpp"
#include "model/posting.hpp"

namespace emend {

// Runs `emend check` on the change of the pull request, without a token of the forge in reach. code: the
// issue it is held against; empty = none. ErrorCode::io when it gave no verdict.
[[nodiscard]] Result<HeadVerdict> check_pull(CommandContext& context, const PullPlace& place,
                                             const std::string& code);

class CheckedHead {
public:
  CheckedHead(CommandContext& context, Forge& forge, const PullRequest& pull, TeamSettings settings)
      : context_(context),
        forge_(forge),
        pull_(pull),
        settings_(std::move(settings)),
        told_(context, forge, settings_.status, kCheckContext) {}

  // As ReviewedHead.
  [[nodiscard]] Status begin() { return told_.begin(pull_.head_sha); }
  [[nodiscard]] Status end(const HeadVerdict& verdict);
  // The same verdict judged by the label and the gate as they are now.
  [[nodiscard]] Status again();
  void fail(const Error& why) { told_.fail(why, "check"); }
  [[nodiscard]] Json to_json() const { return told_.to_json(); }

private:
  [[nodiscard]] Status tell(const HeadVerdict& verdict, const ReviewGround& ground);

  CommandContext& context_;
  Forge& forge_;
  const PullRequest& pull_;
  const TeamSettings settings_;
  ToldHead told_;
};

// What the gate says of a verdict today; the label is asked for only where it fails. pull without a number:
// there is no label.
[[nodiscard]] Result<HeadStatus> judge_check(CommandContext& context, Forge& forge, const PullRequest& pull,
                                             const TeamSettings& settings, const HeadVerdict& verdict);
// What was said of a commit, with the issue it was held against.
[[nodiscard]] HeadVerdict verdict_from(const KnownReview& known);

} // namespace emend
