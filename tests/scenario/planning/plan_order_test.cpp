// Somebody's own plan is followed: its steps run one after the other, each on top of what the one before came
// to, also after a kill.
#include <gmock/gmock.h>

#include <csignal>

#include "base/strings.hpp"
#include "engine/plan/plan.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

using Steps = std::vector<std::vector<std::string>>;

// Every agent start is written down with the sum of all numbers it found in its working directory: what it
// saw of the fixes before it.
constexpr const char* kFix =
    R"sh(echo "$1 $2 $(cat src/*.c | tr -dc '0-9\n' | awk '{ sum += $1 } END { print sum }')" >> "$(dirname "$0")/calls"
case $2 in
  BE-001) sed -i 's/a = 1/a = 10/' src/a.c;;
  BE-002) sed -i 's/b = 1/b = 20/' src/b.c;;
  BE-003) sed -i 's/c = 1/c = 30/' src/c.c;;
esac
echo '{"outcomes":[{"id":"'$2'","outcome":"fixed"}]}')sh";

class PlanOrder : public ::testing::Test {
protected:
  PlanOrder()
      : world({{"src/a.c", "int a = 1;\n"},
               {"src/b.c", "int b = 1;\n"},
               {"src/c.c", "int c = 1;\n"},
               {"ok.sh", "grep -q 'int a' src/a.c\n"}}) {
    world.policy.commands = {{"ok", "sh ok.sh", {}, 0}};
    world.policy.parallel = 3;
    world.fixer(kFix);
    world.judge_score(98);
    issues = world.add({World::finding("src/a.c", 1, "a is 1"), World::finding("src/b.c", 1, "b is 1"),
                        World::finding("src/c.c", 1, "c is 1")});
  }
  FixRequest request(const Steps& steps) {
    PlanRequest wanted;
    wanted.issues = issues;
    wanted.policy = world.policy;
    for (const std::vector<std::string>& codes : steps) wanted.steps.push_back({codes, ""});
    FixRequest made;
    for (const Issue& issue : issues) made.issue_ids.push_back(issue.id);
    made.policy = world.policy;
    made.plan = must(make_plan(world.ports(), world.home, wanted)).files;
    return made;
  }
  FixReport run(const Steps& steps) { return must(world.manager().fix(request(steps), {})); }
  std::vector<std::string> calls() {
    std::vector<std::string> lines;
    const std::string text = read_file(world.scripts + "/calls", 100'000).value_or("");
    for (const std::string_view line : lines_of(text))
      if (!trim(line).empty()) lines.emplace_back(trim(line));
    return lines;
  }
  std::vector<std::string> subjects(const FixReport& report) {
    std::vector<std::string> codes;
    for (const std::string& line :
         split(world.git({"log", "--reverse", "--format=%(trailers:key=Emend-Issue,valueonly,separator=%x2C)",
                          report.session.base + ".." + report.session.branch}),
               '\n'))
      if (!line.empty()) codes.push_back(line);
    return codes;
  }
  World world;
  std::vector<Issue> issues;
};

TEST_F(PlanOrder, StepsRunOneAfterTheOtherAndALaterOneSeesTheEarlierFix) {
  const FixReport report = run({{"BE-003"}, {"BE-001"}, {"BE-002"}});
  EXPECT_THAT(calls(), ElementsAre("fixer BE-003 3", "fixer BE-001 32", "fixer BE-002 41"));
  EXPECT_EQ(report.session.status, SessionStatus::passed) << join(report.notes, "\n");
  EXPECT_THAT(subjects(report), ElementsAre("BE-003", "BE-001", "BE-002"));
  EXPECT_EQ(world.show(report.session.branch, "src/b.c"), "int b = 20;\n");
  for (const Issue& issue : issues) EXPECT_EQ(World::status(report, issue.code), "RESOLVED");
}

TEST_F(PlanOrder,
       AHandWrittenOrderHoldsAgainstTheHeaviestFileFirst) { // which is what runs first without a plan
  world.policy.parallel = 1;
  Finding heavy = World::finding("src/c.c", 1, "c is a long story");
  heavy.effort = 5;
  issues = {issues[0], issues[1], world.add({heavy}).front()};
  world.fixer(
      "echo \"$1 $2\" >> \"$(dirname \"$0\")/calls\"\ncase $2 in BE-001) f=a;; BE-002) f=b;; *) f=c;; "
      "esac\nsed -i 's/= 1/= 2/' src/$f.c\n"
      "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  const FixReport report = run({{"BE-001"}, {"BE-002"}, {issues[2].code}});
  EXPECT_THAT(calls(), ElementsAre("fixer BE-001", "fixer BE-002", "fixer " + issues[2].code));
  EXPECT_EQ(report.session.status, SessionStatus::passed) << join(report.notes, "\n");
}

TEST_F(PlanOrder, IssuesOfOneStepDoNotWaitForEachOther) {
  const FixReport report = run({{"BE-001", "BE-002"}, {"BE-003"}});
  std::vector<std::string> made = calls();
  ASSERT_EQ(made.size(), 3U);
  EXPECT_EQ(made.back(), "fixer BE-003 31");
  made.pop_back();
  EXPECT_THAT(made, UnorderedElementsAre("fixer BE-001 3", "fixer BE-002 3"));
  for (const Issue& issue : issues)
    EXPECT_EQ(World::status(report, issue.code), "RESOLVED")
        << World::outcome(report, issue.code).issue.detail;
  EXPECT_EQ(report.session.status, SessionStatus::passed);
}

TEST_F(PlanOrder, AFailedIssueDoesNotStopTheStepsAfterItNorIsItsFixSeen) {
  world.policy.max_fix_cycles = 1;
  world.policy.commands = {{"ok", "sh ok.sh", {}, 0}, {"b", "! grep -q 20 src/b.c", {}, 0}};
  const FixReport report = run({{"BE-001"}, {"BE-002"}, {"BE-003"}});
  EXPECT_THAT(calls(), ElementsAre("fixer BE-001 3", "fixer BE-002 12", "fixer BE-003 12"));
  EXPECT_EQ(World::status(report, "BE-002"), "FAILED(verification_failed)");
  EXPECT_EQ(World::status(report, "BE-003"), "RESOLVED") << World::outcome(report, "BE-003").issue.detail;
  EXPECT_THAT(subjects(report), ElementsAre("BE-001", "BE-003"));
}

TEST_F(PlanOrder, InBatchModeAStepIsSettledBeforeTheNext) {
  world.policy.verify_mode = VerifyMode::batch;
  const FixReport report = run({{"BE-002", "BE-003"}, {"BE-001"}});
  EXPECT_EQ(calls().back(), "fixer BE-001 51");
  EXPECT_EQ(report.session.status, SessionStatus::passed) << join(report.notes, "\n");
  EXPECT_EQ(subjects(report).back(), "BE-001");
}

TEST_F(PlanOrder, BatchesAreMadeWithinAStep) {
  world.policy.strategy = Strategy::batched;
  world.fixer(
      "echo \"$1 $2\" >> \"$(dirname \"$0\")/calls\"\ncase $2 in *BE-003*) sed -i 's/= 1/= 2/' src/c.c;; *) "
      "sed -i 's/= 1/= 2/' src/a.c src/b.c;; esac\n"
      "printf '{\"outcomes\":['; sep=; for code in $(echo $2 | tr , ' '); do printf "
      "'%s{\"id\":\"%s\",\"outcome\":\"fixed\"}' \"$sep\" $code; sep=,; done; echo ']}'");
  const FixReport report = run({{"BE-003"}, {"BE-001", "BE-002"}});
  EXPECT_THAT(calls(), ElementsAre("fixer BE-003", "fixer BE-001,BE-002"));
  EXPECT_EQ(report.session.status, SessionStatus::passed) << join(report.notes, "\n");
}

// A dropped fix of a batch step gets its next try on top of what the step kept, before the next step.
TEST_F(PlanOrder, WhatABatchStepDropsIsMadeAgainBeforeTheNextStep) {
  world.policy.verify_mode = VerifyMode::batch;
  world.policy.commands = {{"b", "! grep -q 99 src/b.c || { echo nines; exit 1; }", {}, 0}};
  world.fixer("[ $1 = fixer ] && [ $2 = BE-002 ] && sed -i 's/b = 1/b = 99/' src/b.c\n" + std::string(kFix));
  const FixReport report = run({{"BE-001"}, {"BE-002"}, {"BE-003"}});
  EXPECT_EQ(World::status(report, "BE-002"), "RESOLVED") << World::outcome(report, "BE-002").issue.detail;
  EXPECT_THAT(calls(), ElementsAre("fixer BE-001 3", HasSubstr("fixer BE-002"), HasSubstr("re_fixer BE-002"),
                                   "fixer BE-003 31"));
  EXPECT_THAT(subjects(report), ElementsAre("BE-001", "BE-002", "BE-003"));
}

TEST_F(PlanOrder, AStoppedSessionGoesOnAtItsStep) {
  std::stop_source source;
  world.on_event = [&](const Event& event) {
    if (event.type == "fix_issue_started" && event.issue_code == "BE-002") source.request_stop();
  };
  const FixReport stopped =
      must(world.manager().fix(request({{"BE-003"}, {"BE-002"}, {"BE-001"}}), source.get_token()));
  ASSERT_EQ(stopped.session.status, SessionStatus::cancelled);
  EXPECT_THAT(calls(), ElementsAre("fixer BE-003 3"));
  world.on_event = {};
  world.reopen();
  const FixReport report = must(world.manager().resume(stopped.session.id, {}));
  EXPECT_THAT(calls(), ElementsAre("fixer BE-003 3", "fixer BE-002 32", "fixer BE-001 51"))
      << "what was done is not done again";
  EXPECT_EQ(report.session.status, SessionStatus::passed) << join(report.notes, "\n");
  EXPECT_THAT(subjects(report), ElementsAre("BE-003", "BE-002", "BE-001"));
}

TEST_F(PlanOrder, StepsAreToldOfInOrder) {
  const FixReport report = run({{"BE-002"}, {"BE-003", "BE-001"}});
  std::vector<std::string> told;
  for (const Event& event : world.events(report.session.id))
    if (event.type == "fix_step_started" || event.type == "fix_step_completed")
      told.push_back(event.type.substr(9) + " " + std::to_string(event.data.at("step").get<int>()) + "/" +
                     std::to_string(event.data.at("total_steps").get<int>()));
  EXPECT_THAT(told, ElementsAre("started 1/2", "completed 1/2", "started 2/2", "completed 2/2"));
}

// Killed at any moment: the session goes on with the step it was at, and nothing is made out of order.
class KilledPlan : public PlanOrder, public ::testing::WithParamInterface<int> {};

TEST_P(KilledPlan, GoesOnInOrder) {
  must(write_file(world.scripts + "/emend.toml",
                  "[fix]\nagent = \"fixer\"\n[fix_challenger]\nagent = \"judge\"\ncanaries = 0\n"
                  "[agents.fixer]\nengine = \"exec\"\ncommand = [\"" +
                      world.scripts +
                      "/fixer\", \"{role}\", \"{issue}\"]\n"
                      "[agents.judge]\nengine = \"exec\"\ncommand = [\"" +
                      world.scripts +
                      "/judge\", \"{role}\", \"{issue}\"]\n"
                      "[sandbox]\nshared = [\"" +
                      world.scripts +
                      "\"]\n"
                      "[verify]\nmode = \"each\"\ncommands = [{ name = \"ok\", run = \"sh ok.sh\" }]\n"));
  const FixRequest wanted = request({{"BE-003"}, {"BE-002"}, {"BE-001"}});
  must(write_plan_files(world.scripts + "/plan", *wanted.plan));
  const std::vector<std::string> config = {"--config", world.scripts + "/emend.toml"};
  const auto with_config = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), config.begin(), config.end());
    return arguments;
  };
  const ProcessResult killed = world.emend(with_config({"fix", "--plan", world.scripts + "/plan"}),
                                           {"EMEND_TEST_CRASH_AT=" + std::to_string(GetParam())});
  ASSERT_EQ(killed.signal, SIGKILL) << killed.out << killed.err;
  world.reopen();
  const auto sessions = must(world.store().sessions("", 0));
  ASSERT_EQ(sessions.size(), 1U);
  const ProcessResult resumed = world.emend(with_config({"sessions", "resume", sessions[0].id}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.out << resumed.err;
  world.reopen();
  const FixReport report = must(world.manager().report(sessions[0].id));
  EXPECT_EQ(report.session.status, SessionStatus::passed);
  EXPECT_THAT(subjects(report), ElementsAre("BE-003", "BE-002", "BE-001"));
  std::vector<std::string> order =
      calls(); // an agent that was killed with its engine is started again: the same line once more
  order.erase(std::unique(order.begin(), order.end()), order.end());
  EXPECT_THAT(order, ElementsAre("fixer BE-003 3", "fixer BE-002 32", "fixer BE-001 51"));
}

INSTANTIATE_TEST_SUITE_P(Moments, KilledPlan, ::testing::Values(25, 40, 55, 70));

} // namespace
} // namespace emend::testing_support
