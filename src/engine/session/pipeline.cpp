#include "engine/session/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "base/crash_point.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/branch/grouped_branch.hpp"
#include "engine/fix/fixit_fixer.hpp"
#include "engine/gate/gate.hpp"
#include "engine/gate/proof_bundle.hpp"
#include "engine/patch/called_scripts.hpp"
#include "engine/verify/preflight.hpp"
#include "model/events.hpp"
#include "model/session_timing.hpp"

namespace emend {
namespace {

IssueMove move_of(const Issue& issue, IssueStatus to, const std::string& session_id) {
  IssueMove move;
  move.issue_id = issue.id;
  move.from = issue.status;
  move.to = to;
  move.session_id = session_id;
  return move;
}

// Checks that really run side by side: more of them than there are processors only share these.
std::int64_t at_a_time(const Policy& policy) {
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  return std::clamp<std::int64_t>(policy.parallel, 1, processors);
}

} // namespace

Pipeline::Pipeline(RunContext& context, SessionAgents& agents)
    : context_(context), stages_(agents.stages()), tip_(context.session.base) {}

Result<SessionStatus> Pipeline::run(std::stop_token stop) {
  TRY(take_issues());
  TRY(plan_units());
  TRY(use_plan());
  TRY(look_at_base(stop));
  if (!cancelled_) read_ahead();
  if (!cancelled_ && steps_.empty()) {
    TRY(UnitQueue(context_, stages_, batch_).run(units_, issues_, {}, stop));
    cancelled_ = stop.stop_requested();
  }
  if (!cancelled_) TRY(see_whole_base(stop));
  if (!cancelled_) TRY(commit_fixes(stop));
  if (!cancelled_) TRY(pass_issues_through_gate());
  if (!cancelled_) TRY(group_commits());
  if (cancelled_) {
    TRY(release_issues("interrupted", "the session was stopped"));
    return SessionStatus::cancelled;
  }
  if (const auto stopped = context_.queue_stop()) TRY(release_issues(stopped->reason, stopped->detail));
  return finish();
}

// OPEN or FAILED -> IN_PROGRESS. What a person ignored or somebody else resolved meanwhile is left alone.
Status Pipeline::take_issues() {
  TRY_ASSIGN(const std::vector<Unit> units, context_.ports.store.units(context_.session.id));
  Change reopen, take;
  for (const std::string& id : context_.session.issue_ids) {
    TRY_ASSIGN(Issue issue, context_.ports.store.issue(context_.session.repository_id, id));
    const bool finished = std::any_of(units.begin(), units.end(), [&](const Unit& unit) {
      return unit.status == UnitStatus::finished && unit.issue_ids == std::vector<std::string>{id};
    });
    if (!finished && issue.status == IssueStatus::failed) {
      reopen.moves.push_back(move_of(issue, IssueStatus::open, context_.session.id));
      issue.status = IssueStatus::open;
    }
    if (!finished && issue.status == IssueStatus::open) {
      take.moves.push_back(move_of(issue, IssueStatus::in_progress, context_.session.id));
      issue.status = IssueStatus::in_progress;
    }
    issues_[id] = std::move(issue);
  }
  if (!reopen.moves.empty()) TRY(context_.log.apply(std::move(reopen)));
  return context_.log.apply(std::move(take));
}

// One unit per issue. A resumed session has its units already.
Status Pipeline::plan_units() {
  TRY_ASSIGN(units_, context_.ports.store.units(context_.session.id));
  if (!units_.empty()) return drop_settled_units();
  Change change;
  Json codes = Json::array();
  for (const std::string& id : context_.session.issue_ids) {
    const Issue& issue = issues_.at(id);
    if (issue.status != IssueStatus::in_progress) continue;
    Unit unit;
    unit.id = new_uuid();
    unit.session_id = context_.session.id;
    unit.position = static_cast<int>(units_.size());
    unit.issue_ids = {id};
    unit.base = context_.session.base;
    units_.push_back(unit);
    codes.push_back(issue.code);
  }
  change.units = units_;
  change.events.push_back(context_.event(
      "", FixSessionStarted{
              context_.session.branch, context_.session.base, codes, context_.policy().fixer.name,
              only_if<Text>(context_.policy().challenger_enabled, context_.policy().challenger.name)}));
  return context_.log.apply(std::move(change));
}

// Since the session was interrupted a person may have ignored an issue, or another session may have resolved
// it: it is not ours any more.
Status Pipeline::drop_settled_units() {
  Change change;
  for (Unit& unit : units_) {
    const Issue& issue = issues_.at(unit.issue_ids.front());
    const bool done = issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged;
    const bool ours =
        issue.status == IssueStatus::in_progress || (done && issue.session_id == context_.session.id);
    if (ours || unit.status == UnitStatus::finished) continue;
    unit.status = UnitStatus::finished;
    unit.accepted_attempt.clear();
    change.units.push_back(unit);
    context_.notice(fmt::format("{} is {} now and is skipped", issue.code, to_string(issue.status)));
  }
  return change.units.empty() ? Status{} : context_.log.apply(std::move(change));
}

// What will be asked about the base, at once. A file that only gets its comments changed is nothing for the
// tools that do not read them.
Status Pipeline::scan_base(std::stop_token stop) {
  std::vector<std::string> files;
  std::set<std::string> code;
  std::map<std::string, std::string> comments;
  for (const auto& [id, issue] : issues_) {
    if (issue.status != IssueStatus::in_progress || !stages_.rescanner.can_judge(issue)) continue;
    files.push_back(issue.finding.file);
    std::optional<Patch> patch;
    if (stages_.fixer == nullptr && issue.finding.fixit) {
      TRY_ASSIGN(patch, patch_of(*issue.finding.fixit, context_.ports.repository, context_.session.base));
    }
    if (!patch) code.insert(issue.finding.file);
    for (const FileChange& change : patch ? patch->changes : std::vector<FileChange>{})
      if (const auto text = changed_comments(change))
        comments[issue.finding.file] += *text;
      else
        code.insert(issue.finding.file);
  }
  if (files.empty()) return {};
  return stages_.rescanner.look_at(context_.session.base, files, stop,
                                   [&](const Analyzer& analyzer, const std::string& file) {
                                     return code.contains(file) || analyzer.minds_comment(comments[file]);
                                   });
}

// The untouched base first, so that what failed before is told apart; then how to verify.
Status Pipeline::look_at_base(std::stop_token stop) {
  const Policy& policy = context_.policy();
  // Edits that cost nothing to make are never worth a run of the suite each.
  batch_ = policy.verify_mode == VerifyMode::batch ||
           (stages_.fixer == nullptr && policy.verify_mode == VerifyMode::automatic);
  TRY(scan_base(stop));
  cancelled_ = stop.stop_requested();
  if (cancelled_) return {};
  if (policy.commands.empty()) {
    context_.notice("no checks are configured: a fix can only be judged, not tested");
    return refuse_hopeless(nullptr);
  }
  auto baseline = begin_checks(stop);
  if (!baseline && baseline.error().code == ErrorCode::cancelled) {
    cancelled_ = true;
    return {};
  }
  TRY(baseline);
  TRY(check_base(policy, **baseline));
  TRY(refuse_hopeless(baseline->get()));
  for (const std::string& notice : check_notices(**baseline)) context_.notice(notice);
  told_checks_ = (*baseline)->commands.size();
  std::int64_t shared_ms = 0;
  for (const CommandRun& run : (*baseline)->commands)
    if (!run.scoped) shared_ms += run.duration_ms;
  if (policy.verify_mode == VerifyMode::automatic && !batch_) {
    const auto total = shared_ms * static_cast<std::int64_t>(units_.size()) / at_a_time(policy);
    batch_ = units_.size() > 1 && total > policy.each_limit_ms;
    if (batch_)
      context_.notice(fmt::format("verify.mode = batch: checking {} fixes one by one would take about {}",
                                  units_.size(), format_duration_ms(total)));
  }
  return {};
}

// The files that prompts and changes will be about, in one question to the repository. What cannot be read is
// missed by whoever needs it.
void Pipeline::read_ahead() const {
  constexpr std::uint64_t kMost = 8'000'000; // bytes; the others are read one by one
  const auto tree = context_.ports.repository.tree(context_.session.base);
  if (!tree) return;
  std::vector<std::string> files;
  std::uint64_t bytes = 0;
  for (const Unit& unit : units_) {
    if (unit.status == UnitStatus::finished) continue;
    const auto found = (*tree)->find(issue_of(unit).finding.file);
    if (found == (*tree)->end() || found->second.mode == kModeGitlink) continue;
    bytes += found->second.size;
    if (bytes > kMost) break;
    files.push_back(found->first);
  }
  if (files.size() > 1) (void)context_.ports.repository.read_each(context_.session.base, files);
}

// Agents wait for what their own fixes need, and not for the rest. A plan's steps are settled one by one, so
// they need all of it.
Result<std::shared_ptr<const Verification>> Pipeline::begin_checks(std::stop_token stop) {
  if (!steps_.empty() || stages_.fixer == nullptr)
    return stages_.verifier.baseline(context_.session.base, stop);
  std::vector<std::string> files;
  for (const Unit& unit : units_)
    if (unit.status != UnitStatus::finished) files.push_back(issue_of(unit).finding.file);
  return stages_.verifier.begin_baseline(context_.session.base, files, stop);
}

// What ran beside the agents.
Status Pipeline::see_whole_base(std::stop_token stop) {
  if (context_.policy().commands.empty()) return {};
  auto baseline = stages_.verifier.baseline(context_.session.base, stop);
  cancelled_ = !baseline && baseline.error().code == ErrorCode::cancelled;
  if (cancelled_) return {};
  TRY(baseline);
  if ((*baseline)->commands.size() == told_checks_) return {};
  TRY(check_base(context_.policy(), **baseline));
  for (const std::string& notice : check_notices(**baseline)) context_.notice(notice);
  return {};
}

// What no fix could resolve ends here, before an agent is paid. baseline: null = there are no commands.
Status Pipeline::refuse_hopeless(const Verification* baseline) {
  TRY_ASSIGN(const Tree* tree, context_.ports.repository.tree(context_.session.base));
  TRY_ASSIGN(const PathSet called,
             called_scripts(context_.ports.repository, context_.policy(), context_.session.base));
  const Scope scope(context_.policy(), *tree, called);
  for (const Unit& unit : units_) {
    const Issue& issue = issues_.at(unit.issue_ids.front());
    if (unit.status != UnitStatus::pending || unit.cycles > 0 || unit.stacked || unworkable(issue)) continue;
    TRY_ASSIGN(const bool reproducible, stages_.reproduction.possible(issue));
    const Outlook outlook{baseline, reproducible, stages_.rescanner.can_judge(issue)};
    const auto refusal = why_hopeless(context_.policy(), scope, *tree, called, issue, outlook);
    if (refusal) TRY(give_up({unit, issue, {}, 0, {Evidence::judged, {}}}, refusal->reason, refusal->detail));
  }
  return {};
}

// A plan that was made for this session, by a person or with an agent's help: its order and its notes.
Status Pipeline::use_plan() {
  const fs::path master = fs::path(context_.home) / "sessions" / context_.session.id / "master_todo.json";
  std::error_code problem;
  if (stages_.fixer == nullptr || !fs::exists(master, problem)) return {};
  TRY_ASSIGN(context_.plan, read_plan_files(master));
  if (context_.policy().strategy == Strategy::one_call)
    return {}; // its one process gets the plan whole and works step by step itself
  steps_ = steps_of(context_.plan->master);
  PlanStep rest; // a plan is checked when it is taken; an issue it does not name must still not be forgotten
  for (const Unit& unit : units_)
    if (std::none_of(steps_.begin(), steps_.end(), [&](const PlanStep& step) { return in_step(unit, step); }))
      rest.codes.push_back(issue_of(unit).code);
  if (!rest.codes.empty()) steps_.push_back(std::move(rest));
  return {};
}

const Issue& Pipeline::issue_of(const Unit& unit) const { return issues_.at(unit.issue_ids.front()); }

bool Pipeline::in_step(const Unit& unit, const PlanStep& step) const {
  return std::find(step.codes.begin(), step.codes.end(), issue_of(unit).code) != step.codes.end();
}

// One step of the plan: made on top of what the steps before it came to, and settled before the next one
// begins. After a crash the steps that are over come to the same commits again, so the units of the one that
// was interrupted are found on the tip they were put on.
Status Pipeline::run_step(const PlanStep& step, std::stop_token stop) {
  if (!context_.queue_stop()) {
    for (Unit& unit : units_) {
      const bool waits = unit.status == UnitStatus::pending || unit.status == UnitStatus::running;
      if (in_step(unit, step) && waits && !unit.stacked && tip_ != context_.session.base)
        TRY(put_on_tip(unit, issue_of(unit)));
    }
    TRY(UnitQueue(context_, stages_, batch_).run(units_, issues_, {false, &step, tip_}, stop));
    cancelled_ = stop.stop_requested();
  }
  return cancelled_ ? Status{} : settle_units(&step, stop);
}

Status Pipeline::pass_issues_through_gate() {
  TRY_ASSIGN(const SessionEvidence evidence,
             load_evidence(context_.ports.store, context_.ports.repository, context_.session.id));
  if (evidence.commits.empty()) return {};
  TRY_ASSIGN(const ProofWriter proofs, ProofWriter::begin(context_));
  for (Unit& unit : units_) {
    if (unit.accepted_attempt.empty()) continue;
    TRY_ASSIGN(const Issue issue,
               context_.ports.store.issue(context_.session.repository_id, unit.issue_ids.front()));
    if (issue.status != IssueStatus::in_progress) continue;
    crash_point("gate.before_issue");
    TRY(pass_gate(context_, evidence, proofs, issue, unit));
  }
  return {};
}

// A second branch, for who wants fewer commits. What is proven does not depend on it.
Status Pipeline::group_commits() {
  if (context_.policy().grouping == Grouping::issue) return {};
  TRY_ASSIGN(const Session session, context_.ports.store.session(context_.session.id));
  if (session.tip.empty()) return {};
  const auto made = make_grouped_branch(context_.ports, context_.log, session, context_.policy().grouping);
  if (!made && made.error().code != ErrorCode::conflict) return fail(made.error());
  if (!made)
    context_.notice("no branch with fewer commits: " + made.error().message);
  else if (!made->branch)
    context_.notice("no branch with fewer commits: no two of these commits can be put together");
  return {};
}

// What is still in work is OPEN again.
Status Pipeline::release_issues(const std::string& reason, const std::string& why) {
  Change change;
  for (const auto& [id, taken] : issues_) {
    TRY_ASSIGN(const Issue issue, context_.ports.store.issue(context_.session.repository_id, id));
    if (issue.status != IssueStatus::in_progress) continue;
    IssueMove move = move_of(issue, IssueStatus::open, context_.session.id);
    move.reason = reason;
    move.detail = why;
    change.moves.push_back(std::move(move));
  }
  return context_.log.apply(std::move(change));
}

// How long it took, what no schedule could have beaten, and where the rest went.
Status Pipeline::say_how_long() {
  TRY_ASSIGN(SessionTiming timing, session_timing(context_.ports.store, context_.session.id));
  if (timing.issues.size() < 2) return {};
  timing.end_ms = context_.ports.clock.wall_ms();
  const auto slots = static_cast<std::size_t>(std::max(1, context_.policy().parallel));
  context_.notice(
      fmt::format("{} issues, {} at a time: {}; agents and checks alone need {} ({} before the "
                  "first issue, {} after the last): emend report --timing",
                  timing.issues.size(), slots, format_duration_ms(timing.end_ms - timing.begin_ms),
                  format_duration_ms(timing.bound_ms(slots)), format_duration_ms(timing.before_ms()),
                  format_duration_ms(timing.after_ms())));
  return {};
}

Result<SessionStatus> Pipeline::finish() {
  if (stages_.fixer != nullptr) TRY(say_how_long());
  std::size_t resolved = 0;
  for (const std::string& id : context_.session.issue_ids) {
    TRY_ASSIGN(const Issue issue, context_.ports.store.issue(context_.session.repository_id, id));
    if (issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged) ++resolved;
  }
  if (resolved == context_.session.issue_ids.size()) return SessionStatus::passed;
  if (context_.queue_stop()) return SessionStatus::stopped;
  return resolved == 0 ? SessionStatus::failed : SessionStatus::partial;
}

} // namespace emend
