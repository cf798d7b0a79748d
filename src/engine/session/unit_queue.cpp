#include "engine/session/unit_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <thread>

#include "base/files.hpp"
#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/agents/budget.hpp"
#include "engine/fix/fixer_prompt.hpp"
#include "engine/patch/called_scripts.hpp"
#include "engine/plan/plan.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

// Ends what runs when the session's time is up. What was accepted before is still committed.
class Deadline {
public:
  Deadline(RunContext& context, std::stop_source& halt) {
    const std::int64_t limit = context.policy().session_budget.time_ms;
    if (limit <= 0) return;
    const std::int64_t left =
        std::max<std::int64_t>(0, limit - (context.ports.clock.wall_ms() - context.session.started_ms));
    thread_ = std::jthread([&context, &halt, limit, left](std::stop_token self) {
      std::mutex mutex;
      std::condition_variable_any wake;
      std::unique_lock lock(mutex);
      const auto ends = std::chrono::steady_clock::now() + std::chrono::milliseconds(left);
      const auto soon = static_cast<std::int64_t>(kNearlyUsed * static_cast<double>(limit));
      if (left > limit - soon) {
        wake.wait_until(lock, self, ends - std::chrono::milliseconds(limit - soon), [] { return false; });
        if (self.stop_requested()) return;
        Consumed passed;
        passed.time_ms = soon;
        if (const auto warning = nearly_over_budget({0, 0, limit}, passed)) context.notice(*warning);
      }
      wake.wait_until(lock, self, ends, [] { return false; });
      if (self.stop_requested()) return;
      context.stop_queue({"budget", "the time of " + format_duration_ms(limit) + " is used up"});
      halt.request_stop();
    });
  }

private:
  std::jthread thread_;
};

std::vector<PlanStep> steps_for(const RunContext& context, const std::vector<Work>& works) {
  if (!context.plan) return plan_steps(works);
  std::vector<PlanStep> steps;
  for (PlanStep& step : steps_of(context.plan->master)) {
    std::erase_if(step.codes, [&](const std::string& code) {
      return std::none_of(works.begin(), works.end(), [&](const Work& work) { return work.code == code; });
    });
    if (!step.codes.empty()) steps.push_back(std::move(step));
  }
  return steps;
}

Result<Json> single_fixer(const Policy& policy) {
  TRY_ASSIGN(const AgentFile file, agent_file(policy, "fixer_single"));
  Json definition = {{"description", file.description}, {"prompt", file.body}};
  if (!file.tools.empty()) definition["tools"] = file.tools;
  return Json{{"fixer_single", std::move(definition)}};
}

} // namespace

UnitQueue::UnitQueue(RunContext& context, Stages& stages, bool batch)
    : context_(context), stages_(stages), loop_(context, stages, batch) {
  if (context.ports.presence != nullptr && stages.fixer != nullptr)
    shared_ = std::make_unique<SharedUnits>(context, loop_, batch);
}

std::size_t UnitQueue::slots() { return shared_ ? shared_->slots() : here(); }

std::size_t UnitQueue::here() const {
  return static_cast<std::size_t>(std::max(1, context_.policy().parallel));
}

void UnitQueue::keep_error(Status status) {
  if (status) return;
  const std::lock_guard lock(mutex_);
  if (first_error_) first_error_ = std::move(status);
  halt_.request_stop();
}

Status UnitQueue::run(std::vector<Unit>& units, const std::map<std::string, Issue>& issues,
                      const UnitChoice& choice, std::stop_token stop) {
  units_ = &units;
  issues_ = &issues;
  halt_ = std::stop_source();
  first_error_ = {};
  steps_.reset();
  if (!choice.stacked) follow_steps(units, choice);
  const std::stop_callback forward(stop, [&] { halt_.request_stop(); });
  const Deadline deadline(context_, halt_);
  Indexes pending, fresh;
  choose(choice, fresh, pending);
  if (stages_.fixer == nullptr) {
    pending.insert(pending.end(), fresh.begin(), fresh.end());
    parallel_for(pending.size(), slots(), [&](std::size_t i) { work(pending[i], std::nullopt); });
    return first_error_;
  }
  for (const Batch& batch :
       work_units(works_of(fresh), context_.policy().strategy, context_.policy().batch)) {
    Indexes group;
    for (const std::size_t i : fresh)
      if (std::find(batch.codes.begin(), batch.codes.end(), issue_of(i).code) != batch.codes.end())
        group.push_back(i);
    if (!group.empty() && !halt_.stop_requested() && !context_.queue_stop()) run_group(group);
  }
  // A unit starts as soon as no running one shares a file with it.
  const std::vector<Work> works = works_of(pending);
  FileSchedule schedule(works);
  std::mutex mutex;
  std::condition_variable changed;
  const auto work_off = [&](std::size_t) {
    std::unique_lock lock(mutex);
    while (!schedule.done()) {
      const std::optional<std::size_t> next = schedule.start_next();
      if (!next) {
        changed.wait(lock);
        continue;
      }
      lock.unlock();
      work(pending[*next], std::nullopt);
      lock.lock();
      schedule.finish(*next);
      changed.notify_all();
    }
  };
  const std::size_t wide =
      choice.stacked ? here() : slots(); // stacked units are not offered to other machines
  if (const std::size_t threads = std::min(wide, pending.size()); threads > 1)
    parallel_for(threads, threads, work_off);
  else if (threads == 1)
    work_off(0);
  return first_error_;
}

