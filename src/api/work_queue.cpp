#include "api/work_queue.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "base/log.hpp"

namespace emend {

namespace {

constexpr std::size_t kKeptRecords = 300;

} // namespace

WorkQueue::WorkQueue(Ledger& ledger, const Clock& clock, int parallel, JobKeeping keeping)
    : ledger_(ledger),
      clock_(clock),
      parallel_(parallel),
      keeping_(std::move(keeping)),
      jitter_(std::random_device()()) {}
WorkQueue::~WorkQueue() { stop(); }

void WorkQueue::handle(const std::string& kind, Handler handler) { handlers_[kind] = std::move(handler); }

Status WorkQueue::start() {
  TRY(look_at_teams());
  TRY_ASSIGN(auto left, ledger_.all_remembered(kUnfinishedJob, clock_.wall_ms()));
  TRY_ASSIGN(auto done, ledger_.all_remembered(kEndedJob, clock_.wall_ms()));
  std::vector<JobRecord> records;
  for (const Remembered& entry : left) {
    JobRecord record = unfinished_record(entry);
    if (is_mine(record)) records.push_back(std::move(record));
  }
  for (const Remembered& entry : done) {
    const bool taken_up = std::any_of(left.begin(), left.end(),
                                      [&](const Remembered& other) { return other.key == entry.key; });
    if (!taken_up) records.push_back(ended_record(entry));
  }
  std::sort(records.begin(), records.end(),
            [](const JobRecord& a, const JobRecord& b) { return a.queued_ms < b.queued_ms; });
  const std::lock_guard guard(mutex_);
  for (JobRecord& record : records) {
    const std::string id = record.job.id;
    entries_[id] = std::make_unique<Entry>(Entry{std::move(record), {}, false});
    order_.push_back(id);
  }
  for (int i = 0; i < parallel_; ++i) threads_.emplace_back([this] { work(); });
  keeper_ = std::thread([this] { keep(); });
  if (owners_ != nullptr) looker_ = std::jthread([this](const std::stop_token& stop) { look(stop); });
  return {};
}

Status WorkQueue::look_at_teams() {
  if (!teams_) return {};
  TRY_ASSIGN(Teams teams, teams_());
  const std::lock_guard guard(mutex_);
  known_teams_ = std::move(teams);
  changed_.notify_all();
  return {};
}

Result<JobRecord> WorkQueue::add(Job job, const Actor& by, bool& joined) {
  joined = false;
  std::unique_lock guard(mutex_);
  if (const auto team = known_teams_.of_repository.find(job.repository_id);
      team != known_teams_.of_repository.end() && job.team.empty())
    job.team = team->second;
  if (stopping_) return fail(ErrorCode::cancelled, "the server is stopping");
  for (const auto& [id, entry] : entries_) {
    if (job.same_as.empty() || entry->record.job.same_as != job.same_as || is_over(entry->record.state))
      continue;
    joined = true;
    if (entry->waits) entry->not_before = {};
    hurry_ = hurry_ || entry->waits;
    changed_.notify_all();
    return entry->record;
  }
  if (const auto known = entries_.find(job.id);
      known != entries_.end() && known->second->record.state == JobState::queued) {
    joined = true;
    known->second->not_before = {};
    hurry_ = hurry_ || known->second->waits;
    changed_.notify_all();
    return known->second->record;
  }
  if (owners_ != nullptr && !job.same_as.empty()) {
    guard.unlock();
    TRY_ASSIGN(auto known, same_elsewhere(job));
    joined = known.has_value();
    if (known) return *std::move(known);
    guard.lock();
  }
  // A session that is taken up again has the id of its first job, whose last moments must be over.
  const bool free = changed_.wait_for(guard, std::chrono::seconds(5), [&] {
    const auto known = entries_.find(job.id);
    return stopping_ || known == entries_.end() || is_over(known->second->record.state);
  });
  if (!free) return fail(ErrorCode::conflict, "the last job of " + job.id + " has not ended yet");
  if (stopping_) return fail(ErrorCode::cancelled, "the server is stopping");
  JobRecord record;
  record.job = std::move(job);
  record.job.by = by;
  record.queued_ms = clock_.wall_ms();
  record.home = home_;
  TRY(ledger_.remember(unfinished_entry(record)));
  std::erase(order_, record.job.id);
  order_.push_back(record.job.id);
  entries_[record.job.id] = std::make_unique<Entry>(Entry{record, {}, false});
  changed_.notify_all();
  return record;
}

namespace {

const std::string& team_of(const JobRecord& record) {
  return record.job.team.empty() ? record.job.repository_id : record.job.team;
}

// Nothing waits for ever behind what is more urgent.
std::int64_t urgency(const JobRecord& record, std::int64_t now_ms) {
  constexpr std::int64_t kStepMs = 30 * 60'000;
  return static_cast<std::int64_t>(record.job.priority) +
         std::max<std::int64_t>(0, now_ms - record.queued_ms) / kStepMs;
}

} // namespace

// What each team has of the queue: how many of its jobs run, and when one of them began last.
std::map<std::string, WorkQueue::TeamShare> WorkQueue::shares_locked() const {
  std::map<std::string, TeamShare> shares;
  for (const auto& [id, entry] : entries_) {
    TeamShare& share = shares[team_of(entry->record)];
    if (entry->record.state == JobState::running) ++share.running;
    share.begun_ms = std::max(share.begun_ms, entry->record.started_ms);
  }
  return shares;
}

// The most urgent whose repository nothing else is working on; of these, one of the team that has the least;
// of these, the oldest.
WorkQueue::Entry* WorkQueue::next_locked() {
  if (paused_ || stopping_) return nullptr;
  std::set<std::string> busy;
  for (const auto& [id, entry] : entries_)
    if (entry->record.state == JobState::running) busy.insert(entry->record.job.repository_id);
  const auto shares = shares_locked();
  if (known_teams_.all_at_once > 0 && busy.size() >= static_cast<std::size_t>(known_teams_.all_at_once))
    return nullptr;
  const auto has_room = [&](const std::string& team) {
    const auto limit = known_teams_.at_once.find(team);
    return limit == known_teams_.at_once.end() || shares.at(team).running < limit->second;
  };
  const std::int64_t now = clock_.wall_ms();
  const auto rank = [&](const Entry& entry) {
    const TeamShare& share = shares.at(team_of(entry.record));
    return std::tuple(-urgency(entry.record, now), share.running, share.begun_ms);
  };
  Entry* next = nullptr;
  for (const std::string& id : order_) {
    Entry& entry = *entries_.at(id);
    if (entry.record.state != JobState::queued || entry.waits ||
        busy.contains(entry.record.job.repository_id) || !has_room(team_of(entry.record)))
      continue;
    if (next == nullptr || rank(entry) < rank(*next)) next = &entry;
  }
  return next;
}

Result<Json> WorkQueue::do_job(const Job& job, std::stop_token stop) const {
  const auto known = handlers_.find(job.kind);
  if (known == handlers_.end()) return fail(ErrorCode::internal, "no handler for " + job.kind);
  try {
    return known->second.work(job, std::move(stop));
  } catch (const std::exception& problem) {
    return fail(ErrorCode::internal, problem.what());
  }
}

// A failure that has used up its tries still does not count while nothing can be stored.
bool WorkQueue::waits_for_another(const Job& job, const Error& error) const {
  const auto known = handlers_.find(job.kind);
  return known != handlers_.end() && known->second.waits && known->second.waits(error);
}

bool WorkQueue::goes_again(const Job& job, const Error& error, int failures) const {
  if (waits_for_another(job, error)) return true;
  const auto known = handlers_.find(job.kind);
  const bool passes = known != handlers_.end() && known->second.passes
                          ? known->second.passes(job, error)
                          : error.code == ErrorCode::database || error.code == ErrorCode::io;
  return passes && (failures < keeping_.tries || !check());
}

Status WorkQueue::tell_failed(const Job& job, const Error& error) const {
  const auto known = handlers_.find(job.kind);
  if (known == handlers_.end() || !known->second.failed) return {};
  try {
    return known->second.failed(job, error);
  } catch (const std::exception& problem) {
    log(LogLevel::warn, std::string("a failure could not be reported: ") + problem.what());
    return {};
  }
}

Status WorkQueue::check() const {
  if (keeping_.check) return keeping_.check();
  constexpr std::int64_t kDay = 24 * 3'600'000LL;
  return ledger_.remember(
      {"store_check", "latest", Json{{"at_ms", clock_.wall_ms()}}, clock_.wall_ms() + kDay});
}

void WorkQueue::work() {
  constexpr std::int64_t kLongRun = 60'000; // it came some way: what failed now is not what failed before
  std::unique_lock lock(mutex_);
  while (true) {
    Entry* entry = nullptr;
    changed_.wait(lock, [&] { return stopping_ || (entry = next_locked()) != nullptr; });
    if (stopping_) return;
    entry->record.state = JobState::running;
    entry->record.started_ms = clock_.wall_ms();
    entry->record.problem.clear();
    if (owners_ != nullptr && !take_locked(*entry, lock)) continue;
    const Job job = entry->record.job;
    const std::stop_token stop = entry->stop.get_token();
    const std::stop_callback taken_away(entry->hold ? entry->hold->stop() : std::stop_token(),
                                        [source = entry->stop]() mutable { source.request_stop(); });
    lock.unlock();
    Result<Json> result = do_job(job, stop);
    const bool cancelled = owners_ != nullptr && stop.stop_requested() && was_cancelled(job.id);
    lock.lock();
    if (cancelled) entry->given_up = true;
    if (left_off_locked(*entry, result)) continue;
    if (clock_.wall_ms() - entry->record.started_ms > kLongRun) entry->failures = 0;
    const int failures = entry->failures + 1;
    const bool left_to_the_next = stopping_ && !entry->given_up;
    if (!result && !left_to_the_next) {
      const Error error = result.error();
      const bool given_up = entry->given_up;
      lock.unlock();
      const bool again = !given_up && goes_again(job, error, failures);
      const Status told = again ? Status() : tell_failed(job, error);
      lock.lock();
      if (again && !entry->given_up) {
        put_off_locked(*entry, error);
        changed_.notify_all();
        continue;
      }
      if (again || !told) entry->untold = error; // cancelled meanwhile, or it could not be told
    }
    finish_locked(*entry, std::move(result));
    changed_.notify_all();
  }
}

void WorkQueue::put_off_locked(Entry& entry, const Error& error) {
  constexpr int kPatience = 3; // as after so many failures, which these are not
  entry.no_trouble = waits_for_another(entry.record.job, error);
  if (!entry.no_trouble) ++entry.failures;
  entry.waits = true;
  entry.not_before =
      std::chrono::steady_clock::now() + pause_after(entry.no_trouble ? kPatience : entry.failures);
  entry.record.state = JobState::queued;
  entry.record.problem = "waits to be resumed: " + error.message;
  entry.record.job.taken_up = true;
  entry.hold.reset();
  if (entry.stop.stop_requested()) entry.stop = {}; // the hold was in danger, and nobody wants it ended
  log(entry.no_trouble ? LogLevel::debug : LogLevel::warn,
      "job " + entry.record.job.id + " " + entry.record.problem);
}

// Doubled each time, and never the same for two of them.
std::chrono::milliseconds WorkQueue::pause_after(int failures) {
  auto pause = keeping_.shortest;
  for (int i = 1; i < failures && pause < keeping_.longest; ++i) pause *= 2;
  pause = std::min(pause, keeping_.longest);
  return pause - pause * std::uniform_int_distribution<int>(0, 25)(jitter_) / 100;
}

bool WorkQueue::has_work_locked() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const auto& item) { return item.second->waits || item.second->unsettled; });
}

