// Shared work: claimed by one at a time, given on when its worker dies, and never written to by one that was
// given up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "adapters/sql/sql_board.hpp"
#include "adapters/sql/sql_store.hpp"
#include "base/files.hpp"
#include "tests/contract/store/store_contract.hpp"
#include "tests/support/postgres_server.hpp"

namespace emend::testing_support {
namespace {

constexpr std::int64_t kLong = 60'000;

class BoardContract : public ::testing::TestWithParam<StoreKind> {
protected:
  void SetUp() override {
    auto made = TemporaryDirectory::create(fs::temp_directory_path(), "emend-board-");
    ASSERT_TRUE(made);
    directory_.emplace(*std::move(made));
    if (GetParam().name == "postgresql") EMEND_NEEDS_POSTGRES();
    address_ = GetParam().address(directory_->path());
    board_ = open();
    ASSERT_NE(board_, nullptr);
  }
  std::unique_ptr<WorkBoard> open() {
    auto opened = open_sql_board(address_);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? *std::move(opened) : nullptr;
  }
  std::unique_ptr<Store> store() {
    auto opened = open_sql_store(address_);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? *std::move(opened) : nullptr;
  }
  WorkBoard& board() { return *board_; }

  static WorkerRecord worker(const std::string& id, std::vector<std::string> labels = {}) {
    WorkerRecord record;
    record.id = id;
    record.host = "machine-" + id;
    record.process = {17, 99, "boot"};
    record.labels = std::move(labels);
    record.slots = 3;
    record.version = "1";
    return record;
  }
  WorkerRecord alive(const std::string& id, std::int64_t lease_ms = kLong,
                     std::vector<std::string> labels = {}) {
    WorkerRecord record = worker(id, std::move(labels));
    EXPECT_TRUE(board().beat(record, lease_ms, {}));
    return record;
  }
  void dies(const WorkerRecord& record) { EXPECT_TRUE(board().bury(record.id)); }
  void offer(const std::string& name, const std::string& needs = "") {
    SharedJob job;
    job.id = "unit/" + name;
    job.kind = "unit";
    job.repository_id = "repo";
    job.session_id = "sess1";
    job.needs = needs;
    job.order = {{"name", name}};
    EXPECT_TRUE(board().offer(job));
  }
  std::optional<SharedJob> claim(const WorkerRecord& by, const ClaimQuery& query = {}) {
    auto claimed = board().claim(by, query);
    EXPECT_TRUE(claimed) << claimed.error().message;
    return claimed ? *claimed : std::nullopt;
  }
  static Fence fence(const std::optional<SharedJob>& job) { return {job->id, job->token}; }
  SharedJob job(const std::string& name) {
    auto found = board().job("unit/" + name);
    EXPECT_TRUE(found);
    return found ? *found : SharedJob{};
  }

private:
  std::optional<TemporaryDirectory> directory_;
  std::string address_;
  std::unique_ptr<WorkBoard> board_;
};

TEST_P(BoardContract, IsClaimedOnceAndInOrder) {
  const WorkerRecord a = alive("a"), b = alive("b");
  EXPECT_FALSE(claim(a));
  offer("1");
  offer("2");
  const auto first = claim(a), second = claim(b);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->id, "unit/1");
  EXPECT_EQ(first->order, (Json{{"name", "1"}}));
  EXPECT_EQ(second->id, "unit/2");
  EXPECT_FALSE(claim(a));
  EXPECT_TRUE(board().finish(fence(first), {{"status", "accepted"}}));
  EXPECT_EQ(job("1").state, SharedJobState::done);
  EXPECT_EQ(job("1").result, (Json{{"status", "accepted"}}));
  EXPECT_TRUE(board().fail_job(fence(second), "no disk"));
  EXPECT_EQ(job("2").problem, "no disk");
  EXPECT_FALSE(claim(a));
}

TEST_P(BoardContract, GivesTheWorkOfADeadWorkerToAnother) {
  const WorkerRecord a = alive("a"), b = alive("b");
  offer("1");
  const auto first = claim(a);
  ASSERT_TRUE(first);
  EXPECT_FALSE(claim(b)) << "it lives";
  dies(a);
  const auto second = claim(b);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->deliveries, 2);
  EXPECT_GT(second->token, first->token);
  // It was only asleep, and comes back.
  const Beat beat = *board().beat(a, kLong, {fence(first)});
  EXPECT_TRUE(beat.held.empty());
  EXPECT_TRUE(beat.given_back.empty()) << "it is somebody else's";
  for (const Status& late : {board().finish(fence(first), {}), board().fail_job(fence(first), "x"),
                             board().give_back(fence(first), false, "")}) {
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::conflict);
  }
  EXPECT_EQ(job("1").worker_id, "b");
  EXPECT_TRUE(board().finish(fence(second), {}));
}

