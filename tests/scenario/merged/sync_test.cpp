// MERGED: how an issue comes there, who tells of it, and what can never bring it there.
#include "engine/branch/sync.hpp"

#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

class SyncTest : public ::testing::Test {
protected:
  SyncTest() : world(Files{{"a.c", "int f = 1;\n"}, {"b.c", "int g = 1;\n"}}) {
    world.fixer(
        "cat > /dev/null; case $2 in BE-001) echo 'int f = 2;' > a.c;; *) echo 'int g = 2;' > b.c;; esac; "
        "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'");
    const auto issues =
        world.add({World::finding("a.c", 1, "f must be 2"), World::finding("b.c", 1, "g must be 2")});
    report = world.must_fix(issues);
    EXPECT_EQ(World::status(report, "BE-001"), "RESOLVED");
    EXPECT_EQ(World::status(report, "BE-002"), "RESOLVED");
  }

  Issue issue(const std::string& code) { return must(world.store().issue(world.repository().id(), code)); }
  SyncReport sync(const std::string& branch = "") { return must(world.manager().sync(branch, {})); }
  std::string head() { return std::string(trim(world.git({"rev-parse", "HEAD"}))); }
  std::vector<Event> told() {
    std::vector<Event> events;
    for (const Event& event : must(world.store().events_after(0, "", 0)))
      if (event.type == "issue_updated") events.push_back(event);
    return events;
  }

  World world;
  FixReport report;
};

TEST_F(SyncTest, OnceInTheDefaultBranchItIsMergedAndToldOnce) {
  EXPECT_EQ(sync().merged(), 0U);
  EXPECT_EQ(issue("BE-001").status, IssueStatus::resolved);
  const auto before = world.manifest();
  const std::string fix = issue("BE-001").commit;
  world.git({"merge", "-q", "--no-ff", "-m", "join", report.session.branch});
  const SyncReport first = sync();
  EXPECT_EQ(first.target.branch, "main");
  EXPECT_EQ(first.merged(), 2U);
  const Issue merged = issue("BE-001");
  EXPECT_EQ(merged.status, IssueStatus::merged);
  EXPECT_EQ(merged.reason, "merged");
  EXPECT_EQ(merged.detail, "in main since " + head().substr(0, 12) + " (ancestor)");
  EXPECT_EQ(merged.commit, head());
  ASSERT_EQ(told().size(), 2U);
  const Event event = told().front();
  EXPECT_EQ(event.issue_code, "BE-001");
  EXPECT_EQ(event.session_id, report.session.id);
  EXPECT_EQ(event.data, (Json{{"status", "MERGED"},
                              {"reason", "merged"},
                              {"detail", merged.detail},
                              {"proof", "ancestor"},
                              {"commit", head()},
                              {"fix_commit", fix},
                              {"branch", "main"}}));
  EXPECT_TRUE(sync().issues.empty()) << "nothing is left to look for";
  EXPECT_EQ(told().size(), 2U);
  EXPECT_EQ(world.emend({"prove", "BE-001"}).exit_code, 0) << "the proof outlives the merge";
}

TEST_F(SyncTest, TheUsersRepositoryIsNotTouched) {
  world.git({"merge", "-q", "--squash", report.session.branch});
  world.git({"commit", "-q", "-m", "squashed"});
  const auto before = world.manifest();
  EXPECT_EQ(sync().merged(), 2U);
  EXPECT_EQ(world.manifest(), before);
}

TEST_F(SyncTest, ASquashedBranchMayBeGone) {
  world.git({"merge", "-q", "--squash", report.session.branch});
  world.git({"commit", "-q", "-m", "squashed"});
  world.git({"branch", "-q", "-D", report.session.branch});
  world.git({"reflog", "expire", "--expire=now", "--all"});
  world.git({"gc", "-q", "--prune=now"});
  world.reopen();
  const SyncReport report_now = sync();
  EXPECT_EQ(report_now.merged(), 2U);
  EXPECT_EQ(report_now.issues.front().merge->proof, MergeProof::contained);
}