// Units of which several may begin in one process, and those that are worked on one by one.
void UnitQueue::choose(const UnitChoice& choice, Indexes& fresh, Indexes& pending) const {
  for (std::size_t i = 0; i < units_->size(); ++i) {
    const Unit& unit = (*units_)[i];
    if (!is_chosen(i, choice) || (unit.status != UnitStatus::pending && unit.status != UnitStatus::running))
      continue;
    const bool together = context_.policy().strategy != Strategy::per_issue && unit.cycles == 0 &&
                          !choice.stacked && !unworkable(issue_of(i));
    (together ? fresh : pending).push_back(i);
  }
}

bool UnitQueue::is_chosen(std::size_t index, const UnitChoice& choice) const {
  const Unit& unit = (*units_)[index];
  if (choice.step == nullptr)
    return unit.stacked == choice.stacked && (choice.base.empty() || unit.base == choice.base);
  const std::vector<std::string>& codes = choice.step->codes;
  return unit.base == choice.base &&
         std::find(codes.begin(), codes.end(), issue_of(index).code) != codes.end();
}

void UnitQueue::follow_steps(const std::vector<Unit>& units, const UnitChoice& choice) {
  Indexes all;
  for (std::size_t i = 0; i < units.size(); ++i)
    if (choice.step != nullptr || !units[i].stacked) all.push_back(i);
  steps_ = std::make_unique<StepProgress>(context_, steps_for(context_, works_of(all)));
  for (const std::size_t i : all) steps_->skip(issue_of(i).code, units[i].status);
}

void UnitQueue::work(std::size_t index, std::optional<Attempt> first) {
  Unit& unit = (*units_)[index];
  if (steps_ && !halt_.stop_requested()) keep_error(steps_->begin(issue_of(index).code));
  const bool may_share = shared_ && !first && !unit.stacked;
  auto done = may_share ? shared_->run(unit, issue_of(index), halt_.get_token())
                        : loop_.run(unit, issue_of(index), std::move(first), halt_.get_token());
  if (done)
    unit = *std::move(done);
  else
    return keep_error(fail(std::move(done).error()));
  if (steps_) keep_error(steps_->end(issue_of(index).code, unit.status));
}

std::vector<Work> UnitQueue::works_of(const Indexes& indexes) const {
  std::vector<Work> works;
  for (const std::size_t i : indexes) works.push_back(work_of(issue_of(i)));
  return works;
}

Result<FixOrder> UnitQueue::group_order(const Indexes& indexes) {
  FixOrder order;
  std::vector<Issue> issues;
  for (const std::size_t i : indexes) {
    order.members.push_back({(*units_)[i], issue_of(i)});
    issues.push_back(issue_of(i));
  }
  const std::string base = order.unit().base;
  std::vector<PlanStep> steps;
  if (context_.policy().strategy == Strategy::one_call) {
    steps = steps_for(context_, works_of(indexes));
    if (!plan_problems(works_of(indexes), steps).empty())
      steps = plan_steps(works_of(indexes)); // the issues' files may be others by now
    TRY_ASSIGN(order.sub_agents, single_fixer(context_.policy()));
    PlanRequest request;
    request.issues = issues;
    request.base_ref = base;
    request.strategy = Strategy::one_call;
    request.policy = context_.policy();
    request.session_id = context_.session.id;
    request.steps = steps;
    order.prepare = [this, request](Workspace& workspace, AgentRequest& agent) mutable -> Status {
      request.directory = (fs::path(workspace.temp_dir()) / "plan").string();
      TRY_ASSIGN(Plan plan, make_plan(context_.ports, context_.home, request));
      if (context_.plan)
        for (FixTodo& todo : plan.files.todos)
          for (const FixTodo& known : context_.plan->todos)
            if (known.issue_code == todo.issue_code) todo = known;
      TRY(write_plan_files(plan.directory, plan.files));
      agent.prompt = replace_all(agent.prompt, kPlanPlace, plan.directory.string());
      return {};
    };
  }
  std::shared_ptr<const Verification> baseline;
  if (!context_.policy().commands.empty()) {
    TRY_ASSIGN(baseline, stages_.verifier.baseline(base, halt_.get_token()));
  }
  TRY_ASSIGN(TurnPrompt prompt, group_prompt(context_, issues, base, steps, baseline.get()));
  order.role = prompt.role;
  order.prompt = std::move(prompt.text);
  return order;
}

// The first turn of all of them, in one process. Those that may not begin any more leave the group.
Status UnitQueue::fix_group(Indexes& indexes, std::vector<Attempt>& attempts) {
  Indexes begun;
  for (const std::size_t i : indexes) {
    if (steps_) TRY(steps_->begin(issue_of(i).code));
    TRY(context_.publish(issue_of(i).code, FixIssueStarted{context_.policy().fixer.name, 1}));
    TRY_ASSIGN(const bool may, loop_.begin((*units_)[i], issue_of(i)));
    if (may) begun.push_back(i);
  }
  indexes = begun;
  if (indexes.empty()) return {};
  TRY_ASSIGN(const FixOrder order, group_order(indexes));
  TRY_ASSIGN(FixRun run, run_fixer(context_, *stages_.fixer, order, halt_.get_token()));
  if (run.end == RoleRun::End::ran) {
    attempts = std::move(run.attempts);
    return {};
  }
  for (std::size_t m = 0; m < indexes.size(); ++m)
    TRY(loop_.put_back((*units_)[indexes[m]], run.attempts[m]));
  return {};
}

void UnitQueue::run_group(const Indexes& group) {
  Indexes indexes = group;
  std::vector<Attempt> attempts;
  keep_error(fix_group(indexes, attempts));
  if (attempts.empty()) return;
  parallel_for(indexes.size(), here(), [&](std::size_t m) { work(indexes[m], std::move(attempts[m])); });
}

} // namespace emend
