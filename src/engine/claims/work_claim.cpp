#include "engine/claims/work_claim.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include "base/hash.hpp"
#include "base/log.hpp"
#include "ports/machine.hpp"
#include "ports/process.hpp"

namespace emend {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

// Process ids mean something within one boot, one machine and one container.
std::string where_pids_count() {
  std::error_code problem;
  return boot_and_machine() + " " + std::filesystem::read_symlink("/proc/self/ns/pid", problem).string();
}

std::int64_t steady_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

} // namespace

// On this machine nobody has to wait for a lease to know that a process is gone.
Status bury_neighbours(WorkBoard& board) {
  TRY_ASSIGN(const std::vector<WorkerRecord> workers, board.workers());
  for (const WorkerRecord& worker : workers) {
    if (!worker.alive || worker.process.boot_id != where_pids_count()) continue;
    const auto ticks = process_start_ticks(worker.process.pid);
    if (!ticks || *ticks != worker.process.start_ticks) TRY(board.bury(worker.id));
  }
  return {};
}

HeldClaim::~HeldClaim() {
  presence_.forget(*this);
  if (ended_ || lost_) return;
  auto given = presence_.board_.give_back(fence(), false, "");
  if (given) return;
  log(LogLevel::info, given.error().message);
  if (given.error().code != ErrorCode::conflict) presence_.look_soon();
}

Status HeldClaim::finish(const Json& result) {
  ended_ = true; // before: a beat must not take its end for a loss
  auto told = presence_.board_.finish(fence(), result);
  ended_ = static_cast<bool>(told);
  return told;
}

Status HeldClaim::fail(const std::string& problem) {
  ended_ = true;
  auto told = presence_.board_.fail_job(fence(), problem);
  ended_ = static_cast<bool>(told);
  return told;
}

Status HeldClaim::give_back(const std::string& problem) {
  ended_ = true;
  auto told = presence_.board_.give_back(fence(), true, problem);
  ended_ = static_cast<bool>(told);
  return told;
}

Presence::Presence(WorkBoard& board, PresenceOptions options) : board_(board), options_(std::move(options)) {
  self_.id = new_uuid();
  self_.host = host_name();
  self_.process = {::getpid(), process_start_ticks(::getpid()).value_or(0), where_pids_count()};
  self_.labels = options_.labels;
  self_.slots = options_.slots;
  self_.version = options_.version;
}

Result<std::unique_ptr<Presence>> Presence::begin(WorkBoard& board, PresenceOptions options) {
  std::unique_ptr<Presence> presence(new Presence(board, std::move(options)));
  TRY(bury_neighbours(board));
  TRY(presence->beat());
  presence->thread_ = std::jthread([self = presence.get()](std::stop_token stop) { self->live(stop); });
  return presence;
}

Presence::~Presence() {
  thread_ = {};
  if (auto left = board_.leave(self_.id); !left) log(LogLevel::warn, left.error().message);
}

std::string Presence::worker_id() const { return self_.id; }

void Presence::drain() {
  {
    const std::lock_guard lock(mutex_);
    self_.draining = true;
  }
  if (auto told = beat(); !told) log(LogLevel::warn, told.error().message);
}

void Presence::also_offer(const std::string& label) {
  const std::lock_guard lock(mutex_);
  self_.labels.push_back(label);
}

Result<std::unique_ptr<HeldClaim>> Presence::claim(const ClaimQuery& query) {
  const std::lock_guard lock(mutex_); // a beat must not see a claim it does not know
  auto job = board_.claim(self_, query);
  if (!job) {
    look_soon(); // the claim may have been made and only its answer lost
    return emend::fail(std::move(job).error());
  }
  if (!*job) return std::unique_ptr<HeldClaim>();
  std::unique_ptr<HeldClaim> claim(new HeldClaim(*this, **std::move(job)));
  held_[claim->job_.id] = claim.get();
  return claim;
}

void Presence::forget(const HeldClaim& claim) {
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(claim.job_.id);
  if (found != held_.end() && found->second == &claim) held_.erase(found);
}

Status Presence::beat() {
  const std::lock_guard lock(mutex_);
  const std::int64_t asked = steady_ms(); // the lease is counted from before the question
  std::vector<Fence> works_on;
  for (const auto& [id, claim] : held_) works_on.push_back(claim->fence());
  TRY_ASSIGN(const Beat beat, board_.beat(self_, options_.lease_ms, works_on));
  heard_ms_ = asked;
  for (const Fence& fence : beat.given_back)
    log(LogLevel::info, "the work " + fence.job_id +
                            " is returned: it was assigned to this process, which does not work on it");
  for (const auto& [id, claim] : held_) {
    const auto same = [&, own = claim->fence()](const Fence& fence) {
      return fence.job_id == own.job_id && fence.token == own.token;
    };
    if (std::any_of(beat.asked_stop.begin(), beat.asked_stop.end(), same)) claim->stop_.request_stop();
    if (std::any_of(beat.held.begin(), beat.held.end(), same) || claim->ended_) continue;
    log(LogLevel::warn,
        "the work " + id + " was given to another process: this one gave no sign of life for too long");
    claim->lost_ = true;
    claim->stop_.request_stop();
  }
  return {};
}

// Nobody can tell us any more that others have taken over: they may have.
void Presence::lose_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, claim] : held_) claim->stop_.request_stop();
}

void Presence::look_soon() {
  const std::lock_guard lock(pace_mutex_);
  soon_ = true;
  pace_changed_.notify_all();
}

// Processes that began together, or met the same restart, do not ask the board together.
std::chrono::milliseconds Presence::some_of(std::chrono::milliseconds time) {
  return std::chrono::milliseconds(random_() % static_cast<unsigned>(time.count() + 1));
}

// A board that does not answer is asked again soon at first, then less often: leases run out, and claims may
// wait to be given back.
void Presence::live(const std::stop_token& stop) {
  using Milliseconds = std::chrono::milliseconds;
  const Milliseconds busy = std::max(Milliseconds(options_.lease_ms / 6), Milliseconds(50));
  const Milliseconds idle = busy * 3;
  Milliseconds pace = idle, wait = some_of(pace);
  bool answers = true;
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(pace_mutex_);
      pace_changed_.wait_for(lock, stop, wait, [&] { return soon_ && answers; });
      soon_ = false;
    }
    if (stop.stop_requested()) return;
    const Status told = beat();
    {
      const std::lock_guard lock(mutex_);
      pace = held_.empty() ? idle : busy; // nobody waits for what an idle process would lose
    }
    if (told)
      wait = answers ? pace : some_of(pace);
    else
      wait = std::min(pace, answers ? Milliseconds(200) : wait + some_of(wait * 2));
    answers = static_cast<bool>(told);
    if (answers) continue;
    log(LogLevel::warn, "cannot renew the lease of this process: " + told.error().message);
    if (steady_ms() - heard_ms_ > options_.lease_ms) lose_all();
  }
}

} // namespace emend
