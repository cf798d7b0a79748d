// emend pr queue: the answer for a commit of a merge queue, from what is known about its files.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "cli/ci/checked_head.hpp"
#include "cli/ci/own_program.hpp"
#include "cli/ci/pr_actions.hpp"
#include "cli/ci/pr_head.hpp"
#include "cli/ci/pr_orders.hpp"
#include "cli/trust_check.hpp"
#include "config/forge_config.hpp"

namespace emend {

namespace {

struct QueueOptions {
  std::string ref, remote;
  bool review = false;
};

// Files that nobody has looked at: the review sets the status itself.
Result<ExitStatus> review_now(CommandContext& context, const QueueOptions& options, StatusWay way) {
  std::vector<std::string> words = {"pr", "review", "--queue", options.ref};
  if (way == StatusWay::off) words.insert(words.end(), {"--status", "status"});
  if (!options.remote.empty()) words.insert(words.end(), {"--remote", options.remote});
  TRY_ASSIGN(const OwnRun run, run_own_program(context, words));
  const Json* status = find_member(run.data, "status");
  if (status == nullptr || !status->is_object())
    return fail(ErrorCode::io,
                run.problem.empty() ? "the queue's commit could not be reviewed" : run.problem);
  const std::string head = string_or(run.data, "head"), state = string_or(*status, "state"),
                    summary = string_or(*status, "summary");
  if (context.global().json)
    context.print_json("pr_queue", {{"head", head}, {"state", state}, {"summary", summary}, {"from", ""}});
  else
    context.print(fmt::format("{}: {}, {}\n", head.substr(0, 12), state, one_line(summary, 200)));
  return context.finish(state == "failure" ? ExitStatus::unresolved : ExitStatus::done);
}

std::string same_as(const std::string& commit) { return " (same files as " + commit.substr(0, 12) + ")"; }

// Whose claims and label count: those of the pull request that was reviewed; the label only while its head
// has these files.
Result<PullRequest> pull_of(CommandContext& context, Forge& forge, const KnownReview& known,
                            const std::string& name) {
  if (known.ground.number == 0) return PullRequest{};
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(PullRequest pull, forge.pull_request(known.ground.number, context.dependencies().stop));
  TRY_ASSIGN(const auto head, review_of_commit(ports, forge.place().web(), name, pull.head_sha));
  if (!head || head->ground.files != known.ground.files) pull.labels.clear();
  return pull;
}

// What a check said of the same files, where one did: it was asked for by a person, and is not made up for.
Status repeat_check(CommandContext& context, Forge& forge, const std::string& head, const std::string& files,
                    const TeamSettings& team, StatusWay way) {
  const std::stop_token stop = context.dependencies().stop;
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const auto known, review_of_files(ports, forge.place().web(), kCheckContext, files));
  if (!known || known->sha == head) return {};
  TRY_ASSIGN(const PullRequest pull, pull_of(context, forge, *known, kCheckContext));
  TRY_ASSIGN(HeadStatus status, judge_check(context, forge, pull, team, verdict_from(*known)));
  TRY_ASSIGN(const PendingHead pending, show_pending(ports, forge, way, head, kCheckContext, stop));
  status.summary += same_as(known->sha);
  return show_final(ports, forge, pending, status, known->ground, stop);
}

Result<ExitStatus> run_queue(CommandContext& context, const QueueOptions& options) {
  if (!options.ref.starts_with("refs/heads/"))
    return fail(ErrorCode::usage, "the full name of a ref is needed",
                "for example refs/heads/gh-readonly-queue/main/pr-42-0123abcd");
  const std::stop_token stop = context.dependencies().stop;
  TRY_ASSIGN(const ForgeAccess access, access_forge(context, {options.remote, std::nullopt}));
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(const Ports ports, context.ports());
  Forge& forge = *access.forge;
  TRY_ASSIGN(const std::string head, access.remotes->fetch(forge.place().git_url, options.ref, stop));
  TRY_ASSIGN(const std::string files, hash_of_files(ports.repository, head));
  TRY(close_what_died(context, forge));
  const TeamSettings team = team_settings(config);
  const StatusWay way = team.status;
  TRY_ASSIGN(const auto known, review_of_files(ports, forge.place().web(), kReviewContext, files));
  if (!known && options.review) return review_now(context, options, way);
  if (!known)
    return fail(ErrorCode::not_found, "no review of exactly these files is known",
                "review them: emend pr queue --review " + options.ref);
  const std::string from = known->sha;
  TRY_ASSIGN(const PullRequest pull, pull_of(context, forge, *known, kReviewContext));
  TRY_ASSIGN(HeadStatus status, verdict_of(context, forge, pull, team, review_from(*known)));
  TRY_ASSIGN(const PendingHead pending,
             show_pending(ports, forge, way == StatusWay::off ? StatusWay::status : way, head, kReviewContext,
                          stop));
  if (from != head) status.summary += same_as(from);
  TRY(show_final(ports, forge, pending, status, known->ground, stop));
  TRY(repeat_check(context, forge, head, files, team, pending.by_check ? way : StatusWay::status));
  if (context.global().json)
    context.print_json(
        "pr_queue",
        {{"head", head}, {"state", to_string(status.state)}, {"summary", status.summary}, {"from", from}});
  else
    context.print(fmt::format("{}: {}, {}\n", head.substr(0, 12), to_string(status.state),
                              one_line(status.summary, 200)));
  return context.finish(status.state == HeadState::failure ? ExitStatus::unresolved : ExitStatus::done);
}

} // namespace

Command pr_queue_action() {
  const auto options = std::make_shared<QueueOptions>();
  Command command = action("queue", "answer a merge queue from the review of the same files",
                           {{"REF", &options->ref, "the queue's ref", "REF", {}, true},
                            {"--review", &options->review, "review files that were not reviewed before"},
                            {"--remote", &options->remote, "remote of the forge (default: origin)", "NAME"}},
                           [options](CommandContext& context) { return run_queue(context, *options); });
  command.examples = "  emend pr queue refs/heads/gh-readonly-queue/main/pr-42-0123abcd\n";
  command.storage = options;
  return command;
}

} // namespace emend
