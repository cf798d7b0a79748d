#include "cli/agents/mcp_jobs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/process_record.hpp"

namespace emend {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

mcp::Call call(std::stop_token stop = {}) {
  return {Json::object(), [](const std::string&) {}, stop};
}

// Goes on until it is told to end, or is stopped.
struct Gate {
  std::atomic<bool> open = false;
  std::atomic<int> running = 0;
  McpJobs::Work work() {
    return [this](const McpJobs::Run& run) -> mcp::Answer {
      ++running;
      while (!open && !run.stop.stop_requested()) std::this_thread::sleep_for(5ms);
      if (!open) return {"stopped", true};
      return {"VERIFIED"};
    };
  }
};

class Jobs : public testing::Test {
protected:
  TemporaryDirectory directory_ =
      TemporaryDirectory::create(fs::temp_directory_path(), "emend-jobs-").value();
  fs::path folder_ = directory_.path() / "jobs";
};

TEST_F(Jobs, NoMoreRunAtOnceThanMay) {
  Gate gate;
  McpJobs jobs(folder_);
  std::vector<std::string> begun;
  for (int i = 0; i < 3; ++i) {
    const auto id = jobs.start({"chk", "/a", 3}, gate.work());
    ASSERT_TRUE(id) << id.error().message;
    begun.push_back(*id);
  }
  const auto refused = jobs.start({"rev", "/a", 3}, gate.work());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("3 checks run in this repository already"));
  EXPECT_TRUE(jobs.start({"chk", "/b", 3}, gate.work())) << "another repository";
  gate.open = true;
  for (const std::string& id : begun) EXPECT_EQ(jobs.wait(id, "/a", 60, call())->text, "VERIFIED");
  EXPECT_TRUE(jobs.start({"chk", "/a", 3}, gate.work()));
}

TEST_F(Jobs, TheLimitHoldsForAllProcessesTogetherAndWhenManyBeginAtOnce) {
  Gate gate;
  McpJobs one(folder_), other(folder_); // as two processes see the same folder
  std::atomic<int> begun = 0, refused = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back([&, i] {
      ++((i % 2 == 0 ? one : other).start({"chk", "/a", 3}, gate.work()) ? begun : refused);
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(begun, 3);
  EXPECT_EQ(refused, 5);
}

TEST_F(Jobs, ThoseThatCostMoneyAreCountedForAnHour) {
  McpJobs jobs(folder_);
  const auto done = [](const McpJobs::Run&) -> mcp::Answer { return {"PROVEN"}; };
  for (int i = 0; i < 2; ++i) {
    const auto id = jobs.start({"chk", "/a", 3, 2}, done);
    ASSERT_TRUE(id);
    EXPECT_EQ(jobs.wait(*id, "/a", 60, call())->text, "PROVEN");
  }
  const auto refused = jobs.start({"chk", "/a", 3, 2}, done);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("2 checks with the judge"));
  EXPECT_TRUE(jobs.start({"chk", "/a", 3}, done));
}

TEST_F(Jobs, ACancelledCallStopsAJobOnlyIfNobodyElseWaits) {
  Gate gate;
  McpJobs jobs(folder_);
  const std::string id = *jobs.start({"chk", "/a", 3}, gate.work());
  std::stop_source first, second;
  std::atomic<int> waiting = 0;
  const auto wait = [&](std::stop_source& stop) {
    mcp::Call one = call(stop.get_token());
    one.progress = [&](const std::string&) { ++waiting; };
    return jobs.wait(id, "/a", 60, one)->text;
  };
  std::string said_first, said_second;
  std::thread one([&] { said_first = wait(first); }), two([&] { said_second = wait(second); });
  while (waiting < 2) std::this_thread::sleep_for(1ms);
  first.request_stop();
  one.join();
  EXPECT_THAT(said_first, StartsWith("RUNNING "));
  EXPECT_THAT(jobs.look(id, "/a")->text, StartsWith("RUNNING "));
  EXPECT_FALSE(jobs.wait(id, "/b", 60, call(first.get_token()))) << "of another repository";
  gate.open = true;
  two.join();
  EXPECT_EQ(said_second, "VERIFIED");
}

TEST_F(Jobs, TheLastOneThatCancelsStopsIt) {
  Gate gate;
  McpJobs jobs(folder_);
  const std::string id = *jobs.start({"rev", "/a", 3}, gate.work());
  while (gate.running == 0) std::this_thread::sleep_for(1ms);
  std::stop_source stop;
  stop.request_stop();
  (void)jobs.look(id, "/a");
  (void)jobs.wait(id, "/a", 60, call(stop.get_token()));
  EXPECT_THAT(jobs.wait(id, "/a", 60, call())->text, StartsWith("CANCELLED " + id));
}

TEST_F(Jobs, ACallOfAnotherProcessCountsAsWaiting) {
  Gate gate;
  McpJobs owner(folder_), other(folder_);
  const std::string id = *owner.start({"chk", "/a", 3}, gate.work());
  std::atomic<bool> waits = false;
  std::string said;
  std::thread elsewhere([&] {
    mcp::Call one = call();
    one.progress = [&](const std::string&) { waits = true; };
    said = other.wait(id, "/a", 60, one)->text;
  });
  while (!waits) std::this_thread::sleep_for(1ms);
  std::stop_source stop;
  stop.request_stop();
  (void)owner.wait(id, "/a", 60, call(stop.get_token()));
  std::this_thread::sleep_for(50ms);
  gate.open = true;
  elsewhere.join();
  EXPECT_EQ(said, "VERIFIED");
}

TEST_F(Jobs, WhoeverAsksAfterItsProcessEndedLearnsThat) {
  Gate gate;
  std::string id;
  {
    McpJobs ended(folder_);
    id = *ended.start({"chk", "/a", 3}, gate.work());
  }
  McpJobs jobs(folder_);
  const auto said = jobs.wait(id, "/a", 0, call());
  ASSERT_TRUE(said);
  EXPECT_EQ(said->text, "INTERRUPTED " + id + ": the process that ran it has ended\nnext: call check again");
}

TEST_F(Jobs, AnotherProgramWithTheSameProcessIdIsNotItsOwner) {
  Json record = process_record();
  EXPECT_TRUE(still_runs(record));
  record["ticks"] = record["ticks"].get<std::int64_t>() + 1;
  EXPECT_FALSE(still_runs(record));
  const Json left = {{"process", record}, {"place", "/a"}, {"line", "starting"}};
  for (const char* name : {"rev_01.json", "rev_01.running", "rev_02.running", "rev_03.running"})
    ASSERT_TRUE(write_file(folder_ / name, dump_json(left)));
  McpJobs jobs(folder_);
  EXPECT_THAT(jobs.look("rev_01", "/a")->text, StartsWith("INTERRUPTED rev_01"));
  EXPECT_TRUE(jobs.start({"chk", "/a", 1}, [](const McpJobs::Run&) -> mcp::Answer { return {"PROVEN"}; }))
      << "what a dead process left runs no more";
}

} // namespace
} // namespace emend
