#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

class PlanCommandTest : public CliFixture {
protected:
  void SetUp() override {
    CliFixture::SetUp();
    std::string findings;
    for (const auto& [file, title] :
         {std::pair{"src/a.c", "one"}, {"check.sh", "two"}, {"src/a.c", "three"}, {"web.ts", "four"}})
      findings += std::string(findings.empty() ? "" : ",") +
                  R"({"line":3,"severity":"high","estimated_effort":3,"estimated_files_count":1,"file":")" +
                  file + R"(","title":")" + title + R"(","issue":"why )" + title + "\"}";
    const auto added = emend({"issues", "add", "--findings", "-"}, "{\"findings\":[" + findings + "]}");
    ASSERT_EQ(added.exit_code, 0) << added.err;
    // BE-001 and BE-003 in src/a.c, BE-002 in check.sh, FE-001 in web.ts
  }
  // An editor that puts this text in place of the plan.
  void editor(const std::string& text) {
    ASSERT_TRUE(write_file(base_ / "todo", text));
    ASSERT_TRUE(
        write_file(base_ / "edit", "#!/bin/sh\ncp '" + (base_ / "todo").string() + "' \"$1\"\n", 0755));
    environment_ = {"EDITOR=" + (base_ / "edit").string()};
  }
  static std::vector<std::string> reasons(const Json& plan) {
    std::vector<std::string> list;
    for (const Json& step : plan["execution_steps"]) list.push_back(string_or(step, "reason"));
    return list;
  }
};

TEST_F(PlanCommandTest, StepsWithReasonsAndTheMakespan) {
  const auto result = emend({"plan", "--all-open"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("4 issues in 2 steps, 12 points"));
  EXPECT_THAT(result.out, HasSubstr("step 1  different files, parallel"));
  EXPECT_THAT(result.out, HasSubstr("step 2  same file as BE-001, later"));
  EXPECT_THAT(
      result.out,
      HasSubstr("makespan  6 points with 2 at a time; no schedule takes less than 6 (1.00 times that)"));
  EXPECT_THAT(result.out, HasSubstr("master_todo.json"));
}

TEST_F(PlanCommandTest, WritesTheFilesIntoThePrivateFolder) {
  const Json plan = data_of(emend({"plan", "BE-001", "BE-003", "--json"}), "emend.plan/v1");
  const std::string path = string_or(plan, "master_todo_path");
  EXPECT_TRUE(path.starts_with((base_ / "state" / "sessions").string())) << path;
  const Json master = parse_json(read_file(path).value()).value();
  EXPECT_EQ(master["summary"]["total_steps"], Json(2));
  EXPECT_EQ(string_or(master, "branch_name"), "fix/" + string_or(master, "session_id"));
  const Json todo =
      parse_json(read_file(string_or(master["execution_steps"][0]["issues"][0], "todo_file")).value())
          .value();
  EXPECT_EQ(todo["issue_code"], Json("BE-001"));
  EXPECT_THAT(todo["context"]["file_content_snippet"].get<std::string>(), HasSubstr("while (i <= n)"));
  EXPECT_THAT(todo["description"].get<std::string>(), HasSubstr("why one"));
}

TEST_F(PlanCommandTest, OutChoosesTheFolder) {
  EXPECT_EQ(emend({"plan", "BE-001", "--out", (base_ / "my plan").string()}).exit_code, 0);
  EXPECT_TRUE(fs::exists(base_ / "my plan" / "fix_todo_BE-001.json"));
}

TEST_F(PlanCommandTest, BatchesAreLabelledWithTheirWorkload) {
  const auto result = emend({"plan", "--all-open", "--strategy", "batched", "--max-issues", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("BE Batch 1/2  6 points  BE-001, BE-002"));
  EXPECT_THAT(result.out, HasSubstr("BE Batch 2/2  3 points  BE-003"));
  EXPECT_THAT(result.out, HasSubstr("FE Batch 1/1  3 points  FE-001"));
  EXPECT_THAT(emend({"plan", "--all-open", "--strategy", "one-call"}).out, HasSubstr("one call  12 points"));
  EXPECT_EQ(emend({"plan", "--all-open", "--strategy", "serial"}).exit_code, 2);
}

TEST_F(PlanCommandTest, AnEditedPlanCounts) {
  editor("serial BE-003\nfix BE-001\nfix FE-001\nskip BE-002 not now\n");
  const Json plan = data_of(emend({"plan", "--all-open", "--edit", "--json"}), "emend.plan/v1");
  EXPECT_THAT(reasons(plan),
              testing::ElementsAre("one issue, alone",
                                   "same file as BE-003, later; different files among themselves, parallel"));
  EXPECT_EQ(plan["skipped"], Json::array({"BE-002"}));
  EXPECT_EQ(plan["summary"]["total_issues"], Json(3));
}

TEST_F(PlanCommandTest, AnEditThatBreaksTheRulesIsRefusedWithEachReason) {
  editor("fix BE-001\nfix BE-003\nfix BE-099\n");
  const auto result = emend({"plan", "--all-open", "--edit", "--out", (base_ / "plan").string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("step 1 has src/a.c twice: BE-001 and BE-003"));
  EXPECT_THAT(result.err, HasSubstr("BE-002 is missing"));
  EXPECT_THAT(result.err, HasSubstr("BE-099, which is not one of the issues"));
  EXPECT_FALSE(fs::exists(base_ / "plan"));
}

TEST_F(PlanCommandTest, AnEditorThatFailsOrIsMissingMakesNoPlan) {
  environment_ = {"EDITOR=false"};
  EXPECT_EQ(emend({"plan", "--all-open", "--edit"}).exit_code, 2);
  environment_ = {"EDITOR=/no/such/editor"};
  EXPECT_THAT(emend({"plan", "--all-open", "--edit"}).err, HasSubstr("/no/such/editor"));
  environment_ = {"EDITOR="};
  EXPECT_EQ(emend({"plan", "--all-open", "--edit"}).exit_code, 7);
  editor("# nothing\n");
  EXPECT_THAT(emend({"plan", "--all-open", "--edit"}).err, HasSubstr("no plan was created"));
}

TEST_F(PlanCommandTest, NothingToPlan) {
  EXPECT_EQ(emend({"plan"}).exit_code, 2);
  EXPECT_EQ(emend({"plan", "BE-099"}).exit_code, 2);
  ASSERT_EQ(emend({"issues", "ignore", "BE-001", "--reason", "by_design"}).exit_code, 0);
  const auto result = emend({"plan", "BE-001"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("Nothing to plan"));
  EXPECT_THAT(result.err, HasSubstr("BE-001: it is IGNORED"));
}

} // namespace emend
