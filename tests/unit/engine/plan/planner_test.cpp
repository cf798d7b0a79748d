#include "engine/plan/planner.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace emend {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Work work(const std::string& code, std::vector<std::string> files, int points = 3,
          Side side = Side::backend) {
  return {code, std::move(files), points, side};
}

std::vector<std::vector<std::string>> codes_of(const std::vector<PlanStep>& steps) {
  std::vector<std::vector<std::string>> codes;
  for (const PlanStep& step : steps) codes.push_back(step.codes);
  return codes;
}

TEST(PlanSteps, DifferentFilesShareAStepAndOneFileDoesNot) {
  const std::vector<Work> works = {work("BE-001", {"a.c"}), work("BE-002", {"b.c"}), work("BE-003", {"a.c"})};
  const auto steps = plan_steps(works);
  EXPECT_THAT(codes_of(steps), ElementsAre(ElementsAre("BE-001", "BE-002"), ElementsAre("BE-003")));
  EXPECT_EQ(steps[0].reason, "different files, parallel");
  EXPECT_EQ(steps[1].reason, "same file as BE-001, later");
}

TEST(PlanSteps, ThreeIssuesInOneFileAreThreeSteps) {
  const auto steps = plan_steps({work("1", {"a"}), work("2", {"a"}), work("3", {"a"})});
  EXPECT_THAT(codes_of(steps), ElementsAre(ElementsAre("1"), ElementsAre("2"), ElementsAre("3")));
  EXPECT_EQ(steps[0].reason, "one issue, alone");
  EXPECT_EQ(steps[2].reason, "same file as 2, later");
}

TEST(PlanSteps, RelatedFilesCountAndTheOrderOnAFileIsKept) {
  const auto steps = plan_steps(
      {work("1", {"a"}), work("2", {"a", "b"}), work("3", {"b"}), work("4", {"c"}), work("5", {"c"})});
  EXPECT_THAT(codes_of(steps), ElementsAre(ElementsAre("1", "4"), ElementsAre("2", "5"), ElementsAre("3")))
      << "3 would fit into step 1, but then b would be changed in another order than given";
  EXPECT_EQ(steps[1].reason, "same files as 1, 4, later; different files among themselves, parallel");
}

TEST(PlanSteps, AnIssueAboutTheWholeProjectIsAlone) {
  const auto steps = plan_steps({work("1", {"a"}), work("2", {}), work("3", {"b"})});
  EXPECT_THAT(codes_of(steps), ElementsAre(ElementsAre("1"), ElementsAre("2"), ElementsAre("3")));
  EXPECT_EQ(steps[1].reason, "may touch any file, alone");
}

TEST(PlanSteps, NothingIsNoPlan) { EXPECT_THAT(plan_steps({}), IsEmpty()); }

TEST(WorkOfIssue, FilesInNormalFormAndPoints) {
  Issue issue;
  issue.code = "FE-001";
  issue.finding.file = "./web//a.ts";
  issue.finding.related_files = {"web/a.ts", "web/x/../b.ts"};
  issue.finding.effort = 4;
  issue.finding.files_count = 3;
  const Work made = work_of(issue);
  EXPECT_THAT(made.files, ElementsAre("web/a.ts", "web/b.ts"));
  EXPECT_EQ(made.points, 12);
  EXPECT_EQ(made.side, Side::frontend);
}

TEST(WorkOfIssue, UnknownEffortIsThreePoints) {
  Finding finding;
  EXPECT_EQ(workload_points(finding), 3);
  finding.effort = 0;
  finding.files_count = -7;
  EXPECT_EQ(workload_points(finding), 3);
  finding.effort = 1'000'000;
  finding.files_count = 2'000'000'000;
  EXPECT_GT(workload_points(finding), 0);
}

TEST(PlanBatches, FiveIssuesOrFifteenPointsBackendFirst) {
  std::vector<Work> works = {work("FE-001", {"w.ts"}, 3, Side::frontend)};
  for (int i = 1; i <= 7; ++i) works.push_back(work(fmt::format("BE-00{}", i), {"a"}, 2));
  const auto batches = plan_batches(works, {});
  ASSERT_EQ(batches.size(), 3U);
  EXPECT_EQ(batches[0].label, "BE Batch 1/2");
  EXPECT_EQ(batches[0].codes.size(), 5U) << "the number of issues wins over the points";
  EXPECT_EQ(batches[0].points, 10);
  EXPECT_THAT(batches[1].codes, ElementsAre("BE-006", "BE-007"));
  EXPECT_EQ(batches[2].label, "FE Batch 1/1");
}

