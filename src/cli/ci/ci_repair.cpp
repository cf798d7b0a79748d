#include "cli/ci/ci_repair.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/redact.hpp"
#include "base/strings.hpp"
#include "cli/trust_check.hpp"
#include "engine/forge/command_desk.hpp"
#include "engine/forge/forge_log.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostLogs = 20, kLogTail = 20'000;

struct Jobs {
  std::vector<JobWithLog> red;
  bool running = false;
};

// A log that cannot be had is an empty one: the job is red all the same.
Result<Jobs> red_jobs(Forge& forge, const std::string& sha, std::stop_token stop) {
  TRY_ASSIGN(const std::vector<PipelineJob> all, forge.jobs(sha, stop));
  Jobs jobs;
  for (const PipelineJob& job : all) {
    jobs.running = jobs.running || job.end == JobEnd::running;
    if (job.end == JobEnd::passed || job.end == JobEnd::running || jobs.red.size() >= kMostLogs) continue;
    auto log = forge.job_log(job, stop);
    jobs.red.push_back({job, log ? *std::move(log) : ""});
  }
  return jobs;
}

Result<std::vector<EarlierTry>> earlier_tries(const Ports& ports, const PullPlace& place) {
  TRY_ASSIGN(const auto events, forge_events<CiRepairTried>(ports));
  std::vector<EarlierTry> tries;
  for (const CiRepairTried& each : events)
    if (each.project == place.at.forge->place().web() && each.number == place.pull.number &&
        each.branch == place.pull.head_branch)
      tries.push_back({each.head, each.tip, each.at_ms, each.line});
  return tries;
}

// The project's own checks, as the base has them, on head and base: the only evidence that counts.
struct Shown {
  Verification head, base;
};
Result<Shown> run_checks(CommandContext& context, const PullPlace& place, Policy policy) {
  const std::stop_token stop = context.dependencies().stop;
  if (policy.commands.empty())
    return fail(ErrorCode::config, "no checks are configured, so nothing can be reproduced here",
                "add them to emend.toml: [verify] commands = [\"make test\"]");
  policy.repeat = std::max(policy.repeat, 3); // what fails only sometimes is seen wavering
  TRY_ASSIGN(SessionManager * manager, context.manager());
  context.hint("running the project's checks on the head, three times");
  Shown shown;
  TRY_ASSIGN(shown.head, manager->verify(policy, place.pull.head_sha, {}, stop));
  std::vector<std::string> red;
  for (const CommandRun& run : shown.head.commands)
    if (!run.passed()) red.push_back(run.name);
  if (red.empty()) return shown;
  context.hint("running what failed on " + one_line(place.pull.base_branch, 60));
  TRY_ASSIGN(shown.base, manager->verify(policy, place.base, red, stop));
  return shown;
}

Finding finding_of(const CommandRun& run, const PullPlace& place, Repository& repository) {
  std::vector<std::string> changed;
  const auto tree = repository.tree(place.pull.head_sha);
  if (const auto start = repository.merge_base(place.base, place.pull.head_sha); start && *start)
    if (const auto patch = repository.diff(**start, place.pull.head_sha))
      for (const FileChange& change : patch->changes)
        if (tree && (*tree)->contains(change.path)) changed.push_back(change.path);
  const Place where = place_in(
      run.output, [&](const std::string& path) { return tree && (*tree)->contains(path); }, changed);
  Finding finding;
  finding.rule = "ci/" + run.name;
  finding.file = where.file;
  finding.line = where.line;
  finding.severity = Severity::high;
  finding.category = "ci";
  finding.agent = "ci";
  finding.found_by = {"ci"};
  finding.title = first_line("the check " + run.name + " fails since this change", 150);
  finding.description = "It passes on " + place.pull.base_branch + ". Its output ends:\n\n" +
                        trim_middle(Redactor().redact(clean_text(without_ansi(run.output))), kLogTail);
  finding.related_files = changed;
  return finding;
}

