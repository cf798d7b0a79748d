#include "engine/plan/plan_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Issue sample(const std::string& code) {
  Issue issue;
  issue.id = "id of " + code;
  issue.code = code;
  issue.finding.file = "src/api/routes.py";
  issue.finding.line = 2;
  issue.finding.title = "Missing null check";
  issue.finding.description = "The user may be absent.";
  issue.finding.suggestion = "Answer 404.";
  issue.finding.related_files = {"src/models/user.py"};
  issue.finding.annotations = {"line_past_end"};
  Clarification answered, open;
  answered.question_id = code + "-q1";
  answered.question = "What should happen?";
  answered.context = "There are two ways.";
  answered.state = ClarificationState::answered;
  answered.answer = "Return 404";
  open.question_id = code + "-q2";
  issue.clarifications = {answered, open};
  return issue;
}

PlanFiles sample_plan(const fs::path& directory) {
  PlanFiles files;
  files.master = make_master_todo(
      "abc123", "fix/abc123", {{{"BE-001", "BE-002"}, "different files, parallel"}, {{"BE-003"}, "later"}},
      directory);
  for (const auto* code : {"BE-001", "BE-002", "BE-003"})
    files.todos.push_back(make_fix_todo(sample(code), "one\ntwo\nthree\n", 1, {"unit", "lint"}));
  return files;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& item : object.items()) names.push_back(item.key());
  return names;
}

TEST(PlanFileShape, MasterTodo) {
  const Json json = to_json(sample_plan("/plans/x").master);
  EXPECT_THAT(keys(json), ElementsAre("session_id", "branch_name", "execution_steps", "summary"));
  EXPECT_EQ(json["branch_name"], Json("fix/abc123"));
  const Json& step = json["execution_steps"][0];
  EXPECT_THAT(keys(step), ElementsAre("step", "reason", "issues"));
  EXPECT_EQ(step["step"], Json(1));
  EXPECT_EQ(dump_json(step["issues"][0]),
            R"({"code":"BE-001","todo_file":"/plans/x/fix_todo_BE-001.json","agent_type":"fixer-single"})");
  EXPECT_EQ(dump_json(json["summary"]), R"({"total_issues":3,"total_steps":2})");
}

TEST(PlanFileShape, FixTodo) {
  const Json json = to_json(sample_plan("/plans/x").todos[0]);
  EXPECT_THAT(keys(json), ElementsAre("issue_code", "issue_id", "file", "file_id", "line", "title",
                                      "description", "clarifications", "context", "plan"));
  EXPECT_EQ(
      dump_json(json["clarifications"]),
      R"([{"question_id":"BE-001-q1","question":"What should happen?","answer":"Return 404","context":"There are two ways."}])")
      << "an open question is no clarification";
  EXPECT_THAT(keys(json["context"]),
              ElementsAre("file_content_snippet", "related_files", "existing_patterns"));
  EXPECT_THAT(json["context"]["file_content_snippet"].get<std::string>(), HasSubstr("two"));
  EXPECT_EQ(dump_json(json["context"]["related_files"]),
            R"([{"path":"src/models/user.py","reason":"named by the reviewer"}])");
  EXPECT_THAT(keys(json["plan"]),
              ElementsAre("approach", "steps", "estimated_lines_changed", "risks", "verification"));
  EXPECT_EQ(json["plan"]["approach"], Json("patch"));
  EXPECT_EQ(json["plan"]["verification"], Json("These checks must pass: unit, lint"));
}

TEST(PlanFileNames, ACodeIsMadeSafeBeforeItNamesAFile) {
  EXPECT_EQ(fix_todo_name("BE-001"), "fix_todo_BE-001.json");
  for (const std::string& code : std::vector<std::string>{"../../etc/passwd", "a/b", "", "x\ny", "ü"}) {
    const std::string name = fix_todo_name(code);
    EXPECT_THAT(name, Not(HasSubstr("/")));
    EXPECT_THAT(name, Not(HasSubstr("\n")));
    EXPECT_TRUE(name.starts_with("fix_todo_"));
  }
  EXPECT_NE(fix_todo_name("a/b"), fix_todo_name("a_b")) << "two codes never share a file";
  EXPECT_LT(fix_todo_name(std::string(5000, 'x')).size(), 120U);
  EXPECT_NE(fix_todo_name(std::string(5000, 'x')), fix_todo_name(std::string(5001, 'x')));
}

