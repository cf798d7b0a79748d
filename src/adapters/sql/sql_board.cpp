#include "adapters/sql/sql_board.hpp"

#include <algorithm>
#include <mutex>
#include <thread>

#include "adapters/sql/migrations.hpp"
#include "adapters/sql/shared_work_rows.hpp"
#include "adapters/sql/sqlite_database.hpp"

namespace emend {
namespace {

class SqlBoard final : public WorkBoard {
public:
  SqlBoard(std::unique_ptr<Database> work, std::unique_ptr<Database> ears) : work_(std::move(work)), ears_(std::move(ears)) {}

  Result<Beat> beat(const WorkerRecord& worker, std::int64_t lease_ms) override {
    const std::lock_guard guard(mutex_);
    TRY(put_worker(*work_, worker, lease_ms));
    TRY(fail_poisonous(*work_, kMaxDeliveries));
    return select_claims(*work_, worker.id);
  }
  Status leave(const std::string& worker_id) override { return together([&] { return remove_worker(*work_, worker_id); }); }
  Result<std::vector<WorkerRecord>> workers() override { return locked(select_workers); }

  Status offer(const SharedJob& job) override { return locked(offer_job, job); }
  Result<std::optional<SharedJob>> claim(const WorkerRecord& worker, const ClaimQuery& query) override { return locked(claim_job, worker, query); }
  Status finish(const Fence& fence, const Json& result) override { return locked(end_claim, fence, SharedJobState::done, std::string(), result); }
  Status fail_job(const Fence& fence, const std::string& problem) override { return locked(end_claim, fence, SharedJobState::failed, problem, Json()); }
  Status give_back(const Fence& fence, bool counts, const std::string& problem) override {
    return locked(return_claim, fence, counts, problem, kMaxDeliveries);
  }
  Status ask_stop(const std::string& job_id) override { return locked(ask_job_to_stop, job_id); }
  Result<bool> withdraw(const std::string& job_id) override { return locked(withdraw_job, job_id); }
  Result<SharedJob> job(const std::string& id) override { return locked(select_shared_job, id); }
  Result<std::vector<SharedJob>> jobs(const std::string& session_id) override { return locked(select_shared_jobs, session_id); }

  Status put_parcel(const std::string& name, std::string_view bytes) override { return together([&] { return insert_parcel(*work_, name, bytes); }); }
  Result<std::optional<std::string>> parcel(const std::string& name) override { return locked(select_parcel, name); }
  Status drop_parcels(const std::string& prefix) override { return locked(delete_parcels, prefix); }

  void wait(std::int64_t timeout_ms, std::stop_token stop) override {
    constexpr std::int64_t kGlance = 200; // how soon a stop is noticed
    const std::lock_guard guard(ears_mutex_);
    if (!listening_) listening_ = static_cast<bool>(ears_->listen("emend_work"));
    for (std::int64_t left = timeout_ms; left > 0 && !stop.stop_requested(); left -= kGlance) {
      const auto rang = ears_->wait_for_ring(std::min(left, kGlance));
      if (!rang) { // the connection is gone: the next look at the board says so
        listening_ = false;
        std::this_thread::sleep_for(std::chrono::milliseconds(kGlance));
        return;
      }
      if (*rang) return;
    }
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

  std::mutex mutex_, ears_mutex_;
  std::unique_ptr<Database> work_, ears_;
  bool listening_ = false;
};

} // namespace

std::unique_ptr<WorkBoard> make_board(std::unique_ptr<Database> work, std::unique_ptr<Database> ears) {
  return std::make_unique<SqlBoard>(std::move(work), std::move(ears));
}

Result<std::unique_ptr<WorkBoard>> open_sqlite_board(const std::string& path, int busy_timeout_ms) {
  TRY_ASSIGN(auto work, SqliteDatabase::open(path, busy_timeout_ms));
  TRY(migrate(*work, schema_migrations()));
  TRY_ASSIGN(auto ears, SqliteDatabase::open(path, busy_timeout_ms));
  return make_board(std::move(work), std::move(ears));
}

} // namespace emend