// Looks whether state can be stored, as often as the pause allows; then stores the ends that are missing and
// lets the others begin.
void WorkQueue::keep() {
  std::unique_lock lock(mutex_);
  int in_vain = 0;
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || has_work_locked(); });
    if (stopping_) return;
    hurry_ = false;
    lock.unlock();
    const Status can_store = check();
    lock.lock();
    store_trouble_ = can_store ? "" : can_store.error().message;
    auto next_look = std::chrono::steady_clock::time_point::max();
    if (can_store) {
      in_vain = 0;
      settle(lock);
      const auto now = std::chrono::steady_clock::now();
      for (auto& [id, entry] : entries_) {
        if (entry->unsettled) next_look = std::min(next_look, now + keeping_.shortest);
        if (!entry->waits) continue;
        if (entry->not_before <= now)
          entry->waits = false;
        else
          next_look = std::min(next_look, entry->not_before);
      }
      changed_.notify_all();
    } else {
      // That explains why they failed.
      for (auto& [id, entry] : entries_)
        if (entry->waits) entry->failures = 0, entry->not_before = {};
      next_look = std::chrono::steady_clock::now() + pause_after(++in_vain);
    }
    if (next_look != std::chrono::steady_clock::time_point::max())
      changed_.wait_until(lock, next_look, [&] { return stopping_ || hurry_; });
  }
}

