// Small values of the model: names of closed sets, JSON of each record.
#include <gtest/gtest.h>

#include <set>

#include "base/strings.hpp"
#include "model/attempt.hpp"
#include "model/event.hpp"
#include "model/evidence.hpp"
#include "model/finding.hpp"
#include "model/issue.hpp"
#include "model/project_side.hpp"
#include "model/session.hpp"
#include "model/verdict.hpp"
#include "model/verification.hpp"

namespace emend {
namespace {

Json reread(const Json& json) { return parse_json(dump_json(json)).value(); }

TEST(Names, EveryValueHasOneAndComesBack) {
  for (int i = 0; i <= static_cast<int>(Severity::critical); ++i) {
    EXPECT_EQ(parse_severity(to_string(static_cast<Severity>(i))), static_cast<Severity>(i));
  }
  for (int i = 0; i <= static_cast<int>(IssueStatus::duplicate); ++i) {
    EXPECT_EQ(parse_issue_status(to_string(static_cast<IssueStatus>(i))), static_cast<IssueStatus>(i));
  }
  for (int i = 0; i <= static_cast<int>(Claim::not_reported); ++i) {
    EXPECT_EQ(parse_claim(to_string(static_cast<Claim>(i))), static_cast<Claim>(i));
  }
  for (int i = 0; i <= static_cast<int>(AttemptResult::interrupted); ++i) {
    EXPECT_EQ(parse_attempt_result(to_string(static_cast<AttemptResult>(i))), static_cast<AttemptResult>(i));
  }
  for (int i = 0; i <= static_cast<int>(Evidence::proven); ++i) {
    EXPECT_EQ(parse_evidence(to_string(static_cast<Evidence>(i))), static_cast<Evidence>(i));
  }
  for (int i = 0; i <= static_cast<int>(CommandResult::cancelled); ++i) {
    EXPECT_EQ(parse_command_result(to_string(static_cast<CommandResult>(i))), static_cast<CommandResult>(i));
  }
  for (int i = 0; i <= static_cast<int>(SessionStatus::error); ++i) {
    EXPECT_EQ(parse_session_status(to_string(static_cast<SessionStatus>(i))), static_cast<SessionStatus>(i));
  }
  for (int i = 0; i <= static_cast<int>(UnitStatus::finished); ++i) {
    EXPECT_EQ(parse_unit_status(to_string(static_cast<UnitStatus>(i))), static_cast<UnitStatus>(i));
  }
  for (int i = 0; i <= static_cast<int>(ClauseState::not_required); ++i)
    EXPECT_FALSE(to_string(static_cast<ClauseState>(i)).empty());
}

TEST(Names, UnknownWordsAreRefused) {
  EXPECT_FALSE(parse_severity("terrible"));
  EXPECT_FALSE(parse_issue_status("DONE"));
  EXPECT_FALSE(parse_claim("done"));
  EXPECT_FALSE(parse_attempt_result(""));
  EXPECT_FALSE(parse_evidence("sure"));
  EXPECT_FALSE(parse_command_result("Passed"));
  EXPECT_FALSE(parse_session_status("ended"));
  EXPECT_FALSE(parse_unit_status("done"));
  EXPECT_THROW((void)to_string(static_cast<Severity>(99)), std::logic_error);
}

TEST(Names, OtherToolsWordsAndSpellings) {
  EXPECT_EQ(parse_severity("Major"), Severity::high);
  EXPECT_EQ(parse_severity("minor"), Severity::low);
  EXPECT_EQ(parse_severity("error"), Severity::high);
  EXPECT_EQ(parse_severity("WARNING"), Severity::medium);
  EXPECT_EQ(parse_severity("note"), Severity::info);
  EXPECT_EQ(parse_severity(" CRITICAL "), Severity::critical);
  EXPECT_EQ(parse_issue_status("in_progress"), IssueStatus::in_progress);
  EXPECT_EQ(parse_issue_status("In-Progress"), IssueStatus::in_progress);
  EXPECT_EQ(parse_claim("FALSE_POSITIVE"), Claim::false_positive);
  EXPECT_EQ(to_string(IssueStatus::in_progress), "IN_PROGRESS");
}

TEST(EvidenceLevels, OldWordsAreRead) {
  EXPECT_EQ(parse_evidence("Verified "), Evidence::unbroken);
  EXPECT_EQ(parse_evidence("rescanned"), Evidence::unbroken);
  EXPECT_EQ(parse_evidence("proven"), Evidence::proven) << "a word of today";
  EXPECT_EQ(parse_old_standing("proven"), (Standing{Evidence::repaired, {}}));
  EXPECT_EQ(parse_old_standing("verified"), (Standing{Evidence::unbroken, {}}));
  EXPECT_EQ(parse_old_standing("rescanned"), (Standing{Evidence::unbroken, {.rescanned = true}}));
  EXPECT_EQ(parse_old_standing("judged"), (Standing{Evidence::judged, {}}));
  EXPECT_EQ(parse_old_standing("sure"), std::nullopt);
}

TEST(EvidenceLevels, StandBesideTheirMarks) {
  const Standing standing{Evidence::repaired, {.shown = true, .rescanned = true}};
  EXPECT_EQ(to_string(standing), "repaired (shown, rescanned)");
  EXPECT_EQ(to_string(Standing{Evidence::judged, {}}), "judged");
  EXPECT_EQ(parse_standing("repaired (shown, rescanned)"), standing);
  EXPECT_EQ(parse_standing(" judged"), (Standing{Evidence::judged, {}}));
  EXPECT_EQ(parse_standing("rescanned"), (Standing{Evidence::unbroken, {.rescanned = true}})) << "as it was";
  EXPECT_EQ(parse_standing("verified"), (Standing{Evidence::unbroken, {}}));
  EXPECT_EQ(parse_standing("sure (shown)"), std::nullopt);
  EXPECT_EQ(dump_json(to_json(standing.marks)), R"(["rescanned","shown"])");
  EXPECT_EQ(marks_from_json(to_json(standing.marks)), standing.marks);
  EXPECT_EQ(marks_from_json(Json("shown")), Marks{});
  EXPECT_EQ(common(standing.marks, {.shown = true, .independent = true}), (Marks{.shown = true}));
  EXPECT_EQ(evidence_text("", standing.marks), "");
}

TEST(EvidenceLevels, ProofsAreReadInTodaysWords) {
  Proof proof;
  proof.evidence = "proven";
  proof.detail = {{"decision", {{"evidence", "proven"}}}};
  EXPECT_EQ(standing_of(proof), (Standing{Evidence::repaired, {}})) << "made when there were no marks";
  proof.detail = {{"decision", {{"evidence", "proven"}, {"marks", Json::array({"shown"})}}}};
  EXPECT_EQ(standing_of(proof), (Standing{Evidence::proven, {.shown = true}}));
}

TEST(EvidenceLevels, AreOrdered) {
  EXPECT_LT(Evidence::none, Evidence::judged);
  EXPECT_LT(Evidence::judged, Evidence::unbroken);
  EXPECT_LT(Evidence::unbroken, Evidence::repaired);
  EXPECT_LT(Evidence::repaired, Evidence::proven);
}

TEST(SideOf, GoesByExtension) {
  for (const char* file : {"a.py", "b.go", "c.java", "d.rb", "e.php", "f.rs", "g.c", "h.cpp", "i.hpp",
                           "Makefile", "", "src.ts/a", "x.json", "docs/a.html", "lib/doc/b.css"}) {
    EXPECT_EQ(side_of(file), Side::backend) << file;
  }
  for (const char* file : {"a.tsx", "b.ts", "c.jsx", "d.js", "e.css", "f.scss", "g.vue", "h.svelte", "i.html",
                           "X.TSX", "a.py/b.js"}) {
    EXPECT_EQ(side_of(file), Side::frontend) << file;
  }
  EXPECT_EQ(code_prefix(Side::backend), "BE");
  EXPECT_EQ(code_prefix(Side::frontend), "FE");
}

TEST(SideOf, PagesOfACLibraryAreNoFrontend) {
  const auto side_with = [](const std::string& file, const std::set<std::string>& files) {
    return side_in_project(file, [&](const std::string& path) { return files.contains(path); });
  };
  EXPECT_EQ(side_with("fuzzing/page.html", {"CMakeLists.txt", "a.c"}), Side::backend);
  EXPECT_EQ(side_with("bindings/a.js", {"configure.ac"}), Side::backend);
  EXPECT_EQ(side_with("bindings/js/src/a.js", {"CMakeLists.txt", "bindings/js/package.json"}),
            Side::frontend);
  EXPECT_EQ(side_with("a.js", {"CMakeLists.txt", "package.json"}), Side::frontend)
      << "a package with parts in C++";
  EXPECT_EQ(side_with("a.js", {"pyproject.toml"}), Side::frontend);
  EXPECT_EQ(side_with("a.c", {"package.json"}), Side::backend);
  EXPECT_EQ(side_in_project("a.js", {}), Side::frontend) << "nothing is known of the project";
}

TEST(SessionStatuses, FinalOnesAreFive) {
  int finals = 0;
  for (int i = 0; i <= static_cast<int>(SessionStatus::error); ++i)
    finals += is_final(static_cast<SessionStatus>(i)) ? 1 : 0;
  EXPECT_EQ(finals, 5);
  EXPECT_FALSE(is_final(SessionStatus::running));
  EXPECT_FALSE(is_final(SessionStatus::interrupted));
  EXPECT_FALSE(is_final(SessionStatus::error));
}

Finding sample_finding() {
  Finding finding;
  finding.id = "F001";
  finding.file = "src/a.py";
  finding.line = 4;
  finding.line_end = 9;
  finding.severity = Severity::high;
  finding.category = "bug";
  finding.rule = "R1";
  finding.title = "t";
  finding.description = "d";
  finding.suggestion = "s";
  finding.agent = "reviewer";
  finding.group = "g";
  finding.related_files = {"b.py"};
  finding.effort = 5;
  finding.files_count = 2;
  finding.annotations = {"line_past_end"};
  return finding;
}

TEST(FindingJson, RoundTrips) {
  const Json json = to_json(sample_finding());
  EXPECT_EQ(json.size(), 16u);
  EXPECT_EQ(to_json(finding_from_json(reread(json))), json);
  const Finding empty = finding_from_json(Json::object());
  EXPECT_EQ(to_json(empty), to_json(Finding{}));
}

TEST(IssueJson, HasTheFieldsPeopleRead) {
  Issue issue;
  issue.id = "u-1";
  issue.code = "BE-001";
  issue.finding = sample_finding();
  issue.created_ms = 1000;
  issue.updated_ms = 2000;
  const Json fresh = to_json(issue);
  EXPECT_EQ(fresh["id"], "u-1");
  EXPECT_EQ(fresh["status"], "OPEN");
  EXPECT_EQ(fresh["found_by"], "reviewer");
  EXPECT_EQ(fresh["finding_id"], "F001");
  EXPECT_EQ(fresh["created_at"], "1970-01-01T00:00:01.000Z");
  EXPECT_EQ(fresh["updated_at"], "1970-01-01T00:00:02.000Z");
  for (const char* key : {"reason", "evidence", "score", "session_id", "commit", "duplicate_of"})
    EXPECT_TRUE(fresh[key].is_null()) << key;
  issue.status = IssueStatus::resolved;
  issue.last_score = 0;
  issue.evidence = "unbroken";
  issue.commit = "abc";
  const Json resolved = to_json(issue);
  EXPECT_EQ(resolved["score"], 0);
  EXPECT_EQ(resolved["evidence"], "unbroken");
  EXPECT_EQ(resolved["commit"], "abc");
}

TEST(EventJson, HasTimeAsTextAndDataAsGiven) {
  const Event event{7, 1500, "s", "fix_session_started", "", {{"n", 1}}};
  EXPECT_EQ(
      dump_json(to_json(event)),
      R"({"seq":7,"time":"1970-01-01T00:00:01.500Z","session_id":"s","type":"fix_session_started","issue_code":null,"data":{"n":1}})");
}

TEST(GateDecisionJson, RoundTrips) {
  GateDecision decision;
  decision.resolved = false;
  decision.evidence = Evidence::unbroken;
  decision.reason = "scope";
  decision.detail = "touches tests";
  decision.clauses = {{"P1", "real_change", ClauseState::passed, ""},
                      {"P2", "scope", ClauseState::failed, "touches tests"},
                      {"P6", "reproducer", ClauseState::not_required, ""}};
  const Json json = to_json(decision);
  EXPECT_EQ(json["clauses"][1]["state"], "failed");
  EXPECT_EQ(to_json(gate_decision_from_json(reread(json))), json);
}

// What cannot be read must never count as passed.
TEST(GateDecisionJson, UnknownMeansNotResolved) {
  const GateDecision decision =
      gate_decision_from_json(parse_json(R"({"resolved":"yes","clauses":[{"state":"fine"}]})").value());
  EXPECT_FALSE(decision.resolved);
  EXPECT_EQ(decision.evidence, Evidence::none);
  ASSERT_EQ(decision.clauses.size(), 1u);
  EXPECT_EQ(decision.clauses[0].state, ClauseState::unknown);
}

TEST(VerdictJson, RoundTrips) {
  Verdict verdict;
  verdict.id = "v";
  verdict.session_id = "s";
  verdict.issue_id = "i";
  verdict.attempt_id = "a";
  verdict.patch_sha256 = "p";
  verdict.agent = "judge";
  verdict.model = "m";
  verdict.family = "f";
  verdict.independent = true;
  verdict.canary = "empty";
  verdict.valid = true;
  verdict.problem = "none";
  verdict.score = 97;
  verdict.status_word = "APPROVED";
  verdict.feedback = "good";
  verdict.quality_scores = {{"correctness", 98}, {"style", 90}};
  verdict.improvements_needed = {"docs"};
  verdict.answer = "{}";
  verdict.started_ms = 5;
  verdict.duration_ms = 6;
  const Json json = to_json(verdict);
  EXPECT_EQ(json.size(), 20u);
  EXPECT_EQ(to_json(verdict_from_json(reread(json))), json);
}

TEST(VerdictJson, AnImpossibleScoreIsNoScore) {
  for (const char* score : {"101", "-1", "95.5", "\"95\"", "true", "null", "4294967391"}) {
    EXPECT_EQ(verdict_from_json(parse_json("{\"score\":" + std::string(score) + "}").value()).score,
              std::nullopt)
        << score;
  }
  EXPECT_TRUE(to_json(Verdict{})["score"].is_null());
}

Verification sample_verification() {
  Verification verification{"v", "s", "i", VerificationKind::combined, "base", "p", {}, {}, "", 10, 20};
  CommandRun run;
  run.name = "test";
  run.run = "make test";
  run.scoped = true;
  run.result = CommandResult::timed_out;
  run.exit_code = 124;
  run.runs = 3;
  run.passes = 2;
  run.output = "out";
  run.tests = {true, "pytest", 4, 1, 2, 1, {{"a::b", "passed"}, {"a::c", "failed"}}};
  run.duration_ms = 30;
  verification.commands = {run};
  verification.rescan = Rescan{{{"ruff", "0.1", "done", "detail", "failed", {"a.py"}}},
                               {"gone"},
                               {"stays"},
                               {{"ruff", "F401", "a.py", 3, Severity::high, "title"}}};
  return verification;
}

TEST(VerificationJson, RoundTrips) {
  const Json json = to_json(sample_verification());
  EXPECT_EQ(json["commands"][0]["tests"]["by_id"]["a::c"], "failed");
  EXPECT_EQ(to_json(verification_from_json(reread(json))), json);
  EXPECT_EQ(to_json(verification_from_json(Json())), to_json(Verification{}));
}

TEST(VerificationJson, AnUnknownResultIsNotAPass) {
  const Verification back =
      verification_from_json(parse_json(R"({"commands":[{"name":"t","result":"great"}]})").value());
  EXPECT_FALSE(back.commands.at(0).passed());
}

TEST(VerificationFind, ByCommandName) {
  const Verification verification = sample_verification();
  EXPECT_EQ(verification.find("test"), &verification.commands[0]);
  EXPECT_EQ(verification.find("lint"), nullptr);
}

TEST(VerifyCommands, ApplyByGlob) {
  const VerifyCommand all{"t", "make", {}, 0}, python{"p", "pytest", {"api/**", "*.py"}, 0};
  EXPECT_TRUE(all.applies_to("anything"));
  EXPECT_TRUE(python.applies_to("api/x.js"));
  EXPECT_TRUE(python.applies_to("lib/x.py"));
  EXPECT_FALSE(python.applies_to("web/x.ts"));
}

TEST(VerifyCommands, KeyIsWhatIsRunAndForHowLong) {
  const VerifyCommand one{"a", "make", {}, 5};
  EXPECT_EQ(one.key(), (VerifyCommand{"b", "make", {"*.c"}, 5}.key()));
  EXPECT_NE(one.key(), (VerifyCommand{"a", "make", {}, 6}.key()));
  EXPECT_NE(one.key(), (VerifyCommand{"a", "make all", {}, 5}.key()));
}

TEST(AttemptJson, HasThePatchOnlyWhenAsked) {
  Attempt attempt;
  attempt.id = "a";
  attempt.result = AttemptResult::no_change;
  EXPECT_TRUE(to_json(attempt, false)["patch_sha256"].is_null());
  attempt.patch.changes.push_back({"f", kModeFile, kModeFile, "1", "2", "x", "y"});
  const Json with = to_json(attempt, true), without = to_json(attempt, false);
  EXPECT_FALSE(without.contains("patch"));
  EXPECT_EQ(with["patch_sha256"], attempt.patch.sha256());
  EXPECT_EQ(patch_from_json(with["patch"]).sha256(), attempt.patch.sha256());
  EXPECT_EQ(with["result"], "no_change");
  EXPECT_EQ(with["claim"], "not_reported");
}

} // namespace
} // namespace emend
