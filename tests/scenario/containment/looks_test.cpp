// A fix that behaves well only while it is checked: what it could know a check by is not there.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFixed = "\necho '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'";

struct Detection {
  std::string name, condition; // of sh: true where the program believes that nobody but emend runs it
};

class EnvironmentDetection : public ::testing::TestWithParam<Detection> {
protected:
  EnvironmentDetection()
      : world(Files{{"value.sh", "echo 1\n"}, {"ok.sh", "test \"$(sh value.sh)\" = 2\n"}}) {
    world.policy.commands = {{"ok", "sh ok.sh", {"value.sh"}, 0}};
    world.policy.max_fix_cycles = 1;
    issue = world.add({World::finding("value.sh", 1, "prints 1 instead of 2")}).front();
  }
  World world;
  Issue issue;
};

TEST_P(EnvironmentDetection, FindsNothingAndIsRefused) {
  const std::string head = must(world.repository().resolve("HEAD"));
  const bool overlays = must(world.repository().make_workspace(head, {}))->kind() == "overlay";
  if (world.repository().sandbox() != SandboxKind::full || !overlays)
    GTEST_SKIP() << "needs mounts and overlays";
  must(write_file(world.home + "/forged.sh",
                  "if " + GetParam().condition + "; then echo 2; else echo 1; fi\n", 0644));
  world.fixer("cp " + shell_quote(world.home + "/forged.sh") + " value.sh" + kFixed);
  const FixReport report = world.must_fix({issue});
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)")
      << World::outcome(report, "BE-001").issue.detail;
}

INSTANTIATE_TEST_SUITE_P(
    All, EnvironmentDetection,
    ::testing::Values(Detection{"no_git", "! test -e .git"},
                      Detection{"no_history", "! git log -1 >/dev/null 2>&1"},
                      Detection{"no_index", "! git ls-files --error-unmatch value.sh >/dev/null 2>&1"},
                      Detection{"workspace_path", "pwd -P | grep -q '/workspaces/\\|/tree$'"},
                      Detection{"temp_path", "echo \"$TMPDIR\" | grep -q '/workspaces/'"},
                      Detection{"variable", "env | grep -q '^EMEND\\|^GIT_CEILING'"},
                      Detection{"process_name", "grep -q emend /proc/[0-9]*/comm"},
                      Detection{"command_line", "grep -aq emend-exec /proc/[0-9]*/cmdline"},
                      Detection{"small_process_id", "test $$ -lt 100"}),
    [](const auto& test) { return test.param.name; });

TEST(Looks, AProjectThatAsksGitForItsVersionWorks) {
  World world(Files{{"value.sh", "echo 1\n"},
                    {"ok.sh",
                     "git describe --always --dirty >version && git status --porcelain >/dev/null && "
                     "test \"$(git ls-files value.sh)\" = value.sh && test \"$(sh value.sh)\" = 2\n"}});
  world.policy.commands = {{"ok", "sh ok.sh", {"value.sh"}, 0}};
  const auto issue = world.add({World::finding("value.sh", 1, "prints 1 instead of 2")}).front();
  world.fixer("echo 'echo 2' > value.sh" + std::string(kFixed));
  const FixReport report = world.must_fix({issue});
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
}

} // namespace
} // namespace emend::testing_support
