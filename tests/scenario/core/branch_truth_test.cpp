// The branch holds exactly the commits of RESOLVED issues, with the evidence and score the gate computed,
// however the session went.
#include <set>

#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

// Says of every issue it was given that it is fixed.
constexpr const char* kFixed =
    "printf '{\"outcomes\":['\nsep=\nfor code in $(echo \"$2\" | tr , ' '); do printf "
    "'%s{\"id\":\"%s\",\"outcome\":\"fixed\"}' \"$sep\" "
    "\"$code\"; sep=,; done\nprintf ']}\\n'";

// One commit of a branch by its trailers.
struct Seen {
  std::set<std::string> codes;
  std::string evidence, score;
};

std::vector<Seen> commits_of(World& world, const FixReport& report) {
  std::vector<Seen> seen;
  if (world.branches().empty() || report.session.tip.empty()) return seen;
  const std::string log = world.git({"log",
                                     "--format=%(trailers:key=Emend-Issue,valueonly,separator=%x2C)|%("
                                     "trailers:key=Emend-Evidence,valueonly,separator=%x2C)|"
                                     "%(trailers:key=Emend-Score,valueonly,separator=%x2C)",
                                     report.session.base + ".." + report.session.branch});
  for (const std::string& line : split(log, '\n')) {
    const auto parts = split(line, '|');
    if (parts.size() != 3) continue;
    const auto codes = split(parts[0], ',');
    seen.push_back({{codes.begin(), codes.end()}, parts[1], parts[2]});
  }
  return seen;
}

void expect_truth(World& world, const FixReport& report, const std::string& how) {
  std::set<std::string> resolved, committed;
  for (const IssueOutcome& outcome : report.issues)
    if (outcome.issue.status == IssueStatus::resolved) resolved.insert(outcome.issue.code);
  for (const Seen& commit : commits_of(world, report)) {
    for (const std::string& code : commit.codes) {
      EXPECT_TRUE(committed.insert(code).second) << how << ": " << code << " is committed twice";
      const Issue& issue = World::outcome(report, code).issue;
      EXPECT_EQ(commit.evidence, issue.evidence) << how << ": " << code;
      EXPECT_EQ(commit.score, std::to_string(issue.last_score)) << how << ": " << code;
    }
  }
  EXPECT_EQ(committed, resolved) << how;
}

// Four issues: a good fix, one that breaks the check, one that is good alone only, one that changes nothing.
class BranchTruth : public ::testing::TestWithParam<std::tuple<VerifyMode, Strategy, SandboxKind>> {
protected:
  BranchTruth()
      : world(Files{
            {"src/a.c", "int a = 1;\n"},
            {"src/b.c", "int b = 1;\n"},
            {"src/c.c", "int c = 1;\n"},
            {"src/d.c", "int d = 1;\n"},
            {"docs/x.txt", "a = 1\n"},
            {"ok.sh",
             "! grep -q broken src/*.c && ! { grep -q 'a = 2' src/a.c && grep -q 'c = 2' src/c.c; }\n"}}) {
    world.policy.verify_mode = std::get<0>(GetParam());
    world.policy.strategy = std::get<1>(GetParam());
    world.sandbox = std::get<2>(GetParam());
    world.policy.max_fix_cycles = 1;
    world.fixer(
        "for code in $(echo $2 | tr ',' ' '); do case $code in BE-001) sed -i 's/a = 1/a = 2/' src/a.c;; "
        "BE-002) echo broken >> src/b.c;; "
        "BE-003) sed -i 's/c = 1/c = 2/' src/c.c;; esac; done\n" +
        std::string(kFixed));
    world.reopen();
  }

  FixReport run(std::vector<VerifyCommand> commands) {
    world.policy.commands = std::move(commands);
    const auto issues = world.add({World::finding("src/a.c", 1, "a"), World::finding("src/b.c", 1, "b"),
                                   World::finding("src/c.c", 1, "c"), World::finding("src/d.c", 1, "d")});
    return world.must_fix(issues);
  }

  World world;
};

TEST_P(BranchTruth, WithACheckThatPasses) {
  const FixReport report = run({{"ok", "sh ok.sh", {}, 0}});
  expect_truth(world, report, "green base");
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
}

TEST_P(BranchTruth, WithACheckThatFailsOnTheBase) {
  const FixReport report = run({{"broken", "false", {}, 0}});
  expect_truth(world, report, "red base");
  EXPECT_TRUE(report.commits.empty()) << "nothing confirms any of them";
  EXPECT_TRUE(world.branches().empty() || report.session.tip.empty());
}

TEST_P(BranchTruth, WithOneThatPassesAndOneThatFails) {
  const FixReport report = run({{"broken", "false", {}, 0}, {"ok", "sh ok.sh", {}, 0}});
  expect_truth(world, report, "half red base");
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
}

TEST_P(BranchTruth, WithACheckOfOtherFilesThatAFixBreaks) {
  const FixReport report =
      run({{"ok", "sh ok.sh", {}, 0},
           {"docs", "grep -q \"$(sed -n 's/int \\(a = .\\);/\\1/p' src/a.c)\" docs/x.txt", {"docs/**"}, 0}});
  expect_truth(world, report, "a check of other files");
  EXPECT_EQ(World::status(report, "BE-001").substr(0, 6), "FAILED") << "the docs say something else now";
  EXPECT_EQ(World::status(report, "BE-003"), "RESOLVED") << "without BE-001 it breaks nothing";
}

TEST_P(BranchTruth, WithoutAnyCheck) { expect_truth(world, run({}), "no check"); }

constexpr auto kModes = {VerifyMode::each, VerifyMode::batch, VerifyMode::automatic};

INSTANTIATE_TEST_SUITE_P(EveryStrategy, BranchTruth,
                         ::testing::Combine(::testing::ValuesIn(kModes),
                                            ::testing::Values(Strategy::per_issue, Strategy::batched,
                                                              Strategy::one_call),
                                            ::testing::Values(SandboxKind::full)));
INSTANTIATE_TEST_SUITE_P(WeakerSandboxes, BranchTruth,
                         ::testing::Combine(::testing::ValuesIn(kModes),
                                            ::testing::Values(Strategy::per_issue),
                                            ::testing::Values(SandboxKind::landlock, SandboxKind::none)));

} // namespace
} // namespace emend::testing_support
