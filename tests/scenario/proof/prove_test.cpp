// Proof bundles: written for what is resolved, checked again without an agent, and broken by any changed
// byte.
#include <gmock/gmock.h>

#include <set>

#include "adapters/sql/sqlite_database.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/gate/proof_bundle.hpp"
#include "engine/gate/prove.hpp"
#include "engine/session/report.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFixed = "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'";

std::string broken_parts(const ProofReport& report) {
  std::string text;
  for (const ProofCheck& check : report.checks)
    if (!check.holds) text += check.part + ": " + check.detail + "\n";
  return text;
}

// Two issues in two files, both resolved; the check of BE-001 was red before.
class Proofs : public ::testing::Test {
protected:
  Proofs()
      : world(Files{{"src/a.c", "int a = 1;\n"},
                    {"src/b.c", "int b = 1;\n"},
                    {"a.sh", "grep -q 'a = 2' src/a.c\n"},
                    {"ok.sh", "grep -q int src/b.c\n"}}) {
    world.policy.commands = {{"a", "sh a.sh", {"src/a.c"}, 0}, {"ok", "sh ok.sh", {}, 0}};
    world.policy.verify_env = {"API_KEY=s3cr3t-value-9"};
    issues =
        world.add({World::finding("src/a.c", 1, "a must be 2"), World::finding("src/b.c", 1, "b must be 2")});
    world.fixer(
        "case $2 in BE-001) sed -i 's/a = 1/a = 2/' src/a.c;; *) sed -i 's/b = 1/b = 2/' src/b.c;; esac\n" +
        std::string(kFixed));
    report = world.must_fix(issues);
  }

  ProofReport prove(const std::string& code) {
    return must(prove_issue(world.ports(), world.home,
                            must(world.store().issue(world.repository().id(), code)), {}, {}));
  }
  ProofReport prove_file(const std::string& bytes) {
    return must(prove_bundle(world.ports(), world.home, bytes, {}, {}));
  }
  std::string path(const std::string& code) { return bundle_path(world.home, report.session.id, code); }
  std::string bundle(const std::string& code) { return must(read_file(path(code))); }

  // The same bundle with one part replaced and every hash of the manifest made to fit: what somebody does who
  // knows the format.
  std::string forged(const std::string& code, const std::string& part, const std::string& from,
                     const std::string& to) {
    std::vector<ProofPart> parts = must(read_archive(bundle(code)));
    Json manifest = must(parse_json(parts.front().bytes));
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (parts[i].name != part) continue;
      EXPECT_THAT(parts[i].bytes, HasSubstr(from));
      parts[i].bytes = replace_all(parts[i].bytes, from, to);
      manifest["parts"][i - 1]["size"] = parts[i].bytes.size();
      manifest["parts"][i - 1]["sha256"] = sha256_hex(parts[i].bytes);
    }
    parts.front().bytes = dump_json(manifest, 1) + "\n";
    return write_archive(parts);
  }

  World world;
  std::vector<Issue> issues;
  FixReport report;
};

TEST_F(Proofs, AreWrittenForWhatIsResolvedAndHold) {
  ASSERT_EQ(report.session.status, SessionStatus::passed);
  EXPECT_EQ(World::outcome(report, "BE-001").issue.evidence, "repaired");
  EXPECT_EQ(World::outcome(report, "BE-002").issue.evidence, "unbroken");
  for (const char* code : {"BE-001", "BE-002"}) {
    const ProofReport proof = prove(code);
    EXPECT_TRUE(proof.holds()) << broken_parts(proof);
    EXPECT_EQ(proof.checks.size(), 8U);
    const ProofReport alone = prove_file(bundle(code));
    EXPECT_TRUE(alone.holds()) << broken_parts(alone);
  }
}

