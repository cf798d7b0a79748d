// Reproducers: a check the fixer never sees, red on the base, green with the patch, red again without it.
#include <gmock/gmock.h>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/gate/prove.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kFixed = "\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'";

// double.sh should print twice its argument; it adds two. The project's own check knows one example only.
constexpr const char* kBroken = "echo $(($1 + 2))\n";
constexpr const char* kRight = "printf 'echo $(($1 * 2))\\n' > double.sh";
constexpr const char* kHardCoded =
    "printf 'if [ $1 = 3 ]; then echo 6; else echo $(($1 + 2)); fi\\n' > double.sh";
constexpr const char* kCheck =
    "for n in 1 5 7; do test \"$(sh double.sh $n)\" = $((n * 2)) || { echo held-out input $n; exit 1; }; "
    "done\n";
// What an agent does that is asked for a check.
constexpr const char* kAgentCheck =
    "marker=$(grep -o 'REPRODUCED [0-9a-f]*' \"$3\" | head -1)\n"
    "printf 'for n in 1 5 7; do test \"$(sh double.sh $n)\" = $((n * 2)) || { echo \"%s\"; exit 1; }; "
    "done\\n' \"$marker\" > check.sh\n"
    "echo '{\"reproducer\":{\"issue\":\"'$2'\",\"files\":[\"check.sh\"],\"command\":\"sh "
    "check.sh\",\"explanation\":\"three more inputs\"}}'";

class Reproducers : public ::testing::Test {
protected:
  Reproducers() : world(Files{{"double.sh", kBroken}, {"ok.sh", "test \"$(sh double.sh 2)\" = 4\n"}}) {
    world.policy.commands = {{"ok", "sh ok.sh", {}, 0}};
    world.policy.max_fix_cycles = 2;
    issue = world.add({World::finding("double.sh", 1, "double.sh 3 prints 5 instead of 6")}).front();
  }

  void give(const std::string& script) {
    Reproducer check;
    check.id = new_uuid();
    check.issue_id = issue.id;
    check.command = "sh check/it.sh";
    check.files.changes = {
        FileChange{"check/it.sh", 0, kModeFile, "", git_blob_id(script, "sha1"), "", script}};
    Change change;
    change.reproducers = {check};
    must(world.store().apply(change, 1));
  }
  // The judge's program plays both roles, each in its own run.
  void agent_writes(const std::string& script) {
    world.policy.reproduce = Reproduce::always;
    world.judge("if [ $1 = reproducer ]; then\n" + script +
                "\nelse printf "
                "'{\"review_token\":\"'$token'\",\"issues\":{\"%s\":{\"score\":97,\"status\":\"SOLVED\","
                "\"feedback\":\"ok\",\"quality_scores\":{},\"improvements_needed\":[]}}}\\n' \"$2\"\nfi");
  }
  std::string evidence(const FixReport& report) { return World::outcome(report, issue.code).issue.evidence; }
  int asked(const FixReport& report) {
    int runs = 0;
    for (const AgentRunRecord& run : must(world.store().agent_runs(report.session.id)))
      runs += run.role == "reproducer" ? 1 : 0;
    return runs;
  }
  std::string reason() {
    const auto known = must(world.store().reproducers(issue.id));
    return known.empty() ? "" : std::string(to_string(known.back().state)) + ": " + known.back().reason;
  }

  World world;
  Issue issue;
};

TEST_F(Reproducers, OneThatAPersonGaveProvesAnHonestFix) {
  give(kCheck);
  world.fixer(kRight + std::string(kFixed));
  const FixReport report = world.must_fix({issue});
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(evidence(report), "repaired");
  EXPECT_EQ(asked(report), 0);
  const ProofReport proof = must(prove_issue(world.ports(), world.home,
                                             must(world.store().issue(world.repository().id(), "BE-001")),
                                             {"", true, world.policy}, {}));
  for (const ProofCheck& check : proof.checks) EXPECT_TRUE(check.holds) << check.part << ": " << check.detail;
  EXPECT_THAT(proof.checks.back().detail,
              HasSubstr("fails on the base, passes with the patch, fails again without it"));
}

TEST_F(Reproducers, WithoutOneAHardCodedAnswerGetsThrough) {
  world.fixer(kHardCoded + std::string(kFixed));
  EXPECT_EQ(World::status(world.must_fix({issue}), "BE-001"), "RESOLVED") << "nothing else here would notice";
}

