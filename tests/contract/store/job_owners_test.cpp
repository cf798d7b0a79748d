// Whose turn a job of a server is, by the work board.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/sql/sql_board.hpp"
#include "api/job_owners.hpp"
#include "base/files.hpp"
#include "engine/claims/work_claim.hpp"
#include "tests/contract/store/store_contract.hpp"

namespace emend::testing_support {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class JobOwnersTest : public ::testing::Test {
protected:
  // A server of its own, as far as the board can see.
  struct Server {
    std::unique_ptr<WorkBoard> board;
    std::unique_ptr<Presence> presence;
    std::unique_ptr<JobOwners> owners;
  };
  Server server() {
    Server made;
    auto board = open_sql_board((directory_->path() / "emend.db").string());
    EXPECT_TRUE(board) << board.error().message;
    made.board = *std::move(board);
    auto presence = Presence::begin(*made.board, {});
    EXPECT_TRUE(presence) << presence.error().message;
    made.presence = *std::move(presence);
    made.owners = job_owners(*made.presence);
    return made;
  }
  static Job job(const std::string& id) { return {id, "fix", "repo", Json::object(), ""}; }
  static std::unique_ptr<JobHold> take(Server& by, const std::string& id) {
    auto hold = by.owners->take(job(id));
    EXPECT_TRUE(hold) << hold.error().message;
    return hold ? *std::move(hold) : nullptr;
  }
  static std::size_t left(Server& server) {
    const auto jobs = server.board->jobs("");
    EXPECT_TRUE(jobs);
    return jobs ? jobs->size() : 0;
  }

  void SetUp() override {
    auto made = TemporaryDirectory::create(fs::temp_directory_path(), "emend-owners-");
    ASSERT_TRUE(made);
    directory_.emplace(*std::move(made));
  }
  std::optional<TemporaryDirectory> directory_;
};

TEST_F(JobOwnersTest, AJobIsOneServersUntilItIsGivenBack) {
  Server a = server(), b = server();
  auto hold = take(a, "one");
  ASSERT_TRUE(hold);
  EXPECT_EQ(take(b, "one"), nullptr);
  EXPECT_EQ(take(a, "one"), nullptr) << "nor does it get it twice";
  EXPECT_THAT(b.owners->taken().value(), ElementsAre("one"));
  hold = nullptr;
  EXPECT_THAT(a.owners->taken().value(), IsEmpty());
  hold = take(b, "one");
  ASSERT_TRUE(hold);
  EXPECT_FALSE(hold->stop().stop_requested());
  ASSERT_TRUE(a.owners->ask_stop("one"));
  ASSERT_TRUE(b.presence->beat());
  EXPECT_TRUE(hold->stop().stop_requested());
  EXPECT_FALSE(hold->lost());
  EXPECT_TRUE(hold->finish());
  EXPECT_EQ(left(a), 0U);
}

TEST_F(JobOwnersTest, AServerThatLeavesHoldsNothing) {
  Server a = server(), b = server();
  auto hold = take(a, "one");
  ASSERT_TRUE(hold);
  ASSERT_TRUE(b.board->bury(a.presence->worker_id()));
  EXPECT_THAT(b.owners->taken().value(), IsEmpty());
  const auto mine = take(b, "one");
  ASSERT_TRUE(mine);
  ASSERT_TRUE(a.presence->beat());
  EXPECT_TRUE(hold->lost());
}

TEST_F(JobOwnersTest, WhatIsLeftOfJobsThatAreOverIsSweptAway) {
  Server a = server(), b = server();
  { const auto over = take(a, "over"), waits = take(a, "waits"); }
  const auto runs = take(a, "runs");
  ASSERT_TRUE(runs);
  int asked = 0;
  const auto unfinished = [&]() -> Result<std::set<std::string>> {
    ++asked;
    return std::set<std::string>{"waits"};
  };
  ASSERT_TRUE(b.owners->sweep(unfinished));
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(left(b), 2U);
  EXPECT_EQ(b.board->job("job/over")->state, SharedJobState::done);
  EXPECT_EQ(b.board->job("job/waits")->state, SharedJobState::queued);
  EXPECT_EQ(b.board->job("job/runs")->state, SharedJobState::claimed) << "somebody still holds it";
  EXPECT_FALSE(runs->lost());
}

} // namespace
} // namespace emend::testing_support
