// Rounds of questions with agents that are shell scripts: what is stored, who is asked again, and what is
// never taken for an answer.
#include "engine/plan/clarify.hpp"

#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "engine/plan/plan.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ClarifyWorld : public ::testing::Test {
protected:
  ClarifyWorld() : world_({{"a.c", "int a;\n"}, {"b.c", "int b;\n"}}) {
    issues_ = world_.add({World::finding("a.c", 1, "first"), World::finding("b.c", 1, "second")});
    request_.policy = world_.policy;
    for (const Issue& issue : issues_) request_.issue_ids.push_back(issue.id);
  }
  Clarity round() { return must(clarify(world_.ports(), world_.home, {}, request_, {})); }
  void answer(const std::string& id, const std::string& text) {
    must(record_answers(world_.ports(), world_.policy, {}, {{id, text, false}}));
  }
  // The agent says this; `$n` counts its calls from 1.
  void agent(const std::string& script) {
    world_.fixer("n=$(cat '" + world_.scripts + "/calls' 2>/dev/null || echo 0); n=$((n+1)); echo $n > '" +
                 world_.scripts + "/calls'\n" + "echo \"$1 $2\" >> '" + world_.scripts + "/log'\n" + script);
  }
  std::string log() { return read_file(fs::path(world_.scripts) / "log").value_or(""); }
  static std::string says(const std::string& json) { return "cat <<'E'\n" + json + "\nE\n"; }
  static std::vector<std::string> open(const Clarity& clarity) {
    std::vector<std::string> ids;
    for (const Issue& issue : clarity.issues)
      for (const Clarification& question : issue.clarifications)
        if (question.state == ClarificationState::asked) ids.push_back(question.question_id);
    return ids;
  }
  World world_;
  std::vector<Issue> issues_;
  ClarifyRequest request_;
};

constexpr const char* kReady = R"({"questions_by_issue":[],"ready_to_plan":true})";
constexpr const char* kAsksFirst =
    R"({"questions_by_issue":[{"issue_code":"BE-001","questions":[{"question":"Which?"}]},{"issue_code":"BE-002","questions":[]}],"ready_to_plan":false})";

TEST_F(ClarifyWorld, NoQuestionsIsReady) {
  agent(says(kReady));
  const Clarity clarity = round();
  EXPECT_TRUE(clarity.ready_to_plan());
  EXPECT_THAT(open(clarity), IsEmpty());
  EXPECT_EQ(log(), "fix_clarifier BE-001,BE-002\n") << "one call about both";
}

TEST_F(ClarifyWorld, RoundsUntilReadyAndOneQuestionHoldsNobodyUp) {
  agent(
      "if [ $n = 1 ]; then " + says(kAsksFirst) + "elif [ $n = 2 ]; then " + says(kReady) +
      "elif [ $n = 3 ]; then " +
      says(
          R"({"questions_by_issue":[{"issue_code":"BE-001","questions":[{"question":"And then?"}]}],"ready_to_plan":true})") +
      "else " + says(kReady) + "fi");
  EXPECT_THAT(open(round()), ElementsAre("BE-001-q1"));
  Clarity clarity = round();
  EXPECT_THAT(open(clarity), ElementsAre("BE-001-q1"))
      << "an open question waits; nobody is asked about it again";
  EXPECT_THAT(log(), HasSubstr("fix_clarifier BE-002\n")) << "the other issue goes on";
  answer("BE-001-q1", "this one");
  world_.reopen();
  clarity = round();
  EXPECT_THAT(open(clarity), ElementsAre("BE-001-q2")) << "numbered on through the rounds";
  EXPECT_EQ(clarity.issues[0].clarifications[1].round, 2);
  answer("BE-001-q2", "that one");
  EXPECT_TRUE(round().ready_to_plan());
}

TEST_F(ClarifyWorld, TheAgentSeesWhatWasAnswered) {
  agent("cat > '" + world_.scripts + "/prompt'\nif [ $n = 1 ]; then " + says(kAsksFirst) + "else " +
        says(kReady) + "fi");
  EXPECT_FALSE(round().ready_to_plan());
  answer("BE-001-q1", "the second, password = \"hunter2hunter2\"");
  EXPECT_TRUE(round().ready_to_plan());
  const std::string prompt = read_file(fs::path(world_.scripts) / "prompt").value();
  EXPECT_THAT(prompt, HasSubstr("Q: Which?\nA: the second"));
  EXPECT_THAT(prompt, Not(HasSubstr("hunter2"))) << "secrets reach neither store nor prompt";
}

