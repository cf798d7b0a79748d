// A plan refined by an agent that is a shell script: good steps are used, steps that break a rule are not,
// notes count either way.
#include <gmock/gmock.h>

#include "engine/plan/plan_agent.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RefineWorld : public ::testing::Test {
protected:
  RefineWorld() : world_({{"a.c", "int a;\n"}, {"b.c", "int b;\n"}}) {
    request_.issues = world_.add({World::finding("a.c", 1, "first"), World::finding("b.c", 1, "second"),
                                  World::finding("a.c", 1, "third")});
    request_.policy = world_.policy;
  }
  RefinedPlan refine(const std::string& answer) {
    world_.fixer("cat > '" + world_.scripts + "/prompt'\ncat <<'E'\n" + answer + "\nE");
    return must(refine_plan(world_.ports(), world_.home, request_, {}));
  }
  World world_;
  PlanRequest request_;
};

TEST_F(RefineWorld, ItsStepsAreUsedWhenTheyHold) {
  const RefinedPlan refined = refine(
      R"({"execution_steps":[{"reason":"needs nothing","issues":["BE-003"]},{"issues":["BE-001"]},{"reason":"uses the new a","issues":["BE-002"]}],
    "todos":{"BE-002":{"plan":{"steps":["call a"],"risks":["slow"]}}}})");
  EXPECT_TRUE(refined.refined);
  EXPECT_THAT(refined.refusals, IsEmpty());
  ASSERT_EQ(refined.plan.steps.size(), 3U);
  EXPECT_EQ(refined.plan.steps[0].reason, "needs nothing");
  EXPECT_EQ(refined.plan.steps[1].reason, "same file as BE-003, later")
      << "the engine's words where it gave none";
  EXPECT_THAT(refined.plan.files.todos[2].steps, ElementsAre("call a"));
  EXPECT_THAT(read_file(fs::path(world_.scripts) / "prompt").value(),
              HasSubstr("- step 2: BE-003 (same file as BE-001, later)"));
}

TEST_F(RefineWorld, StepsThatBreakARuleAreRefusedAndTheNotesStay) {
  const RefinedPlan refined = refine(
      R"({"execution_steps":[{"issues":["BE-001","BE-003","BE-044"]}],"todos":{"BE-001":{"plan":{"steps":["look"]}}}})");
  EXPECT_FALSE(refined.refined);
  EXPECT_THAT(refined.refusals, Contains("step 1 has a.c twice: BE-001 and BE-003"));
  EXPECT_THAT(refined.refusals, Contains(HasSubstr("BE-044")));
  EXPECT_THAT(refined.refusals, Contains("BE-002 is missing from the plan"));
  EXPECT_EQ(refined.plan.steps.size(), 2U) << "the planner's own";
  EXPECT_THAT(refined.plan.files.todos[0].steps, ElementsAre("look"));
}

TEST_F(RefineWorld, NothingUsableLeavesThePlanAsItWas) {
  const RefinedPlan refined = refine("I would not change a thing.");
  EXPECT_FALSE(refined.refined);
  EXPECT_THAT(refined.refusals, ElementsAre(HasSubstr("nothing usable")));
  EXPECT_EQ(refined.plan.files.todos.size(), 3U);
}

} // namespace
} // namespace emend::testing_support
