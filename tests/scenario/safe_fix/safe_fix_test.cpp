// Sessions without a model: fix-its are applied, analyzers run again, a rubric judges, and the gate asks for
// all of it.
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "engine/review/review.hpp"
#include "tests/scenario/safe_fix/word_analyzer.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

class SafeFix : public ::testing::Test {
protected:
  void start(const Files& files, std::vector<Word> words, const std::string& ending = ".txt") {
    world = std::make_unique<World>(files);
    world->analyzers.push_back(std::make_unique<WordAnalyzer>(world->runner(), std::move(words), ending));
    agents_ = {world->policy.fixer, world->policy.challenger};
    world->policy.fixer = {"builtin", "builtin"};
    world->policy.fixer.model = world->policy.fixer.family = "fix-it";
    world->policy.challenger = {"builtin", "builtin"};
    world->policy.challenger.model = world->policy.challenger.family = "rubric";
    world->policy.verify_mode = VerifyMode::automatic;
    world->policy.commands = {{"check", "sh check.sh", {}, 0}};
  }

  std::vector<Issue> review() {
    ReviewRequest request;
    request.scope = {ScopeKind::revision, "HEAD", {}};
    return must(world->manager().review(world->analyzers, request, {})).issues;
  }

  int runs(const FixReport& report, VerificationKind kind) {
    int count = 0;
    for (const Verification& v : must(world->store().verifications(report.session.id)))
      count += v.kind == kind ? 1 : 0;
    return count;
  }

  std::string after(const FixReport& report, const std::string& file) {
    return world->show(report.session.branch, file);
  }

  // Shell scripts instead of the engine's own.
  void use_agents() { std::tie(world->policy.fixer, world->policy.challenger) = agents_; }

  std::unique_ptr<World> world;

private:
  std::pair<AgentBinding, AgentBinding> agents_;
};

constexpr const char* kGreen = "test -f a.txt\n";

TEST_F(SafeFix, ACheckThatFailsOnTheBaseLeavesNothingOnTheBranch) {
  start({{"a.txt", "one bad\ntwo\n"}, {"b.txt", "bad\n"}, {"check.sh", "exit 1\n"}},
        {{"no-bad", "bad", "good"}});
  const FixReport report = world->must_fix(review());
  for (const IssueOutcome& outcome : report.issues)
    EXPECT_EQ(outcome.issue.status, IssueStatus::failed) << outcome.issue.code;
  EXPECT_TRUE(report.commits.empty());
  EXPECT_EQ(world->branches(), std::vector<std::string>{"main"});
}

TEST_F(SafeFix, AppliesVerifiesRescansJudgesAndCommits) {
  start({{"a.txt", "one bad\ntwo\nthree\nfour bad\n"}, {"b.txt", "bad\n"}, {"check.sh", kGreen}},
        {{"no-bad", "bad", "good"}});
  const auto manifest = world->manifest();
  const FixReport report = world->must_fix(review());
  EXPECT_EQ(report.session.status, SessionStatus::passed);
  for (const IssueOutcome& outcome : report.issues) {
    EXPECT_EQ(outcome.issue.status, IssueStatus::resolved) << outcome.issue.detail;
    EXPECT_EQ(outcome.issue.evidence, "judged") << "nobody saw the check failing";
    EXPECT_EQ(outcome.issue.last_score, 100);
  }
  EXPECT_EQ(report.commits.size(), 3U);
  EXPECT_EQ(after(report, "a.txt"), "one good\ntwo\nthree\nfour good\n");
  EXPECT_EQ(after(report, "b.txt"), "good\n");
  EXPECT_EQ(world->manifest(), manifest);
  EXPECT_NE(world->git({"log", "-1", "--format=%B", report.session.branch})
                .find("Emend-Evidence: judged (rescanned)"),
            std::string::npos);
}

TEST_F(SafeFix, HundredsOfFixesCostOneRunOfTheSuite) {
  Files files{{"check.sh", kGreen}};
  std::string text;
  for (int line = 0; line < 20; ++line) text += "bad " + std::to_string(line) + "\nfine\nfine\n";
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"})
    files[std::string(name) + ".txt"] = std::string(name) + text;
  start(files, {{"no-bad", "bad", "good"}});
  const auto issues = review();
  ASSERT_EQ(issues.size(), 200U);
  const FixReport report = world->must_fix(issues);
  EXPECT_EQ(report.session.status, SessionStatus::passed);
  EXPECT_EQ(report.commits.size(), 200U);
  EXPECT_EQ(runs(report, VerificationKind::baseline) - 1, 1)
      << "the base, and the tip that was verified as a combination";
  EXPECT_EQ(runs(report, VerificationKind::combined), 1);
  EXPECT_EQ(runs(report, VerificationKind::alone), 0);
  EXPECT_EQ(runs(report, VerificationKind::rescan), 1);
  EXPECT_EQ(after(report, "j.txt").find("bad"), std::string::npos);
}

