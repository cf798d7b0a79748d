// emend pr watch: reads the comments of pull requests again and again, for those whom no webhook can reach.
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "base/strings.hpp"
#include "cli/ci/head_anew.hpp"
#include "cli/ci/new_head.hpp"
#include "cli/ci/pr_actions.hpp"
#include "cli/ci/pr_head.hpp"
#include "cli/ci/pr_orders.hpp"
#include "config/forge_config.hpp"
#include "engine/forge/forge_log.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

constexpr std::int64_t kFirstLookMs = 24 * 3'600'000LL, kOverlapMs = 5 * 60'000;

struct WatchOptions {
  std::string remote, interval = "60s";
  bool once = false, review = false;
};

struct Look {
  Json answered = Json::array();
  std::vector<std::string> lines;
};

Result<std::int64_t> since(const Ports& ports, const std::string& project) {
  TRY_ASSIGN(const auto looks, forge_events<PrWatched>(ports));
  std::int64_t last = 0;
  for (const PrWatched& each : looks)
    if (each.project == project) last = std::max(last, each.until_ms);
  return last == 0 ? ports.clock.wall_ms() - kFirstLookMs : last - kOverlapMs;
}

void add(Look& look, const Obeyed& obeyed) {
  if (obeyed.asked.what == Admission::What::known) return;
  look.answered.push_back(to_json(obeyed));
  look.lines.push_back(line_of(obeyed));
}

// What was read here only says which comments to read: each is asked for again.
Status obey_new_ones(CommandContext& context, ForgeAccess& access, int number, std::int64_t from,
                     Look& look) {
  TRY_ASSIGN(const std::vector<Remark> remarks, access.forge->remarks(number, context.dependencies().stop));
  for (const Remark& remark : remarks) {
    const bool may_be = remark.kind != RemarkKind::review && remark.created_ms >= from && !remark.own;
    if (!may_be) continue;
    const ReadComment read = read_comment(remark.body);
    if (!read.command && read.refusal.empty()) continue;
    TRY_ASSIGN(const Obeyed obeyed, obey(context, access, {number, remark.kind, remark.id}));
    add(look, obeyed);
  }
  return {};
}

// A label may have been put on since; nothing is asked where no status is kept.
Status judge_number_anew(CommandContext& context, ForgeAccess& access, int number) {
  TRY_ASSIGN(const Config config, context.config());
  const TeamSettings team = team_settings(config);
  if (team.status == StatusWay::off) return {};
  TRY_ASSIGN(const PullRequest pull, access.forge->pull_request(number, context.dependencies().stop));
  return judge_anew(context, *access.forge, pull, team);
}

Status look_at(CommandContext& context, ForgeAccess& access, int number, std::int64_t from, bool review,
               Look& look) {
  TRY(obey_new_ones(context, access, number, from, look));
  TRY(judge_number_anew(context, access, number));
  if (!review) return {};
  TRY_ASSIGN(const NewHead head, review_new_head(context, access, number));
  if (head.reviewed) look.lines.push_back(head.line);
  return {};
}

// What is wrong with one pull request does not keep the others waiting.
bool is_about_one(const Error& error) {
  return error.code == ErrorCode::not_found || error.code == ErrorCode::conflict ||
         error.code == ErrorCode::usage;
}

Result<Look> look_once(CommandContext& context, ForgeAccess& access, const WatchOptions& options) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY(close_what_died(context, *access.forge));
  const std::string project = access.forge->place().web();
  TRY_ASSIGN(const std::int64_t from, since(ports, project));
  const std::int64_t now = ports.clock.wall_ms();
  TRY_ASSIGN(const std::vector<int> pulls, access.forge->changed_since(from, context.dependencies().stop));
  Look look;
  bool whole = true;
  for (const int number : pulls) {
    const Status looked = look_at(context, access, number, from, options.review, look);
    if (looked) continue;
    if (!is_about_one(looked.error())) return fail(looked.error());
    whole = false;
    context.hint(fmt::format("warning: #{}: {}; the next look tries it again", number,
                             one_line(looked.error().message, 300)));
  }
  if (whole) TRY(note_forge_event(ports, PrWatched{project, now}));
  return look;
}

void wait(std::int64_t ms, std::stop_token stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never;
  never.wait_for(lock, stop, std::chrono::milliseconds(ms), [] { return false; });
}

Result<ExitStatus> run_watch(CommandContext& context, const WatchOptions& options) {
  const auto interval = parse_duration_ms(options.interval);
  if (!interval || *interval < 5'000)
    return fail(ErrorCode::usage, "--interval is a time of at least 5 s", "for example --interval 60s");
  TRY_ASSIGN(ForgeAccess access, access_forge(context, {options.remote, std::nullopt}));
  const std::stop_token stop = context.dependencies().stop;
  while (true) {
    auto look = look_once(context, access, options);
    if (!look && (options.once || look.error().code == ErrorCode::auth || stop.stop_requested()))
      return fail(look.error());
    if (!look) context.hint("warning: " + one_line(look.error().message, 300) + "; looking again later");
    if (look && options.once && context.global().json)
      context.print_json_list("pr_watch", std::move(look->answered));
    if (look && !context.global().json)
      for (const std::string& line : look->lines) context.print(line + "\n");
    if (options.once) return context.finish(ExitStatus::done);
    wait(*interval, stop);
    if (stop.stop_requested()) return context.finish(ExitStatus::done);
  }
}

} // namespace

Command pr_watch_action() {
  const auto options = std::make_shared<WatchOptions>();
  Command command =
      action("watch", "read the comments of open pull requests, and carry out commands to emend",
             {{"--once", &options->once, "look once, then end"},
              {"--review", &options->review, "review every new head, too, and post the result"},
              {"--interval", &options->interval, "time between two looks (60s)", "TIME"},
              {"--remote", &options->remote, "remote of the pull requests (default: origin)", "NAME"}},
             [options](CommandContext& context) { return run_watch(context, *options); });
  command.examples = "  emend pr watch --review\n  emend pr watch --once --json\n";
  command.storage = options;
  return command;
}

} // namespace emend