TEST_F(ClarifyWorld, NothingUsableIsAskedOnceMoreAndThenAFailureOfThatIssue) {
  agent(says(R"({"questions_by_issue":[{"issue_code":"BE-001","questions":[{"question":"Which?"}]}]})"));
  const Clarity clarity = round();
  EXPECT_THAT(open(clarity), ElementsAre("BE-001-q1")) << "what was said counts";
  ASSERT_EQ(clarity.failures.size(), 1U);
  EXPECT_EQ(clarity.failures[0].code, "BE-002");
  EXPECT_FALSE(clarity.ready_to_plan());
  EXPECT_EQ(log(), "fix_clarifier BE-001,BE-002\nfix_clarifier BE-002\n")
      << "asked again about the one that was left out";
}

TEST_F(ClarifyWorld, AnEmptyAnswerAndAFailingAgentAreFailures) {
  for (const char* script :
       {"exit 0", "echo 'no questions'; exit 1", "printf '{\"questions_by_issue\": [{'"}) {
    agent(script);
    const Clarity clarity = round();
    EXPECT_EQ(clarity.failures.size(), 2U) << script;
    EXPECT_FALSE(clarity.ready_to_plan()) << script;
  }
}

TEST_F(ClarifyWorld, ASecondTryMayWork) {
  agent("if [ $n = 1 ]; then echo hm; else " + says(kReady) + "fi");
  EXPECT_TRUE(round().ready_to_plan());
}

TEST_F(ClarifyWorld, RoundsEnd) {
  agent(
      "cat <<E\n{\"questions_by_issue\":[{\"issue_code\":\"BE-001\",\"questions\":[{\"question\":\"Question "
      "$n?\"}]}],\"ready_to_plan\":true}\nE");
  request_.max_rounds = 2;
  request_.issue_ids = {"BE-001"};
  for (const char* id : {"BE-001-q1", "BE-001-q2"}) {
    EXPECT_THAT(open(round()), ElementsAre(id));
    answer(id, "yes");
  }
  EXPECT_TRUE(round().ready_to_plan())
      << "an agent that never stops asking does not hold the work up for ever";
}

TEST_F(ClarifyWorld, NothingOfTheUsersIsTouchedAndQuestionsAreEvents) {
  agent("echo changed > a.c; rm b.c\n" + says(kAsksFirst));
  const auto before = world_.manifest();
  const Clarity clarity = round();
  EXPECT_EQ(world_.manifest(), before);
  const auto events = world_.events(clarity.session_id);
  const bool told = std::any_of(events.begin(), events.end(), [](const Event& event) {
    return event.type == "clarify_questions" && event.issue_code == "BE-001";
  });
  EXPECT_TRUE(told);
}

TEST_F(ClarifyWorld, AnAnsweredIssueIsFixedWithTheAnswer) {
  agent("case $1 in fix_clarifier) if [ $n = 1 ]; then " + says(kAsksFirst) + "else " + says(kReady) +
        "fi;; *) cat > '" + world_.scripts +
        "/prompt'; echo 'int a = 1;' > a.c; echo "
        "'{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}';; esac");
  EXPECT_FALSE(round().ready_to_plan());
  answer("BE-001-q1", "make it one");
  const FixReport report = world_.must_fix({issues_[0]});
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_THAT(read_file(fs::path(world_.scripts) / "prompt").value(), HasSubstr("Q: Which?\nA: make it one"));
  EXPECT_THAT(world_.artifact(report.session.id, "BE-001-1-fix_challenger-1.prompt.md"),
              HasSubstr("make it one"))
      << "the judge knows what was decided";
}

TEST_F(ClarifyWorld, APlanCarriesAnswersAndNoSecrets) {
  world_.write("a.c", "int a;\nchar *aws = \"AKIAIOSFODNN7EXAMPLE\";\n");
  world_.git({"commit", "-q", "-a", "-m", "more"});
  agent(says(kAsksFirst));
  EXPECT_FALSE(round().ready_to_plan());
  answer("BE-001-q1", "make it one");
  PlanRequest request;
  request.policy = world_.policy;
  request.issues = must(world_.store().issues({.repository_id = world_.repository().id()}));
  const Plan plan = must(make_plan(world_.ports(), world_.home, request));
  const auto master = must(write_plan_files(plan.directory, plan.files));
  const PlanFiles read = must(read_plan_files(master));
  ASSERT_EQ(read.todos.size(), 2U);
  EXPECT_EQ(read.todos[0].clarifications.at(0).answer, "make it one");
  EXPECT_THAT(read.todos[0].snippet, HasSubstr("int a;"));
  EXPECT_THAT(read.todos[0].snippet, Not(HasSubstr("AKIAIOSFODNN7EXAMPLE")));
}

TEST_F(ClarifyWorld, AForeignPlanIsHeldAgainstTheRules) {
  PlanRequest request;
  request.policy = world_.policy;
  request.issues = issues_;
  request.steps = {{{"BE-001", "BE-009"}, ""}};
  const auto refused = make_plan(world_.ports(), world_.home, request);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("names BE-009"));
  EXPECT_THAT(refused.error().message, HasSubstr("BE-002 is missing"));
}

} // namespace
} // namespace emend::testing_support
