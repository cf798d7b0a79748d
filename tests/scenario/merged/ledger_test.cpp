// What became of fixes: the ledger, what people see of it, and what it lets an agent do.
#include "engine/branch/ledger.hpp"

#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "engine/branch/withdraw.hpp"
#include "engine/fix/standing_notes.hpp"
#include "engine/forge/comments.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using testing::HasSubstr;
using testing::Not;

class LedgerTest : public ::testing::Test {
protected:
  LedgerTest() : world(Files{{"a.py", "def f(x):\n    return x\n"}, {"b.py", "def g(x):\n    return x\n"}}) {
    world.fixer(
        "cat > /dev/null; case $2 in BE-001) f=a.py;; *) f=b.py;; esac\n"
        "sed -i 's/    return x/    if x is None:\\n        return 0\\n    return x/' $f\n"
        "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
    Finding first = World::finding("a.py", 2, "fails for None"),
            second = World::finding("b.py", 2, "likewise");
    first.rule = second.rule = "none-check";
    issues = world.add({first, second});
    report = world.must_fix(issues);
    EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED") << World::outcome(report, "BE-001").issue.detail;
  }
  std::map<std::string, FixOutcome> look() {
    std::map<std::string, FixOutcome> found;
    for (const FixOutcome& one : must(world.manager().outcomes("", {}))) found[one.code] = one;
    return found;
  }
  void commit(const std::string& message) {
    world.git({"add", "-A"});
    world.git({"commit", "-q", "-m", message});
  }

  World world;
  std::vector<Issue> issues;
  FixReport report;
};

TEST_F(LedgerTest, AFixThatIsMergedAndThenReverted) {
  auto known = look();
  ASSERT_EQ(known.size(), 2U);
  EXPECT_EQ(known["BE-001"].fate, FixFate::waiting);
  EXPECT_EQ(known["BE-001"].agent, "fixer");
  EXPECT_EQ(known["BE-001"].rule, "none-check");
  EXPECT_EQ(known["BE-001"].language, "Python");
  EXPECT_EQ(known["BE-001"].evidence, "judged");
  world.git({"merge", "-q", "--no-ff", "-m", "join", report.session.branch});
  must(world.manager().sync("", {}));
  known = look();
  EXPECT_EQ(known["BE-001"].fate, FixFate::merged);
  EXPECT_FALSE(known["BE-001"].changed_again);
  world.git({"checkout", "-q", "HEAD~1", "--", "a.py"});
  commit("take it back");
  known = look();
  EXPECT_EQ(known["BE-001"].fate, FixFate::reverted);
  EXPECT_EQ(known["BE-002"].fate, FixFate::merged);
  world.git({"checkout", "-q", "HEAD~1", "--", "a.py"});
  commit("and again");
  EXPECT_EQ(look()["BE-001"].fate, FixFate::reverted) << "that it was reverted once stays known";
}

TEST_F(LedgerTest, AFixThatSomebodyEditedOnTheWay) {
  world.write("a.py", "def f(x):\n    if x is None:\n        raise ValueError\n    return x\n");
  commit("my version of it");
  const auto known = look();
  EXPECT_EQ(known.at("BE-001").fate, FixFate::edited);
  EXPECT_EQ(known.at("BE-002").fate, FixFate::waiting);
}

TEST_F(LedgerTest, LinesThatChangeAgainAndAFindingThatIsBack) {
  world.git({"merge", "-q", "--no-ff", "-m", "join", report.session.branch});
  must(world.manager().sync("", {}));
  world.write("a.py", "def f(x):\n    if x is None:\n        return -1\n    return x\n");
  commit("another number");
  EXPECT_TRUE(look()["BE-001"].changed_again);
  EXPECT_FALSE(look()["BE-002"].changed_again);
  Finding again = World::finding("b.py", 4, "likewise");
  again.rule = "none-check";
  (void)world.add({again});
  EXPECT_TRUE(look()["BE-002"].back) << to_json(must(world.store().issue(world.repository().id(), "BE-002")));
}

TEST_F(LedgerTest, ARejectionIsKeptWithItsReasonAndToldToLaterFixers) {
  (void)must(
      reject(world.ports(), world.home, {}, {report.session.id, "BE-001", "raise an error instead"}, {}));
  const auto known = look();
  EXPECT_EQ(known.at("BE-001").fate, FixFate::rejected);
  EXPECT_EQ(known.at("BE-001").reason, "raise an error instead");
  (void)must(add_comment(world.ports(), world.policy, {}, {"BE-002", {}, "use tabs here", {}, 0, {}}));
  const auto more = world.add({World::finding("b.py", 1, "has no type")});
  world.fixer(
      "cat > /dev/null; echo '# typed' >> b.py; "
      "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
  const FixReport next = world.must_fix(more);
  const std::string prompt = world.artifact(next.session.id, more[0].code + "-1-fixer.prompt.md");
  EXPECT_THAT(prompt, HasSubstr("- a.py (none-check): raise an error instead"));
  EXPECT_THAT(prompt, HasSubstr("- b.py (none-check): use tabs here"));
  const std::string file = standing_notes_file(world.home, world.repository().id());
  must(write_file(file, replace_all(must(read_file(file)), "- b.py (none-check): use tabs here\n", "")));
  EXPECT_THAT(must(collect_standing_notes(world.ports(), world.home)), Not(HasSubstr("tabs")))
      << "what a person deletes stays deleted";
  const std::string before = must(read_file(file));
  Issue foreign;
  foreign.repository_id = "another repository";
  foreign.fingerprint = "x";
  foreign.finding.file = "c.py";
  foreign = must(world.store().add_issues({foreign}, 1)).front();
  Change change;
  change.comments = {{"foreign", foreign.id, "", "of no concern here", "", 0, "", 9'000'000'000'000}};
  (void)must(world.store().apply(change, 1));
  EXPECT_EQ(must(collect_standing_notes(world.ports(), world.home)), before);
}

TEST_F(LedgerTest, TheCommandShowsItInWordsAndAsJson) {
  (void)must(
      reject(world.ports(), world.home, {}, {report.session.id, "BE-001", "raise an error instead"}, {}));
  const auto table = world.emend({"insights", "--by", "rule"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("none-check"));
  EXPECT_THAT(world.emend({"insights", "--list"}).out, HasSubstr("raise an error instead"));
  const auto json = parse_json(world.emend({"insights", "--json"}).out);
  ASSERT_TRUE(json);
  const Json& data = json->contains("data") ? (*json)["data"] : *json;
  EXPECT_EQ(data["groups"][0]["rejected"], 1);
  EXPECT_EQ(data["fixes"].size(), 2U);
  EXPECT_THAT(world.emend({"insights", "--notes"}).out, HasSubstr("raise an error instead"));
  EXPECT_EQ(world.emend({"insights", "--by", "mood"}).exit_code, 2);
}

class Autonomous : public LedgerTest {
protected:
  void remember(int merged, FixFate last) {
    Change change;
    for (int i = 0; i < merged + 1; ++i) {
      FixOutcome one;
      one.issue_id = issues[0].id;
      one.session_id = "earlier" + std::to_string(i);
      one.repository_id = world.repository().id();
      one.agent = "fixer";
      one.rule = "none-check";
      one.fate = i < merged ? FixFate::merged : last;
      one.updated_ms = 1;
      change.fix_outcomes.push_back(one);
    }
    (void)must(world.store().apply(change, 1));
  }
  FixReport plan() {
    Finding finding = World::finding("b.py", 1, "another one");
    finding.rule = "none-check";
    world.fixer(
        "cat > /dev/null; echo 'h = 1' >> b.py; "
        "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
    FixRequest request;
    request.issue_ids = {world.add({finding})[0].id};
    request.policy = world.policy;
    request.policy.autonomy = Autonomy::earned;
    request.wait_for_approval = true;
    return must(world.manager().fix(request, {}));
  }
};

TEST_F(Autonomous, TwentyMergedFixesNeedNoApproval) {
  remember(20, FixFate::waiting);
  const FixReport done = plan();
  EXPECT_EQ(done.session.status, SessionStatus::passed);
  EXPECT_THAT(join(done.notes, "\n"), HasSubstr("the plan was not shown for approval"));
}

TEST_F(Autonomous, OneRevertTakesItAway) {
  remember(30, FixFate::reverted);
  EXPECT_EQ(plan().session.status, SessionStatus::planned);
}

TEST_F(Autonomous, NineteenAreNotEnough) {
  remember(19, FixFate::rejected);
  EXPECT_EQ(plan().session.status, SessionStatus::planned);
}

} // namespace
} // namespace emend::testing_support