class PlanFilesOnDisk : public testing::Test {
protected:
  void SetUp() override {
    auto made = TemporaryDirectory::create(fs::temp_directory_path(), "emend-plan-");
    ASSERT_TRUE(made);
    place_ = std::make_unique<TemporaryDirectory>(*std::move(made));
    directory_ = place_->path() / "plan";
    const auto written = write_plan_files(directory_, sample_plan(directory_));
    ASSERT_TRUE(written) << written.error().message;
    master_ = *written;
  }
  // Changes the master's text, reads the plan and answers why it was refused.
  std::string refusal(const std::string& from, const std::string& to) {
    std::string text = read_file(master_).value();
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    EXPECT_TRUE(write_file(master_, text));
    const auto read = read_plan_files(master_);
    EXPECT_FALSE(read);
    if (read) return {};
    EXPECT_EQ(read.error().code, ErrorCode::usage);
    EXPECT_NE(read.error().remedy, "");
    return read.error().message;
  }
  std::unique_ptr<TemporaryDirectory> place_;
  fs::path directory_, master_;
};

TEST_F(PlanFilesOnDisk, RoundTrip) {
  const auto read = read_plan_files(master_);
  ASSERT_TRUE(read) << read.error().message;
  const PlanFiles written = sample_plan(directory_);
  EXPECT_EQ(to_json(read->master), to_json(written.master));
  ASSERT_EQ(read->todos.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(to_json(read->todos[i]), to_json(written.todos[i]));
  EXPECT_THAT(steps_of(read->master)[0].codes, ElementsAre("BE-001", "BE-002"));
  struct stat info {};
  ASSERT_EQ(::stat(master_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST_F(PlanFilesOnDisk, APlanThatWasMovedIsStillWhole) {
  const fs::path moved = place_->path() / "elsewhere";
  fs::rename(directory_, moved);
  EXPECT_TRUE(read_plan_files(moved / "master_todo.json"));
}

TEST_F(PlanFilesOnDisk, ATodoFileElsewhereIsNotFollowed) {
  EXPECT_THAT(refusal("fix_todo_BE-001.json", "../../secret.json"), HasSubstr("the TODO file of BE-001"));
}
TEST_F(PlanFilesOnDisk, AnIssueTwiceIsRefused) {
  EXPECT_THAT(refusal("\"code\": \"BE-002\"", "\"code\": \"BE-001\""), HasSubstr("second time"));
}
TEST_F(PlanFilesOnDisk, AnInventedIssueHasNoTodo) {
  EXPECT_THAT(refusal("\"code\": \"BE-002\"", "\"code\": \"BE-009\""), HasSubstr("the TODO file of BE-009"));
}
TEST_F(PlanFilesOnDisk, StepsOutOfOrderAreRefused) {
  EXPECT_THAT(refusal("\"step\": 2", "\"step\": 3"), HasSubstr("must be 2"));
}
TEST_F(PlanFilesOnDisk, AWrongSummaryIsRefused) {
  EXPECT_THAT(refusal("\"total_issues\": 3", "\"total_issues\": 4"), HasSubstr("does not match"));
}
TEST_F(PlanFilesOnDisk, AFractionIsNoNumber) {
  EXPECT_THAT(refusal("\"step\": 2", "\"step\": 2.5"), HasSubstr("whole number"));
}
TEST_F(PlanFilesOnDisk, BrokenJsonNamesTheFile) {
  EXPECT_THAT(refusal("{", "["), HasSubstr("master_todo.json"));
}

TEST_F(PlanFilesOnDisk, AMissingTodoIsSaid) {
  fs::remove(directory_ / "fix_todo_BE-003.json");
  const auto read = read_plan_files(master_);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("fix_todo_BE-003.json"));
}

} // namespace
} // namespace emend