// The failing check is the reproducer: given by who configured it, not by who wrote the log.
Status give_reproducer(CommandContext& context, const Issue& issue, const CommandRun& run) {
  TRY_ASSIGN(const Ports ports, context.ports());
  Reproducer check;
  check.id = new_uuid();
  check.issue_id = issue.id;
  check.created_ms = ports.clock.wall_ms();
  check.state = ReproducerState::given;
  check.command = run.run;
  Change change;
  change.events.push_back(
      make_event("", issue.code, IssueReproducer{to_string(check.state), check.sha256()}));
  change.reproducers.push_back(std::move(check));
  return EventLog(ports.store, ports.clock, {}).apply(std::move(change));
}

Result<std::vector<Issue>> issues_of(CommandContext& context, const PullPlace& place,
                                     const std::vector<const CommandRun*>& red) {
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(SessionManager * manager, context.manager());
  std::vector<Finding> findings;
  for (const CommandRun* run : red) findings.push_back(finding_of(*run, place, *repository));
  TRY_ASSIGN(std::vector<Issue> issues, manager->add_findings(findings, place.pull.head_sha));
  for (std::size_t i = 0; i < issues.size(); ++i) {
    const bool again = issues[i].status == IssueStatus::failed || issues[i].status == IssueStatus::resolved ||
                       issues[i].status == IssueStatus::merged;
    if (again && issues[i].status != IssueStatus::merged) {
      TRY_ASSIGN(issues[i], manager->reopen(issues[i].code, "its pipeline fails again"));
    }
    TRY(give_reproducer(context, issues[i], *red[i]));
  }
  return issues;
}

std::string not_shown(const Shown& shown, const std::vector<std::string>& wavering) {
  if (!wavering.empty())
    return "flaky here: " + join(wavering, ", ") + " passes and fails on the same files; nothing was changed";
  const bool any = std::any_of(shown.head.commands.begin(), shown.head.commands.end(),
                               [](const CommandRun& run) { return !run.passed(); });
  if (any) return "what fails here fails on the branch it goes into as well; nothing was changed";
  return "it cannot be reproduced here: the project's checks pass on this head; nothing was changed";
}

Status note_try(CommandContext& context, const PullPlace& place, const Repair& repair,
                const std::string& tip) {
  TRY_ASSIGN(const Ports ports, context.ports());
  return note_forge_event(
      ports, CiRepairTried{place.at.forge->place().web(), place.pull.number, place.pull.head_branch,
                           place.pull.head_sha, ports.clock.wall_ms(), repair.session_id, tip, repair.line});
}

Repair ended(Repair repair, RepairEnd end, std::string line) {
  repair.end = end;
  repair.line = std::move(line);
  return repair;
}

// Whether what failed for want of a machine fails again is the machine's to say, once for a head.
Result<Repair> start_again(CommandContext& context, const PullPlace& place, Repair repair,
                           const std::vector<PipelineJob>& jobs) {
  std::vector<std::string> names;
  for (const PipelineJob& job : jobs) {
    const Status begun = place.at.forge->restart(job, context.dependencies().stop);
    if (!begun && begun.error().code != ErrorCode::auth && begun.error().code != ErrorCode::usage)
      return fail(begun.error());
    if (begun) names.push_back(job.name);
  }
  if (names.empty())
    return ended(std::move(repair), RepairEnd::not_reproduced,
                 "its machines failed, not its checks, and this token may not start jobs again; start them "
                 "again there");
  repair = ended(std::move(repair), RepairEnd::running,
                 std::string(kStartedAgain) + join(names, ", ") + "; it failed for want of a machine");
  TRY(note_try(context, place, repair, ""));
  return repair;
}

