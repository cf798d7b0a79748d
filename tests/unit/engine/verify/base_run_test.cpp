#include "engine/verify/base_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <semaphore>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<VerifyCommand>& commands) {
  std::vector<std::string> names;
  for (const VerifyCommand& command : commands) names.push_back(command.name);
  return names;
}

CommandRun ran(const std::string& name, bool passed = true) {
  CommandRun run;
  run.name = name;
  run.result = passed ? CommandResult::passed : CommandResult::failed;
  return run;
}

TEST(BaseOrder, WhatTheFilesNeedComesFirst) {
  const std::vector<VerifyCommand> commands = {
      {"all", "make", {}, 0}, {"a", "a", {"a/**"}, 0}, {"b", "b", {"b/**"}, 0}, {"c", "c", {"c/**"}, 0}};
  const BaseOrder order = base_order(commands, {"c/x.c", "b/y.c"});
  EXPECT_THAT(names_of(order.first), ElementsAre("all", "b", "c"));
  EXPECT_THAT(names_of(order.rest), ElementsAre("a"));
}

TEST(BaseOrder, WhatStandsBeforeACheckForAllFilesStaysThere) {
  const std::vector<VerifyCommand> commands = {{"a", "a", {"a/**"}, 0}, {"all", "make", {}, 0}};
  const BaseOrder order = base_order(commands, {"b/y.c"});
  EXPECT_THAT(names_of(order.first), ElementsAre("a", "all"));
  EXPECT_THAT(order.rest, IsEmpty());
}

TEST(BaseOrder, OnlyAFailureBeforeItsTurnIsDoubtful) {
  const std::vector<VerifyCommand> commands = {{"a", "a", {"a"}, 0}, {"b", "b", {"b"}, 0}};
  Verification run;
  run.commands = {ran("b"), ran("a", false)};
  EXPECT_FALSE(failed_out_of_order(commands, run));
  run.commands = {ran("b", false), ran("a")};
  EXPECT_TRUE(failed_out_of_order(commands, run));
  run.commands = {ran("a", false), ran("b", false)};
  EXPECT_FALSE(failed_out_of_order(commands, run));
}

TEST(BaseRun, WhoWaitsForTheFirstIsNotHeldUpByTheRest) {
  std::binary_semaphore go(0);
  BaseRun run({},
              [&](const BaseRun::Seen& seen, std::stop_token) -> BaseRun::Whole {
                Verification whole;
                whole.commands = {ran("a"), ran("b")};
                seen(whole.commands[0]);
                go.acquire();
                return std::make_shared<const Verification>(whole);
              },
              {});
  const auto first = run.wait_for({{"a", "a", {}, 0}});
  ASSERT_TRUE(first);
  EXPECT_EQ((*first)->commands.size(), 1U);
  go.release();
  EXPECT_EQ((*run.whole())->commands.size(), 2U);
  EXPECT_EQ(run.seen()->commands.size(), 2U);
}

TEST(BaseRun, ItsErrorEndsEveryWait) {
  BaseRun run(
      {}, [](const BaseRun::Seen&, std::stop_token) -> BaseRun::Whole { throw std::runtime_error("broken"); },
      {});
  EXPECT_EQ(run.wait_for({{"a", "a", {}, 0}}).error().code, ErrorCode::internal);
  EXPECT_FALSE(run.whole());
}

TEST(BaseRun, EndsWithTheSessionAndWithItsOwner) {
  const auto until_stopped = [](const BaseRun::Seen&, std::stop_token stop) -> BaseRun::Whole {
    std::binary_semaphore fired(0);
    const std::stop_callback wake(stop, [&] { fired.release(); });
    fired.acquire();
    return fail(ErrorCode::cancelled, "stopped");
  };
  std::stop_source session;
  BaseRun stopped({}, until_stopped, session.get_token());
  session.request_stop();
  EXPECT_EQ(stopped.whole().error().code, ErrorCode::cancelled);
  const BaseRun dropped({}, until_stopped, {}); // its end of life does not hang
}

} // namespace
} // namespace emend
