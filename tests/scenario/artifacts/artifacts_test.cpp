// What a session leaves in its folder, and what of it goes with age.
#include "engine/session/artifacts.hpp"

#include <gmock/gmock.h>

#include "engine/gate/prove.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {

namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> names(const std::string& home, const std::string& session) {
  std::vector<std::string> all;
  for (const Artifact& artifact : artifacts_of(home, session)) all.push_back(artifact.name);
  return all;
}

class Artifacts : public ::testing::Test {
protected:
  void SetUp() override {
    world.fixer(
        "sed -i 's/bad/good/' src/a.txt\necho "
        "'{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\",\"explanation\":\"done\"}]}'");
    world.judge_score(97);
  }

  FixReport fixed() { return world.must_fix(world.add({World::finding("src/a.txt", 1, "it is bad")})); }
  [[nodiscard]] std::int64_t now() const { return clock.wall_ms(); }

  LocalExpiry expire(std::int64_t before_ms, bool dry = false) {
    return must(expire_local(world.store(), world.home, world.repository().id(), before_ms, dry));
  }

  World world{{{"src/a.txt", "bad\n"}}};
  SystemClock clock;
};

} // namespace

TEST_F(Artifacts, ASessionKeepsItsReportPromptsTranscriptsAndProofs) {
  const FixReport report = fixed();
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED");
  const auto kept = names(world.home, report.session.id);
  EXPECT_THAT(kept, Contains("report.json"));
  EXPECT_THAT(kept, Contains("proofs/BE-001.emend-proof"));
  EXPECT_THAT(kept, Contains(StartsWith("runs/")));
  const Json json =
      must(parse_json(must(read_file(session_folder(world.home, report.session.id) / "report.json"))));
  EXPECT_EQ(string_or(json, "schema"), "emend.session/v1");
  EXPECT_EQ(dump_json(json.at("data")), dump_json(to_json(report)));
}

TEST_F(Artifacts, WhatIsOldGoesAndTheProofStillHolds) {
  const FixReport report = fixed();
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED");
  EXPECT_EQ(expire(now() - 1'000'000).sessions, 0u) << "it is not old";
  const LocalExpiry dry = expire(now() + 1'000, true);
  EXPECT_EQ(dry.sessions, 1u);
  EXPECT_THAT(names(world.home, report.session.id), Contains("report.json"));
  const LocalExpiry done = expire(now() + 1'000);
  EXPECT_EQ(done.files, dry.files);
  EXPECT_EQ(done.bytes, dry.bytes);
  EXPECT_THAT(names(world.home, report.session.id), Each(StartsWith("proofs/")));
  EXPECT_FALSE(fs::exists(session_folder(world.home, report.session.id) / "conversations"));
  const Issue issue = must(world.store().issue(world.repository().id(), "BE-001"));
  EXPECT_TRUE(must(prove_issue(world.ports(), world.home, issue, {}, {})).holds());
  EXPECT_EQ(expire(now() + 1'000).sessions, 0u);
}

TEST_F(Artifacts, AnotherRepositorysSessionsAreNotTouched) {
  const FixReport report = fixed();
  EXPECT_EQ(must(expire_local(world.store(), world.home, "another", now() + 1'000)).sessions, 0u);
  EXPECT_THAT(names(world.home, report.session.id), Contains("report.json"));
}

TEST_F(Artifacts, ASessionThatCanGoOnKeepsWhatItNeeds) {
  const FixReport report = fixed();
  const fs::path folder = session_folder(world.home, report.session.id);
  must(write_file(folder / "master_todo.json", "{}"));
  for (const SessionStatus status :
       {SessionStatus::running, SessionStatus::interrupted, SessionStatus::error, SessionStatus::cancelled}) {
    Change change;
    change.sessions.push_back(must(world.store().session(report.session.id)));
    change.sessions.front().status = status;
    must(world.store().apply(change, now()));
    expire(now() + 1'000);
    EXPECT_THAT(names(world.home, report.session.id), Contains("master_todo.json"));
    EXPECT_EQ(fs::exists(folder / "report.json"), status != SessionStatus::cancelled) << to_string(status);
  }
  EXPECT_THAT(names(world.home, report.session.id), Not(Contains(StartsWith("runs/"))));
}

TEST_F(Artifacts, PlansAndStrangeFoldersStay) {
  must(write_file(session_folder(world.home, "planabc1") / "master_todo.json", "{}"));
  must(write_file(session_folder(world.home, "not-a-session") / "report.json", "{}"));
  fixed();
  expire(now() + 1'000);
  EXPECT_TRUE(fs::exists(session_folder(world.home, "planabc1") / "master_todo.json"));
  EXPECT_TRUE(fs::exists(session_folder(world.home, "not-a-session") / "report.json"));
}

TEST_F(Artifacts, OnlyNamesOfOurOwnAreArtifacts) {
  for (const char* name : {"master_todo.json", "fix_todo_BE-001.json", "report.json",
                           "runs/BE-001-1-fixer.prompt.md", "proofs/BE-001.emend-proof"})
    EXPECT_TRUE(is_artifact_name(name)) << name;
  for (const char* name :
       {"", "runs/", "runs/..", "runs/.x", "runs/a/b", "proofs/x", "../report.json", "conversations/x",
        "messages/x.json", "fix_todo_a/b.json", "uploaded.jsonl", "/report.json", "runs/a b", "runs/a\n"})
    EXPECT_FALSE(is_artifact_name(name)) << name;
  for (const char* id : {"", "abcdefg", "abcdefgh1", "1bcdefgh", "Abcdefgh", "abcdef-1", "..", "abcdefg/"})
    EXPECT_FALSE(is_session_id(id)) << id;
  EXPECT_TRUE(is_session_id("abcdefg1"));
}

} // namespace emend::testing_support
