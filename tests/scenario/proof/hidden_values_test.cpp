// Hidden checks whose values are compared outside: what the code under test does inside its process, to exit
// statuses, output or the check itself, does not make a wrong value right.
#include <gmock/gmock.h>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kFixed = "\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'";

// double.py doubles its argument; it adds two. The project's own check knows one example only.
constexpr const char* kBroken = "def double(n):\n    return n + 2\n";
constexpr const char* kVisible = "from double import double\nassert double(2) == 4\n";
// It prints what the code answers, and knows nothing of what is right.
constexpr const char* kCheck =
    "import sys\nsys.path.insert(0, '.')\nnonce = sys.argv[1]\nfrom double import double\n"
    "for n in (1, 5, 7, 9):\n    print(nonce, f'double-{n}', double(n))\n";

class HiddenValues : public ::testing::Test {
protected:
  HiddenValues() : world(Files{{"double.py", kBroken}, {"visible.py", kVisible}}) {
    world.policy.commands = {{"visible", "python3 visible.py", {}, 0}};
    world.policy.max_fix_cycles = 1;
    issue = world.add({World::finding("double.py", 2, "double(3) is 5 instead of 6")}).front();
  }

  void give(std::vector<ExpectedValue> expected) {
    Reproducer check;
    check.id = new_uuid();
    check.issue_id = issue.id;
    check.command = "python3 checks/values.py \"$1\"";
    check.files.changes = {
        FileChange{"checks/values.py", 0, kModeFile, "", git_blob_id(kCheck, "sha1"), "", kCheck}};
    check.expected = std::move(expected);
    Change change;
    change.reproducers = {check};
    must(world.store().apply(change, 1));
  }
  void give() {
    give({{"double-1", "2", false, false}, {"double-5", "10", true, false}, {"double-7", "14", true, false}});
  }

  FixReport fix_with(const std::string& code) {
    must(write_file(world.home + "/fixed.py", code, 0644));
    world.fixer("cp " + shell_quote(world.home + "/fixed.py") + " double.py" + kFixed);
    return world.must_fix({issue});
  }

  World world;
  Issue issue;
};

TEST_F(HiddenValues, AnHonestFixIsAccepted) {
  give();
  const FixReport report = fix_with("def double(n):\n    return n * 2\n");
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
}

TEST_F(HiddenValues, AHardCodedAnswerIsRefused) {
  give();
  const FixReport report = fix_with("def double(n):\n    return {2: 4, 3: 6}.get(n, n + 2)\n");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
  EXPECT_THAT(World::outcome(report, "BE-001").issue.detail,
              HasSubstr("the reproducer does not pass with the patch"));
  for (const Event& event : world.events(report.session.id))
    EXPECT_THAT(dump_json(event.data), Not(HasSubstr("double-5"))) << "hidden inputs stay hidden";
}

TEST_F(HiddenValues, LeavingEarlyWithAGoodStatusIsRefused) {
  give();
  const FixReport report = fix_with(
      "import os, sys\ndef double(n):\n    if n != 2:\n        sys.stdout.flush()\n        getattr(os, '_ex' "
      "+ 'it')(0)\n"
      "    return 4\n");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
}

// It cannot know what is right without computing it; saying more than once is a contradiction.
TEST_F(HiddenValues, PrintingForTheCheckIsRefused) {
  give();
  const FixReport report = fix_with(
      "import sys\ndef double(n):\n    if len(sys.argv) > 1:\n        for m in (1, 5, 7):\n"
      "            print(sys.argv[1], f'double-{m}', m * 2)\n    return n + 2 if n != 2 else 4\n");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
}

// What is expected is nowhere in the tree, and nobody else's run can be asked for it.
TEST_F(HiddenValues, TheTreeHoldsNoExpectedValue) {
  give({{"double-5", "10", false, false}, {"double-9", "marker-of-the-expected", true, false}});
  const FixReport report = fix_with(
      "import os\ndef double(n):\n    for top, dirs, files in os.walk('.'):\n        for f in files:\n"
      "            if b'-'.join([b'marker-of-the', b'expected']) in open(os.path.join(top, f), "
      "'rb').read():\n"
      "                return '-'.join(['marker-of-the', 'expected']) if n == 9 else n * 2\n    return n * "
      "2\n");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
}

