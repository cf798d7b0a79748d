#include "api/work_queue.hpp"

#include <algorithm>
#include <chrono>

#include "base/log.hpp"

namespace emend {

namespace {

constexpr const char* kKind = "job";
constexpr std::int64_t kForEver = 253'402'300'799'000; // the end of the year 9999
constexpr const char* kDone = "job_done";
constexpr std::int64_t kDoneMs = 30 * 24 * 3'600'000LL;
constexpr std::size_t kKeptRecords = 300;

Json to_json(const JobRecord& record) {
  return {{"kind", record.job.kind}, {"repository_id", record.job.repository_id}, {"order", record.job.order}, {"same_as", record.job.same_as}, {"queued_ms", record.queued_ms}};
}

Json done_json(const JobRecord& record) {
  Json json = to_json(record);
  json["done"] = record.state == JobState::done;
  json["problem"] = record.problem;
  json["result"] = record.result;
  json["started_ms"] = record.started_ms;
  json["ended_ms"] = record.ended_ms;
  return json;
}

std::int64_t number_of(const Json& json, const char* name) {
  const Json* found = find_member(json, name);
  return found != nullptr && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

JobRecord record_from(const Remembered& entry) {
  JobRecord record;
  record.job = {entry.key, string_or(entry.value, "kind"), string_or(entry.value, "repository_id"), Json(), string_or(entry.value, "same_as")};
  if (const Json* order = find_member(entry.value, "order")) record.job.order = *order;
  record.queued_ms = number_of(entry.value, "queued_ms");
  return record;
}

JobRecord done_record_from(const Remembered& entry) {
  JobRecord record = record_from(entry);
  const Json* done = find_member(entry.value, "done");
  record.state = done != nullptr && *done == Json(true) ? JobState::done : JobState::failed;
  record.problem = string_or(entry.value, "problem");
  if (const Json* result = find_member(entry.value, "result")) record.result = *result;
  record.started_ms = number_of(entry.value, "started_ms");
  record.ended_ms = number_of(entry.value, "ended_ms");
  return record;
}

bool is_over(JobState state) { return state == JobState::done || state == JobState::failed; }

} // namespace

std::string_view to_string(JobState state) {
  switch (state) {
    case JobState::queued: return "queued";
    case JobState::running: return "running";
    case JobState::done: return "done";
    case JobState::failed: return "failed";
  }
  return "failed";
}

WorkQueue::WorkQueue(Ledger& ledger, const Clock& clock, int parallel) : ledger_(ledger), clock_(clock), parallel_(parallel) {}
WorkQueue::~WorkQueue() { stop(); }

void WorkQueue::handle(const std::string& kind, Work work) { works_[kind] = std::move(work); }

Status WorkQueue::start() {
  TRY_ASSIGN(auto left, ledger_.all_remembered(kKind, clock_.wall_ms()));
  TRY_ASSIGN(auto done, ledger_.all_remembered(kDone, clock_.wall_ms()));
  std::vector<JobRecord> records;
  for (const Remembered& entry : left) records.push_back(record_from(entry));
  for (const Remembered& entry : done) {
    const bool taken_up = std::any_of(left.begin(), left.end(), [&](const Remembered& other) { return other.key == entry.key; });
    if (!taken_up) records.push_back(done_record_from(entry));
  }
  std::sort(records.begin(), records.end(), [](const JobRecord& a, const JobRecord& b) { return a.queued_ms < b.queued_ms; });
  const std::lock_guard guard(mutex_);
  for (JobRecord& record : records) {
    const std::string id = record.job.id;
    entries_[id] = std::make_unique<Entry>(Entry{std::move(record), {}, false});
    order_.push_back(id);
  }
  for (int i = 0; i < parallel_; ++i) threads_.emplace_back([this] { work(); });
  return {};
}

Result<JobRecord> WorkQueue::add(Job job, bool& joined) {
  std::unique_lock guard(mutex_);
  joined = false;
  if (stopping_) return fail(ErrorCode::cancelled, "the server is stopping");
  for (const auto& [id, entry] : entries_) {
    if (job.same_as.empty() || entry->record.job.same_as != job.same_as || is_over(entry->record.state)) continue;
    joined = true;
    return entry->record;
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
  record.queued_ms = clock_.wall_ms();
  TRY(ledger_.remember({kKind, record.job.id, to_json(record), kForEver}));
  std::erase(order_, record.job.id);
  order_.push_back(record.job.id);
  entries_[record.job.id] = std::make_unique<Entry>(Entry{record, {}, false});
  changed_.notify_all();
  return record;
}

// The oldest whose repository nothing else is working on.
WorkQueue::Entry* WorkQueue::next_locked() {
  if (paused_ || stopping_) return nullptr;
  const auto busy = [&](const std::string& repository) {
    return std::any_of(entries_.begin(), entries_.end(), [&](const auto& item) {
      return item.second->record.state == JobState::running && item.second->record.job.repository_id == repository;
    });
  };
  for (const std::string& id : order_) {
    Entry& entry = *entries_.at(id);
    if (entry.record.state == JobState::queued && !busy(entry.record.job.repository_id)) return &entry;
  }
  return nullptr;
}

void WorkQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    Entry* entry = nullptr;
    changed_.wait(lock, [&] { return stopping_ || (entry = next_locked()) != nullptr; });
    if (stopping_) return;
    entry->record.state = JobState::running;
    entry->record.started_ms = clock_.wall_ms();
    const Job job = entry->record.job;
    const std::stop_token stop = entry->stop.get_token();
    const auto known = works_.find(job.kind);
    lock.unlock();
    Result<Json> result = fail(ErrorCode::internal, "nobody knows how to do " + job.kind);
    try {
      if (known != works_.end()) result = known->second(job, stop);
    } catch (const std::exception& problem) {
      result = fail(ErrorCode::internal, problem.what());
    }
    lock.lock();
    finish_locked(*entry, std::move(result));
    changed_.notify_all();
  }
}

// What a stopping server left is the next one's; everything else is over.
void WorkQueue::finish_locked(Entry& entry, Result<Json> result) {
  JobRecord& record = entry.record;
  record.ended_ms = clock_.wall_ms();
  record.state = result ? JobState::done : JobState::failed;
  if (result) record.result = *std::move(result);
  else record.problem = result.error().message;
  if (stopping_ && !entry.given_up) return;
  const Status kept = ledger_.remember({kDone, record.job.id, done_json(record), record.ended_ms + kDoneMs});
  if (!kept) log(LogLevel::warn, "what a job came to is forgotten with this server: " + kept.error().message);
  if (const auto forgotten = ledger_.forget(kKind, record.job.id); !forgotten) log(LogLevel::warn, "a job that is done may be done again: " + forgotten.error().message);
  std::size_t over = 0;
  for (auto id = order_.rbegin(); id != order_.rend(); ++id) over += is_over(entries_.at(*id)->record.state) ? 1 : 0;
  for (auto id = order_.begin(); over > kKeptRecords && id != order_.end();) {
    const auto known = entries_.find(*id);
    if (!is_over(known->second->record.state) || known->second.get() == &entry) {
      ++id;
      continue;
    }
    if (const auto forgotten = ledger_.forget(kDone, *id); !forgotten) log(LogLevel::warn, forgotten.error().message);
    entries_.erase(known);
    id = order_.erase(id);
    --over;
  }
}

std::optional<JobRecord> WorkQueue::find(const std::string& id) const {
  const std::lock_guard guard(mutex_);
  const auto known = entries_.find(id);
  return known == entries_.end() ? std::nullopt : std::optional<JobRecord>(known->second->record);
}

bool WorkQueue::goes_on_after(const std::string& id, std::int64_t moment_ms) const {
  const std::lock_guard guard(mutex_);
  const auto known = entries_.find(id);
  if (known == entries_.end() || is_over(known->second->record.state)) return false;
  return known->second->record.state == JobState::queued || known->second->record.started_ms > moment_ms;
}

bool WorkQueue::given_up(const std::string& id) const {
  const std::lock_guard guard(mutex_);
  const auto known = entries_.find(id);
  return known != entries_.end() && known->second->given_up;
}

std::vector<JobRecord> WorkQueue::list() const {
  const std::lock_guard guard(mutex_);
  std::vector<JobRecord> records;
  for (auto id = order_.rbegin(); id != order_.rend(); ++id) records.push_back(entries_.at(*id)->record);
  return records;
}

bool WorkQueue::cancel(const std::string& id) {
  const std::lock_guard guard(mutex_);
  const auto known = entries_.find(id);
  if (known == entries_.end() || is_over(known->second->record.state)) return false;
  Entry& entry = *known->second;
  entry.given_up = true;
  entry.stop.request_stop();
  if (entry.record.state == JobState::queued) finish_locked(entry, fail(ErrorCode::cancelled, "cancelled before it began"));
  return true;
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
  return static_cast<std::size_t>(
      std::count_if(entries_.begin(), entries_.end(), [](const auto& item) { return item.second->record.state == JobState::queued; }));
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
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

} // namespace emend
