#include "engine/session/shared_units.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.hpp"
#include "engine/session/artifacts.hpp"

namespace emend {
namespace {

constexpr std::int64_t kLookAgain = 1'000; // for a worker that died nobody rings
constexpr std::size_t kMaxSlots = 64;

// From the one that keeps most to the one that keeps least.
constexpr SandboxKind kKinds[] = {SandboxKind::full, SandboxKind::landlock, SandboxKind::none};

// Without a name or password: a worker has its own.
std::string cloned_from(RepositoryPlace& repository) {
  const auto remotes = repository.remotes();
  if (!remotes) return "";
  for (const Remote& remote : *remotes) {
    if (remote.name != "origin") continue;
    const std::size_t scheme = remote.url.find("://"), at = remote.url.find('@'),
                      path = scheme == std::string::npos ? 0 : remote.url.find('/', scheme + 3);
    const bool named = remote.url.starts_with("http") && at != std::string::npos && at < path;
    return named ? remote.url.substr(0, scheme + 3) + remote.url.substr(at + 1) : remote.url;
  }
  return "";
}

Json plan_json(const PlanFiles& plan, const std::string& code) {
  Json todos = Json::array();
  for (const FixTodo& todo : plan.todos)
    if (todo.issue_code == code) todos.push_back(to_json(todo));
  return {{"master", to_json(plan.master)}, {"todos", todos}};
}

} // namespace

std::string needs_of(const Policy& policy) {
  return policy.worker_label + "@" + std::string(to_string(policy.sandbox.kind));
}

std::vector<std::string> offers_of(const std::vector<std::string>& labels, SandboxKind machine) {
  std::vector<std::string> names = labels, offers;
  names.emplace_back();
  bool reached = false;
  for (const SandboxKind kind : kKinds) {
    reached = reached || kind == machine;
    if (!reached) continue;
    for (const std::string& name : names) offers.push_back(name + "@" + std::string(to_string(kind)));
  }
  return offers;
}

std::string pack_name(const std::string& repository_id, const std::string& commit) {
  return "pack/" + repository_id + "/" + commit;
}

class SharedUnits::Permit {
public:
  explicit Permit(SharedUnits& owner) : owner_(owner) {
    const std::lock_guard lock(owner_.mutex_);
    held_ = owner_.free_here_ > 0;
    if (held_) --owner_.free_here_;
  }
  ~Permit() {
    if (!held_) return;
    const std::lock_guard lock(owner_.mutex_);
    ++owner_.free_here_;
  }
  Permit(const Permit&) = delete;
  Permit& operator=(const Permit&) = delete;
  [[nodiscard]] bool held() const { return held_; }

private:
  SharedUnits& owner_;
  bool held_ = false;
};

SharedUnits::SharedUnits(RunContext& context, UnitLoop& loop, bool batch)
    : context_(context),
      loop_(loop),
      batch_(batch),
      here_(context.policy().work_here ? std::max(1, context.policy().parallel) : 0),
      free_here_(here_) {}

std::size_t SharedUnits::slots() {
  auto there = static_cast<std::size_t>(here_);
  const auto workers = context_.ports.presence->board().workers();
  if (workers)
    for (const WorkerRecord& worker : *workers)
      if (worker.alive && !worker.draining) there += static_cast<std::size_t>(worker.slots);
  return std::clamp<std::size_t>(there + (here_ == 0 ? 4 : 0), 1, kMaxSlots); // some more: workers may join
}

Status SharedUnits::offer(const Unit& unit, const Issue& issue) {
  WorkBoard& board = context_.ports.presence->board();
  {
    const std::lock_guard lock(mutex_);
    if (!packed_) {
      TRY_ASSIGN(const std::string pack, context_.ports.repository.export_commit(unit.base));
      TRY(board.put_parcel(pack_name(context_.session.repository_id, unit.base), pack));
      packed_ = true;
    }
  }
  SharedJob job;
  job.id = "unit/" + unit.id;
  job.kind = "unit";
  job.repository_id = context_.session.repository_id;
  job.session_id = context_.session.id;
  job.needs = needs_of(context_.policy());
  job.order = {{"unit", unit.id},
               {"issue", issue.id},
               {"base", unit.base},
               {"batch", batch_},
               {"url", cloned_from(context_.ports.repository)},
               {"plan", context_.plan ? plan_json(*context_.plan, issue.code) : Json()}};
  return board.offer(job);
}

Result<Unit> SharedUnits::stored(const Unit& unit) {
  TRY_ASSIGN(const std::vector<Unit> units, context_.ports.store.units(context_.session.id));
  for (const Unit& other : units)
    if (other.id == unit.id) return other;
  return fail(ErrorCode::internal, "unit " + unit.id + " is gone");
}

// The claim keeps others away; what is written is written under the session's own.
Result<Unit> SharedUnits::run_here(HeldClaim& claim, Unit unit, const Issue& issue, std::stop_token stop) {
  auto done = loop_.run(std::move(unit), issue, std::nullopt, stop);
  if (done && !stop.stop_requested())
    TRY(claim.finish({{"status", to_string(done->status)}, {"worker", "here"}}));
  return done;
}

Result<Unit> SharedUnits::outcome(const SharedJob& job, Unit unit, const Issue& issue) {
  TRY_ASSIGN(unit, stored(unit));
  if (job.state == SharedJobState::failed) {
    if (unit.status == UnitStatus::accepted || unit.status == UnitStatus::finished)
      return unit; // it had come to an end before
    TRY(fail_unit(context_, unit, issue, "agent_failed", job.problem));
    return unit;
  }
  fetch_artifacts(context_.ports.presence->board(), context_.home, context_.session.id, issue.code);
  if (const Json stopped = job.result.value("stopped", Json()); stopped.is_object())
    context_.stop_queue({stopped.value("reason", ""), stopped.value("detail", "")});
  return unit;
}

// Nobody is to work on it any more. Waits for whoever does.
Result<Unit> SharedUnits::called_off(const std::string& job_id, const Unit& unit) {
  WorkBoard& board = context_.ports.presence->board();
  TRY_ASSIGN(const bool withdrawn, board.withdraw(job_id));
  if (!withdrawn) TRY(board.ask_stop(job_id));
  for (bool over = withdrawn; !over;) {
    TRY_ASSIGN(const SharedJob job, board.job(job_id));
    TRY_ASSIGN(const bool now, board.withdraw(job_id)); // given back
    over = now || job.state == SharedJobState::done || job.state == SharedJobState::failed;
    if (!over) {
      TRY_ASSIGN(const std::vector<WorkerRecord> workers, board.workers());
      over = std::none_of(workers.begin(), workers.end(), [&](const WorkerRecord& worker) {
        return worker.id == job.worker_id && worker.alive;
      });
    }
    if (!over) board.wait(kLookAgain, {});
  }
  return stored(unit);
}

Result<Unit> SharedUnits::run(Unit unit, const Issue& issue, std::stop_token stop) {
  if (unworkable(issue) || stop.stop_requested() || context_.queue_stop())
    return loop_.run(std::move(unit), issue, std::nullopt, stop);
  TRY(offer(unit, issue));
  WorkBoard& board = context_.ports.presence->board();
  ClaimQuery this_one;
  this_one.id = "unit/" + unit.id;
  while (true) {
    if (stop.stop_requested() || context_.queue_stop()) return called_off(this_one.id, unit);
    if (const Permit permit(*this); permit.held()) {
      TRY_ASSIGN(const std::unique_ptr<HeldClaim> claim, context_.ports.presence->claim(this_one));
      if (claim) {
        TRY_ASSIGN(unit, stored(unit)); // whoever had it before may have come some way
        return run_here(*claim, std::move(unit), issue, stop);
      }
    }
    TRY_ASSIGN(const SharedJob job, board.job(this_one.id));
    if (job.state == SharedJobState::done || job.state == SharedJobState::failed)
      return outcome(job, std::move(unit), issue);
    board.wait(kLookAgain, stop);
  }
}

} // namespace emend