TEST_F(HiddenValues, TheSameAnswerAsTheBaseOnNearInputsIsNoted) {
  give({{"double-5", "10", false, false}, {"double-7", "", true, true}, {"double-9", "", true, true}});
  const FixReport report = fix_with("def double(n):\n    return n * 2 if n < 6 else n + 2\n");
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << "it is for the judge to say";
  EXPECT_THAT(join(report.notes, "\n"), HasSubstr("same answer as the base on "));
}

// One reported input and nothing else: what is near it is made up by the engine.
class NearInputs : public HiddenValues {
protected:
  void give_one() {
    Reproducer check;
    check.id = new_uuid();
    check.issue_id = issue.id;
    check.command = "echo \"$1 answer $(python3 -c 'from double import double; print(double(40))')\"";
    check.expected = {{"answer", "80", false, false}};
    Change change;
    change.reproducers = {check};
    must(world.store().apply(change, 1));
  }
  std::string judge_prompt(const FixReport& report) {
    return world.artifact(report.session.id, "BE-001-1-fix_challenger-1.prompt.md");
  }
};

TEST_F(NearInputs, AnAnswerForTheReportedInputAloneIsNoted) {
  give_one();
  const FixReport report = fix_with("def double(n):\n    return {2: 4, 40: 80}.get(n, n + 2)\n");
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << "it is for the judge to say";
  const std::string note =
      "same answer as the base on 4 of 4 inputs near the reported one: the fix may know only the reported "
      "input";
  EXPECT_THAT(join(report.notes, "\n"), HasSubstr("BE-001: " + note)) << "for the person";
  EXPECT_THAT(judge_prompt(report), HasSubstr(note)) << "for the judge";
  EXPECT_THAT(world.emend({"explain", "BE-001"}).out,
              HasSubstr("On 4 of 4 inputs near the reported one, the fix answers what the base answers."));
  for (const Event& event : world.events(report.session.id))
    EXPECT_THAT(dump_json(event.data), Not(HasSubstr("double(4"))) << "hidden inputs stay hidden";
  EXPECT_THAT(world.artifact(report.session.id, "BE-001-1-fixer.prompt.md"), Not(HasSubstr("double(4")));
}

TEST_F(NearInputs, ARightFixAnswersThemOtherwise) {
  give_one();
  const FixReport report = fix_with("def double(n):\n    return n * 2\n");
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_THAT(join(report.notes, "\n"), Not(HasSubstr("same answer")));
  EXPECT_THAT(judge_prompt(report), Not(HasSubstr("same answer")));
  int near = 0;
  for (const Verification& run : must(world.store().verifications(report.session.id)))
    if (run.kind == VerificationKind::near_patched) near += static_cast<int>(run.commands.size());
  EXPECT_EQ(near, 4) << "no more than tell something";
}

// Says no once, with everything it was told of near inputs in each place where a verdict has words.
constexpr const char* kTellsAll = R"(
import json, sys
prompt, token, code = open(sys.argv[1]).read(), *sys.argv[2:]
told = [line for line in prompt.splitlines() if 'the answers changed' in line]
if 'return 2 * n' not in prompt:
    said = {'score': 40, 'status': 'REJECTED', 'feedback': 'Not yet. ' + ' '.join(told),
            'account': ' '.join(told), 'blocking': told + ['Say what it doubles.'],
            'suggestions': told, 'quality_scores': {}}
else:
    said = {'score': 97, 'status': 'SOLVED', 'feedback': ' '.join(told), 'account': ' '.join(told),
            'blocking': [], 'suggestions': told, 'quality_scores': {}}
print(json.dumps({'review_token': token, 'issues': {code: said}, 'other': told}))
)";