TEST_F(Proofs, SayWhatWasRunSeenAndJudged) {
  const ProofBundle proof = must(open_bundle(bundle("BE-001")));
  EXPECT_THAT(proof.parts.at("patch.diff"), HasSubstr("-int a = 1;\n+int a = 2;\n"));
  EXPECT_THAT(proof.parts.at("verdicts.json"), HasSubstr("scored by rule"));
  EXPECT_THAT(proof.json("verdicts.json")[0]["answer"].get<std::string>(), HasSubstr("quality_scores"))
      << "the judge's own words";
  EXPECT_THAT(proof.parts.at("events.jsonl"), HasSubstr("fix_challenger_result"));
  EXPECT_THAT(proof.parts.at("agents.json"), HasSubstr("\"fix_challenger\""));
  std::set<std::string> kinds;
  for (const Json& run : proof.json("verifications.json")) kinds.insert(string_or(run, "kind"));
  EXPECT_THAT(kinds, ::testing::IsSupersetOf({"baseline", "alone", "combined", "without_patch"}));
}

TEST_F(Proofs, HoldNoValueOfTheEnvironment) {
  EXPECT_FALSE(contains(bundle("BE-001"), "s3cr3t-value-9"));
  EXPECT_THAT(must(open_bundle(bundle("BE-001"))).parts.at("policy.json"), HasSubstr("\"API_KEY=\""));
}

TEST_F(Proofs, AreNamedByTheCommit) {
  const std::string message =
      world.git({"log", "-1", "--format=%B", World::outcome(report, "BE-001").issue.commit});
  const std::string seal = string_or(must(open_bundle(bundle("BE-001"))).manifest, "seal");
  EXPECT_THAT(message, HasSubstr("\nEmend-Proof: " + seal + "\n"));
}

TEST_F(Proofs, ReadByOrdinaryTools) {
  ProcessSpec spec;
  spec.argv = {"tar", "-tf", path("BE-001")};
  spec.cwd = world.home;
  spec.env = {"PATH=" + std::string(std::getenv("PATH"))};
  spec.supervise = false;
  const ProcessResult listed = must(world.runner().run(spec, {}));
  EXPECT_TRUE(listed.ok()) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("manifest.json\nseal.json\n"));
}

TEST_F(Proofs, EveryChangedByteOfABundleIsFound) {
  const std::string good = bundle("BE-002");
  int accepted = 0;
  for (std::size_t at = 0; at < good.size(); at += at < 8'000 ? 1 : 7) { // the manifest and the seal wholly
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
    const auto opened = open_bundle(bad);
    if (!opened) continue;
    if (prove_file(bad).holds()) ++accepted; // a change of the manifest's own words
  }
  EXPECT_EQ(accepted, 0) << "of " << good.size();
  for (const std::size_t size : {std::size_t{0}, std::size_t{511}, good.size() - 1, good.size() - 1024})
    EXPECT_FALSE(open_bundle(good.substr(0, size)));
  EXPECT_FALSE(open_bundle(good + std::string(512, '\0')));
}

TEST_F(Proofs, EvidenceThatWasMadeUpAfterwardsIsFound) {
  const std::tuple<std::string, std::string, std::string> forgeries[] = {
      {"verdicts.json", "\"score\": 97", "\"score\": 99"},
      {"verdicts.json", "scored by rule", "scored by hand"},
      {"verifications.json", "\"exit_code\": 0", "\"exit_code\": 1"},
      {"attempt.json", "\"agent\": \"fixer\"", "\"agent\": \"saint\""},
      {"issue.json", "a must be 2", "a may be 2"},
      {"policy.json", "\"satisfaction_threshold\": 95", "\"satisfaction_threshold\": 5"},
      {"patch.json", "\"path\": \"src/a.c\"", "\"path\": \"src/z.c\""},
      {"seal.json", "\"issue\": \"BE-001\"", "\"issue\": \"BE-009\""},
      {"session.json", "\"final_base\": \"", "\"final_base\": \"0"},
      {"decision.json", "\"passed\"", "\"not_required\""},
      {"proof.json", "\"repaired\"", "\"judged\""},
      {"commit-message.txt", "fix: ", "fix! "},
  };
  for (const auto& [part, from, to] : forgeries) {
    const ProofReport proof = prove_file(forged("BE-001", part, from, to));
    EXPECT_FALSE(proof.holds()) << part << ": " << from << " -> " << to;
  }
  const std::string events = forged("BE-001", "events.jsonl", "fix_cycle_started", "fix_cycle_stopped");
  must(write_file(path("BE-001"), events));
  EXPECT_THAT(broken_parts(prove("BE-001")), HasSubstr("proof row: the database names another bundle"));
}

