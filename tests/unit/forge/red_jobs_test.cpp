#include "engine/forge/red_jobs.hpp"

#include <gmock/gmock.h>

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

JobWithLog job(const std::string& name, const std::string& log, JobEnd end = JobEnd::failed,
               const std::string& run = "1") {
  return {{name + "-id", run, name, "", end}, log};
}

CommandRun check(const std::string& name, CommandResult result, bool wavers = false) {
  CommandRun run;
  run.name = name;
  run.result = result;
  run.wavers = wavers;
  return run;
}

constexpr std::int64_t kHour = 3'600'000;

} // namespace

TEST(RedJobsTest, TheSameFailureHasTheSameSignatureWhateverTheTimesAndPlaces) {
  const std::string one = failure_signature("\x1b[31mError: 3 tests failed in 0.4 s at /tmp/x1/a.c\x1b[0m\n");
  EXPECT_EQ(one, failure_signature("ok 1\nError: 12 tests failed in 17.9 s at /home/ci/b9/a.c\n"));
  EXPECT_NE(one, failure_signature("Error: the disk melted\n"));
  EXPECT_THAT(failure_signature("all is well\n"), IsEmpty());
}

TEST(RedJobsTest, NewsRedBeforeAndInfrastructureAreToldApart) {
  const auto judged = judge_jobs(
      {job("unit", "error: x is wrong"), job("lint", "3 errors"), job("net", "Could not resolve host: a"),
       job("slow", "error", JobEnd::timed_out), job("gone", "", JobEnd::cancelled)},
      {job("lint", "7 errors"), job("unit", "error: y is wrong")});
  ASSERT_THAT(judged, SizeIs(5));
  std::vector<RedKind> kinds;
  for (const RedJob& red : judged) kinds.push_back(red.kind);
  EXPECT_THAT(kinds, ElementsAre(RedKind::news, RedKind::red_before, RedKind::infrastructure,
                                 RedKind::infrastructure, RedKind::infrastructure));
  EXPECT_THAT(judged[2].why, HasSubstr("resolve host"));
}

TEST(RedJobsTest, ALogThatShowsNothingIsLikeNoOther) {
  const auto unread = judge_jobs({job("unit", ""), job("lint", "all is well")},
                                 {job("unit", ""), job("lint", "all is well")});
  ASSERT_THAT(unread, SizeIs(2));
  EXPECT_EQ(unread[0].kind, RedKind::news) << "who cannot read logs does not know that it was red before";
  EXPECT_EQ(unread[1].kind, RedKind::news);
}

TEST(RedJobsTest, OnlyMachinesThatFailedAreStartedAgainAndOnceForAHead) {
  const auto machines = judge_jobs({job("a", "no space left on device"), job("b", "no space left on device"),
                                    job("c", "no space left on device", JobEnd::failed, "2")},
                                   {});
  EXPECT_THAT(jobs_to_restart(machines, {}, "h1"), SizeIs(2)) << "one for each pipeline";
  const EarlierTry before{"h1", "", 0, "started again: a"}, other{"h0", "", 0, "started again: a"};
  EXPECT_THAT(jobs_to_restart(machines, {before}, "h1"), IsEmpty());
  EXPECT_THAT(jobs_to_restart(machines, {other}, "h1"), SizeIs(2));
  const auto mixed = judge_jobs({job("a", "no space left on device"), job("unit", "error: wrong")}, {});
  EXPECT_THAT(jobs_to_restart(mixed, {}, "h1"), IsEmpty()) << "what is wrong stays wrong";
  EXPECT_THAT(jobs_to_restart(judge_jobs({job("a", "", JobEnd::cancelled)}, {}), {}, "h1"), IsEmpty())
      << "somebody ended it";
}

TEST(RedJobsTest, APlaceIsAFileOfTheTreeAndAChangedOneIsPreferred) {
  const auto is_file = [](const std::string& path) { return path == "src/a.c" || path == "src/b.c"; };
  const std::string output =
      "In file included from /usr/include/x.h:3\n./src/a.c:12:3: error\nsrc/b.c(7): error\n";
  EXPECT_EQ(place_in(output, is_file, {}).file, "src/a.c");
  EXPECT_EQ(place_in(output, is_file, {}).line, 12);
  EXPECT_EQ(place_in(output, is_file, {"src/b.c"}).file, "src/b.c");
  EXPECT_EQ(place_in(output, is_file, {"src/b.c"}).line, 7);
  EXPECT_EQ(place_in("nothing here", is_file, {"src/b.c"}).file, "src/b.c");
  EXPECT_THAT(place_in("../../etc/passwd:1", is_file, {}).file, IsEmpty());
}

TEST(RedJobsTest, OnlyWhatFailsEachTimeAndPassesOnTheBaseIsNewlyRed) {
  Verification head, base;
  head.commands = {check("new", CommandResult::failed),  check("flaky", CommandResult::failed, true),
                   check("old", CommandResult::failed),  check("slow", CommandResult::timed_out),
                   check("good", CommandResult::passed), check("unknown", CommandResult::failed)};
  base.commands = {check("new", CommandResult::passed), check("flaky", CommandResult::passed),
                   check("old", CommandResult::failed), check("slow", CommandResult::passed)};
  const auto red = newly_red(head, base);
  ASSERT_THAT(red, SizeIs(1));
  EXPECT_EQ(red.front()->name, "new");
}

TEST(RedJobsTest, TwoRoundsForAHeadAndThreeADayAndNoMore) {
  EXPECT_THAT(reason_to_rest({}, "h1", 0), IsEmpty());
  EXPECT_THAT(reason_to_rest({{"h1", "", 0, ""}}, "h1", kHour), IsEmpty());
  EXPECT_THAT(reason_to_rest({{"h1", "", 0, ""}, {"h1", "", 0, ""}}, "h1", kHour),
              HasSubstr("2 times for this head"));
  EXPECT_THAT(reason_to_rest({{"h1", "h2", 0, ""}, {"h2", "h3", 0, ""}}, "h3", kHour),
              HasSubstr("for this head"))
      << "what was pushed for it is the same head's line";
  EXPECT_THAT(reason_to_rest({{"h1", "", 0, ""}, {"h2", "", 0, ""}}, "h3", kHour), IsEmpty());
  EXPECT_THAT(reason_to_rest({{"h1", "", 0, ""}, {"h2", "", 0, ""}, {"h3", "", 0, ""}}, "h4", kHour),
              HasSubstr("within a day"));
  EXPECT_THAT(reason_to_rest({{"h1", "", 0, ""}, {"h2", "", 0, ""}, {"h3", "", 0, ""}}, "h4", 25 * kHour),
              IsEmpty());
}

} // namespace emend
