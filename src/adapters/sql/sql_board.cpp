#include "adapters/sql/sql_board.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "adapters/sql/database_address.hpp"
#include "adapters/sql/migrations.hpp"
#include "adapters/sql/postgres_address.hpp"
#include "adapters/sql/shared_work_rows.hpp"

namespace emend {
namespace {

// Hears one channel, on a connection that does nothing else where there is room for one. Where there is not,
// it only waits: whoever comes back looks for himself. Any number of threads may wait: one of them listens
// for all.
class Ears {
public:
  Ears(std::unique_ptr<Database> database, std::string channel)
      : database_(std::move(database)), channel_(std::move(channel)) {}

  void wait(std::int64_t timeout_ms, const std::stop_token& stop) {
    const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
    std::unique_lock lock(mutex_);
    const std::uint64_t before = rings_;
    while (rings_ == before && !stop.stop_requested() && Clock::now() < deadline) {
      if (listening_) {
        changed_.wait_for(lock, kGlance);
        continue;
      }
      listening_ = true;
      lock.unlock();
      const bool rang = listen_a_while();
      lock.lock();
      listening_ = false;
      if (rang) ++rings_;
      changed_.notify_all();
    }
    database_->rest();
  }

  // Whoever waits looks at the board now.
  void nudge() {
    const std::lock_guard lock(mutex_);
    ++rings_;
    changed_.notify_all();
  }

private:
  using Clock = std::chrono::steady_clock;

  // By the one thread that listens. True also when the connection is gone: whoever looks at the board now is
  // told.
  bool listen_a_while() {
    database_->rest(); // whoever waits needs no other connection
    if (!subscribed_ && Clock::now() >= next_try_) {
      const auto heard = database_->listen(channel_);
      subscribed_ = heard && *heard;
      next_try_ = Clock::now() + (heard ? kCrowded : kGlance);
    }
    if (!subscribed_) {
      std::this_thread::sleep_for(kGlance);
      return false;
    }
    const auto rang = database_->wait_for_ring(kGlance.count());
    if (rang) return *rang;
    subscribed_ = false;
    next_try_ = Clock::now() + kGlance;
    return true;
  }

  static constexpr std::chrono::milliseconds kGlance{200}; // how soon a stop is noticed
  static constexpr std::chrono::milliseconds kCrowded{300'000};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unique_ptr<Database> database_;
  const std::string channel_;
  std::uint64_t rings_ = 0;
  bool listening_ = false, subscribed_ = false;
  Clock::time_point next_try_;
};

class SqlBoard final : public WorkBoard {
public:
  SqlBoard(std::unique_ptr<Database> work, std::unique_ptr<Database> work_ears,
           std::unique_ptr<Database> event_ears)
      : work_(std::move(work)),
        work_ears_(std::move(work_ears), "emend_work"),
        event_ears_(std::move(event_ears), "emend_events") {}

  Result<Beat> beat(const WorkerRecord& worker, std::int64_t lease_ms,
                    const std::vector<Fence>& works_on) override {
    Beat beat;
    const Status told = together([&]() -> Status {
      TRY(put_worker(*work_, worker, lease_ms));
      TRY_ASSIGN(beat, settle_claims(*work_, worker.id, lease_ms, works_on));
      return fail_poisonous(*work_, kMaxDeliveries); // last: it waits for nobody's rows
    });
    TRY(told);
    if (works_on.empty()) work_ears_.nudge(); // the connection is there: an idle worker looks with it
    return beat;
  }
  Status leave(const std::string& worker_id) override {
    return together([&] { return remove_worker(*work_, worker_id); });
  }
  Status bury(const std::string& worker_id) override {
    return together([&] { return end_leases(*work_, worker_id); });
  }
  Result<std::vector<WorkerRecord>> workers() override { return locked(select_workers); }

  Status offer(const SharedJob& job) override { return locked(offer_job, job); }
  Result<std::optional<SharedJob>> claim(const WorkerRecord& worker, const ClaimQuery& query) override {
    return locked(claim_job, worker, query);
  }
  Status finish(const Fence& fence, const Json& result) override {
    return locked(end_claim, fence, SharedJobState::done, std::string(), result);
  }
  Status fail_job(const Fence& fence, const std::string& problem) override {
    return locked(end_claim, fence, SharedJobState::failed, problem, Json());
  }
  Status give_back(const Fence& fence, bool counts, const std::string& problem) override {
    return locked(return_claim, fence, counts, problem, kMaxDeliveries);
  }
  Status ask_stop(const std::string& job_id) override { return locked(ask_job_to_stop, job_id); }
  Result<bool> withdraw(const std::string& job_id) override { return locked(withdraw_job, job_id); }
  Result<SharedJob> job(const std::string& id) override { return locked(select_shared_job, id); }
  Result<std::vector<SharedJob>> jobs(const std::string& session_id) override {
    return locked(select_shared_jobs, session_id);
  }
  Result<std::vector<std::string>> claimed(const std::string& kind) override {
    return locked(select_claimed, kind);
  }

  Status put_parcel(const std::string& name, std::string_view bytes) override {
    return together([&] { return insert_parcel(*work_, name, bytes); });
  }
  Result<std::optional<std::string>> parcel(const std::string& name) override {
    return locked(select_parcel, name);
  }
  Status drop_parcels(const std::string& prefix) override { return locked(delete_parcels, prefix); }

  void wait(std::int64_t timeout_ms, std::stop_token stop) override { work_ears_.wait(timeout_ms, stop); }
  void wait_for_events(std::int64_t timeout_ms, std::stop_token stop) override {
    event_ears_.wait(timeout_ms, stop);
  }

private:
  template <typename Answer, typename... Parameters, typename... Arguments>
  Answer locked(Answer (*call)(Database&, Parameters...), const Arguments&... arguments) {
    const std::lock_guard guard(mutex_);
    return call(*work_, arguments...);
  }
  template <typename Work>
  Status together(Work work) {
    const std::lock_guard guard(mutex_);
    TRY_ASSIGN(Transaction transaction, Transaction::begin(*work_));
    TRY(work());
    return transaction.commit();
  }

  std::mutex mutex_;
  std::unique_ptr<Database> work_;
  Ears work_ears_, event_ears_;
};

} // namespace

bool is_shared_database(const std::string& address) { return is_postgres_address(address); }

Result<std::unique_ptr<WorkBoard>> open_sql_board(const std::string& address, int busy_timeout_ms) {
  TRY_ASSIGN(auto work, open_database(address, busy_timeout_ms));
  TRY(migrate(*work, schema_migrations()));
  work->let_others_write();
  TRY_ASSIGN(auto work_ears, open_database(address, busy_timeout_ms));
  TRY_ASSIGN(auto event_ears, open_database(address, busy_timeout_ms));
  return std::make_unique<SqlBoard>(std::move(work), std::move(work_ears), std::move(event_ears));
}

} // namespace emend
