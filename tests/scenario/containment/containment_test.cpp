// Sessions on machines that do not keep agents in their workspace: what they change outside is noticed, told,
// and no fix of theirs is taken.
#include <cstdlib>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

const Files kProject = {{"src/a.c", "int a(void) {\n  return 1;\n}\n"},
                        {"src/b.c", "int b;\n"},
                        {"check.sh", "grep -q 'int a' src/a.c\n"}};

constexpr const char* kHonest = R"(sed -i 's/return 1/return 2/' src/a.c
echo '{"outcomes":[{"id":"'"$2"'","outcome":"fixed","explanation":"done"}]}'
)";

// The person's home for as long as a test runs.
class OwnHome {
public:
  explicit OwnHome(const std::string& path)
      : before_(std::getenv("HOME") != nullptr ? std::getenv("HOME") : "/") {
    ::setenv("HOME", path.c_str(), 1);
  }
  OwnHome(const OwnHome&) = delete;
  OwnHome& operator=(const OwnHome&) = delete;
  ~OwnHome() { ::setenv("HOME", before_.c_str(), 1); }

private:
  std::string before_;
};

class Containment : public ::testing::Test {
protected:
  Containment()
      : user(must(TemporaryDirectory::create(fs::temp_directory_path(), "emend-user-"))),
        home(user.path()),
        world(kProject) {
    must(write_file(user.path() / ".bashrc", "# the user's own\n"));
    world.policy.commands = {{"check", "sh check.sh", {}, 0}};
    world.policy.max_fix_cycles = 1;
    issues = world.add({World::finding("src/a.c", 2, "returns the wrong number")});
    use(SandboxKind::none);
  }

  void use(SandboxKind kind) {
    world.sandbox = kind;
    world.reopen();
  }

  // "who: path change", of those the child must answer for.
  std::vector<std::string> violations(const FixReport& report, bool blamed) {
    std::vector<std::string> found;
    for (const Event& event : world.events(report.session.id)) {
      const Json* flag = event.type == "containment_violation" ? find_member(event.data, "blamed") : nullptr;
      if (flag == nullptr || flag->get<bool>() != blamed) continue;
      found.push_back(string_or(event.data, "who") + ": " + string_or(event.data, "path") + " " +
                      string_or(event.data, "change"));
    }
    return found;
  }

  TemporaryDirectory user;
  OwnHome home;
  World world;
  std::vector<Issue> issues;
};

using Texts = std::vector<std::string>;

TEST_F(Containment, AnHonestFixIsResolvedWithoutASandboxAndSaysSo) {
  world.fixer(kHonest);
  world.policy.parallel = 4;
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_EQ(violations(report, true), Texts{});
  EXPECT_EQ(violations(report, false), Texts{});
  EXPECT_EQ(report.session.policy.sandbox.kind, SandboxKind::none);
  EXPECT_EQ(report.session.policy.parallel, 1) << "nobody can meddle with another's workspace";
  ASSERT_FALSE(report.notes.empty());
  EXPECT_TRUE(report.notes.front().starts_with("sandbox none: ")) << report.notes.front();
  const auto proof = must(world.store().proof(issues[0].id, report.session.id));
  ASSERT_TRUE(proof);
  EXPECT_EQ(string_or(proof->detail, "sandbox"), "none");
  EXPECT_EQ(string_or(to_json(report), "sandbox"), "none");
}

TEST_F(Containment, AFixerThatChangesTheCheckoutFails) {
  world.fixer(std::string(kHonest) + "echo '// spoiled' >> '" + world.root + "/src/b.c'");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(containment)");
  EXPECT_EQ(violations(report, true), Texts{"agent fixer (fixer): " + world.root + "/src/b.c changed"});
  EXPECT_EQ(world.branches(), Texts{"main"});
  EXPECT_TRUE(
      contains(report.cycles.back().attempt.detail, "containment: " + world.root + "/src/b.c was changed"))
      << report.cycles.back().attempt.detail;
  EXPECT_TRUE(
      contains(join(report.notes, "\n"), world.root + "/src/b.c was changed while agent fixer (fixer) ran"))
      << "the report tells it too";
}