TEST_F(Proofs, AMissingBundleIsARefusalNotAnError) {
  fs::remove(path("BE-001"));
  EXPECT_THAT(broken_parts(prove("BE-001")), HasSubstr("bundle: "));
}

TEST_F(Proofs, ACommitThatIsNotThereAnyMoreIsFound) {
  world.git({"branch", "-D", report.session.branch});
  world.reopen();
  EXPECT_THAT(broken_parts(prove("BE-001")), HasSubstr("commit: "));
}

TEST_F(Proofs, AnotherCommitUnderTheSameNameIsFound) {
  // The branch is made again with one more change in the first commit: same messages, other trees.
  world.git({"checkout", "-q", "-b", "again", report.session.base});
  world.write("src/a.c", "int a = 2; /* and a backdoor */\n");
  world.git({"add", "-A"});
  world.git({"commit", "-q", "-m",
             world.git({"log", "-1", "--format=%B", World::outcome(report, "BE-001").issue.commit})});
  world.git({"branch", "-f", report.session.branch, "again"});
  world.reopen();
  EXPECT_THAT(broken_parts(prove("BE-001")), HasSubstr("commit: "));
}

TEST_F(Proofs, ABundleIsCheckedInAnotherCloneWithoutTheDatabase) {
  const std::string file = world.home + "/for-the-pr.emend-proof";
  must(write_file(file, bundle("BE-001")));
  const std::string clone = world.home + "/clone";
  world.git({"clone", "-q", "--no-local", world.root, clone});
  const ProcessResult elsewhere =
      world.emend({"-C", clone, "prove", file}, {"EMEND_HOME=" + world.home + "/other"});
  EXPECT_EQ(elsewhere.exit_code, 0) << elsewhere.out << elsewhere.err;
  EXPECT_THAT(elsewhere.out, HasSubstr("BE-001  the proof holds"));
}

TEST_F(Proofs, TheCommandsAreRunAgainOnRequest) {
  const ProofReport proof = must(prove_issue(world.ports(), world.home,
                                             must(world.store().issue(world.repository().id(), "BE-001")),
                                             {"", true, world.policy}, {}));
  EXPECT_TRUE(proof.holds()) << broken_parts(proof);
  std::string said;
  for (const ProofCheck& check : proof.checks)
    if (check.part == "rerun") said += check.detail + "\n";
  EXPECT_EQ(said,
            "on the base: `a` fails (failed), `ok` passes, as it is stored\n"
            "with the patch: `a` passes, `ok` passes, as it is stored\n"
            "again without the patch: `a` fails (failed), `ok` passes, as it is stored\n"
            "probe: src/a.c was made unreadable: `a` fails (failed), `ok` passes, as it is stored\n");
}

TEST_F(Proofs, ARunThatComesOutOtherwiseIsNamed) {
  Policy elsewhere = world.policy;
  elsewhere.verify_env = {"PATH=/nowhere"};
  const ProofReport proof = must(prove_issue(world.ports(), world.home,
                                             must(world.store().issue(world.repository().id(), "BE-002")),
                                             {"", true, elsewhere}, {}));
  EXPECT_FALSE(proof.holds());
  EXPECT_TRUE(proof.only_rerun_failed());
  EXPECT_THAT(broken_parts(proof),
              ::testing::ContainsRegex("`ok` fails \\([a-z_]+\\) now, but the proof says it passes"));
}