TEST_F(NearInputs, NobodyButTheJudgeLearnsThem) {
  give_one();
  world.policy.max_iterations = 2;
  world.policy.canaries = 0;
  must(write_file(world.home + "/judge.py", kTellsAll, 0644));
  world.judge("python3 " + shell_quote(world.home + "/judge.py") + " \"$3\" \"$token\" \"$2\"");
  world.fixer(
      "if grep -q '40 of 100' \"$3\"; then echo 'def double(n):\n    return 2 * n'; "
      "else echo 'def double(n):\n    return n * 2'; fi > double.py" +
      std::string(kFixed));
  const FixReport report = world.must_fix({issue});
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;

  std::vector<std::string> hidden = {"the answers changed"};
  for (const Verification& run : must(world.store().verifications(report.session.id)))
    if (run.kind == VerificationKind::near_patched)
      for (const CommandRun& near : run.commands) {
        const auto at = near.run.find("double(");
        ASSERT_NE(at, std::string::npos) << near.run;
        hidden.push_back(near.run.substr(at, near.run.find(')', at) - at));
      }
  ASSERT_GE(hidden.size(), 4U);
  EXPECT_THAT(judge_prompt(report), HasSubstr(hidden[1])) << "the judge does";

  const std::string again = world.artifact(report.session.id, "BE-001-2-re_fixer.prompt.md");
  EXPECT_THAT(again, HasSubstr("40 of 100"));
  EXPECT_THAT(again, HasSubstr("Say what it doubles."));
  EXPECT_THAT(again, HasSubstr("check that you cannot see"));
  std::string seen = again + join(report.notes, "\n") + world.emend({"explain", "BE-001"}).out;
  for (const Attempt& attempt : must(world.store().attempts_of_session(report.session.id)))
    seen += join(attempt.notes, "\n");
  for (const Verdict& verdict : must(world.store().verdicts(report.session.id)))
    seen += verdict.feedback + verdict.account + join(verdict.improvements_needed, "\n");
  for (const Event& event : world.events(report.session.id)) // a judge's words as they come are for people
    if (event.type != "fix_issue_streaming") seen += dump_json(event.data);
  seen += world.git({"log", "--all", "--format=%B"});
  for (const std::string& words : hidden) EXPECT_THAT(seen, Not(HasSubstr(words)));
}

TEST_F(HiddenValues, ACheckWhoseValuesAreRightOnTheBaseIsNotUsed) {
  give({{"double-1", "3", false, false}});
  (void)fix_with("def double(n):\n    return n * 2\n");
  const auto known = must(world.store().reproducers(issue.id));
  EXPECT_THAT(known.back().reason, HasSubstr("its values on the base are the expected ones"));
}

TEST_F(HiddenValues, AnAgentThatDoesNotFixMayExpectValues) {
  world.policy.reproduce = Reproduce::always;
  must(write_file(world.home + "/values.py", kCheck, 0644));
  world.judge(
      "if [ $1 = reproducer ]; then\ncp " + shell_quote(world.home + "/values.py") +
      " values.py\n"
      "echo '{\"reproducer\":{\"files\":[\"values.py\"],\"command\":\"python3 values.py \\\"$1\\\"\","
      "\"expected\":[{\"name\":\"double-5\",\"value\":10},{\"name\":\"double-7\",\"value\":\"14\"}]}}'\n"
      "else printf '{\"review_token\":\"'$token'\",\"issues\":{\"%s\":{\"score\":97,\"status\":\"SOLVED\","
      "\"feedback\":\"ok\",\"quality_scores\":{},\"improvements_needed\":[]}}}\\n' \"$2\"\nfi");
  const FixReport refused = fix_with("def double(n):\n    return {2: 4, 3: 6}.get(n, n + 2)\n");
  EXPECT_EQ(World::status(refused, "BE-001"), "FAILED(verification_failed)");
  const auto known = must(world.store().reproducers(issue.id));
  ASSERT_FALSE(known.empty());
  EXPECT_EQ(known.back().state, ReproducerState::accepted) << known.back().reason;
  EXPECT_TRUE(known.back().independent());
}