// What is told takes locks of its own, so ours is let go for it.
void WorkQueue::settle(std::unique_lock<std::mutex>& lock) {
  std::vector<std::string> ids;
  for (const auto& [id, entry] : entries_)
    if (entry->unsettled) ids.push_back(id);
  for (const std::string& id : ids) {
    const Entry* before = entries_.at(id).get();
    if (const std::optional<Error> untold = before->untold) {
      const Job job = before->record.job;
      lock.unlock();
      const Status told = tell_failed(job, *untold);
      lock.lock();
      if (!told)
        log(LogLevel::warn, "the end of job " + id + " cannot be reported yet: " + told.error().message);
      const auto known = entries_.find(id);
      if (known == entries_.end() || known->second.get() != before || !told) continue;
      known->second->untold.reset();
    }
    Entry& entry = *entries_.at(id);
    const Status stored = store_end_locked(entry);
    entry.unsettled = !stored;
  }
}

Status WorkQueue::store_end_locked(Entry& entry) {
  const JobRecord& record = entry.record;
  TRY(ledger_.remember(ended_entry(record)));
  if (owners_ != nullptr) {
    TRY(ledger_.forget(kCancelledJob, record.job.id));
    if (!record.job.same_as.empty()) TRY(ledger_.forget(kSameJob, record.job.same_as));
  }
  TRY(ledger_.forget(kUnfinishedJob, record.job.id));
  release_locked(entry);
  return {};
}

