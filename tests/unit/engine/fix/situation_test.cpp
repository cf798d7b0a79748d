#include "engine/fix/situation.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::HasSubstr;

CommandRun ran(CommandResult result, std::int64_t ms) {
  CommandRun run;
  run.name = "test";
  run.result = result;
  run.duration_ms = ms;
  return run;
}

TEST(Situation, HowACheckStandsOnTheBase) {
  EXPECT_EQ(check_note(ran(CommandResult::passed, 400)), "passes on the base, under a second");
  EXPECT_EQ(check_note(ran(CommandResult::passed, 12'400)), "passes on the base, 12 s");
  CommandRun red = ran(CommandResult::failed, 2'000);
  EXPECT_EQ(check_note(red), "fails on the base, 2 s");
  red.tests.recognised = true;
  red.tests.passed = 17;
  red.tests.failed = 3;
  EXPECT_EQ(check_note(red), "fails on the base: 3 of 20 tests; the others must go on passing; 2 s");
  red.wavers = true;
  EXPECT_THAT(check_note(red), HasSubstr("not used"));
}

TEST(Situation, TestsThatFailOnTheBase) {
  Verification baseline;
  const std::vector<VerifyCommand> commands = {{"tests", "make test", {}, 0}};
  EXPECT_EQ(red_before_text(baseline, commands), "");
  baseline.commands.push_back(ran(CommandResult::failed, 1));
  baseline.commands.back().name = "tests";
  auto& tests = baseline.commands.back().tests.by_id;
  tests = {{"a::one", "failed"}, {"a::two", "passed"}, {"a::three", "skipped"}};
  EXPECT_EQ(red_before_text(baseline, commands), "- a::one\n");
  EXPECT_EQ(red_before_text(baseline, {}), "") << "checks of other files say nothing about this issue";
  for (int i = 0; i < 30; ++i) tests[fmt::format("b::{:02}", i)] = "failed";
  EXPECT_THAT(red_before_text(baseline, commands), HasSubstr("- b::18\n- and 11 more\n"));
}

class ToldFiles : public testing::Test {
protected:
  ToldFiles() {
    policy.commands = {{"check", "sh tools/check.sh", {}, 0}};
    policy.protected_paths = {"vendor/**"};
    for (const char* path : {"src/a.py", "Makefile", "tools/check.sh", "tools/lib.sh", "tests/test_a.py",
                             "tests/fixtures/a.json", "vendor/x.py"})
      tree.insert({path, {}});
    issue.finding.file = "src/a.py";
  }
  std::string told(const std::string& path) {
    const Scope scope(policy, tree, {"tools/lib.sh"});
    const auto file = told_file(scope, issue, path, "named");
    return file.closed.empty() ? file.why : "closed: " + file.closed;
  }
  Policy policy;
  Tree tree;
  Issue issue;
};

TEST_F(ToldFiles, WhatIsClosedIsNotCalledOpen) {
  EXPECT_EQ(told("src/a.py"), "named");
  EXPECT_EQ(told("src/b.py"), "named");
  EXPECT_EQ(told("Makefile"), "closed: build configuration");
  EXPECT_EQ(told("tools/check.sh"), "closed: run by a check");
  EXPECT_EQ(told("tools/lib.sh"), "closed: called by a check");
  EXPECT_EQ(told("vendor/x.py"), "closed: listed in fix.protected");
  EXPECT_EQ(told("tests/test_a.py"), "named; only add to it: existing tests stay as they are");
  EXPECT_EQ(told("tests/fixtures/a.json"), told("tests/test_a.py"));
  issue.finding.file = "Makefile";
  EXPECT_EQ(told("Makefile"), "named") << "the issue is about it";
}

TEST(Situation, APathIsOpenOrClosedButNotBoth) {
  FixPromptInput input;
  input.template_body = "{{findings}}{{codes}}OPEN\n{{files}}CLOSED\n{{closed}}";
  FixPromptInput::Item item;
  item.issue.code = "BE-001";
  item.issue.finding.file = "src/a.py";
  item.issue.finding.related_files = {"Makefile", "tools/check.sh"};
  item.files = {{"src/a.py", "the finding"},
                {"Makefile", "named in the finding", "build configuration"},
                {"tools/check.sh", "named in the finding", "run by a check"}};
  input.items = {item};
  input.closed = "- tools/check.sh (a check runs it)\n- tools/other.sh (a check runs it)\n";
  const std::string text = build_fix_prompt(input)->text;
  EXPECT_THAT(text, HasSubstr("OPEN\n```text\n- src/a.py (the finding)\n```"));
  EXPECT_THAT(text, HasSubstr("- Makefile (named in the finding, but closed: build configuration)\n"
                              "- tools/check.sh (named in the finding, but closed: run by a check)\n"
                              "- tools/other.sh (a check runs it)\n"));
}

} // namespace
} // namespace emend