TEST(PlanBatches, AnIssueAboveThePointsIsAlone) {
  const auto batches = plan_batches(
      {work("1", {"a"}, 1), work("2", {"b"}, 25), work("3", {"c"}, 1), work("4", {"d"}, 14)}, {});
  ASSERT_EQ(batches.size(), 3U);
  EXPECT_THAT(batches[1].codes, ElementsAre("2"));
  EXPECT_EQ(batches[1].points, 25);
  EXPECT_THAT(batches[2].codes, ElementsAre("3", "4"));
}

TEST(WorkUnits, FollowTheStrategy) {
  const std::vector<Work> works = {work("1", {"a"}), work("2", {"b"})};
  EXPECT_EQ(work_units(works, Strategy::per_issue, {}).size(), 2U);
  EXPECT_EQ(work_units(works, Strategy::batched, {}).size(), 1U);
  EXPECT_THAT(work_units(works, Strategy::one_call, {}).at(0).codes, ElementsAre("1", "2"));
  EXPECT_THAT(work_units({}, Strategy::one_call, {}), IsEmpty());
  for (const auto* name : {"per-issue", "batched", "one-call"})
    EXPECT_EQ(to_string(parse_strategy(name).value()), name);
  EXPECT_FALSE(parse_strategy("serial"));
}

TEST(FileScheduleTest, TheHeaviestFileGoesFirstAndNothingSharesAFile) {
  FileSchedule schedule({work("1", {"light"}, 3), work("2", {"heavy"}, 2), work("3", {"heavy"}, 5)});
  EXPECT_EQ(schedule.start_next(), 2U) << "the heavy file, its longest issue";
  EXPECT_EQ(schedule.start_next(), 0U) << "2 shares a file with what runs";
  EXPECT_EQ(schedule.start_next(), std::nullopt);
  schedule.finish(2);
  EXPECT_EQ(schedule.start_next(), 1U);
  EXPECT_FALSE(schedule.done());
  schedule.finish(0);
  schedule.finish(1);
  EXPECT_TRUE(schedule.done());
}

TEST(PlanMakespan, ABarrierCostsWhatItCosts) {
  const std::vector<Work> works = {work("1", {"a"}, 10), work("2", {"b"}, 1), work("3", {"b"}, 1),
                                   work("4", {"b"}, 8)};
  const Makespan makespan = plan_makespan(works, plan_steps(works), 2);
  EXPECT_EQ(makespan.total, 20);
  EXPECT_EQ(makespan.lower_bound, 10);
  EXPECT_EQ(makespan.free_schedule, 10);
  EXPECT_EQ(makespan.with_barriers, 19);
}