TEST_F(Proofs, AreToldAsAStory) {
  const Explanation told =
      must(make_explanation(world.ports(), must(world.store().issue(world.repository().id(), "BE-001"))));
  std::string text;
  for (const StoryLine& line : told.story) text += line.experiment + ": " + line.text + "\n";
  EXPECT_THAT(text, HasSubstr("base: On the base commit " + report.session.base.substr(0, 12) +
                              ", `a` fails (exit 1) and `ok` passes.\n"
                              "patched: With the fix, `a` passes and `ok` passes.\n"
                              "without: Without the fix again, `a` fails (exit 1) and `ok` passes.\n"
                              "turned: Failed on the base and passes with the fix: `a`.\n"));
  EXPECT_THAT(text, HasSubstr("level: repaired: `a` failed on the base, passes with the fix and fails again "
                              "without it.\n"));
}

TEST_F(Proofs, OnTheCommandLine) {
  const ProcessResult good = world.emend({"prove", report.session.id});
  EXPECT_EQ(good.exit_code, 0) << good.out << good.err;
  EXPECT_THAT(good.out, HasSubstr("BE-002  the proof holds"));
  const std::string file = world.home + "/out.emend-proof";
  EXPECT_EQ(world.emend({"prove", "BE-001", "--export", file}).exit_code, 0);
  EXPECT_EQ(must(read_file(file)), bundle("BE-001"));
  const std::string page = world.home + "/proof.html";
  EXPECT_EQ(world.emend({"prove", "BE-001", "--html", page}).exit_code, 0);
  EXPECT_THAT(must(read_file(page)), HasSubstr("The proof holds."));
  EXPECT_EQ(world.emend({"prove", report.session.id, "--html", page}).exit_code, 2) << "one issue, one page";
  EXPECT_EQ(world.emend({"prove", "BE-009"}).exit_code, 2);
  std::string bad = bundle("BE-001");
  bad[bad.size() / 2] ^= 1;
  must(write_file(file, bad));
  const ProcessResult refused = world.emend({"prove", file, "--json"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.out, HasSubstr("\"holds\": false"));
  const ProcessResult asks = world.emend({"prove", path("BE-001"), "--rerun"});
  EXPECT_EQ(asks.exit_code, 7) << "commands of a file are not run unasked: " << asks.err;
  EXPECT_THAT(asks.err, HasSubstr("sh a.sh"));
}

// Every column of every row the proof rests on, changed behind the program's back.
class ChangedRows : public Proofs {
protected:
  ChangedRows() : database(must(SqliteDatabase::open(world.home + "/emend.db", 5000))) {
    must(database->execute("pragma foreign_keys = off"));
    for (const char* trigger : {"issues_resolved_update", "issues_identity", "proofs_update",
                                "attempts_identity", "verifications_update", "verdicts_update",
                                "events_update", "agent_runs_update", "code_counters_update"})
      must(database->execute("drop trigger " + std::string(trigger)));
  }

  // false: the row was changed and prove did not see it.
  bool found(const std::string& table, const std::string& column, const std::string& changed,
             const std::string& back, const std::string& where) {
    must(database->execute("update " + table + " set " + column + " = " + changed + " where " + where));
    const auto issue = world.store().issue(world.repository().id(), issues[0].id);
    bool seen = !issue;
    if (issue) {
      const auto proof = prove_issue(world.ports(), world.home, *issue, {}, {});
      seen = !proof || !proof->holds();
    }
    must(database->execute("update " + table + " set " + column + " = " + back + " where " + where));
    return seen;
  }

  bool appended(const std::string& table, const std::string& column, const std::string& where) {
    return found(table, column, column + " || 'x'", "substr(" + column + ", 1, length(" + column + ") - 1)",
                 where);
  }
  bool counted(const std::string& table, const std::string& column, const std::string& where) {
    return found(table, column, column + " + 1000000", column + " - 1000000", where);
  }

  std::unique_ptr<SqliteDatabase> database;
};

TEST_F(ChangedRows, AreAllFound) {
  const std::string id = issues[0].id, session = report.session.id;
  const std::string own = "issue_id = '" + id + "'", of_session = "session_id like '" + session + "%'";
  struct Table {
    std::string name, where;
    std::vector<std::string> texts, numbers;
  };
  const std::vector<Table> tables = {
      {"attempts",
       own,
       {"id", "session_id", "unit_id", "agent", "model", "family", "ending", "claim", "explanation", "result",
        "detail", "base", "notes", "patch"},
       {"n", "cycle", "exit_code", "started_ms", "duration_ms"}},
      {"verifications", own, {"id", "session_id", "kind", "patch_sha256", "data"}, {"n"}},
      {"verifications",
       "issue_id is null and kind like 'baseline%'",
       {"id", "session_id", "kind", "patch_sha256", "data"},
       {"n"}},
      {"verdicts", own, {"id", "session_id", "attempt_id", "patch_sha256", "data"}, {"n"}},
      {"proofs",
       own,
       {"session_id", "attempt_id", "verdict_id", "base", "commit_sha", "branch", "patch_sha256", "evidence",
        "detail"},
       {"score", "created_ms"}},
      {"commits", of_session, {"sha", "parent", "session_id", "issue_ids", "patch_sha256", "subject"}, {"n"}},
      {"sessions",
       "id = '" + session + "'",
       {"repository_id", "base", "base_ref", "branch", "tip", "issue_ids", "review_report", "policy"},
       {"started_ms"}},
      {"units",
       "issue_ids like '%" + id + "%'",
       {"id", "session_id", "issue_ids", "base", "accepted_attempt"},
       {"position", "stacked"}},
      {"agent_runs",
       of_session,
       {"id", "repository_id", "session_id", "role", "agent", "data"},
       {"n", "started_ms"}},
      {"issues",
       "id = '" + id + "'",
       {"code", "evidence", "session_id", "commit_sha", "finding"},
       {"n", "last_score", "created_ms"}},
  };
  for (const Table& table : tables) {
    for (const std::string& column : table.texts)
      EXPECT_TRUE(appended(table.name, column, table.where)) << table.name << "." << column;
    for (const std::string& column : table.numbers)
      EXPECT_TRUE(counted(table.name, column, table.where)) << table.name << "." << column;
  }
  EXPECT_TRUE(found("verdicts", "data", "replace(data, '\"score\":97', '\"score\":98')",
                    "replace(data, '\"score\":98', '\"score\":97')", own));
  EXPECT_TRUE(found("issues", "status", "'FAILED'", "'RESOLVED'", "id = '" + id + "'"));
  EXPECT_TRUE(prove("BE-001").holds()) << "all is as it was: " << broken_parts(prove("BE-001"));
}

TEST_F(ChangedRows, EveryEventOfTheSessionIsCovered) {
  const std::vector<Event> events = world.events(report.session.id);
  ASSERT_GT(events.size(), 10U);
  for (std::size_t i = 0; i < events.size(); i += 5) {
    const std::string where = "seq = " + std::to_string(events[i].seq);
    const bool last = i + 1 == events.size(); // what ends after the proof was made may be cut off
    if (!last) {
      EXPECT_TRUE(appended("events", "session_id", where)) << events[i].type;
    }
    for (const char* column : {"type", "issue_code", "data", "digest"})
      EXPECT_TRUE(appended("events", column, where)) << events[i].type << "." << column;
    EXPECT_TRUE(counted("events", "time_ms", where)) << events[i].type;
  }
  EXPECT_TRUE(
      found("events", "seq", "-5", std::to_string(events.front().seq), "type = 'fix_session_started'"));
  EXPECT_TRUE(prove("BE-001").holds()) << broken_parts(prove("BE-001"));
  must(database->execute("delete from events where seq = " + std::to_string(events[3].seq)));
  EXPECT_THAT(broken_parts(prove("BE-001")), HasSubstr("events: "));
}

} // namespace
} // namespace emend::testing_support
