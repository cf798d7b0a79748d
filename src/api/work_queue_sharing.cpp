// Whose turn a job is where several servers share the database. What is stored counts: a server sees what the
// others have added, begun and ended, and asks the work board before it begins anything.
#include <algorithm>
#include <condition_variable>

#include "api/work_queue.hpp"
#include "base/log.hpp"

namespace emend {

void WorkQueue::share(JobOwners& owners, std::string home) {
  owners_ = &owners;
  home_ = std::move(home);
}

bool WorkQueue::is_mine(const JobRecord& record) const {
  return home_.empty() || record.home.empty() || record.home == home_;
}

// Who gets it reads again what is stored: the one before may have ended it.
Result<WorkQueue::Turn> WorkQueue::take_turn(const Job& job) {
  Turn turn;
  TRY_ASSIGN(std::unique_ptr<JobHold> hold, owners_->take(job));
  if (!hold) return turn;
  const std::int64_t now = clock_.wall_ms();
  TRY_ASSIGN(const auto stored, ledger_.remembered(kUnfinishedJob, job.id, now));
  if (!stored) {
    TRY_ASSIGN(const auto ended, ledger_.remembered(kEndedJob, job.id, now));
    if (ended) turn.record = ended_record(*ended);
    turn.over = true;
    (void)hold->finish();
    return turn;
  }
  turn.record = unfinished_record(*stored);
  TRY_ASSIGN(const auto cancelled, ledger_.remembered(kCancelledJob, job.id, now));
  turn.cancelled = cancelled.has_value();
  turn.hold = std::move(hold);
  return turn;
}

bool WorkQueue::take_locked(Entry& entry, std::unique_lock<std::mutex>& lock) {
  const Job job = entry.record.job;
  lock.unlock();
  Result<Turn> turn = take_turn(job);
  lock.lock();
  changed_.notify_all();
  if (is_over(entry.record.state)) return false; // cancelled meanwhile
  if (!turn && entry.given_up) {
    finish_locked(entry, fail(ErrorCode::cancelled, "cancelled before it started"));
    return false;
  }
  if (!turn) {
    put_off_locked(entry, turn.error());
    return false;
  }
  if (turn->over) {
    learn_end_locked(job.id, {}, std::chrono::steady_clock::time_point::max());
    if (turn->record) entry.record = *std::move(turn->record);
    return false;
  }
  if (!turn->hold) {
    entry.elsewhere = true;
    return false;
  }
  entry.hold = std::move(turn->hold);
  const bool taken_up = entry.record.job.taken_up;
  entry.record.job = std::move(turn->record->job);
  entry.record.job.taken_up = taken_up;
  if (!turn->cancelled) return true;
  const Error cancelled{ErrorCode::cancelled, "cancelled while another server worked on it", ""};
  entry.given_up = true;
  entry.untold = cancelled; // who worked on it has died before it could tell
  finish_locked(entry, fail(cancelled));
  hurry_ = true;
  return false;
}

// Its claim was lost, or was in danger and the work stopped for that.
bool WorkQueue::left_off_locked(Entry& entry, const Result<Json>& result) {
  if (!entry.hold || !entry.hold->stop().stop_requested()) return false;
  if (entry.hold->lost()) {
    entry.hold.reset();
    entry.elsewhere = true;
    entry.given_up = false;
    entry.stop = {};
    changed_.notify_all();
    return true;
  }
  const bool interrupted = !result || string_or(*result, "status") == "interrupted";
  if (entry.given_up || stopping_ || !interrupted) return false;
  put_off_locked(entry,
                 result ? Error{ErrorCode::database, "the database did not answer", ""} : result.error());
  changed_.notify_all();
  return true;
}

void WorkQueue::release_locked(Entry& entry) {
  if (!entry.hold) return;
  if (const Status ended = entry.hold->finish(); !ended) log(LogLevel::debug, ended.error().message);
  entry.hold.reset();
}

bool WorkQueue::was_cancelled(const std::string& id) const {
  if (owners_ == nullptr) return false;
  const auto cancelled = ledger_.remembered(kCancelledJob, id, clock_.wall_ms());
  return cancelled && *cancelled;
}

// Two requests for the same at two servers are one job: the first to write its name gets it. One that died
// between the name and the job leaves a name without a job, which is good for a second.
Result<std::optional<JobRecord>> WorkQueue::same_elsewhere(const Job& job) {
  constexpr int kTries = 20;
  constexpr std::chrono::milliseconds kPause(50);
  const Remembered own{kSameJob, job.same_as, Json{{"job", job.id}}, kKeptForEverMs};
  for (int tries = 0; tries < kTries; ++tries) {
    const std::int64_t now = clock_.wall_ms();
    TRY_ASSIGN(const bool first, ledger_.remember_once(own, now));
    if (first) return std::optional<JobRecord>();
    TRY_ASSIGN(const auto known, ledger_.remembered(kSameJob, job.same_as, now));
    if (!known) continue;
    const std::string other = string_or(known->value, "job");
    if (other == job.id) return std::optional<JobRecord>();
    TRY_ASSIGN(const auto stored, ledger_.remembered(kUnfinishedJob, other, now));
    if (stored) {
      TRY(look_around());
      const auto shown = find(other);
      return shown && !is_over(shown->state) ? shown : std::optional(unfinished_record(*stored));
    }
    std::this_thread::sleep_for(kPause);
  }
  TRY(ledger_.remember(own));
  return std::optional<JobRecord>();
}

std::optional<JobRecord> WorkQueue::find_elsewhere(const std::string& id) const {
  const std::int64_t now = clock_.wall_ms();
  if (const auto stored = ledger_.remembered(kUnfinishedJob, id, now); stored && *stored)
    return unfinished_record(**stored);
  if (const auto ended = ledger_.remembered(kEndedJob, id, now); ended && *ended)
    return ended_record(**ended);
  return std::nullopt;
}

// False = it is this server's, or there is none. The word is stored first, so that it also counts when the
// server that does the job dies of something else.
bool WorkQueue::cancel_elsewhere(const std::string& id) {
  constexpr std::int64_t kKept = 30 * 24 * 3'600'000LL;
  std::optional<JobRecord> record = find(id);
  if (!record || is_over(record->state)) return false;
  const Status noted = ledger_.remember({kCancelledJob, id, Json::object(), clock_.wall_ms() + kKept});
  {
    const std::lock_guard guard(mutex_);
    const auto known = entries_.find(id);
    const bool here = known != entries_.end() && known->second->record.state == JobState::running &&
                      !known->second->elsewhere;
    if (here || !noted) return false;
  }
  auto hold = owners_->take(record->job);
  if (!hold) return false;
  if (!*hold) {
    if (const Status asked = owners_->ask_stop(id); !asked) log(LogLevel::warn, asked.error().message);
    return true;
  }
  const std::lock_guard guard(mutex_);
  const auto known = entries_.find(id);
  if (known == entries_.end()) {
    end_unknown(*std::move(record), **hold);
    return true;
  }
  Entry& entry = *known->second;
  if (is_over(entry.record.state)) {
    (void)(*hold)->finish();
    return true;
  }
  if (entry.elsewhere) entry.waits = true; // it was begun, by a server that has died
  entry.elsewhere = false;
  entry.record.state = JobState::queued;
  entry.hold = *std::move(hold);
  return false; // and nobody else begins it
}

// A job of servers of another home, none of which does it now.
void WorkQueue::end_unknown(JobRecord record, JobHold& hold) {
  record.state = JobState::failed;
  record.problem = "cancelled before it started";
  record.ended_ms = clock_.wall_ms();
  Entry entry{std::move(record)};
  if (const Status stored = store_end_locked(entry); stored) (void)hold.finish();
}

void WorkQueue::learn_one_locked(const JobRecord& record, bool taken, Moment asked) {
  auto& entry = entries_[record.job.id];
  const bool again = entry && is_over(entry->record.state) && !entry->unsettled &&
                     record.queued_ms > entry->record.queued_ms;
  if (!entry || again) {
    std::erase(order_, record.job.id);
    entry = std::make_unique<Entry>(Entry{record});
    order_.push_back(record.job.id);
  }
  const bool here = entry->record.state == JobState::running && !entry->elsewhere;
  if (is_over(entry->record.state) || here || (entry->since > asked && !again)) return;
  if (taken && !entry->elsewhere) {
    entry->elsewhere = true;
    entry->waits = false;
    entry->record.state = JobState::running;
    entry->record.started_ms = clock_.wall_ms();
  } else if (!taken && entry->elsewhere) { // its server has died, or was stopped
    entry->elsewhere = false;
    entry->record.state = JobState::queued;
    entry->record.started_ms = 0;
  }
}

// Ids of those that are not among the unfinished ones any more.
std::vector<std::string> WorkQueue::learn_locked(const std::vector<JobRecord>& unfinished,
                                                 const std::set<std::string>& taken, Moment asked) {
  std::set<std::string> left;
  for (const JobRecord& record : unfinished) {
    left.insert(record.job.id);
    if (is_mine(record)) learn_one_locked(record, taken.contains(record.job.id), asked);
  }
  std::stable_sort(order_.begin(), order_.end(), [&](const std::string& a, const std::string& b) {
    return entries_.at(a)->record.queued_ms < entries_.at(b)->record.queued_ms;
  });
  std::vector<std::string> gone;
  for (const auto& [id, entry] : entries_) {
    const bool begun_here = entry->record.state == JobState::running && !entry->elsewhere;
    if (!left.contains(id) && !is_over(entry->record.state) && !begun_here && entry->since <= asked)
      gone.push_back(id);
  }
  return gone;
}

void WorkQueue::learn_end_locked(const std::string& id, const std::optional<Remembered>& ended,
                                 Moment asked) {
  const auto known = entries_.find(id);
  if (known == entries_.end() || known->second->since > asked) return;
  Entry& entry = *known->second;
  entry.elsewhere = entry.waits = false;
  entry.hold.reset();
  if (ended) {
    entry.record = ended_record(*ended);
  } else {
    entry.record.state = JobState::failed;
    entry.record.problem = "another server ended it, and what came of it is not known any more";
  }
  forget_old_locked(entry);
}

Status WorkQueue::look_around() {
  if (owners_ == nullptr) return {};
  const auto asked = std::chrono::steady_clock::now();
  const std::int64_t now = clock_.wall_ms();
  TRY_ASSIGN(const auto left, ledger_.all_remembered(kUnfinishedJob, now));
  TRY_ASSIGN(const auto cancelled, ledger_.all_remembered(kCancelledJob, now));
  TRY_ASSIGN(const std::set<std::string> taken, owners_->taken());
  std::vector<JobRecord> unfinished;
  for (const Remembered& entry : left) unfinished.push_back(unfinished_record(entry));
  std::vector<std::string> gone;
  {
    const std::lock_guard guard(mutex_);
    gone = learn_locked(unfinished, taken, asked);
    for (const Remembered& word : cancelled) {
      const auto known = entries_.find(word.key);
      if (known != entries_.end() && known->second->hold && !known->second->given_up &&
          known->second->record.state == JobState::running)
        cancel_locked(*known->second);
    }
    changed_.notify_all();
  }
  for (const std::string& id : gone) {
    TRY_ASSIGN(const auto ended, ledger_.remembered(kEndedJob, id, now));
    const std::lock_guard guard(mutex_);
    const auto known = entries_.find(id);
    if (known == entries_.end() || is_over(known->second->record.state)) continue;
    if (known->second->record.state == JobState::running && !known->second->elsewhere) continue;
    learn_end_locked(id, ended, asked);
  }
  return {};
}

void WorkQueue::look(const std::stop_token& stop) {
  constexpr std::int64_t kLookMs = 2'000;
  constexpr auto kSweep = std::chrono::seconds(20);
  const auto unfinished = [this]() -> Result<std::set<std::string>> {
    TRY_ASSIGN(const auto left, ledger_.all_remembered(kUnfinishedJob, clock_.wall_ms()));
    std::set<std::string> ids;
    for (const Remembered& entry : left) ids.insert(entry.key);
    return ids;
  };
  auto swept = std::chrono::steady_clock::time_point::min();
  constexpr std::chrono::milliseconds kBreath(100); // a busy board rings often
  std::mutex mutex;
  std::condition_variable_any stopped;
  while (!stop.stop_requested()) {
    owners_->wait(kLookMs, stop);
    if (stop.stop_requested()) return;
    if (const Status looked = look_around(); !looked) log(LogLevel::info, looked.error().message);
    if (std::chrono::steady_clock::now() > swept + kSweep) {
      swept = std::chrono::steady_clock::now();
      if (const Status done = owners_->sweep(unfinished); !done) log(LogLevel::info, done.error().message);
    }
    std::unique_lock lock(mutex);
    stopped.wait_for(lock, stop, kBreath, [] { return false; });
  }
}

} // namespace emend
