// The process that takes a fix back is killed at each of its steps. Whatever it had done: nothing is RESOLVED
// that the branch does not hold, and giving the command again comes to the same end.
#include <csignal>

#include "tests/scenario/decisions/decided_world.hpp"

namespace emend::testing_support {
namespace {

class WithdrawCrash : public DecidedWorld {
public:
  void TestBody() override {}

  // True: it was killed at that step.
  bool killed_at(int step, const std::vector<std::string>& command) {
    const ProcessResult run = world.emend(command, {"EMEND_TEST_CRASH_AT=" + std::to_string(step)});
    const bool killed = run.signal == SIGKILL;
    EXPECT_TRUE(killed || run.exit_code == 0) << run.err;
    world.reopen();
    if (killed) expect_no_lie(step);
    const ProcessResult again = world.emend(command);
    EXPECT_EQ(again.exit_code, 0) << "step " << step << ": " << again.err;
    world.reopen();
    for (const Withdrawal& one : must(world.store().withdrawals("", "")))
      EXPECT_EQ(one.branch, BranchChange::done) << "step " << step;
    EXPECT_EQ(world.git({"fsck", "--no-dangling", "--strict"}), "") << "step " << step;
    EXPECT_TRUE(must(world.store().children("")).empty()) << "a process is still recorded, step " << step;
    return killed;
  }

  void expect_no_lie(int step) {
    const std::vector<std::pair<std::string, std::string>> fixed = {
        {"BE-001", "src/a.c"}, {"BE-002", "src/b.c"}, {"BE-003", "src/c.c"}};
    const auto names = world.branches();
    const bool there = std::find(names.begin(), names.end(), report.session.branch) != names.end();
    for (const auto& [code, file] : fixed) {
      const bool holds = there && contains(world.show(report.session.branch, file), "= 2");
      EXPECT_TRUE(holds || issue(code).status != IssueStatus::resolved)
          << code << " is RESOLVED and not on the branch, step " << step;
    }
  }

  void begin() { fix_all(); }
  const std::string& session() { return report.session.id; }
  Issue of(const std::string& code) { return issue(code); }
  World& its_world() { return world; }
  const std::string& branch() { return report.session.branch; }
  int told(const std::string& type) { return count(type); }
};

TEST(WithdrawCrashes, RejectAtEveryStep) {
  int step = 1;
  for (bool killed = true; killed && step < 60; ++step) {
    WithdrawCrash play;
    play.begin();
    killed = play.killed_at(step, {"sessions", "reject", play.session(), "BE-002", "--reason", "no"});
    EXPECT_EQ(play.of("BE-002").status, IssueStatus::open) << "step " << step;
    EXPECT_EQ(play.of("BE-001").status, IssueStatus::resolved) << "step " << step;
    EXPECT_EQ(play.its_world().git({"rev-list", "--count", "main.." + play.branch()}), "4\n")
        << "undone once, step " << step;
    EXPECT_EQ(play.told("fix_issue_rejected"), 1) << "step " << step;
  }
  EXPECT_GT(step, 8);
}

// The session was over when the commands ran that did not end: no session's recovery looks there.
TEST(WithdrawCrashes, ForgetsProcessesOfASessionThatWasOver) {
  WithdrawCrash play;
  play.begin();
  must(play.its_world().store().add_child({play.session(), 1, 1, "a boot long ago"}));
  must(play.its_world().store().add_child({"session-of-another-repository", 1, 1, "a boot long ago"}));
  const ProcessResult run =
      play.its_world().emend({"sessions", "reject", play.session(), "BE-002", "--reason", "no"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  play.its_world().reopen();
  const std::vector<ChildRecord> left = must(play.its_world().store().children(""));
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left.front().session_id, "session-of-another-repository");
}

TEST(WithdrawCrashes, DiscardAtEveryStep) {
  int step = 1;
  for (bool killed = true; killed && step < 60; ++step) {
    WithdrawCrash play;
    play.begin();
    killed = play.killed_at(step, {"sessions", "discard", play.session()});
    for (const char* code : {"BE-001", "BE-002", "BE-003"})
      EXPECT_EQ(play.of(code).status, IssueStatus::open) << "step " << step;
    EXPECT_EQ(play.its_world().branches(), std::vector<std::string>{"main"}) << "step " << step;
    EXPECT_EQ(play.told("fix_issue_discarded"), 3) << "step " << step;
  }
  EXPECT_GT(step, 5);
}

} // namespace
} // namespace emend::testing_support