TEST(PlanProblems, EachIsNamedExactly) {
  const std::vector<Work> works = {work("BE-001", {"a.c"}), work("BE-002", {"b.c"}),
                                   work("BE-003", {"a.c", "b.c"})};
  const auto problems = [&](std::vector<std::vector<std::string>> codes,
                            const std::vector<std::string>& skipped = {}) {
    std::vector<PlanStep> steps;
    for (auto& step : codes) steps.push_back({std::move(step), ""});
    return plan_problems(works, steps, skipped);
  };
  EXPECT_THAT(problems({{"BE-001", "BE-002"}, {"BE-003"}}), IsEmpty());
  EXPECT_THAT(problems({{"BE-003"}, {"BE-002"}, {"BE-001"}}), IsEmpty())
      << "another order is a person's right";
  EXPECT_THAT(problems({{"BE-001", "BE-003"}, {"BE-002"}}),
              ElementsAre("step 1 has a.c twice: BE-001 and BE-003"));
  EXPECT_THAT(problems({{"BE-001"}, {"BE-003"}}), ElementsAre("BE-002 is missing from the plan"));
  EXPECT_THAT(problems({{"BE-001", "BE-002"}, {"BE-003"}, {"BE-099"}}),
              ElementsAre("step 3 names BE-099, which is not one of the issues to plan"));
  EXPECT_THAT(problems({{"BE-001", "BE-002"}, {"BE-003"}, {"BE-001"}}),
              ElementsAre("BE-001 is in step 1 and again in step 3"));
  EXPECT_THAT(problems({{"BE-001", "BE-001", "BE-002"}, {"BE-003"}}),
              ElementsAre("BE-001 is in step 1 twice"));
  EXPECT_THAT(problems({{"BE-001", "BE-002"}, {}, {"BE-003"}}), ElementsAre("step 2 is empty"));
  EXPECT_THAT(problems({{"BE-001", "BE-002"}}, {"BE-003"}), IsEmpty());
  EXPECT_THAT(problems({{"BE-001", "BE-002"}, {"BE-003"}}, {"BE-003"}),
              ElementsAre("BE-003 is both planned and skipped"));
  EXPECT_THAT(problems({{"BE-001", "BE-002"}}, {"BE-003", "X"}),
              ElementsAre("X is skipped, but is not one of the issues to plan"));

  const auto refused = check_plan(works, {{{"BE-001", "BE-003"}, ""}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  EXPECT_THAT(refused.error().message, HasSubstr("a.c twice: BE-001 and BE-003; BE-002 is missing"));
}

// --- over many random cases
// -------------------------------------------------------------------------------------------------

std::vector<Work> random_works(std::mt19937& random) {
  const auto number = [&random](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  std::vector<Work> works;
  const int count = number(0, 40), files = number(1, 25);
  for (int i = 0; i < count; ++i) {
    Work made = work(fmt::format("X-{:03}", i), {}, number(1, 5) * number(1, 6),
                     number(0, 1) == 0 ? Side::backend : Side::frontend);
    const int touched = number(0, 30) == 0 ? 0 : number(1, 4);
    for (int n = 0; n < touched; ++n) {
      const std::string file = fmt::format("f{}", number(1, files));
      if (std::find(made.files.begin(), made.files.end(), file) == made.files.end())
        made.files.push_back(file);
    }
    works.push_back(std::move(made));
  }
  return works;
}

bool share(const Work& a, const Work& b) {
  if (a.files.empty() || b.files.empty()) return true;
  return std::any_of(a.files.begin(), a.files.end(), [&](const std::string& file) {
    return std::find(b.files.begin(), b.files.end(), file) != b.files.end();
  });
}

TEST(PlannerProperties, StepsHoldTheirRulesForAnyIssues) {
  std::mt19937 random(20261115);
  for (int round = 0; round < 400; ++round) {
    const std::vector<Work> works = random_works(random);
    const std::vector<PlanStep> steps = plan_steps(works);
    ASSERT_THAT(plan_problems(works, steps), IsEmpty()) << "round " << round;
    EXPECT_EQ(codes_of(plan_steps(works)), codes_of(steps)) << "deterministic";
    std::map<std::string, std::size_t> step_of;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      EXPECT_NE(steps[i].reason, "");
      EXPECT_TRUE(std::is_sorted(steps[i].codes.begin(), steps[i].codes.end())) << "in the order given";
      for (const std::string& code : steps[i].codes) step_of[code] = i;
    }
    for (std::size_t a = 0; a < works.size(); ++a)
      for (std::size_t b = a + 1; b < works.size(); ++b)
        if (share(works[a], works[b])) {
          ASSERT_LT(step_of[works[a].code], step_of[works[b].code]);
        }
  }
}

TEST(PlannerProperties, BatchesHoldTheirLimitsForAnyIssues) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const std::vector<Work> works = random_works(random);
    std::vector<std::string> seen;
    bool frontend = false;
    for (const Batch& batch : plan_batches(works, {})) {
      EXPECT_LE(batch.codes.size(), 5U);
      EXPECT_TRUE(batch.points <= 15 || batch.codes.size() == 1);
      EXPECT_FALSE(frontend && batch.side == Side::backend) << "backend first";
      frontend = batch.side == Side::frontend;
      seen.insert(seen.end(), batch.codes.begin(), batch.codes.end());
    }
    std::sort(seen.begin(), seen.end());
    std::vector<std::string> all;
    for (const Work& each : works) all.push_back(each.code);
    EXPECT_EQ(seen, all) << "every issue exactly once";
  }
}

// What FileSchedule promises, looked up among all works each time.
class PlainSchedule {
public:
  explicit PlainSchedule(const std::vector<Work>& works) : works_(works), state_(works.size()) {}

