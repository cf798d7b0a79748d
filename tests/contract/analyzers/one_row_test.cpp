// An analyzer that nobody wrote a line of code for: its row in the table is enough.
#include <gmock/gmock.h>

#include "cli/start/init_text.hpp"
#include "engine/patch/protected_paths.hpp"
#include "formats/reader.hpp"
#include "tests/contract/analyzers/analyzers_fixture.hpp"

namespace emend {
namespace {

using testing::HasSubstr;

constexpr const char* kReport =
    R"({"version":"2.1.0","runs":[{"tool":{"driver":{"name":"madeup","rules":[{"id":"M1","properties":{"category":"style"}}]}},
"results":[{"ruleId":"M1","level":"error","message":{"text":"wrong word"},"locations":[{"physicalLocation":
{"artifactLocation":{"uri":"a.mu"},"region":{"startLine":1,"startColumn":1}}}],"fixes":[{"description":{"text":"right word"},
"artifactChanges":[{"artifactLocation":{"uri":"a.mu"},"replacements":[{"deletedRegion":{"byteOffset":0,"byteLength":5},
"insertedContent":{"text":"right"}}]}]}]}]}]})";

class OneRowTest : public AnalyzerTest {
protected:
  static void SetUpTestSuite() {
    if (find_known_analyzer("madeup") == nullptr)
      add_known_analyzer({.name = "madeup",
                          .home_page = "https://madeup.example",
                          .install = "apt-get install madeup",
                          .programs = {"madeup"},
                          .extensions = {"mu"},
                          .configuration = {".madeuprc", "madeup.d/**"},
                          .report = "sarif",
                          .arguments = {"--sarif"}});
  }
};

// doctor prints name, version and remedy of what make_analyzers gives.
TEST_F(OneRowTest, DoctorKnowsIt) {
  use_private_path();
  EXPECT_EQ(analyzer("madeup").version(), "");
  EXPECT_EQ(analyzer("madeup").remedy(), "apt-get install madeup");
  write_tool("madeup", "echo madeup 4.2.1\n");
  EXPECT_EQ(analyzer("madeup").version(), "4.2.1");
}

TEST_F(OneRowTest, AFixMayNotChangeItsConfiguration) {
  for (const char* path : {".madeuprc", "madeup.d/rules.conf"})
    EXPECT_EQ(judging_kind(path), kAnalyzerConfiguration) << path;
  EXPECT_EQ(judging_kind("madeup.c"), "");
}

TEST_F(OneRowTest, AJobOfAForgeInstallsIt) {
  EXPECT_THAT(github_workflow_text(), HasSubstr("codespell madeup\n"));
  EXPECT_THAT(gitlab_job_text(), HasSubstr("codespell madeup\n"));
}

TEST_F(OneRowTest, AReviewRunsItAndReadsItsReportAsImportDoes) {
  use_private_path();
  write("a.mu", "wrong\n");
  write_tool("madeup",
             std::string("case \"$1\" in --version) echo 4.2.1; exit;; --sarif) ;; *) exit 2;; esac\n") +
                 "while read -r line; do echo \"$line\"; done <<'END'\n" + kReport + "\nEND\n");
  const Analysis reviewed = run("madeup", {"a.mu", "b.c"});
  ASSERT_EQ(reviewed.state, AnalysisState::done) << reviewed.detail;
  ASSERT_EQ(reviewed.findings.size(), 1U);
  const auto imported = read_findings(kReport, InputFormat::sarif, "madeup", tree_.string());
  ASSERT_TRUE(imported);
  const Finding &a = reviewed.findings[0], &b = imported->findings.at(0);
  EXPECT_EQ(a.agent, b.agent);
  EXPECT_EQ(a.severity, b.severity);
  EXPECT_EQ(a.category, b.category);
  EXPECT_EQ(a.rule, b.rule);
  EXPECT_EQ(a.fixit, b.fixit);
  apply(a);
  EXPECT_EQ(read("a.mu"), "right\n");
}

} // namespace
} // namespace emend