TEST_F(Reproducers, AHardCodedAnswerIsRefutedByInputsTheFixerNeverSaw) {
  give(kCheck);
  world.fixer(kHardCoded + std::string("; echo \"# tried by $1\" >> double.sh") + kFixed);
  const FixReport report = world.must_fix({issue});
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
  EXPECT_THAT(World::outcome(report, "BE-001").issue.detail,
              HasSubstr("the reproducer does not pass with the patch"));
  EXPECT_TRUE(world.branches() == std::vector<std::string>{"main"});
  const std::string prompt = world.artifact(report.session.id, "BE-001-2-re_fixer.prompt.md");
  EXPECT_THAT(prompt, HasSubstr("which you cannot see, still finds it"));
  EXPECT_THAT(prompt, Not(HasSubstr("held-out"))) << "hidden inputs stay hidden";
  EXPECT_THAT(prompt, Not(HasSubstr("check/it.sh")));
  for (const Event& event : world.events(report.session.id))
    EXPECT_THAT(dump_json(event.data), Not(HasSubstr("held-out")));
}

TEST_F(Reproducers, AnAgentsCheckRefutesAHardCodedAnswerAndProvesARightOne) {
  agent_writes(kAgentCheck);
  world.policy.max_fix_cycles = 3;
  world.fixer("if [ $1 = fixer ]; then " + std::string(kHardCoded) + "; else " + kRight + "; fi" + kFixed);
  const FixReport report = world.must_fix({issue});
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED")
      << World::outcome(report, "BE-001").issue.detail << join(report.notes, "\n");
  EXPECT_EQ(evidence(report), "repaired");
  EXPECT_EQ(report.cycles.size(), 2U);
  EXPECT_EQ(asked(report), 1) << "one check serves every turn";
  EXPECT_THAT(world.artifact(report.session.id, "BE-001-1-fixer.prompt.md"), Not(HasSubstr("REPRODUCED")));
  EXPECT_THAT(world.artifact(report.session.id, "BE-001-2-re_fixer.prompt.md"), Not(HasSubstr("REPRODUCED")));
  EXPECT_FALSE(contains(world.git({"ls-tree", "-r", "--name-only", report.session.branch}), "check.sh"))
      << "it is not part of the fix";
}

TEST_F(Reproducers, APartialFixIsRefuted) {
  World three(
      Files{{"lib.sh", "a() { echo $(($1 + 2)); }\nb() { echo $(($1 + 2)); }\nc() { echo $(($1 + 2)); }\n"}});
  const auto issues = three.add({World::finding("lib.sh", 1, "a, b and c should double")});
  three.policy.reproduce = Reproduce::always;
  three.policy.max_fix_cycles = 1;
  three.judge(
      "if [ $1 = reproducer ]; then m=$(grep -o 'REPRODUCED [0-9a-f]*' \"$3\" | head -1)\n"
      "printf '. ./lib.sh; for f in a b c; do test $($f 5) = 10 || { echo \"%s\"; exit 1; }; done\\n' \"$m\" "
      "> check.sh\n"
      "echo '{\"reproducer\":{\"issue\":\"BE-001\",\"files\":[\"check.sh\"],\"command\":\"sh "
      "check.sh\",\"explanation\":\"\"}}'\n"
      "else echo "
      "'{\"review_token\":\"'$token'\",\"issues\":{\"BE-001\":{\"score\":99,\"status\":\"SOLVED\","
      "\"feedback\":\"ok\",\"quality_scores\":{},\"improvements_needed\":[]}}}'; fi");
  three.fixer("sed -i '1s/+ 2/* 2/' lib.sh" + std::string(kFixed));
  EXPECT_EQ(World::status(three.must_fix(issues), "BE-001"), "FAILED(verification_failed)");
}

TEST_F(Reproducers, WithoutOneNobodyIsAskedUnlessItIsWanted) {
  world.fixer(kRight + std::string(kFixed));
  const FixReport report = world.must_fix({issue});
  EXPECT_EQ(evidence(report), "unbroken");
  EXPECT_EQ(asked(report), 0);
}

TEST_F(Reproducers, WhereProofIsRequiredAnAgentIsAsked) {
  agent_writes(kAgentCheck);
  world.policy.reproduce = Reproduce::automatic;
  world.policy.minimum_evidence = "repaired";
  world.fixer(kRight + std::string(kFixed));
  const FixReport report = world.must_fix({issue});
  EXPECT_EQ(evidence(report), "repaired") << World::outcome(report, "BE-001").issue.detail;
}

TEST_F(Reproducers, WithoutVerificationCommandsACheckAloneCanProve) {
  world.policy.commands.clear();
  give(kCheck);
  world.fixer(kRight + std::string(kFixed));
  EXPECT_EQ(evidence(world.must_fix({issue})), "repaired");
}

struct Useless {
  std::string name, script, why;
};

class UselessReproducers : public Reproducers, public ::testing::WithParamInterface<Useless> {};

