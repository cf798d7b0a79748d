// Work that takes longer than a request: sessions, reviews, votes. One thing at a time for each repository,
// some repositories at once; goes on when whoever asked has left, and after a restart. Where several servers
// share the database, each sees the jobs of all, and one of them does each.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "api/job_owners.hpp"
#include "api/job_record.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "model/actor.hpp"
#include "ports/clock.hpp"
#include "ports/ledger.hpp"

namespace emend {

// A job that failed by what may pass is kept, and taken up again when the store can be written to.
struct JobKeeping {
  std::function<Status()> check = {}; // whether state can be stored now; null = the ledger is written to
  std::chrono::milliseconds shortest{500}, longest{30'000}; // between two looks, or two tries of one job
  int tries = 5; // in a row that failed although the store could be written to
};

// Safe to use from many threads.
class WorkQueue {
public:
  // Does the work on a thread of the queue; what it answers is the job's result.
  using Work = std::function<Result<Json>(const Job&, std::stop_token)>;
  struct Handler {
    Work work;
    // Whether the same job may succeed later without anybody's doing: it is then taken up again. Null = when
    // database or disk failed.
    std::function<bool(const Job&, const Error&)> passes = {};
    // Whether it only has to wait for somebody else's work to end, however long that takes. Null = never.
    std::function<bool(const Error&)> waits = {};
    // Tells of a job that has failed for good, or was cancelled while it waited to be taken up. Tried until
    // it succeeds.
    std::function<Status(const Job&, const Error&)> failed = {};
  };
  // ledger and clock outlive it. parallel: jobs at once.
  WorkQueue(Ledger& ledger, const Clock& clock, int parallel, JobKeeping keeping = {});
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  ~WorkQueue(); // stops

  void handle(const std::string& kind, Handler handler);
  void handle(const std::string& kind, Work work) { handle(kind, Handler{std::move(work), {}, {}}); }
  // Other servers may do these jobs, too: those of the same home. Before start(); owners outlives it.
  void share(JobOwners& owners, std::string home);
  // Which team a job's repository belongs to, and how many jobs of a team may run at once (those it does not
  // name: as many as there is room for). Asked by start() and look_at_teams(). Before start().
  struct Teams {
    std::map<std::string, std::string> of_repository;
    std::map<std::string, int> at_once;
    int all_at_once = 0; // of all teams together; 0 = no limit
  };
  void set_teams(std::function<Result<Teams>()> teams) { teams_ = std::move(teams); }
  [[nodiscard]] Status look_at_teams();
  // Takes up what a server before this one had not finished, then begins.
  [[nodiscard]] Status start();

  // Durable when it returns. The record of an unfinished job that is the same, if there is one; `joined` says
  // so. One that waits to be taken up again is taken up as soon as the store can be written to.
  [[nodiscard]] Result<JobRecord> add(Job job, const Actor& by, bool& joined);
  [[nodiscard]] std::optional<JobRecord> find(const std::string& id) const;
  // What such a job said at that moment is not its last word: it waits, or was begun since.
  [[nodiscard]] bool goes_on_after(const std::string& id, std::int64_t moment_ms) const;
  [[nodiscard]] std::vector<JobRecord> list()
      const; // newest first, the last few hundred that ended among them, also before a restart
  [[nodiscard]] bool given_up(const std::string& id) const;
  // True = it waits to be taken up again, which is now tried at once.
  bool hurry(const std::string& id);
  // Why some jobs wait to be taken up again, or why their ends could not be stored yet; nullopt = there are
  // none.
  [[nodiscard]] std::optional<std::string> trouble() const;
  // Tries to store something.
  [[nodiscard]] Status check() const;
  // A queued one is taken out, a running one is asked to stop. False = there is none.
  bool cancel(const std::string& id);

  void pause(bool paused); // what runs goes on
  [[nodiscard]] bool paused() const;
  [[nodiscard]] std::size_t depth() const; // queued ones

  // Learns now what other servers have added, begun and ended; also every so often by itself.
  [[nodiscard]] Status look_around();