// What failed there, and whether that is a reason to try something here.
struct FirstLook {
  Repair repair;
  bool over = true;
};
Result<FirstLook> look_first(CommandContext& context, const PullPlace& place) {
  const std::stop_token stop = context.dependencies().stop;
  TRY_ASSIGN(const Ports ports, context.ports());
  Forge& forge = *place.at.forge;
  Repair repair;
  const auto over = [](const Repair& of, RepairEnd end, std::string line) {
    return FirstLook{ended(of, end, std::move(line)), true};
  };
  TRY_ASSIGN(const Jobs head, red_jobs(forge, place.pull.head_sha, stop));
  if (head.red.empty() && head.running)
    return over(repair, RepairEnd::running, "its pipeline is still running");
  if (head.red.empty()) return over(repair, RepairEnd::nothing_red, "no job of its pipeline failed");
  TRY_ASSIGN(const Jobs base, red_jobs(forge, place.base, stop));
  repair.jobs = judge_jobs(head.red, base.red);
  const bool news = std::any_of(repair.jobs.begin(), repair.jobs.end(),
                                [](const RedJob& job) { return job.kind == RedKind::news; });
  TRY_ASSIGN(const bool stopped, is_stopped(ports, forge.place().web(), place.pull.number));
  if (news && stopped) return over(repair, RepairEnd::rested, "somebody wrote /emend stop");
  TRY_ASSIGN(const auto tries, earlier_tries(ports, place));
  if (const auto again = jobs_to_restart(repair.jobs, tries, place.pull.head_sha);
      !again.empty() && !stopped) {
    TRY_ASSIGN(const Repair started, start_again(context, place, repair, again));
    return FirstLook{started, true};
  }
  if (!news) return over(repair, RepairEnd::not_reproduced, "this change caused none of the failures");
  if (std::string why = reason_to_rest(tries, place.pull.head_sha, ports.clock.wall_ms()); !why.empty())
    return over(repair, RepairEnd::rested, std::move(why));
  return FirstLook{repair, false};
}

} // namespace

std::string_view to_string(RepairEnd end) {
  switch (end) {
    case RepairEnd::nothing_red: return "nothing_red";
    case RepairEnd::running: return "running";
    case RepairEnd::rested: return "rested";
    case RepairEnd::not_reproduced: return "not_reproduced";
    case RepairEnd::not_fixed: return "not_fixed";
    case RepairEnd::landed: return "landed";
  }
  return "";
}

Result<Repair> repair_once(CommandContext& context, const PullPlace& place, const LandingWish& wish) {
  TRY_ASSIGN(const FirstLook looked, look_first(context, place));
  if (looked.over) return looked.repair;
  TRY(context.take_configuration_from(place.base, place.pull.head_sha));
  TRY_ASSIGN(const Config config, trusted_config(context));
  Repair repair = looked.repair;
  TRY_ASSIGN(const Shown shown, run_checks(context, place, config.policy()));
  const auto red = newly_red(shown.head, shown.base);
  for (const CommandRun* run : red) repair.reproduced.push_back(run->name);
  for (const CommandRun& run : shown.head.commands)
    if (run.wavers) repair.wavering.push_back(run.name);
  if (red.empty()) {
    repair = ended(repair, RepairEnd::not_reproduced, not_shown(shown, repair.wavering));
    TRY(note_try(context, place, repair, ""));
    return repair;
  }
  TRY_ASSIGN(const std::vector<Issue> issues, issues_of(context, place, red));
  TRY_ASSIGN(const FixReport report, fix_on_head(context, place, config, issues));
  repair.session_id = report.session.id;
  auto landed = land_fix(context, place, report, wish);
  if (!landed && landed.error().code != ErrorCode::not_found && landed.error().code != ErrorCode::conflict)
    return fail(landed.error());
  repair = landed ? ended(repair, RepairEnd::landed, landed->line)
                  : ended(repair, RepairEnd::not_fixed, landed.error().message);
  if (landed) repair.url = landed->url;
  if (landed) repair.tip = report.session.tip;
  TRY(note_try(context, place, repair, repair.tip));
  return repair;
}

} // namespace emend
