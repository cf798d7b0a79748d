// The whole flow by one command: questions first, a plan, a strategy, a budget.
#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

class FixFlowTest : public CliFixture {
protected:
  static constexpr const char* kAsks =
      R"({"role":"fix_clarifier","cycle":1,"answer":{"questions_by_issue":[{"issue_code":"BE-001","questions":[{"question":"Which bound?"}]}],"ready_to_plan":false}},)"
      R"({"role":"fix_clarifier","answer":{"questions_by_issue":[],"ready_to_plan":true}},)";

  void SetUp() override {
    CliFixture::SetUp();
    configure(std::string(kAsks) + kGoodFix, kGoodVerdict);
    ASSERT_EQ(emend({"issues", "add", "--findings", "-"}, kFindings).exit_code, 0);
  }
};

TEST_F(FixFlowTest, AQuestionLeavesItsIssueOutAndEndsWithSeven) {
  const auto asked = emend({"fix", "BE-001", "--clarify", "always"});
  EXPECT_EQ(asked.exit_code, 7) << asked.err;
  EXPECT_THAT(asked.err, HasSubstr("Which bound?"));
  EXPECT_THAT(asked.err, HasSubstr("BE-001 is left out: it waits for your answer"));
  EXPECT_THAT(emend({"issues"}).out, HasSubstr("OPEN"));

  const auto still = emend({"fix", "BE-001"});
  EXPECT_EQ(still.exit_code, 7) << "an open question waits, also when nobody asks again";

  ASSERT_EQ(emend({"clarify", "--answer", "BE-001-q1=below n"}).exit_code, 0);
  const auto fixed = emend({"fix", "BE-001", "--clarify", "always"});
  EXPECT_EQ(fixed.exit_code, 0) << fixed.err;
}

TEST_F(FixFlowTest, NeverFixesItAllTheSame) {
  EXPECT_EQ(emend({"fix", "BE-001", "--clarify", "always"}).exit_code, 7);
  const auto fixed = emend({"fix", "BE-001", "--clarify", "never"});
  EXPECT_EQ(fixed.exit_code, 0) << fixed.err;
}

TEST_F(FixFlowTest, APlanIsFixedInItsOrder) {
  ASSERT_EQ(emend({"plan", "--all-open", "--out", (base_ / "plan").string()}).exit_code, 0);
  const auto fixed = emend({"fix", "--plan", (base_ / "plan").string()});
  EXPECT_EQ(fixed.exit_code, 0) << fixed.err;
  EXPECT_THAT(fixed.out, HasSubstr("RESOLVED"));
  EXPECT_EQ(emend({"fix", "--plan", (base_ / "nothing").string()}).exit_code, 2);
}

TEST_F(FixFlowTest, EveryStrategyIsAFlagAndWhatItTookIsShown) {
  const auto fixed = emend({"fix", "BE-001", "--strategy", "one-call"});
  EXPECT_EQ(fixed.exit_code, 0) << fixed.err;
  EXPECT_THAT(fixed.err, HasSubstr("estimate: "));
  EXPECT_THAT(fixed.out, HasSubstr("agent time"));
  EXPECT_THAT(fixed.out, HasSubstr("2 agent runs"));
  const Json report = data_of(emend({"report", "--json"}), "emend.session/v1");
  EXPECT_EQ(report["usage"]["agent_runs"], Json(2));
  EXPECT_EQ(emend({"fix", "BE-001", "--strategy", "serial"}).exit_code, 2);
}

TEST_F(FixFlowTest, BudgetsAreCheckedBeforeAnythingRuns) {
  EXPECT_EQ(emend({"fix", "BE-001", "--max-cost-usd", "much"}).exit_code, 2);
  EXPECT_EQ(emend({"fix", "BE-001", "--max-cost-usd", "-1"}).exit_code, 2);
  EXPECT_EQ(emend({"fix", "BE-001", "--max-minutes", "0"}).exit_code, 2);
  EXPECT_EQ(emend({"fix", "BE-001", "--max-cost-usd", "0.5", "--max-tokens", "1000", "--max-minutes", "5"})
                .exit_code,
            0);
}

} // namespace emend
