// Do the checks execute the changed lines? With the real coverage tools; a note and a mark, never a refusal.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kDone = "\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'";

// A language: a function that answers 9 instead of 10 for large numbers, its check, and a right fix of two
// lines of which the check executes the first only.
struct Language {
  std::string name, needs; // needs: a command that passes where the tool is there
  Files files;
  std::string file, command;
  std::string half, whole; // shell: a fix with a line that never runs, and one without
};

std::string sed(const std::string& script, const std::string& file) {
  return "sed -i -e '" + script + "' " + file;
}

class Coverage : public ::testing::TestWithParam<Language> {
protected:
  FixReport fixed(const std::string& script, emend::Coverage setting = emend::Coverage::automatic) {
    world = std::make_unique<World>(GetParam().files);
    world->policy.commands = {{"tests", GetParam().command, {}, 0}};
    world->policy.verify_env = {"PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/go/bin"};
    world->policy.verify_mode = VerifyMode::each;
    world->policy.coverage = setting;
    world->fixer(script + kDone);
    const auto issues = world->add({World::finding(GetParam().file, 2, "the limit is 10")});
    code = issues.front().code; // FE-001 for JavaScript
    return world->must_fix(issues);
  }
  void SetUp() override {
    const std::string path = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/go/bin; ";
    if (std::system((path + "{ " + GetParam().needs + "; } > /dev/null 2>&1").c_str()) != 0)
      GTEST_SKIP() << "not installed here: " << GetParam().needs;
  }
  std::string prompt(const FixReport& report) {
    return world->artifact(report.session.id, code + "-1-fix_challenger-1.prompt.md");
  }

  std::unique_ptr<World> world;
  std::string code;
};

TEST_P(Coverage, ALineThatNoCheckExecutesIsNoted) {
  const FixReport report = fixed(GetParam().half);
  ASSERT_EQ(World::status(report, code), "RESOLVED") << World::outcome(report, code).issue.detail;
  const std::string note = "the checks execute 1 of 2 changed lines; not executed: " + GetParam().file + ":";
  EXPECT_THAT(join(report.notes, "\n"), HasSubstr(note)) << "for the person";
  EXPECT_THAT(prompt(report), HasSubstr(note)) << "for the judge";
  EXPECT_FALSE(World::outcome(report, code).issue.marks.executed);
  const ProcessResult told = world->emend({"explain", code});
  EXPECT_THAT(told.out, HasSubstr("The checks execute 1 of 2 changed lines"));
  int runs = 0;
  for (const Verification& run : must(world->store().verifications(report.session.id)))
    if (run.kind == VerificationKind::coverage)
      for (const CommandRun& command : run.commands) runs += command.runs;
  EXPECT_EQ(runs, 1) << "the run that was made for it is counted";
}

TEST_P(Coverage, WhereAllAreExecutedTheFixHasAMark) {
  const FixReport report = fixed(GetParam().whole);
  ASSERT_EQ(World::status(report, code), "RESOLVED") << World::outcome(report, code).issue.detail;
  EXPECT_TRUE(World::outcome(report, code).issue.marks.executed) << join(report.notes, "\n");
  EXPECT_THAT(join(report.notes, "\n"), Not(HasSubstr("changed line")));
  EXPECT_THAT(world->git({"log", "-1", "--format=%B", report.session.branch}), HasSubstr("executed"));
  EXPECT_EQ(world->emend({"prove", code}).exit_code, 0) << "the mark is part of what is proven";
}

TEST_P(Coverage, IsNotMeasuredWhereItIsOff) {
  const FixReport report = fixed(GetParam().whole, emend::Coverage::off);
  EXPECT_FALSE(World::outcome(report, code).issue.marks.executed);
  for (const Verification& run : must(world->store().verifications(report.session.id)))
    EXPECT_NE(run.kind, VerificationKind::coverage);
}

const Language kPython{
    "python",
    "python3 -c 'import coverage'",
    {{"limit.py", "def limit(x):\n    return x if x < 10 else 9\n"},
     {"test_limit.py",
      "import unittest\nfrom limit import limit\n\n\nclass T(unittest.TestCase):\n    def test_small(self):\n"
      "        self.assertEqual(limit(3), 3)\n"}},
    "limit.py",
    "python3 -m unittest -v",
    "printf 'def limit(x):\\n    if x < 10: return x\\n    return 10\\n' > limit.py",
    sed("s/else 9/else 10/", "limit.py")};

const Language kNode{
    "node",
    "command -v node",
    {{"limit.js", "exports.limit = (x) => {\n  return x < 10 ? x : 9;\n};\n"},
     {"test.js", "const { limit } = require('./limit.js');\nrequire('assert').strictEqual(limit(3), 3);\n"}},
    "limit.js",
    "node test.js",
    "printf 'exports.limit = (x) => {\\n  if (x < 10) return x;\\n  return 10;\\n};\\n' > limit.js",
    sed("s/: 9/: 10/", "limit.js")};

const Language kC{"gcov",
                  "command -v gcov && command -v gcc && command -v make",
                  {{"limit.c", "int limit(int x) {\n  return x < 10 ? x : 9;\n}\n"},
                   {"test.c", "int limit(int x);\nint main(void) { return limit(3) != 3; }\n"},
                   {"Makefile", "test:\n\tgcc --coverage -o t limit.c test.c && ./t\n"}},
                  "limit.c",
                  "make test",
                  "printf 'int limit(int x) {\\n  if (x < 10) return x;\\n  return 10;\\n}\\n' > limit.c",
                  sed("s/: 9/: 10/", "limit.c")};

const Language kClang{
    "llvm_cov",
    "command -v clang && command -v llvm-cov && command -v llvm-profdata && command -v make",
    {*kC.files.find("limit.c"),
     *kC.files.find("test.c"),
     {"Makefile", "test:\n\tclang -fprofile-instr-generate -fcoverage-mapping -o t limit.c test.c && ./t\n"}},
    kC.file,
    kC.command,
    kC.half,
    kC.whole};

const Language kGo{
    "go",
    "command -v go",
    {{"go.mod", "module example.com/limit\n\ngo 1.18\n"},
     {"limit.go",
      "package limit\n\nfunc Limit(x int) int {\n\tif x < 10 {\n\t\treturn x\n\t}\n\treturn 9\n}\n"},
     {"limit_test.go",
      "package limit\n\nimport \"testing\"\n\nfunc TestSmall(t *testing.T) {\n\tif Limit(3) != 3 {\n"
      "\t\tt.Fatal(Limit(3))\n\t}\n}\n"}},
    "limit.go",
    "GOCACHE=${TMPDIR:-/tmp}/cache go test ./...",
    sed("s/x < 10/x <= 10/; s/return 9/return 10/", "limit.go"),
    sed("s/x < 10/x <= 10/", "limit.go")};

INSTANTIATE_TEST_SUITE_P(All, Coverage, ::testing::Values(kPython, kNode, kC, kClang, kGo),
                         [](const auto& row) { return row.param.name; });

} // namespace
} // namespace emend::testing_support
