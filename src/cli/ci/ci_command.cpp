// emend ci: what failed in a pipeline, reproduced here and repaired.
#include <fmt/format.h>

#include <condition_variable>
#include <mutex>

#include "base/strings.hpp"
#include "cli/ci/ci_repair.hpp"
#include "cli/ci/new_head.hpp"
#include "cli/ci/pr_orders.hpp"
#include "cli/commands.hpp"
#include "config/forge_config.hpp"

namespace emend {

namespace {

struct CiOptions {
  std::string what, branch, run, remote, to, interval = "60s";
  bool watch = false;
};

Json to_json(const Repair& repair) {
  Json jobs = Json::array();
  for (const RedJob& red : repair.jobs)
    jobs.push_back(
        {{"name", red.job.name}, {"url", red.job.url}, {"kind", to_string(red.kind)}, {"why", red.why}});
  return {{"end", to_string(repair.end)},
          {"line", repair.line},
          {"jobs", std::move(jobs)},
          {"reproduced", repair.reproduced},
          {"wavering", repair.wavering},
          {"session_id", repair.session_id},
          {"url", repair.url}};
}

std::string text_of(const Repair& repair) {
  std::string text;
  for (const RedJob& red : repair.jobs)
    text += fmt::format("  {}: {}{}\n", one_line(red.job.name, 80), to_string(red.kind),
                        red.why.empty() ? "" : ", " + one_line(red.why, 200));
  return text + one_line(repair.line, 400) + "\n";
}

tl::unexpected<Error> not_of_a_fork(const std::string& what) {
  return fail(ErrorCode::usage, what + " comes from a fork: its code is not run here",
              "fetch it and look at it yourself");
}

// What a pipeline ran on: the pull request of its branch, else the branch; only its newest commit is
// repaired.
Result<PullPlace> place_of_run(CommandContext& context, const CiOptions& options,
                               const std::string& expected) {
  const std::stop_token stop = context.dependencies().stop;
  TRY_ASSIGN(const ForgeAccess access, access_forge(context, {options.remote, std::nullopt}));
  TRY_ASSIGN(const PipelineRun run, access.forge->pipeline_run(options.run, stop));
  if (to_lower(run.project) != to_lower(access.forge->place().project))
    return not_of_a_fork("pipeline " + options.run);
  TRY_ASSIGN(const auto pull, access.forge->pull_request_of(run.branch, stop));
  const std::string wanted = expected.empty() ? run.sha : expected;
  if (pull) return fetch_pull(context, std::to_string(pull->number), options.remote, wanted);
  TRY_ASSIGN(PullPlace place, fetch_branch(context, run.branch, options.remote));
  if (place.pull.head_sha == wanted) return place;
  return fail(ErrorCode::conflict,
              fmt::format("pipeline {} is about {}, and {} is at {} now", options.run, wanted.substr(0, 12),
                          run.branch, place.pull.head_sha.substr(0, 12)),
              "name the pipeline of the newest commit, or the branch: --branch " + run.branch);
}

// expected: what was pushed in the round before; another head is a person's.
Result<PullPlace> place_of(CommandContext& context, const CiOptions& options, const std::string& expected) {
  const int named = static_cast<int>(!options.what.empty()) + static_cast<int>(!options.branch.empty()) +
                    static_cast<int>(!options.run.empty());
  if (named != 1)
    return fail(ErrorCode::usage, "name a pull request, a branch or a pipeline",
                "emend ci fix 42\n  emend ci fix --branch topic\n  emend ci fix --run 123456");
  if (!options.run.empty()) return place_of_run(context, options, expected);
  if (!options.branch.empty()) return fetch_branch(context, options.branch, options.remote);
  TRY_ASSIGN(PullPlace place, fetch_pull(context, options.what, options.remote, expected));
  if (to_lower(place.pull.head_project) != to_lower(place.at.forge->place().project))
    return not_of_a_fork("the pull request");
  return place;
}

Repair rested(std::string line) {
  Repair repair;
  repair.end = RepairEnd::rested;
  repair.line = std::move(line);
  return repair;
}

Result<Repair> one_round(CommandContext& context, const CiOptions& options, const std::string& expected) {
  TRY_ASSIGN(const PullPlace place, place_of(context, options, expected));
  TRY(close_what_died(context, *place.at.forge));
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const bool own, is_own_proposal(ports, place.at.forge->place().web(), place.pull));
  if (own) return rested("emend proposed it itself; a person has to look");
  TRY(check_may_push(place.at));
  TRY_ASSIGN(const Config config, context.config());
  const bool to_branch = options.to.empty() ? team_settings(config).to_branch : options.to == "branch";
  const LandingWish wish{to_branch, ""};
  TRY(check_landing(context, place, wish));
  TRY_ASSIGN(Repair repair, repair_once(context, place, wish));
  if (repair.end == RepairEnd::landed)
    context.hint(
        "note: a push with the token of a workflow (GITHUB_TOKEN) starts no pipeline; with one of a "
        "person or an app it does");
  return repair;
}

ExitStatus status_of(const Repair& repair) {
  switch (repair.end) {
    case RepairEnd::nothing_red:
    case RepairEnd::landed: return ExitStatus::done;
    case RepairEnd::running: return ExitStatus::still_running;
    default: return ExitStatus::unresolved;
  }
}

void wait(std::int64_t ms, std::stop_token stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never;
  never.wait_for(lock, stop, std::chrono::milliseconds(ms), [] { return false; });
}

// Until it is green, or nobody here can do more. What a person pushed begins anew when a person asks.
Result<ExitStatus> run_ci_fix(CommandContext& context, const CiOptions& options) {
  const auto interval = parse_duration_ms(options.interval);
  if (!interval || *interval < 5'000)
    return fail(ErrorCode::usage, "--interval is a time of at least 5 s", "for example --interval 60s");
  const std::stop_token stop = context.dependencies().stop;
  Repair repair;
  std::string expected;
  while (true) {
    TRY_ASSIGN(repair, one_round(context, options, expected));
    if (!repair.tip.empty()) expected = repair.tip;
    const bool goes_on =
        repair.end == RepairEnd::running || (repair.end == RepairEnd::landed && repair.url.empty());
    if (!options.watch || !goes_on || stop.stop_requested()) break;
    context.hint(one_line(repair.line, 300) + "; looking again in " + format_duration_ms(*interval));
    wait(*interval, stop);
  }
  if (context.global().json)
    context.print_json("ci_fix", to_json(repair));
  else
    context.print(text_of(repair));
  return context.finish(status_of(repair));
}

} // namespace

Command ci_command() {
  const auto options = std::make_shared<CiOptions>();
  Command fix =
      action("fix", "repair what fails in the pipeline of a pull request since its change",
             {{"PULL", &options->what, "its number or URL", "PULL"},
              {"--branch", &options->branch, "a branch without a pull request", "BRANCH"},
              {"--run", &options->run, "the pipeline that failed, by its number at the forge", "ID"},
              {"--to",
               &options->to,
               "where the fix goes: a pull request into its branch, or its branch (forge.fix_to)",
               "WHERE",
               {"stacked", "branch"}},
              {"--watch", &options->watch, "wait for the pipeline, and look again after a push"},
              {"--interval", &options->interval, "time between two looks (60s)", "TIME"},
              {"--remote", &options->remote, "remote of the forge (default: origin)", "NAME"}},
             [options](CommandContext& context) { return run_ci_fix(context, *options); });
  fix.examples =
      "Needs forge.allow_push. Only the project's own checks are run; what they do not show is reported.\n"
      "  emend ci fix 42\n  emend ci fix --branch topic --to stacked\n  emend ci fix --run 123456\n";
  fix.storage = options;
  Command command;
  command.name = "ci";
  command.summary = "repair a failed pipeline";
  command.subcommands = {std::move(fix)};
  return command;
}

} // namespace emend