// What a stopping server left is the next one's; everything else is over.
void WorkQueue::finish_locked(Entry& entry, Result<Json> result) {
  JobRecord& record = entry.record;
  record.ended_ms = clock_.wall_ms();
  record.state = result ? JobState::done : JobState::failed;
  if (result)
    record.result = *std::move(result);
  else
    record.problem = result.error().message;
  entry.waits = false;
  if (stopping_ && !entry.given_up) return entry.hold.reset();
  const Status stored = store_end_locked(entry);
  if (!stored)
    log(LogLevel::warn,
        "the end of job " + record.job.id + " cannot be stored yet: " + stored.error().message);
  entry.unsettled = !stored || entry.untold;
  forget_old_locked(entry);
}

void WorkQueue::forget_old_locked(const Entry& newest) {
  std::size_t over = 0;
  for (const std::string& id : order_) over += is_over(entries_.at(id)->record.state) ? 1 : 0;
  for (auto id = order_.begin(); over > kKeptRecords && id != order_.end();) {
    const auto known = entries_.find(*id);
    if (!is_over(known->second->record.state) || known->second->unsettled || known->second.get() == &newest) {
      ++id;
      continue;
    }
    if (const auto forgotten = ledger_.forget(kEndedJob, *id); !forgotten)
      log(LogLevel::warn, forgotten.error().message);
    entries_.erase(known);
    id = order_.erase(id);
    --over;
  }
}

