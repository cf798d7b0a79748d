#include "cli/ci/new_head.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "cli/ci/own_program.hpp"
#include "cli/ci/pr_head.hpp"
#include "engine/forge/command_desk.hpp"
#include "engine/forge/forge_log.hpp"
#include "engine/forge/forge_text.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

Result<bool> is_reviewed(const Ports& ports, const std::string& project, const PullRequest& pull) {
  TRY_ASSIGN(const auto posted, forge_events<PrReviewPosted>(ports));
  if (std::any_of(posted.begin(), posted.end(), [&](const PrReviewPosted& each) {
        return each.url == pull.url && each.head == pull.head_sha; // numbers are of one project
      }))
    return true;
  TRY_ASSIGN(const auto said, forge_events<HeadStatusSet>(ports));
  return std::any_of(said.begin(), said.end(), [&](const HeadStatusSet& each) {
    return each.project == project && each.sha == pull.head_sha && each.context == kReviewContext &&
           each.state != "pending";
  });
}

std::string outcome(const OwnRun& run) {
  if (!run.data.is_object()) return run.problem.empty() ? "the review failed" : run.problem;
  if (run.data.contains("skipped")) return "not reviewed: " + string_or(run.data, "skipped");
  return replace_all(string_or(run.data, "decision"), "_", " ");
}

} // namespace

// By the journal, else by what only who may write here can have made: our mark in the text of a branch of
// ours.
Result<bool> is_own_proposal(const Ports& ports, const std::string& project, const PullRequest& pull) {
  TRY_ASSIGN(const auto proposed, forge_events<PullRequestProposed>(ports));
  if (std::any_of(proposed.begin(), proposed.end(), [&](const PullRequestProposed& each) {
        return each.project == project && each.number == pull.number;
      }))
    return true;
  const auto mark = mark_in(pull.body);
  return mark && mark->fingerprint == "pull-request" && pull.head_branch.starts_with("fix/") &&
         !pull.head_project.empty() && to_lower(project).ends_with("/" + to_lower(pull.head_project));
}

Result<std::string> reason_to_leave(const Ports& ports, const std::string& project, const PullRequest& pull) {
  if (pull.state != PullState::open) return "it is not open";
  if (pull.draft) return "it is a draft";
  TRY_ASSIGN(const bool own, is_own_proposal(ports, project, pull));
  if (own) return "emend proposed it itself; who wants a review asks for one: /emend review";
  TRY_ASSIGN(const bool stopped, is_stopped(ports, project, pull.number));
  if (stopped) return "somebody wrote /emend stop";
  TRY_ASSIGN(const bool reviewed, is_reviewed(ports, project, pull));
  return reviewed ? pull.head_sha.substr(0, 12) + " was reviewed before" : std::string();
}

Result<NewHead> review_new_head(CommandContext& context, ForgeAccess& access, int number) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const PullRequest pull, access.forge->pull_request(number, context.dependencies().stop));
  TRY_ASSIGN(const std::string reason, reason_to_leave(ports, access.forge->place().web(), pull));
  if (!reason.empty()) return NewHead{false, fmt::format("#{} is left alone: {}", number, reason)};
  TRY_ASSIGN(const OwnRun run,
             run_own_program(context, {"pr", "review", std::to_string(number), "--post", "both"}));
  return NewHead{true, fmt::format("#{} reviewed: {}", number, outcome(run))};
}

} // namespace emend