  std::optional<std::size_t> start_next() {
    std::optional<std::size_t> best;
    std::pair<int, int> urgent;
    for (std::size_t i = 0; i < works_.size(); ++i) {
      const auto runs = [&](std::size_t other) {
        return state_[other] == 1 && share(works_[i], works_[other]);
      };
      bool blocked = state_[i] != 0;
      for (std::size_t other = 0; other < works_.size(); ++other) blocked = blocked || runs(other);
      const std::pair<int, int> weighed{weight(i), works_[i].points};
      if (blocked || (best && weighed <= urgent)) continue;
      best = i;
      urgent = weighed;
    }
    if (best) state_[*best] = 1;
    return best;
  }
  void finish(std::size_t i) { state_[i] = 2; }

private:
  int weight(std::size_t i) const {
    int heaviest = 0;
    for (const std::string& file : works_[i].files) {
      int left = 0;
      for (std::size_t other = 0; other < works_.size(); ++other)
        if (state_[other] != 2 && std::count(works_[other].files.begin(), works_[other].files.end(), file))
          left += works_[other].points;
      heaviest = std::max(heaviest, left);
    }
    return heaviest;
  }
  const std::vector<Work>& works_;
  std::vector<int> state_; // 0 waits, 1 runs, 2 has ended
};

TEST(PlannerProperties, TheScheduleStartsWhatAPlainSearchWouldStart) {
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    const std::vector<Work> works = random_works(random);
    FileSchedule schedule(works);
    PlainSchedule plain(works);
    std::vector<std::size_t> running;
    while (!schedule.done()) {
      const std::size_t most = 1 + random() % 4;
      while (running.size() < most) {
        const auto next = schedule.start_next();
        ASSERT_EQ(next, plain.start_next()) << "round " << round;
        if (!next) break;
        running.push_back(*next);
      }
      if (running.empty()) continue;
      const std::size_t at = random() % running.size();
      schedule.finish(running[at]);
      plain.finish(running[at]);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
}

TEST(PlannerProperties, AStepWaitsForTheNearestEarlierWorksOnItsFiles) {
  std::mt19937 random(6);
  for (int round = 0; round < 300; ++round) {
    const std::vector<Work> works = random_works(random);
    const std::vector<PlanStep> steps = plan_steps(works);
    const auto called = [&](const std::string& code) {
      return *std::find_if(works.begin(), works.end(), [&](const Work& each) { return each.code == code; });
    };
    for (std::size_t number = 1; number < steps.size(); ++number) {
      const Work own = called(steps[number].codes.front());
      if (own.files.empty()) continue;
      std::string nearest;
      for (std::size_t before = number; before-- > 0 && nearest.empty();)
        for (const std::string& other : steps[before].codes)
          if (nearest.empty() && share(own, called(other))) nearest = other;
      EXPECT_THAT(steps[number].reason, testing::MatchesRegex("same files? as " + nearest + "(,| and).*"));
    }
  }
}

TEST(PlannerProperties, TheScheduleIsSoundAndNearItsBoundForAnyIssues) {
  std::mt19937 random(99);
  for (int round = 0; round < 300; ++round) {
    const std::vector<Work> works = random_works(random);
    const int slots = 1 + round % 8;
    FileSchedule schedule(works);
    std::vector<std::size_t> running, ended;
    while (!schedule.done()) {
      for (auto next = schedule.start_next(); next; next = schedule.start_next()) {
        for (const std::size_t other : running)
          ASSERT_FALSE(share(works[*next], works[other])) << "round " << round;
        running.push_back(*next);
      }
      ASSERT_FALSE(running.empty()) << "something can always run";
      const std::size_t at = random() % running.size();
      schedule.finish(running[at]);
      ended.push_back(running[at]);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
    }
    std::sort(ended.begin(), ended.end());
    EXPECT_EQ(ended.size(), works.size());
    EXPECT_EQ(std::unique(ended.begin(), ended.end()), ended.end()) << "each once";
    const Makespan makespan = plan_makespan(works, plan_steps(works), slots);
    EXPECT_LE(makespan.lower_bound, makespan.free_schedule);
    EXPECT_LE(makespan.lower_bound, makespan.with_barriers);
    EXPECT_LE(makespan.free_schedule, makespan.total);
  }
}

} // namespace
} // namespace emend
