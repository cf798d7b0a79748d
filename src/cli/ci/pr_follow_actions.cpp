// What becomes of pull requests: status, comments, sync.
#include <fmt/format.h>

#include <map>

#include "base/strings.hpp"
#include "cli/ci/forge_access.hpp"
#include "cli/ci/pr_actions.hpp"
#include "cli/context.hpp"
#include "engine/branch/sync.hpp"
#include "engine/context/event_log.hpp"
#include "engine/forge/forge_log.hpp"
#include "engine/forge/review_comments.hpp"

namespace emend {

namespace {

struct FollowOptions {
  std::string what, remote;
};

// What emend has proposed at this very project, the newest first.
Result<std::vector<PullRequestProposed>> known_pulls(CommandContext& context, const ForgePlace& place) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(std::vector<PullRequestProposed> events, forge_events<PullRequestProposed>(ports));
  std::map<int, PullRequestProposed, std::greater<>> known;
  for (PullRequestProposed& pull : events)
    if (pull.number > 0 && pull.project == place.web()) known[pull.number] = std::move(pull);
  std::vector<PullRequestProposed> list;
  for (auto& [number, pull] : known) list.push_back(std::move(pull));
  return list;
}

std::string state_word(const PullRequest& pull) {
  if (pull.state == PullState::merged) return "merged";
  if (pull.state == PullState::closed) return "closed";
  return pull.draft ? "draft" : "open";
}

Result<ExitStatus> run_status(CommandContext& context, const FollowOptions& options) {
  TRY_ASSIGN(ForgeAccess access, access_forge(context, {options.remote, std::nullopt}));
  TRY_ASSIGN(const std::vector<PullRequestProposed> known, known_pulls(context, access.forge->place()));
  Json list = Json::array();
  std::string text;
  for (const PullRequestProposed& each : known) {
    TRY_ASSIGN(const PullRequest pull, access.forge->pull_request(each.number, context.dependencies().stop));
    list.push_back({{"number", pull.number},
                    {"url", pull.url},
                    {"state", state_word(pull)},
                    {"title", pull.title},
                    {"session_id", each.session_id},
                    {"branch", each.branch},
                    {"base", pull.base_branch},
                    {"head", pull.head_sha}});
    text += fmt::format("#{:<6} {:<7} {:<10} {}  {}\n", pull.number, state_word(pull), each.session_id,
                        one_line(pull.title, 80), one_line(pull.url, 200));
  }
  if (context.global().json)
    context.print_json_list("pr_status", std::move(list));
  else
    context.print(text.empty() ? "emend has created no pull request for this repository.\n" : text);
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> run_comments(CommandContext& context, const FollowOptions& options) {
  const auto name = parse_pull_name(options.what);
  if (!name)
    return fail(ErrorCode::usage, "not a pull request: " + one_line(options.what, 200),
                "give its number or its URL");
  const std::stop_token stop = context.dependencies().stop;
  TRY_ASSIGN(ForgeAccess access, access_forge(context, {options.remote, name->at}));
  TRY_ASSIGN(const std::vector<Remark> remarks, access.forge->remarks(name->number, stop));
  TRY_ASSIGN(const std::string head, access.remotes->fetch(access.forge->place().git_url,
                                                           access.forge->pull_ref(name->number), stop));
  TRY_ASSIGN(const Ports ports, context.ports());
  IssueFilter filter;
  filter.repository_id = ports.repository.id();
  TRY_ASSIGN(const std::vector<Issue> known, ports.store.issues(filter));
  const std::vector<Finding> findings = comment_findings(remarks, name->number, known);
  std::vector<Issue> issues;
  if (!findings.empty()) {
    TRY_ASSIGN(SessionManager * manager, context.manager());
    TRY_ASSIGN(issues, manager->add_findings(findings, head));
  }
  Json list = Json::array();
  std::string text;
  for (const Issue& issue : issues) {
    list.push_back(to_json(issue));
    text +=
        fmt::format("{:<8} {}:{}  {} ({})\n", issue.code, one_line(issue.finding.file), issue.finding.line,
                    one_line(issue.finding.title, 80), one_line(issue.finding.agent, 60));
  }
  if (context.global().json)
    context.print_json_list("issues", std::move(list));
  else
    context.print(text.empty() ? "No new review comments.\n" : text);
  return context.finish(ExitStatus::done);
}

// The forge's word is a hint where to look; the bytes of the branch decide.
Result<ExitStatus> run_sync(CommandContext& context, const FollowOptions& options) {
  const std::stop_token stop = context.dependencies().stop;
  TRY_ASSIGN(ForgeAccess access, access_forge(context, {options.remote, std::nullopt}));
  TRY_ASSIGN(const std::vector<PullRequestProposed> known, known_pulls(context, access.forge->place()));
  std::map<std::string, std::string> branches; // name -> state of the pull requests into it, for people
  for (const PullRequestProposed& each : known) {
    TRY_ASSIGN(const PullRequest pull, access.forge->pull_request(each.number, stop));
    if (pull.state == PullState::merged)
      branches[pull.base_branch] += fmt::format(" #{}", pull.number);
    else
      context.hint(fmt::format("#{} is {}", pull.number, state_word(pull)));
  }
  TRY_ASSIGN(const Ports ports, context.ports());
  EventLog log(ports.store, ports.clock, {});
  Json list = Json::array();
  std::string text;
  for (const auto& [branch, numbers] : branches) {
    const std::string ref = "refs/heads/" + branch;
    TRY_ASSIGN(const std::string tip, access.remotes->fetch(access.forge->place().git_url, ref, stop));
    TRY_ASSIGN(const SyncReport report, sync_merged(ports, log, SyncTarget{branch, ref, tip}, stop));
    list.push_back(to_json(report));
    for (const SyncedIssue& synced : report.issues)
      text += fmt::format("{:<8} {:<9} {}\n", synced.issue.code, to_string(synced.issue.status),
                          one_line(synced.detail));
    text += fmt::format("{} of {} found in {} ({}), as{} are merged\n", report.merged(), report.issues.size(),
                        one_line(branch), tip.substr(0, 12), numbers);
  }
  if (context.global().json)
    context.print_json_list("pr_sync", std::move(list));
  else
    context.print(
        text.empty()
            ? "No pull request made by emend is merged. To check a branch anyway: emend issues sync\n"
            : text);
  return context.finish(ExitStatus::done);
}

Command follow(const char* name, const char* summary,
               Result<ExitStatus> (*run)(CommandContext&, const FollowOptions&), bool named) {
  const auto options = std::make_shared<FollowOptions>();
  std::vector<Option> flags = {
      {"--remote", &options->remote, "remote of the pull request (default: origin)", "NAME"}};
  if (named) flags.insert(flags.begin(), {"PULL", &options->what, "its number or URL", "PULL", {}, true});
  Command command = action(name, summary, std::move(flags),
                           [options, run](CommandContext& context) { return run(context, *options); });
  command.storage = options;
  return command;
}

} // namespace

Command pr_status_action() {
  return follow("status", "show the state of the pull requests made by emend", run_status, false);
}
Command pr_comments_action() {
  return follow("comments", "import review comments of people as issues, each once", run_comments, true);
}
Command pr_sync_action() {
  return follow("sync", "mark issues MERGED whose fixes are in a merged pull request", run_sync, false);
}

} // namespace emend
