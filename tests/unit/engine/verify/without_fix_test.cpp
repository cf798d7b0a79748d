#include "engine/verify/without_fix.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

FileChange change(const std::string& path) {
  FileChange one;
  one.path = path;
  one.new_mode = kModeFile;
  one.new_content = "text of " + path;
  one.new_id = "id of " + path;
  return one;
}

Patch patch(const std::vector<std::string>& paths) {
  Patch made;
  for (const std::string& path : paths) made.changes.push_back(change(path));
  return made;
}

CommandRun failing(const std::string& output, const std::map<std::string, std::string>& tests = {}) {
  CommandRun run;
  run.name = "unit";
  run.result = CommandResult::failed;
  run.exit_code = 1;
  run.output = output;
  run.tests.by_id = tests;
  return run;
}

Verification on_tree(VerificationKind kind, const std::string& sha, const CommandRun& run) {
  Verification made;
  made.kind = kind;
  made.issue_id = "issue";
  made.base = "base";
  made.patch_sha256 = sha;
  made.commands = {run};
  return made;
}

class WithoutTheFix : public ::testing::Test {
protected:
  const Verification* telling() {
    return telling_without(runs, {issue, file, base, parts}, comparison, baseline);
  }
  std::string rest() const { return other_files(parts.product, file).sha256(); }

  const std::string issue = "issue", file = "a.py", base = "base";
  ApartPatch parts{patch({"a.py", "b.py"}), patch({"test_a.py"}), {}};
  const std::map<std::string, std::string> red = {{"one", "failed"}, {"two", "passed"}};
  const Verification baseline = on_tree(VerificationKind::baseline, "", failing("one: 7 is not 10", red));
  Comparison comparison;
  std::vector<Verification> runs;

  void SetUp() override {
    comparison.reproducers = {"unit"};
    comparison.repaired = {{"unit", "one"}};
  }
};

TEST_F(WithoutTheFix, TheOtherFilesAreWhatIsLeftOfTheProductSide) {
  ASSERT_EQ(other_files(parts.product, "a.py").changes.size(), 1U);
  EXPECT_EQ(other_files(parts.product, "a.py").changes.front().path, "b.py");
  EXPECT_TRUE(other_files(patch({"a.py"}), "a.py").empty()) << "it has one file only";
  EXPECT_TRUE(other_files(patch({"b.py", "c.py"}), "a.py").empty()) << "nothing is left out there";
}

TEST_F(WithoutTheFix, ARunWithTheOtherFilesTellsIfItFailsInTheSameWords) {
  runs = {on_tree(VerificationKind::without_patch, rest(), failing("one: 7  is not 11", red))};
  EXPECT_EQ(telling(), &runs[0]) << "numbers aside";
  runs[0].commands = {failing("one: g is not defined", red)};
  EXPECT_EQ(telling(), nullptr) << "the same test fails for another reason";
  runs[0].commands = {failing("one: 7 is not 10", {{"one", "failed"}, {"two", "failed"}})};
  EXPECT_EQ(telling(), nullptr) << "more fails";
  runs[0].commands.front().result = CommandResult::passed;
  EXPECT_EQ(telling(), nullptr);
}

TEST_F(WithoutTheFix, SilenceIsNoReasonToBelieveThatItFailsForTheSameOne) {
  const Verification silent = on_tree(VerificationKind::baseline, "", failing(""));
  EXPECT_FALSE(fails_as_on_base({"unit"}, silent, silent));
  EXPECT_FALSE(fails_as_on_base({}, baseline, baseline)) << "nothing was asked";
  EXPECT_TRUE(fails_as_on_base({"unit"}, baseline, baseline));
}

TEST_F(WithoutTheFix, ARunWithTheFixesOwnTestsTellsByName) {
  runs = {on_tree(VerificationKind::own_tests_base, parts.own_tests.sha256(),
                  failing("more words", {{"one", "failed"}, {"new", "failed"}}))};
  EXPECT_EQ(telling(), &runs[0]);
  runs[0].commands.front().tests.by_id["one"] = "passed";
  EXPECT_EQ(telling(), nullptr) << "only the new test fails";
  runs[0].commands.front().tests.by_id["one"] = "failed";
  comparison.repaired.clear();
  EXPECT_EQ(telling(), nullptr) << "without names the new test may be what fails";
}

TEST_F(WithoutTheFix, OtherwiseTheBaseAloneMustHaveBeenRun) {
  EXPECT_EQ(telling(), nullptr);
  runs = {on_tree(VerificationKind::without_patch, "", failing("anything"))};
  EXPECT_EQ(telling(), &runs[0]);
  runs[0].issue_id = "another";
  EXPECT_EQ(telling(), nullptr);
}

TEST_F(WithoutTheFix, ARunOfAnotherPatchsFilesTellsNothing) {
  runs = {
      on_tree(VerificationKind::without_patch, patch({"c.py"}).sha256(), failing("one: 7 is not 10", red))};
  EXPECT_EQ(telling(), nullptr);
}

} // namespace
} // namespace emend
