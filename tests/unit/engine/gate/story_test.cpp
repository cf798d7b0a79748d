#include "engine/gate/story.hpp"

#include <gmock/gmock.h>

#include "engine/gate/proof_rerun.hpp"
#include "engine/gate/telling_runs.hpp"
#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CommandRun ran(const std::string& name, bool passed, const std::map<std::string, std::string>& tests = {}) {
  CommandRun made;
  made.name = name;
  made.result = passed ? CommandResult::passed : CommandResult::failed;
  made.exit_code = passed ? 0 : 2;
  made.tests.recognised = !tests.empty();
  made.tests.by_id = tests;
  for (const auto& [id, result] : tests) ++(result == "passed" ? made.tests.passed : made.tests.failed);
  return made;
}

// A fix of src/a.c; each test adds the runs it tells about.
class Told : public testing::Test {
protected:
  Told() {
    in.issue.id = "issue-1";
    in.issue.finding.file = "src/a.c";
    in.issue.finding.agent = "cppcheck";
    in.session.base = "0123456789abcdef";
    in.attempt = Attempt{};
    in.attempt->base = in.session.base;
    in.attempt->patch = Patch{{changed("src/a.c", "int x = 1;\n", "int x = 2;\n")}};
    decision.resolved = true;
    decision.evidence = Evidence::unbroken;
  }
  void add(VerificationKind kind, bool patched, std::vector<CommandRun> runs) {
    Verification made;
    made.kind = kind;
    made.issue_id = kind == VerificationKind::baseline ? "" : "issue-1";
    made.base = in.session.base;
    made.patch_sha256 = patched ? in.attempt->patch.sha256() : "";
    made.commands = std::move(runs);
    in.verifications.push_back(std::move(made));
  }
  std::vector<std::string> told() const {
    std::vector<std::string> lines;
    for (const StoryLine& line : story_of(in, decision)) lines.push_back(line.experiment + ": " + line.text);
    return lines;
  }

  GateInput in;
  GateDecision decision;
};

TEST_F(Told, ARepairNamesTheTestsThatTurned) {
  add(VerificationKind::baseline, false, {ran("unit", false, {{"test_limit", "failed"}, {"b", "passed"}})});
  add(VerificationKind::alone, true, {ran("unit", true, {{"test_limit", "passed"}, {"b", "passed"}})});
  add(VerificationKind::without_patch, false,
      {ran("unit", false, {{"test_limit", "failed"}, {"b", "passed"}})});
  decision.evidence = Evidence::repaired;
  decision.marks.rescanned = true;
  decision.clauses = {{"P7", "rescanned", ClauseState::passed, "cppcheck no longer reports it"},
                      {"P8", "judged", ClauseState::passed, "judge scored it 97 (threshold 95)"}};
  EXPECT_THAT(
      told(),
      ElementsAre("base: On the base commit 0123456789ab, `unit` fails (1 of 2 tests: test_limit).",
                  "patched: With the fix, `unit` passes (2 tests).",
                  "without: Without the fix again, `unit` fails (1 of 2 tests: test_limit).",
                  "turned: Failed on the base and passes with the fix: test_limit.",
                  "rescan: Analyzers, run again: cppcheck no longer reports it.",
                  "judge: The judge: judge scored it 97 (threshold 95).",
                  "level: repaired: test_limit failed on the base, passes with the fix and fails again "
                  "without it.",
                  "mark: rescanned: cppcheck does not report it any more."));
}

TEST_F(Told, AProbeSaysWhatWasTurnedAroundAndWhatHappened) {
  add(VerificationKind::probe, true, {ran("unit", false, {{"test_limit", "failed"}, {"b", "passed"}})});
  in.verifications.back().probes = {{"issue-1",
                                     "unit",
                                     std::string(kNegation),
                                     "tests/t.py",
                                     7,
                                     "assert x == 1",
                                     "assert x != 1",
                                     "",
                                     {"test_limit"}}};
  EXPECT_THAT(told().front(),
              "probe: For one run, `assert x == 1` at tests/t.py:7 was turned around: `assert x "
              "!= 1`; with the fix, `unit` fails (1 of 2 tests: test_limit).");
}