TEST_P(BoardContract, RefusesChangesUnderAnOlderClaim) {
  const auto store = this->store();
  const WorkerRecord a = alive("a"), b = alive("b");
  offer("1");
  const auto first = claim(a);
  Change change;
  change.fence = fence(first);
  change.sessions.push_back(full_session("sess1"));
  ASSERT_TRUE(store->apply(change, kNow));
  dies(a);
  const auto second = claim(b);
  change.sessions.front().detail = "from the dead";
  const auto refused = store->apply(change, kNow);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_NE(store->session("sess1")->detail, "from the dead");
  change.fence = fence(second);
  EXPECT_TRUE(store->apply(change, kNow));
  EXPECT_TRUE(board().finish(fence(second), {}));
  EXPECT_FALSE(store->apply(change, kNow)) << "what is done is not written to";
}

TEST_P(BoardContract, LeavingFreesTheWorkAtOnceAndDoesNotCount) {
  const WorkerRecord a = alive("a"), b = alive("b");
  offer("1");
  ASSERT_TRUE(claim(a));
  ASSERT_TRUE(board().leave("a"));
  const auto next = claim(b);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->deliveries, 1);
  EXPECT_TRUE(board().give_back(fence(next), false, ""));
  EXPECT_EQ(job("1").state, SharedJobState::queued);
  EXPECT_EQ(job("1").deliveries, 0);
}

TEST_P(BoardContract, GivesTheWorkOfABuriedWorkerToAnotherAtOnce) {
  const WorkerRecord a = alive("a"), b = alive("b");
  offer("1");
  ASSERT_TRUE(claim(a));
  ASSERT_TRUE(board().bury("a"));
  const auto next = claim(b);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->deliveries, 2) << "it was not given back, its worker died";
}

TEST_P(BoardContract, GivesUpWorkThatKillsItsWorkers) {
  offer("1");
  for (int i = 0; i < kMaxDeliveries; ++i) {
    const WorkerRecord victim = alive("w" + std::to_string(i));
    ASSERT_TRUE(claim(victim)) << i;
    dies(victim);
  }
  const WorkerRecord last = alive("last");
  EXPECT_FALSE(claim(last));
  EXPECT_EQ(job("1").state, SharedJobState::failed);
  EXPECT_THAT(job("1").problem, ::testing::HasSubstr("5 workers died"));
  offer("1"); // somebody wants it tried again
  EXPECT_TRUE(claim(last));
}

TEST_P(BoardContract, GivesUpWorkThatNobodyCanDo) {
  const WorkerRecord a = alive("a");
  offer("1");
  for (int i = 0; i < kMaxDeliveries; ++i) {
    const auto claimed = claim(a);
    ASSERT_TRUE(claimed) << i;
    EXPECT_TRUE(board().give_back(fence(claimed), true, "no agent here"));
  }
  EXPECT_FALSE(claim(a));
  EXPECT_EQ(job("1").state, SharedJobState::failed);
  EXPECT_EQ(job("1").problem, "no agent here");
}

TEST_P(BoardContract, NeedsAWorkerWithItsLabel) {
  const WorkerRecord plain = alive("plain"), able = alive("able", kLong, {"it's", "gpu"});
  offer("1", "gpu");
  offer("2");
  ASSERT_TRUE(claim(plain));
  EXPECT_EQ(job("2").worker_id, "plain");
  EXPECT_FALSE(claim(plain));
  const auto taken = claim(able);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->id, "unit/1");
}

TEST_P(BoardContract, ClaimsByKindJobAndSession) {
  const WorkerRecord a = alive("a");
  offer("1");
  offer("2");
  EXPECT_FALSE(claim(a, {{"session"}, "", ""}));
  EXPECT_FALSE(claim(a, {{}, "", "another"}));
  EXPECT_EQ(claim(a, {{"session", "unit"}, "unit/2", ""})->id, "unit/2");
  EXPECT_EQ(claim(a, {{}, "", "sess1"})->id, "unit/1");
}

TEST_P(BoardContract, AnOfferStandsUntilItIsOver) {
  const WorkerRecord a = alive("a");
  offer("1");
  const auto first = claim(a);
  offer("1");
  EXPECT_EQ(job("1").state, SharedJobState::claimed) << "somebody works on it";
  ASSERT_TRUE(board().finish(fence(first), {}));
  offer("1");
  EXPECT_EQ(job("1").state, SharedJobState::queued);
  EXPECT_TRUE(*board().withdraw("unit/1"));
  EXPECT_FALSE(*board().withdraw("unit/1"));
  EXPECT_FALSE(claim(a));
}

TEST_P(BoardContract, TellsWhoIsAskedToStop) {
  const WorkerRecord a = alive("a");
  offer("1");
  offer("2");
  const auto first = claim(a), second = claim(a);
  ASSERT_TRUE(board().ask_stop("unit/2"));
  const Beat beat = *board().beat(a, kLong, {fence(first), fence(second)});
  EXPECT_EQ(beat.held.size(), 2u);
  ASSERT_EQ(beat.asked_stop.size(), 1u);
  EXPECT_EQ(beat.asked_stop.front().job_id, "unit/2");
}

