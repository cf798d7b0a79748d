// What a fixer knows of where it works, how far it may reach, and what its commits look like.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kAnswer =
    "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\",\"explanation\":"
    "\"The limit was one too low, so it is 10 now.\"}]}'";

class Situation : public ::testing::Test {
protected:
  Situation()
      : world({{"src/app.py", "from limits import LIMIT\n\n\ndef run():\n    return LIMIT\n"},
               {"src/limits.py", "LIMIT = 9\n"},
               {"lib/far.py", "FAR = 1\n"},
               {"CONTRIBUTING.md", "# Rules\n" + std::string(300, 'r') + "\n" + long_text()},
               {"check.sh", "grep -q LIMIT src/app.py\n"}}) {
    world.policy.commands = {{"check", "sh check.sh", {}, 0}};
    world.policy.canaries = 0;
    issues = world.add({World::finding("src/app.py", 5, "returns 9, must be 10")});
  }
  static std::string long_text() {
    std::string text;
    for (int i = 0; i < 400; ++i) text += "rule number " + std::to_string(i) + " of many\n";
    return text;
  }
  FixReport fix(const std::string& script, const std::string& answer = kAnswer) {
    world.fixer(script + "\n" + answer);
    return world.must_fix(issues);
  }
  std::string prompt(const FixReport& report, const std::string& name) {
    return world.artifact(report.session.id, name + ".prompt.md");
  }

  World world;
  std::vector<Issue> issues;
};

TEST_F(Situation, ARootCauseInAnotherFileIsTaken) {
  const FixReport report = fix("sed -i 's/9/10/' src/limits.py");
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(world.show(report.session.branch, "src/limits.py"), "LIMIT = 10\n");
  EXPECT_THAT(prompt(report, "BE-001-1-fix_challenger-1"), Not(HasSubstr("is changed too")));
}

TEST_F(Situation, AFileThatNothingLeadsToIsTheJudgesBusiness) {
  const FixReport report =
      fix("sed -i 's/9/10/' src/limits.py; sed -i 's/1/2/' lib/far.py",
          "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\",\"other_files\":[{"
          "\"file\":\"lib/far.py\",\"why\":\"it is loaded by a plugin\"}]}]}'");
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_THAT(prompt(report, "BE-001-1-fix_challenger-1"),
              AllOf(HasSubstr("lib/far.py is changed too"), HasSubstr("it is loaded by a plugin")));
}

TEST_F(Situation, APersonCanDrawALine) {
  world.policy.scope = FixScope::file;
  const FixReport report = fix("sed -i 's/9/10/' src/limits.py");
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(refused)");
  EXPECT_THAT(prompt(report, "BE-001-1-fixer"),
              HasSubstr("every existing file outside the file of the finding"));
}

TEST_F(Situation, ThePromptSaysWhatIsNamedAndClosedAllTheSame) {
  World other({{"src/app.py", "LIMIT = 9\n"}, {"pyproject.toml", "[project]\n"}, {"check.sh", "true\n"}});
  other.policy.commands = {{"check", "sh check.sh", {}, 0}};
  other.policy.canaries = 0;
  const auto found = other.add({World::finding(
      "src/app.py", 1, "returns 9, must be 10; the limit is in pyproject.toml and check.sh")});
  other.fixer("sed -i 's/9/10/' src/app.py\n" + std::string(kAnswer));
  const FixReport report = other.must_fix(found);
  const std::string text = other.artifact(report.session.id, "BE-001-1-fixer.prompt.md");
  EXPECT_THAT(text, HasSubstr("- src/app.py (the finding)\n```"));
  EXPECT_THAT(text, HasSubstr("- check.sh (named in the finding, but closed: run by a check)\n"
                              "- pyproject.toml (named in the finding, but closed: build configuration)\n"));
}

TEST_F(Situation, ThePromptSaysWhatIsOpenClosedAndKnown) {
  world.policy.protected_paths = {"vendor/**"};
  world.policy.instructions = {"CONTRIBUTING.md"};
  const FixReport report = fix("sed -i 's/9/10/' src/limits.py");
  const std::string text = prompt(report, "BE-001-1-fixer");
  EXPECT_THAT(text, HasSubstr("- src/app.py (the finding)\n- src/limits.py (loaded by src/app.py)\n"));
  EXPECT_THAT(text, HasSubstr("- vendor/** (fix.protected)\n- check.sh (a check runs it)\n"));
  EXPECT_THAT(text, HasSubstr("check: sh check.sh\n  (passes on the base, "));
  EXPECT_THAT(text, HasSubstr("bytes of CONTRIBUTING.md; read the rest in the file]"));
  EXPECT_THAT(text, AllOf(HasSubstr("rule number 0 of many"), Not(HasSubstr("rule number 399 of many"))));
  EXPECT_THAT(text, AllOf(HasSubstr("Python: "), Not(HasSubstr("Rust: "))));
  EXPECT_LE(text.size(), 4'096U + 4'096U + 1'500U) << "its own, conventions, code and finding";
}

TEST_F(Situation, GitWorksForAgentsAndOnlyBytesCount) {
  const FixReport report =
      fix("set -e; test $(git log --oneline | wc -l) = 1; git blame -s src/limits.py | grep -q 'LIMIT = 9'; "
          "sed -i 's/9/10/' src/limits.py\n"
          "git diff --stat > " +
          world.scripts + "/diff; git stash -q; git stash pop -q; git commit -qam mine");
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_THAT(read_file(world.scripts + "/diff", 10'000).value_or(""), HasSubstr("src/limits.py"));
  EXPECT_THAT(world.git({"log", "--all", "--format=%s"}), Not(HasSubstr("mine")));
}

TEST_F(Situation, CommitsAreWrittenAsTheProjectWritesThem) {
  for (const char* subject :
       {"limits: add a file", "app: load the limit", "docs: tell more", "app: run faster"})
    world.git({"commit", "-q", "--allow-empty", "-m", subject});
  world.git({"commit", "-q", "--allow-empty", "-m", "app: drop old code"});
  const FixReport report = fix("sed -i 's/9/10/' src/limits.py");
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  const std::string message = world.git({"log", "-1", "--format=%B", report.session.branch});
  EXPECT_EQ(std::string(lines_of(message).front()), "app: fix returns 9, must be 10");
  EXPECT_THAT(message, HasSubstr("\nThe fixer says: The limit was one too low, so it is 10 now.\n"));
  EXPECT_THAT(message, HasSubstr("\nIt was scored 97 of 100."));
  EXPECT_THAT(message, HasSubstr("\n\nEmend-Issue: BE-001\nEmend-Session: "));
}

} // namespace
} // namespace emend::testing_support