TEST_P(UselessReproducers, AreDiscardedWithAReason) {
  agent_writes(GetParam().script);
  world.fixer(kRight + std::string(kFixed));
  const FixReport report = world.must_fix({issue});
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(evidence(report), "unbroken") << "what is not shown is not claimed";
  EXPECT_EQ(asked(report), 2) << "it may mend it once";
  EXPECT_THAT(reason(), HasSubstr("discarded: " + GetParam().why));
}

std::string answer(const std::string& files, const std::string& command) {
  return "\necho '{\"reproducer\":{\"files\":[" + files + "],\"command\":\"" + command + "\"}}'";
}

INSTANTIATE_TEST_SUITE_P(
    All, UselessReproducers,
    ::testing::Values(
        Useless{"green", "echo true > c.sh" + answer("\"c.sh\"", "sh c.sh"), "it passes on the base"},
        Useless{"no_command", answer("", "surely-there-is-no-such-program"),
                "its command cannot be run (exit 127)"},
        Useless{"syntax_error",
                "m=$(grep -o 'REPRODUCED [0-9a-f]*' \"$3\" | head -1); printf 'if; echo \"%s\"\\n' \"$m\" > "
                "c.sh" +
                    answer("\"c.sh\"", "sh c.sh"),
                "it fails (exit 2) without printing its marker line"},
        Useless{"killed", answer("", "kill -9 $$"), "it is ended by a signal"},
        Useless{"changes_the_code", "echo exit 1 > double.sh" + answer("", "sh double.sh"),
                "it changes existing files"},
        Useless{"names_nothing", answer("\"../outside.sh\"", "sh c.sh"), "it names ../outside.sh"},
        Useless{"says_nothing", "echo I could not", "the agent named no check"}),
    [](const auto& test) { return test.param.name; });

TEST_F(Reproducers, WhereProofIsRequiredNoCheckMeansNoResolution) {
  agent_writes("echo true > c.sh" + answer("\"c.sh\"", "sh c.sh"));
  world.policy.minimum_evidence = "repaired";
  world.fixer(kRight + std::string(kFixed));
  const FixReport report = world.must_fix({issue});
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(evidence_too_weak)");
  EXPECT_EQ(world.branches(), std::vector<std::string>{"main"});
}

TEST_F(Reproducers, AnInterruptedSessionDoesNotAskAgain) {
  agent_writes(kAgentCheck);
  world.fixer(kRight + std::string(kFixed));
  std::stop_source stop;
  world.on_event = [&](const Event& event) {
    if (event.type == "fix_reproducer_result") stop.request_stop();
  };
  const FixReport stopped = must(world.fix({issue}, stop.get_token()));
  ASSERT_EQ(stopped.session.status, SessionStatus::cancelled);
  world.on_event = {};
  world.reopen();
  const FixReport report = must(world.manager().resume(stopped.session.id, {}));
  EXPECT_EQ(evidence(report), "repaired") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(asked(report), 1);
}

TEST_F(Reproducers, AFixThatBreaksWhatAnotherIssuesCheckShowsIsTakenOut) {
  World two(Files{{"a.txt", "1\n"}, {"b.txt", "1\n"}});
  const auto issues =
      two.add({World::finding("a.txt", 1, "a should be 2"), World::finding("b.txt", 1, "b should be 2")});
  Reproducer check;
  check.id = new_uuid();
  check.issue_id = issues[0].id;
  check.command = "test $(cat a.txt) = 2 && test $(cat b.txt) != 9";
  Change change;
  change.reproducers = {check};
  must(two.store().apply(change, 1));
  two.fixer("case $2 in BE-001) echo 2 > a.txt;; *) echo 9 > b.txt;; esac" + std::string(kFixed));
  const FixReport report = two.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "repaired");
  EXPECT_EQ(World::status(report, "BE-002"), "FAILED(combination_failed)");
}

TEST_F(Reproducers, AreGivenOnTheCommandLine) {
  const std::string file = world.home + "/check.sh";
  must(write_file(file, kCheck, 0644));
  const ProcessResult given = world.emend({"issues", "reproducer", "BE-001", "--file", file});
  EXPECT_EQ(given.exit_code, 0) << given.err;
  EXPECT_THAT(given.out, HasSubstr("given by a person\n  runs sh ./"));
  world.fixer(kRight + std::string(kFixed));
  EXPECT_EQ(evidence(world.must_fix({issue})), "repaired");
  EXPECT_EQ(world.emend({"issues", "reproducer", "BE-001", "--remove"}).exit_code, 0);
  EXPECT_EQ(world.emend({"issues", "reproducer", "BE-001", "--file", file, "--as", "../x"}).exit_code, 2);
  EXPECT_EQ(world.emend({"issues", "reproducer", "BE-009", "--run", "true"}).exit_code, 2);
}

} // namespace
} // namespace emend::testing_support