  // No new work; what runs is asked to stop and keeps what it has. Unfinished jobs are taken up by the next
  // server.
  void stop();

private:
  struct Entry {
    JobRecord record;
    std::stop_source stop;
    bool given_up = false;   // by a person: not taken up again
    bool waits = false;      // to be taken up again; not begun before the keeper says so
    bool no_trouble = false; // it waits for somebody else's work to end
    int failures = 0;        // in a row, with a store that could be written to
    std::chrono::steady_clock::time_point not_before = {};
    bool unsettled = false;             // over, and that is not stored or told yet
    std::optional<Error> untold = {};   // what is to be told of it
    bool elsewhere = false;             // another server does it
    std::shared_ptr<JobHold> hold = {}; // until its end is stored
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now(); // known here
  };
  struct TeamShare {
    int running = 0;
    std::int64_t begun_ms = 0; // the last one
  };
  // What came of asking whose turn a job is.
  struct Turn {
    std::shared_ptr<JobHold> hold = {};   // null = another server's, or nobody's any more
    std::optional<JobRecord> record = {}; // as it is stored now, or as it ended
    bool over = false, cancelled = false;
  };
  void work();
  void keep();
  [[nodiscard]] bool has_work_locked() const; // for the keeper
  [[nodiscard]] std::map<std::string, TeamShare> shares_locked() const;
  [[nodiscard]] Entry* next_locked();
  [[nodiscard]] Result<Json> do_job(const Job& job, std::stop_token stop) const;
  [[nodiscard]] bool waits_for_another(const Job& job, const Error& error) const;
  [[nodiscard]] bool goes_again(const Job& job, const Error& error, int failures) const;
  [[nodiscard]] Status tell_failed(const Job& job, const Error& error) const;
  void finish_locked(Entry& entry, Result<Json> result);
  void put_off_locked(Entry& entry, const Error& error);
  [[nodiscard]] Status store_end_locked(Entry& entry);
  void forget_old_locked(const Entry& newest);
  void settle(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] std::chrono::milliseconds pause_after(int failures);
  void cancel_locked(Entry& entry);
  // With other servers, in work_queue_sharing.cpp.
  [[nodiscard]] bool is_mine(const JobRecord& record) const;
  [[nodiscard]] bool take_locked(Entry& entry, std::unique_lock<std::mutex>& lock); // false = not done here
  [[nodiscard]] Result<Turn> take_turn(const Job& job);
  [[nodiscard]] bool left_off_locked(Entry& entry, const Result<Json>& result); // true = it is not over
  void release_locked(Entry& entry);
  [[nodiscard]] bool was_cancelled(const std::string& id) const;
  [[nodiscard]] Result<std::optional<JobRecord>> same_elsewhere(const Job& job);
  [[nodiscard]] std::optional<JobRecord> find_elsewhere(const std::string& id) const;
  [[nodiscard]] bool cancel_elsewhere(const std::string& id);
  void end_unknown(JobRecord record, JobHold& hold);
  using Moment = std::chrono::steady_clock::time_point;
  [[nodiscard]] std::vector<std::string> learn_locked(const std::vector<JobRecord>& unfinished,
                                                      const std::set<std::string>& taken, Moment asked);
  void learn_one_locked(const JobRecord& record, bool taken, Moment asked);
  void learn_end_locked(const std::string& id, const std::optional<Remembered>& ended, Moment asked);
  void look(const std::stop_token& stop);

  Ledger& ledger_;
  const Clock& clock_;
  const int parallel_;
  const JobKeeping keeping_;
  std::map<std::string, Handler> handlers_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::unique_ptr<Entry>> entries_; // by id
  std::vector<std::string> order_;                        // ids, oldest first
  bool paused_ = false, stopping_ = false;
  bool hurry_ = false;        // the keeper looks at once
  std::string store_trouble_; // what it saw last
  std::minstd_rand jitter_;
  std::vector<std::thread> threads_;
  std::thread keeper_;
  std::function<Result<Teams>()> teams_;
  Teams known_teams_;           // under mutex_
  JobOwners* owners_ = nullptr; // null = no other server can be there
  std::string home_;
  std::jthread looker_;
};

} // namespace emend