// Reads code, and of comments only those that silence it: clang-tidy, say. Remembers what it was shown.
class CodeAnalyzer final : public Analyzer {
public:
  [[nodiscard]] std::string_view name() const override { return "code"; }
  [[nodiscard]] bool understands(std::string_view path) const override { return path.ends_with(".c"); }
  [[nodiscard]] std::string version() override { return "1"; }
  [[nodiscard]] std::string remedy() const override { return ""; }
  [[nodiscard]] bool minds_comment(std::string_view text) const override { return contains(text, "NOLINT"); }
  [[nodiscard]] Analysis run(const AnalysisRequest& request, std::stop_token) override {
    const std::lock_guard lock(mutex_);
    looked_at.insert(request.files.begin(), request.files.end());
    Analysis analysis;
    analysis.analyzer = name();
    analysis.version = version();
    analysis.state = AnalysisState::done;
    return analysis;
  }

  std::set<std::string> looked_at;

private:
  std::mutex mutex_;
};

TEST_F(SafeFix, AFixOfACommentIsNothingForToolsThatReadCode) {
  start({{"a.txt", ""},
         {"comment.c", "// a bad word\nint a;\n"},
         {"silenced.c", "int b; // bad NOLINT\n"},
         {"code.c", "int bad;\n"},
         {"check.sh", kGreen}},
        {{"no-bad", "bad", "good", Severity::low, true, "spelling"}}, ".c");
  auto made = std::make_unique<CodeAnalyzer>();
  std::set<std::string>& looked_at = made->looked_at;
  world->analyzers.push_back(std::move(made));
  const auto issues = review();
  ASSERT_EQ(issues.size(), 3U);
  EXPECT_EQ(looked_at.size(), 3U);
  looked_at.clear();
  const FixReport report = world->must_fix(issues);
  for (const IssueOutcome& outcome : report.issues)
    EXPECT_EQ(outcome.issue.status, IssueStatus::resolved) << outcome.issue.detail;
  EXPECT_EQ(looked_at, (std::set<std::string>{"code.c", "silenced.c"}));
}

TEST_F(SafeFix, AFixThatBreaksTheSuiteIsBisectedOut) {
  start({{"a.txt", "bad\n"}, {"b.txt", "bad\n"}, {"c.txt", "bad\n"}, {"check.sh", "grep -q bad b.txt\n"}},
        {{"no-bad", "bad", "good"}});
  const FixReport report = world->must_fix(review());
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_EQ(World::status(report, "BE-002"), "FAILED(verification_failed)");
  EXPECT_EQ(World::status(report, "BE-003"), "RESOLVED");
  EXPECT_EQ(after(report, "b.txt"), "bad\n");
  EXPECT_EQ(after(report, "c.txt"), "good\n");
}

TEST_F(SafeFix, EditsOfOneLineGoToLaterRounds) {
  start({{"a.txt", "bad bad bad\nbad\n"}, {"check.sh", kGreen}}, {{"no-bad", "bad", "good"}});
  const auto issues = review();
  ASSERT_GE(issues.size(), 2U); // findings of one rule on one line may count as one issue
  const FixReport report = world->must_fix(issues);
  for (const IssueOutcome& outcome : report.issues)
    EXPECT_EQ(outcome.issue.status, IssueStatus::resolved) << outcome.issue.code << outcome.issue.detail;
  EXPECT_EQ(after(report, "a.txt").find("bad\nbad"), std::string::npos);
}

TEST_F(SafeFix, TwoRulesOnOneLineAreBothFixed) {
  start({{"a.txt", "bad ugly\n"}, {"check.sh", kGreen}},
        {{"no-bad", "bad", "good"}, {"no-ugly", "ugly", "pretty"}});
  const FixReport report = world->must_fix(review());
  EXPECT_EQ(report.session.status, SessionStatus::passed) << report.issues.back().issue.detail;
  EXPECT_EQ(after(report, "a.txt"), "good pretty\n");
  EXPECT_EQ(runs(report, VerificationKind::combined), 2);
  EXPECT_EQ(runs(report, VerificationKind::alone), 0);
}

TEST_F(SafeFix, AFixThatBringsSomethingAsBadIsTakenOut) {
  start({{"a.txt", "bad\n"}, {"b.txt", "bad!\n"}, {"check.sh", kGreen}},
        {{"no-bad", "bad", "good"}, {"no-shouting", "good!", "", Severity::high}});
  const FixReport report = world->must_fix(review());
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_EQ(World::status(report, "BE-002"), "FAILED(verification_failed)");
  EXPECT_NE(World::outcome(report, "BE-002").issue.detail.find("no-shouting"), std::string::npos);
  EXPECT_EQ(after(report, "b.txt"), "bad!\n");
}