TEST_F(Containment, NewFilesRefsIndexAndHooksOfTheCheckoutCount) {
  for (const auto& [what, where] : std::map<std::string, std::string>{
           {"echo x > '" + world.root + "/src/new.c'", world.root + "/src/new.c made"},
           {"printf '%s\\n' 1111111111111111111111111111111111111111 > '" + world.root +
                "/.git/refs/heads/evil'",
            world.root + "/.git/refs/heads/evil made"},
           {"echo x > '" + world.root + "/.git/hooks/pre-push'", world.root + "/.git/hooks/pre-push made"},
           {"git --git-dir='" + world.root + "/.git' --work-tree='" + world.root + "' rm -q --cached src/b.c",
            world.root + "/.git/index changed"}}) {
    World fresh(kProject);
    fresh.policy.commands = world.policy.commands;
    fresh.policy.max_fix_cycles = 1;
    fresh.sandbox = SandboxKind::none;
    fresh.reopen();
    const auto own = fresh.add({World::finding("src/a.c", 2, "returns the wrong number")});
    fresh.fixer(std::string(kHonest) + replace_all(what, world.root, fresh.root));
    const FixReport report = fresh.must_fix(own);
    EXPECT_EQ(World::status(report, "BE-001"), "FAILED(containment)") << what;
    bool told = false;
    for (const Event& event : fresh.events(report.session.id))
      told = told || (event.type == "containment_violation" &&
                      string_or(event.data, "path") + " " + string_or(event.data, "change") ==
                          replace_all(where, world.root, fresh.root));
    EXPECT_TRUE(told) << where;
  }
}

TEST_F(Containment, TheHomeCounts) {
  world.fixer(std::string(kHonest) + "echo evil >> '" + user.path().string() + "/.bashrc'; mkdir -p '" +
              user.path().string() + "/.config/autostart'; touch '" + user.path().string() +
              "/.config/autostart/x'");
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(containment)");
  EXPECT_TRUE(
      contains(join(violations(report, true), "\n"), (user.path() / ".bashrc").string() + " changed"));
  EXPECT_TRUE(contains(join(violations(report, true), "\n"), ".config/autostart/x made"));
}

TEST_F(Containment, TheNextAttemptIsToldAndMaySucceed) {
  world.policy.max_fix_cycles = 2;
  world.fixer(std::string(kHonest) + "test \"$1\" = fixer && echo x > '" + world.root + "/stray'; exit 0");
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(report.cycles.size(), 2U);
  EXPECT_EQ(report.cycles[0].attempt.result, AttemptResult::refused);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_TRUE(
      contains(world.artifact(report.session.id, "BE-001-2-re_fixer.prompt.md"), "outside the workspace"));
}

TEST_F(Containment, ACommandOfAPatchedTreeThatLeavesItFails) {
  world.fixer(kHonest);
  world.policy.commands = {{"check", "grep -q 'return 1' src/a.c || touch '" + world.root + "/evil'", {}, 0}};
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(containment)");
  EXPECT_EQ(violations(report, true).front(), "command check: " + world.root + "/evil made");
}

TEST_F(Containment, WhatTheProjectDoesAnywayIsToldAndNotBlamed) {
  world.fixer(kHonest);
  world.policy.commands = {{"check", "echo again >> '" + world.root + "/log'", {}, 0}};
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_EQ(violations(report, true), Texts{});
  const Texts told = violations(report, false);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front(), "command check: " + world.root + "/log made");
}

TEST_F(Containment, AJudgeThatLeavesItsWorkspaceFailsTheAttempt) {
  world.fixer(kHonest);
  world.judge("touch '" + world.root +
              "/judged'\nprintf "
              "'{\"review_token\":\"'$token'\",\"issues\":{\"%s\":{\"score\":97,\"status\":\"SOLVED\","
              "\"feedback\":\"\",\"quality_scores\":{},\"improvements_needed\":[]}}}\\n' \"$2\"");
  EXPECT_EQ(World::status(world.must_fix(issues), "BE-001"), "FAILED(containment)");
}

// Landlock keeps content from being changed, so it was the person; it cannot keep modes.
TEST_F(Containment, UnderLandlockThePersonMayGoOnWorking) {
  use(SandboxKind::landlock);
  world.fixer(kHonest);
  world.on_event = [this](const Event& event) {
    if (event.type == "fix_agent_invoked" && string_or(event.data, "role") == "fixer")
      world.write("src/b.c", "int c;\n");
  };
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_EQ(violations(report, true), Texts{});
}

TEST_F(Containment, NothingIsLookedAtInAFullSandbox) {
  use(SandboxKind::full);
  world.fixer(kHonest);
  world.policy.commands = {{"check", "true", {}, 0}};
  const FixReport report = world.must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_TRUE(std::none_of(report.notes.begin(), report.notes.end(),
                           [](const std::string& note) { return note.starts_with("sandbox"); }));
}

} // namespace
} // namespace emend::testing_support