// "before fails, with passes": the steps of the check that tells, and what it did.
std::string steps(const GateInput& in) {
  std::string text;
  for (const TellingRun& one : telling_runs(in))
    text += (text.empty() ? "" : ", ") + one.step + (one.passes ? " passes" : " fails");
  return text;
}

TEST_F(Told, TheExperimentsFollowOneCheckFromTreeToTree) {
  const std::map<std::string, std::string> red = {{"test_limit", "failed"}, {"old", "failed"}};
  add(VerificationKind::baseline, false, {ran("lint", true), ran("unit", false, red)});
  // The command fails as before because of `old`; the test that tells passes.
  add(VerificationKind::alone, true,
      {ran("lint", true), ran("unit", false, {{"test_limit", "passed"}, {"old", "failed"}})});
  add(VerificationKind::without_patch, false, {ran("lint", true), ran("unit", false, red)});
  add(VerificationKind::probe, true, {ran("unit", false, red)});
  Probe probe;
  probe.issue_id = "issue-1";
  probe.command = "unit";
  probe.kind = kNegation;
  probe.file = "tests/t.py";
  probe.line = 7;
  in.verifications.back().probes = {probe};
  EXPECT_EQ(steps(in), "before fails, with passes, without fails, turned fails");
  const auto all = telling_runs(in);
  EXPECT_EQ(all[1].check, "unit");
  EXPECT_TRUE(all[1].patched);
  EXPECT_FALSE(all[2].patched);
  EXPECT_THAT(all[0].tests, ElementsAre("test_limit"));
  EXPECT_EQ(to_json(all[3]).at("probe").at("line"), 7);
}

TEST_F(Told, AnExperimentWhereNothingTurnedIsTheFirstCheck) {
  add(VerificationKind::baseline, false, {ran("unit", true)});
  add(VerificationKind::alone, true, {ran("unit", true)});
  add(VerificationKind::without_patch, false, {ran("unit", true)});
  EXPECT_EQ(steps(in), "before passes, with passes");
  in.attempt.reset();
  EXPECT_EQ(steps(in), "");
}

TEST_F(Told, AnExperimentShowsTheEndOfALongOutput) {
  CommandRun loud = ran("unit", false);
  for (int i = 0; i < 5'000; ++i) loud.output += "line " + std::to_string(i) + "\n";
  add(VerificationKind::baseline, false, {loud});
  add(VerificationKind::alone, true, {ran("unit", true)});
  const std::string shown = telling_runs(in).front().output;
  EXPECT_TRUE(shown.starts_with("line ") && shown.ends_with("line 4999\n"));
  EXPECT_LE(shown.size(), 8'000u);
}

TEST_F(Told, WhatWasOnlyNotBroken) {
  add(VerificationKind::baseline, false, {ran("unit", true), ran("lint", false)});
  add(VerificationKind::alone, true, {ran("unit", true), ran("lint", false)});
  EXPECT_THAT(told(),
              ElementsAre("base: On the base commit 0123456789ab, `unit` passes and `lint` fails (exit 2).",
                          "patched: With the fix, `unit` passes and `lint` fails (exit 2).",
                          HasSubstr("level: unbroken: what passed on the base still passes")));
}

TEST_F(Told, WhatWasRefusedAndWhatNeverWas) {
  decision = {};
  decision.detail = "`unit` failed (exit 2), but it passed on the base";
  EXPECT_THAT(told(), ElementsAre("level: not resolved: `unit` failed (exit 2), but it passed on the base."));
  in.attempt.reset();
  EXPECT_THAT(told(), IsEmpty());
}

TEST(Differences, AreNamedByCommandAndTest) {
  Verification stored, now;
  stored.commands = {ran("unit", true, {{"a", "passed"}, {"b", "passed"}}), ran("lint", false)};
  now = stored;
  EXPECT_THAT(differences(stored, now), IsEmpty());
  now.commands[1] = ran("lint", true);
  EXPECT_THAT(differences(stored, now),
              ElementsAre("`lint` passes now, but the proof says it fails (failed)"));
  now = stored;
  now.commands[0].tests.by_id["b"] = "skipped";
  EXPECT_THAT(differences(stored, now), ElementsAre("`unit`: b came out otherwise than the proof says"));
  now.commands.push_back(ran("new", false));
  EXPECT_EQ(differences(stored, now).size(), 1U) << "what was not run then says nothing";
}

} // namespace
} // namespace emend