TEST_F(SafeFix, SomethingWeakerThanWhatWasFixedIsAllowed) {
  start({{"a.txt", "bad!\n"}, {"check.sh", kGreen}},
        {{"no-bad", "bad", "good"}, {"no-shouting", "good!", "", Severity::low}});
  EXPECT_EQ(world->must_fix(review()).session.status, SessionStatus::passed);
}

TEST_F(SafeFix, AFindingThatStaysIsNotResolved) {
  start({{"a.txt", "bad\n"}, {"b.txt", "ugly\n"}, {"check.sh", kGreen}},
        {{"no-bad", "bad", "baddest"}, {"no-ugly", "ugly", "pretty"}});
  const FixReport report = world->must_fix(review());
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(verification_failed)");
  EXPECT_NE(World::outcome(report, "BE-001").issue.detail.find("still reports no-bad"), std::string::npos);
  EXPECT_EQ(World::status(report, "BE-002"), "RESOLVED");
}

TEST_F(SafeFix, AnAnalyzerThatCrashesOnTheResultProvesNothing) {
  start({{"a.txt", "bad\n"}, {"check.sh", kGreen}}, {{"no-bad", "bad", "crash"}});
  const FixReport report = world->must_fix(review());
  EXPECT_NE(report.issues.front().issue.status, IssueStatus::resolved);
  EXPECT_TRUE(report.session.tip.empty() || after(report, "a.txt") == "bad\n");
}

TEST_F(SafeFix, WithoutCommandsItIsOnlyJudged) {
  start({{"a.txt", "bad\n"}}, {{"no-bad", "bad", "good"}});
  world->policy.commands.clear();
  const FixReport report = world->must_fix(review());
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_EQ(report.issues.front().issue.evidence, "judged");
}

TEST_F(SafeFix, AFileThatMovedOnSinceTheReviewGetsFreshEdits) {
  const std::string around = "some lines\nthat stay as they are\n";
  start({{"a.txt", around + "bad\n" + around}, {"check.sh", kGreen}}, {{"no-bad", "bad", "good"}});
  const auto issues = review();
  world->write("a.txt", "a new first line\nand a second\n" + around + "bad\n" + around);
  world->git({"commit", "-qam", "shift"});
  const FixReport report = world->must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << report.issues.front().issue.detail;
  EXPECT_EQ(after(report, "a.txt"), "a new first line\nand a second\n" + around + "good\n" + around);
}

TEST_F(SafeFix, WhatIsGoneAlreadyIsBlocked) {
  start({{"a.txt", "bad\n"}, {"check.sh", kGreen}}, {{"no-bad", "bad", "good"}});
  const auto issues = review();
  world->write("a.txt", "nothing\n");
  world->git({"commit", "-qam", "mended by hand"});
  const FixReport report = world->must_fix(issues);
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(blocked)");
  EXPECT_TRUE(report.commits.empty());
}

TEST_F(SafeFix, EditsNobodyCallsSafeNeedPermission) {
  start({{"a.txt", "bad\n"}, {"check.sh", kGreen}}, {{"no-bad", "bad", "good", Severity::medium, false}});
  const auto issues = review();
  const FixReport refused = world->must_fix(issues);
  EXPECT_EQ(World::status(refused, "BE-001"), "FAILED(blocked)");
  EXPECT_NE(refused.issues.front().issue.detail.find("--unsafe-fixes"), std::string::npos);
  world->policy.unsafe_fixes = true;
  EXPECT_EQ(World::status(world->must_fix(issues), "BE-001"), "RESOLVED");
}

TEST_F(SafeFix, AnImportedFindingWhoseToolIsNotHereIsNotJudged) {
  start({{"a.txt", "bad\n"}, {"check.sh", kGreen}}, {{"no-bad", "bad", "good"}});
  Finding finding = World::finding("a.txt", 1, "bad");
  finding.agent = "elsewhere";
  finding.rule = "no-bad";
  finding.fixit = FixIt{"", true, {{"a.txt", 0, 3, "good"}}, {}};
  const FixReport report = world->must_fix(world->add({finding}));
  EXPECT_EQ(World::status(report, "BE-001"), "FAILED(unevaluated)");
}

// An agent's fix of an analyzer's finding is looked at by the analyzer too.
TEST_F(SafeFix, AnAgentMustMakeTheFindingGoAway) {
  start({{"a.txt", "bad\n"}, {"b.txt", "bad\n"}, {"check.sh", kGreen}}, {{"no-bad", "bad", "good"}});
  use_agents();
  world->policy.max_fix_cycles = 1;
  world->fixer(
      "case $2 in BE-001) sed -i 's/bad/good/' a.txt;; *) sed -i 's/bad/really bad/' b.txt;; esac\n"
      "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  world->judge_score(100);
  const FixReport report = world->must_fix(review());
  EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "judged");
  EXPECT_EQ(World::status(report, "BE-002"), "FAILED(verification_failed)");
  EXPECT_NE(World::outcome(report, "BE-002").issue.detail.find("still reports no-bad"), std::string::npos);
}

} // namespace
} // namespace emend::testing_support
