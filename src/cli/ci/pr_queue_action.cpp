// emend pr queue: the answer for a commit of a merge queue, from what is known about its files.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "cli/ci/pr_actions.hpp"
#include "cli/ci/pr_head.hpp"
#include "cli/trust_check.hpp"
#include "config/forge_config.hpp"

namespace emend {

namespace {

struct QueueOptions {
  std::string ref, remote;
};

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
  TRY_ASSIGN(HeadStatus status, known_status(ports, forge.place().web(), kReviewContext, files));
  if (status.sha.empty())
    return fail(ErrorCode::not_found, "no review of exactly these files is known",
                "review them: emend pr review --range BASE.." + head.substr(0, 12) +
                    "; a queue that tests one pull request at a time has the files of its head");
  const StatusWay way = team_settings(config).status;
  const std::string from = status.sha;
  TRY_ASSIGN(const PendingHead pending,
             show_pending(ports, forge, way == StatusWay::off ? StatusWay::status : way, head, kReviewContext,
                          stop));
  status.summary += " (same files as " + from.substr(0, 12) + ")";
  TRY(show_final(ports, forge, pending, status, files, stop));
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
                            {"--remote", &options->remote, "remote of the forge (default: origin)", "NAME"}},
                           [options](CommandContext& context) { return run_queue(context, *options); });
  command.examples = "  emend pr queue refs/heads/gh-readonly-queue/main/pr-42-0123abcd\n";
  command.storage = options;
  return command;
}

} // namespace emend
