// Work that takes longer than a request: sessions, reviews, votes. One thing at a time for each repository, some repositories at once;
// goes on when whoever asked has left, and after a restart.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "ports/clock.hpp"
#include "ports/ledger.hpp"

namespace emend {

// What is to be done, in words that survive a restart.
struct Job {
  std::string id;   // of the session it makes, where it makes one
  std::string kind; // "fix", "resume", "review", ...
  std::string repository_id;
  Json order;       // what its kind needs to know
  std::string same_as; // two jobs with the same non-empty text are one
};

enum class JobState { queued, running, done, failed };
[[nodiscard]] std::string_view to_string(JobState state);

struct JobRecord {
  Job job;
  JobState state = JobState::queued;
  std::string problem; // of a failed one
  Json result;         // of a done one
  std::int64_t queued_ms = 0, started_ms = 0, ended_ms = 0;
};

// Safe to use from many threads.
class WorkQueue {
public:
  // Does the work on a thread of the queue; what it answers is the job's result.
  using Work = std::function<Result<Json>(const Job&, std::stop_token)>;

  // ledger and clock outlive it. parallel: jobs at once.
  WorkQueue(Ledger& ledger, const Clock& clock, int parallel);
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  ~WorkQueue(); // stops

  void handle(const std::string& kind, Work work);
  // Takes up what a server before this one had not finished, then begins.
  [[nodiscard]] Status start();

  // Durable when it returns. The record of an unfinished job that is the same, if there is one; `joined` says so.
  [[nodiscard]] Result<JobRecord> add(Job job, bool& joined);
  [[nodiscard]] std::optional<JobRecord> find(const std::string& id) const;
  // What such a job said at that moment is not its last word: it waits, or was begun since.
  [[nodiscard]] bool goes_on_after(const std::string& id, std::int64_t moment_ms) const;
  [[nodiscard]] std::vector<JobRecord> list() const; // newest first, the last few hundred that ended among them, also before a restart
  [[nodiscard]] bool given_up(const std::string& id) const;
  // A queued one is taken out, a running one is asked to stop. False = there is none.
  bool cancel(const std::string& id);

  void pause(bool paused); // what runs goes on
  [[nodiscard]] bool paused() const;
  [[nodiscard]] std::size_t depth() const; // queued ones

  // No new work; what runs is asked to stop and keeps what it has. Unfinished jobs are taken up by the next server.
  void stop();

private:
  struct Entry {
    JobRecord record;
    std::stop_source stop;
    bool given_up = false; // by a person: not taken up again
  };
  void work();
  [[nodiscard]] Entry* next_locked();
  void finish_locked(Entry& entry, Result<Json> result);

  Ledger& ledger_;
  const Clock& clock_;
  const int parallel_;
  std::map<std::string, Work> works_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::unique_ptr<Entry>> entries_; // by id
  std::vector<std::string> order_;                        // ids, oldest first
  bool paused_ = false, stopping_ = false;
  std::vector<std::thread> threads_;
};

} // namespace emend