std::optional<JobRecord> WorkQueue::find(const std::string& id) const {
  {
    const std::lock_guard guard(mutex_);
    const auto known = entries_.find(id);
    if (known != entries_.end()) return known->second->record;
  }
  return owners_ == nullptr ? std::nullopt : find_elsewhere(id);
}

bool WorkQueue::goes_on_after(const std::string& id, std::int64_t moment_ms) const {
  const std::lock_guard guard(mutex_);
  const auto known = entries_.find(id);
  if (known == entries_.end() || is_over(known->second->record.state)) return false;
  return known->second->record.state == JobState::queued || known->second->record.started_ms > moment_ms;
}

bool WorkQueue::given_up(const std::string& id) const {
  {
    const std::lock_guard guard(mutex_);
    const auto known = entries_.find(id);
    if (known == entries_.end()) return false;
    if (known->second->given_up || !known->second->hold) return known->second->given_up;
    if (!known->second->hold->stop().stop_requested()) return false;
  }
  return was_cancelled(id);
}

std::vector<JobRecord> WorkQueue::list() const {
  const std::lock_guard guard(mutex_);
  std::vector<JobRecord> records;
  for (auto id = order_.rbegin(); id != order_.rend(); ++id) records.push_back(entries_.at(*id)->record);
  return records;
}

bool WorkQueue::cancel(const std::string& id) {
  if (owners_ != nullptr && cancel_elsewhere(id)) return true;
  const std::lock_guard guard(mutex_);
  const auto known = entries_.find(id);
  if (known == entries_.end() || is_over(known->second->record.state)) return false;
  cancel_locked(*known->second);
  return true;
}

void WorkQueue::cancel_locked(Entry& entry) {
  entry.given_up = true;
  entry.stop.request_stop();
  if (entry.record.state != JobState::queued) return;
  const bool begun = entry.waits;
  const Error cancelled{ErrorCode::cancelled,
                        begun ? "cancelled while it waited to be resumed" : "cancelled before it started",
                        ""};
  if (begun) entry.untold = cancelled; // the keeper tells, when that can be stored
  finish_locked(entry, fail(cancelled));
  hurry_ = hurry_ || begun;
  changed_.notify_all();
}

bool WorkQueue::hurry(const std::string& id) {
  const std::lock_guard guard(mutex_);
  const auto known = entries_.find(id);
  if (known == entries_.end() || !known->second->waits) return false;
  known->second->not_before = {};
  hurry_ = true;
  changed_.notify_all();
  return true;
}

std::optional<std::string> WorkQueue::trouble() const {
  const std::lock_guard guard(mutex_);
  std::size_t waiting = 0;
  std::string why = store_trouble_;
  for (const auto& [id, entry] : entries_) {
    const bool only_waits = entry->waits && entry->no_trouble && !entry->unsettled;
    if (only_waits || (!entry->waits && !entry->unsettled)) continue;
    ++waiting;
    if (why.empty()) why = entry->record.problem;
  }
  if (waiting == 0) return std::nullopt;
  return std::to_string(waiting) + (waiting == 1 ? " job waits" : " jobs wait") + " to be resumed: " + why;
}

void WorkQueue::pause(bool paused) {
  const std::lock_guard guard(mutex_);
  paused_ = paused;
  changed_.notify_all();
}

bool WorkQueue::paused() const {
  const std::lock_guard guard(mutex_);
  return paused_;
}

std::size_t WorkQueue::depth() const {
  const std::lock_guard guard(mutex_);
  return static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(), [](const auto& item) {
    return item.second->record.state == JobState::queued;
  }));
}

void WorkQueue::stop() {
  {
    const std::lock_guard guard(mutex_);
    if (stopping_) return;
    stopping_ = true;
    for (auto& [id, entry] : entries_)
      if (entry->record.state == JobState::running) entry->stop.request_stop();
    changed_.notify_all();
  }
  looker_ = {};
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  if (keeper_.joinable()) keeper_.join();
  std::unique_lock lock(mutex_);
  settle(lock); // the last chance
}

} // namespace emend