// An agent that answers with these values when it is asked first, and with the others from then on.
class AskedForMore : public HiddenValues {
protected:
  static std::string expecting(std::initializer_list<int> inputs) {
    std::vector<std::string> values;
    for (const int n : inputs)
      values.push_back("{\\\"name\\\":\\\"double-" + std::to_string(n) +
                       "\\\",\\\"value\\\":" + std::to_string(2 * n) + "}");
    return join(values, ",");
  }
  void author(const std::string& first, const std::string& then) {
    world.policy.reproduce = Reproduce::always;
    const std::string check = replace_all(kCheck, "(1, 5, 7, 9)", "(0, 1, 5, 7, 9, 100)");
    must(write_file(world.home + "/values.py", check, 0644));
    const std::string asked = shell_quote(world.scripts + "/asked");
    world.judge(
        "if [ $1 = reproducer ]; then\ncp " + shell_quote(world.home + "/values.py") +
        " values.py\ncp \"$3\" " + shell_quote(world.scripts + "/prompt") + "\nif [ -e " + asked +
        " ]; then e=\"" + then + "\"; else e=\"" + first + "\"; fi; echo x >> " + asked +
        "\necho \"{\\\"reproducer\\\":{\\\"files\\\":[\\\"values.py\\\"],\\\"command\\\":\\\"python3 "
        "values.py \\\\\\\"\\$1\\\\\\\"\\\","
        "\\\"expected\\\":[$e]}}\"\n"
        "else printf '{\"review_token\":\"'$token'\",\"issues\":{\"%s\":{\"score\":97,\"status\":\"SOLVED\","
        "\"feedback\":\"ok\",\"quality_scores\":{},\"improvements_needed\":[]}}}\\n' \"$2\"\nfi");
  }
  std::string asked_last() { return must(read_file(world.scripts + "/prompt")); }
  std::ptrdiff_t times_asked() {
    const std::string lines = must(read_file(world.scripts + "/asked"));
    return std::count(lines.begin(), lines.end(), '\n');
  }
};

TEST_F(AskedForMore, AFixThatKnowsFewInputsIsRefusedByTheOthers) {
  author(expecting({1}), expecting({0, 1, 5, 7, 9}));
  const FixReport report = fix_with("def double(n):\n    return {1: 2, 2: 4, 3: 6}.get(n, n + 2)\n");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
  EXPECT_EQ(times_asked(), 2);
  EXPECT_THAT(asked_last(), HasSubstr("it knows the right answer to 1 input only. Give at least 5"));
  EXPECT_EQ(must(world.store().reproducers(issue.id)).back().expected.size(), 5U);
}

TEST_F(AskedForMore, WhatKnowsNoMoreIsUsedAndTheJudgeLearnsThat) {
  author(expecting({1, 5}), expecting({1, 5}));
  const FixReport report = fix_with("def double(n):\n    return n * 2\n");
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(times_asked(), 2);
  EXPECT_THAT(world.artifact(report.session.id, "BE-001-1-fix_challenger-1.prompt.md"),
              HasSubstr("the hidden check: it knows the right answer to 2 inputs only"));
}

TEST_F(AskedForMore, TheFirstIsUsedWhereTheSecondIsWorthNothing) {
  author(expecting({1, 5}), "");
  const FixReport report = fix_with("def double(n):\n    return n * 2\n");
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(must(world.store().reproducers(issue.id)).back().expected.size(), 2U);
}

TEST_F(AskedForMore, NobodyIsAskedTwiceForACheckThatKnowsEnough) {
  author(expecting({0, 1, 5, 7, 9}), "");
  const FixReport report = fix_with("def double(n):\n    return n * 2\n");
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(times_asked(), 1);
}

TEST_F(HiddenValues, AreGivenOnTheCommandLine) {
  must(write_file(world.home + "/values.py", kCheck, 0644));
  must(write_file(world.home + "/expected", "double-1 2\ndouble-5 10\n", 0644));
  const std::vector<std::string> arguments = {"issues",
                                              "reproducer",
                                              "BE-001",
                                              "--file",
                                              world.home + "/values.py",
                                              "--run",
                                              "python3 .checks/values.py \"$1\"",
                                              "--expect",
                                              world.home + "/expected"};
  const ProcessResult given = world.emend(arguments);
  EXPECT_EQ(given.exit_code, 0) << given.err;
  EXPECT_THAT(given.out, HasSubstr("prints 2 values"));
  EXPECT_THAT(given.err, HasSubstr("it knows the right answer to 2 inputs only: 5 inputs that differ"));
  const FixReport report = fix_with("def double(n):\n    return {2: 4, 3: 6}.get(n, n + 2)\n");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
  must(write_file(world.home + "/expected", "double-1\n", 0644));
  EXPECT_EQ(world.emend(arguments).exit_code, 2) << "there is nothing to compare with";
}

} // namespace
} // namespace emend::testing_support