// The answer to a claim, or a give-back, was lost on the way: the board says that it is worked on, and nobody
// does.
TEST_P(BoardContract, GivesBackWhatItsWorkerDoesNotWorkOn) {
  const WorkerRecord a = alive("a"), b = alive("b");
  offer("1");
  offer("2");
  const auto first = claim(a), unknown = claim(a);
  ASSERT_TRUE(first && unknown);
  const Beat beat = *board().beat(a, kLong, {fence(first)});
  ASSERT_EQ(beat.held.size(), 1u);
  EXPECT_EQ(beat.held.front().job_id, "unit/1");
  ASSERT_EQ(beat.given_back.size(), 1u);
  EXPECT_EQ(beat.given_back.front().job_id, "unit/2");
  EXPECT_EQ(job("2").deliveries, 0) << "nobody tried";
  const auto second = claim(b);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->id, "unit/2");
  EXPECT_FALSE(board().finish(fence(unknown), {}))
      << "should the first claimer learn of it after all, it is too late";
  EXPECT_TRUE(board().finish(fence(first), {}));
  EXPECT_TRUE(board().finish(fence(second), {}));
}

// A worker that lives keeps what it works on, and nothing else.
TEST_P(BoardContract, RenewsTheLeaseOfEachClaim) {
  const WorkerRecord a = alive("a", -1), b = alive("b");
  offer("1");
  const auto first = claim(a);
  ASSERT_TRUE(first);
  const auto taken = claim(b);
  ASSERT_TRUE(taken) << "its lease was over: its worker had not been heard of since";
  ASSERT_TRUE(board().beat(a, kLong, {fence(first)}));
  EXPECT_FALSE(claim(a)) << "that another one lives again gives it nothing back";
  ASSERT_TRUE(board().beat(b, -1, {fence(taken)}));
  ASSERT_TRUE(board().beat(b, kLong, {fence(taken)}));
  EXPECT_FALSE(claim(a)) << "renewed in time";
  EXPECT_TRUE(board().finish(fence(taken), {}));
}

TEST_P(BoardContract, KnowsItsWorkers) {
  const WorkerRecord a = alive("a", kLong, {"gpu"}), b = alive("b");
  offer("1");
  claim(a);
  dies(b);
  const std::vector<WorkerRecord> workers = *board().workers();
  ASSERT_EQ(workers.size(), 2u);
  EXPECT_TRUE(workers[0].alive);
  EXPECT_EQ(workers[0].claims, 1);
  EXPECT_EQ(workers[0].labels, std::vector<std::string>{"gpu"});
  EXPECT_EQ(workers[0].slots, 3);
  EXPECT_FALSE(workers[1].alive);
}

TEST_P(BoardContract, CarriesParcelsOfAnySize) {
  std::string bytes(1'000'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 % 256);
  ASSERT_TRUE(board().put_parcel("pack/repo/1", bytes));
  ASSERT_TRUE(board().put_parcel("pack/repo/1", bytes)) << "twice is fine";
  ASSERT_TRUE(board().put_parcel("pack/repo/2", ""));
  EXPECT_EQ(*board().parcel("pack/repo/1"), bytes);
  EXPECT_EQ(*board().parcel("pack/repo/2"), "");
  EXPECT_EQ(*board().parcel("pack/repo/3"), std::nullopt);
  ASSERT_TRUE(board().drop_parcels("pack/repo/"));
  EXPECT_EQ(*board().parcel("pack/repo/1"), std::nullopt);
}

TEST_P(BoardContract, ManyAtOnceGetEachJobOnce) {
  constexpr int kJobs = 200, kThreads = 4;
  for (int i = 0; i < kJobs; ++i) offer(std::to_string(i));
  std::atomic<int> done = 0;
  std::mutex mutex;
  std::multiset<std::string> seen;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        const auto own = open();
        const WorkerRecord self = worker("t" + std::to_string(t));
        ASSERT_TRUE(own->beat(self, kLong, {}));
        while (true) {
          auto claimed = own->claim(self, {});
          ASSERT_TRUE(claimed) << claimed.error().message;
          if (!*claimed) {
            if (done == kJobs) return;
            continue;
          }
          const std::lock_guard lock(mutex);
          seen.insert((*claimed)->id);
          ASSERT_TRUE(own->finish({(*claimed)->id, (*claimed)->token}, {}));
          ++done;
        }
      });
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(kJobs));
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), static_cast<std::size_t>(kJobs));
}

std::vector<StoreKind> shareable() {
  std::vector<StoreKind> kinds = store_kinds();
  std::erase_if(kinds, [](const StoreKind& kind) { return !kind.survives_closing; });
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(All, BoardContract, ::testing::ValuesIn(shareable()),
                         [](const auto& kind) { return kind.param.name; });

} // namespace
} // namespace emend::testing_support