TEST_F(SyncTest, OnePickedFixIsMergedTheOtherStays) {
  world.git({"cherry-pick", issue("BE-002").commit});
  const SyncReport looked = sync();
  EXPECT_EQ(looked.merged(), 1U);
  EXPECT_EQ(issue("BE-001").status, IssueStatus::resolved);
  EXPECT_EQ(issue("BE-002").status, IssueStatus::merged);
  EXPECT_EQ(looked.issues.at(1).merge->proof, MergeProof::patch_id);
  EXPECT_FALSE(looked.issues.at(0).detail.empty()) << "says why not";
}

TEST_F(SyncTest, FoundAgainInACommitWithoutTheMergeItStaysMerged) {
  const std::string old = head();
  world.git({"merge", "-q", "--no-ff", "-m", "join", report.session.branch});
  EXPECT_EQ(sync().merged(), 2U);
  world.git({"checkout", "-q", "-b", "older", old});
  world.add({World::finding("a.c", 1, "f must be 2")});
  EXPECT_EQ(issue("BE-001").status, IssueStatus::merged);
  world.git({"checkout", "-q", "main"});
  world.write("a.c", "int f = 1;\n");
  world.git({"commit", "-q", "-a", "-m", "undo it"});
  world.add({World::finding("a.c", 1, "f must be 2")});
  EXPECT_EQ(issue("BE-001").status, IssueStatus::open);
  EXPECT_EQ(issue("BE-001").reason, "regressed");
}

TEST_F(SyncTest, ARemoteTrackingBranchCountsWhenItIsAhead) {
  world.git({"update-ref", "refs/remotes/origin/main", report.session.tip});
  EXPECT_EQ(must(sync_target(world.repository(), "")).ref, "refs/remotes/origin/main");
  world.write("c.c", "int h;\n");
  world.git({"add", "c.c"});
  world.git({"commit", "-q", "-m", "only here"});
  EXPECT_EQ(must(sync_target(world.repository(), "")).ref, "refs/heads/main")
      << "it has what the other lacks";
  world.git({"reset", "-q", "--hard", "HEAD~1"});
  EXPECT_EQ(sync().merged(), 2U);
}

TEST_F(SyncTest, TheBranchCanBeNamedAndMustBeThere) {
  world.git({"branch", "release", report.session.tip});
  const auto missing = world.manager().sync("nowhere", {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "there is no branch nowhere");
  const SyncReport own = sync(report.session.branch);
  EXPECT_EQ(own.merged(), 0U) << "the branch it was made on proves nothing";
  world.git({"checkout", "-q", "--detach"});
  world.git({"branch", "-q", "-D", "main"});
  const auto none = world.manager().sync("", {});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no default branch"), std::string::npos);
  EXPECT_NE(none.error().remedy.find("--branch"), std::string::npos);
  EXPECT_EQ(sync("release").merged(), 2U);
}

TEST_F(SyncTest, OnlyResolvedIssuesAreMoved) {
  world.git({"merge", "-q", "--ff-only", report.session.branch});
  must(world.manager().reopen("BE-001", "no"));
  EXPECT_EQ(sync().merged(), 1U);
  EXPECT_EQ(issue("BE-001").status, IssueStatus::open);
}

TEST_F(SyncTest, TheCommandLineSaysWhatItFound) {
  world.git({"cherry-pick", issue("BE-002").commit});
  const ProcessResult text = world.emend({"issues", "sync"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("BE-001   RESOLVED"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("BE-002   MERGED    in main since " + head().substr(0, 12) + " (patch-id)"),
            std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("1 of 2 merged into main"), std::string::npos) << text.out;
  world.git({"merge", "-q", "--no-ff", "-m", "join", report.session.branch});
  const ProcessResult json = world.emend({"issues", "sync", "--json"});
  const Json data = must(parse_json(json.out)).at("data");
  EXPECT_EQ(data.at("merged"), Json(1));
  EXPECT_EQ(data.at("issues").at(0).at("proof"), Json("ancestor"));
  EXPECT_EQ(world.emend({"issues", "sync", "--branch", "nowhere"}).exit_code, 2);
}

} // namespace
} // namespace emend::testing_support
