// [analyzers.NAME]: what a person adds to a row reaches the program, whichever row it is, and a row of one's
// own can change files, too.
#include <gmock/gmock.h>

#include <algorithm>

#include "adapters/analyzers/pattern_report.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "config/config.hpp"
#include "tests/contract/analyzers/analyzers_fixture.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class OwnRowsTest : public AnalyzerTest {
protected:
  void SetUp() override { use_private_path(); }

  [[nodiscard]] std::string log() const { return scratch_.path() / "log"; }
  // A program that notes its arguments, and says a version to everybody.
  void write_noting_tool(const std::string& name) {
    write_tool(name, "for word; do echo \"$word\" >> " + log() + "; done; echo '1: 21.7.3'; exit 0\n");
  }

  // A project in which every analyzer finds something to look at.
  void write_project() {
    for (const char* file :
         {"a.c", "a.py", "a.ts", "a.js", "a.go", "a.rs", "a.rb", "a.php", "A.java", "a.yml", "Dockerfile",
          ".github/workflows/a.yml", "a.css", "a.md", "a.sql", "a.tf", "a.sh", "a.html"})
      write(file, "one\n");
    for (const char* file :
         {"go.mod", "Cargo.toml", "tsconfig.json", "phpcs.xml", "mypy.ini", "pyrightconfig.json",
          ".prettierrc", ".stylelintrc.json", ".markdownlint.json", ".sqlfluff", "checkstyle.xml",
          "eslint.config.js", "sgconfig.yml", "phpstan.neon", ".oxlintrc.json", ".bandit",
          ".github/zizmor.yml", ".gitleaks.toml", ".semgrep.yml"})
      write(file, "x\n");
    ASSERT_TRUE(make_directories(scratch_.path() / "tools/lib/node_modules/@astral-sh/ruff-wasm-nodejs"));
    files_ = {"a.c",   "a.py",  "a.ts",   "a.js",  "a.go",       "a.rs",
              "a.rb",  "a.php", "A.java", "a.yml", "Dockerfile", ".github/workflows/a.yml",
              "a.css", "a.md",  "a.sql",  "a.tf",  "a.sh"};
  }

  Analysis run_row(const KnownAnalyzer& row) {
    analyzers_ = make_analyzers(runner_, {{row}, true, "", ""});
    return run(row.name, files_);
  }

  std::vector<std::string> files_;
};

TEST_F(OwnRowsTest, MoreArgumentsReachEveryAnalyzer) {
  write_project();
  for (KnownAnalyzer row : known_analyzers()) {
    if (row.name == "madeup") continue; // of one_row_test
    const fs::path bin = scratch_.path() / "tools/bin";
    fs::remove_all(bin);
    fs::remove(log());
    for (const std::string& program : row.programs) write_noting_tool(program);
    row.more_arguments = {"--given-by-hand"};
    const Analysis analysis = run_row(row);
    const std::string noted = read_file(log()).value_or("");
    EXPECT_THAT(noted, HasSubstr("--given-by-hand")) << row.name << ": " << analysis.detail;
    EXPECT_THAT(noted, testing::Not(HasSubstr("{more}"))) << row.name;
  }
}

// The npm build of ruff takes no command line, so its driver reads them.
TEST_F(OwnRowsTest, TheNpmBuildOfRuffIsGivenThemAsItsSettings) {
  write_project();
  write_noting_tool("node");
  KnownAnalyzer row = known_analyzer("ruff-wasm");
  row.more_arguments = {"--select", "F"};
  files_ = {"a.py"};
  run_row(row);
  EXPECT_THAT(read_file(log()).value_or(""), HasSubstr("\n[\"--select\",\"F\"]\n./a.py\n"));
}

TEST_F(OwnRowsTest, AHookThatWritesOrPrintsInItsOwnFormatLeavesTheReportAlone) {
  write("a.py", "import os\n");
  write(".pre-commit-config.yaml",
        "repos:\n- repo: x\n  hooks:\n  - id: ruff\n    args: [--fix, --output-format=github, --preview]\n");
  write_tool("ruff",
             "case \"$1\" in --version) echo ruff 0.9.1; exit;; esac\nfor word; do echo \"$word\" >> " +
                 log() + "; done; echo '[]'\n");
  files_ = {"a.py"};
  KnownAnalyzer row = known_analyzer("ruff");
  row.more_arguments = {"--line-length=100"};
  const Analysis analysis = run_row(row);
  EXPECT_EQ(analysis.state, AnalysisState::done) << analysis.detail;
  const std::string noted = read_file(log()).value_or("");
  EXPECT_THAT(noted, HasSubstr("--preview\n--line-length=100\n--\n./a.py\n"));
  EXPECT_THAT(noted, testing::Not(HasSubstr("--fix\n")));
  EXPECT_THAT(noted, testing::Not(HasSubstr("github")));
}

// It reports `a.mine|1|...` and changes "wrong" to "right" when asked to.
TEST_F(OwnRowsTest, WhatAToolOfOnesOwnChangesIsItsFixIt) {
  write("a.mine", "good\nwrong\n");
  write_tool("mylint",
             "case \"$1\" in --version) echo mylint 2.5; exit;; esac\n"
             "echo \"$1|2|bad-word|a word is wrong\"; exit 1\n");
  write_tool("mymend",
             "[ \"$1\" = --write ] && [ \"$3\" = --end ] || exit 9\n"
             "while read -r line; do echo \"$line\"; done < \"$2\" > \"$2.new\"\n"
             "printf 'good\\nright\\n' > \"$2\"; exit 4\n");
  KnownAnalyzer row{.name = "mylint"};
  row.programs = {"mylint"};
  row.files = {"*.mine"};
  row.report = "regex";
  row.pattern = R"(^(?P<file>[^|]+)\|(?P<line>\d+)\|(?P<rule>[^|]+)\|(?P<message>.*)$)";
  row.fix_programs = {"mymend"};
  row.fix = {"--write", "{files}", "--end"};
  row.fix_exit_codes = {0, 4};
  files_ = {"a.mine"};
  request_.work_out_fixes = true;
  const Analysis analysis = run_row(row);
  ASSERT_EQ(analysis.state, AnalysisState::done) << analysis.detail;
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(read("a.mine"), "good\nwrong\n") << "the tree is as it was";
  ASSERT_TRUE(analysis.findings[0].fixit);
  EXPECT_FALSE(analysis.findings[0].fixit->safe) << "nobody says that it keeps what the program does";
  apply(analysis.findings[0]);
  EXPECT_EQ(read("a.mine"), "good\nright\n");
}

// Formats of one line for each finding, as [analyzers.NAME] format names them.
TEST_F(OwnRowsTest, LinesOfKnownFormsNeedNoExpression) {
  const auto read_as = [&](const std::string& format, const std::string& text) {
    const fs::path file = scratch_.path() / "user.toml";
    EXPECT_TRUE(write_file(
        file, "[analyzers.mine]\ncommand = [\"mine\", \"{files}\"]\nformat = \"" + format + "\"\n"));
    ConfigSources sources;
    sources.user_file = file.string();
    const auto config = Config::load(sources);
    EXPECT_TRUE(config) << config.error().message;
    const auto rows = config->analyzer_rows();
    EXPECT_TRUE(rows) << rows.error().message;
    SourceTree tree(request_);
    const auto findings = read_by_pattern(rows->at(0), text, tree);
    EXPECT_TRUE(findings) << findings.error().message;
    std::vector<std::string> lines;
    for (const Finding& f : *findings)
      lines.push_back(f.file + ":" + std::to_string(f.line) + ":" + std::to_string(f.column) + " " +
                      std::string(to_string(f.severity)) + " " + f.rule + " " + f.title);
    return lines;
  };
  write("a.cs", "one\ntwo\nthree three\n");
  EXPECT_THAT(
      read_as("msvc",
              "a.cs(3,7): warning CS0168: The variable is declared\n  a.cs(2): fatal error C1083: no\n"
              "a.cs(1,1): error : odd\nBuild FAILED.\n"),
      ElementsAre("a.cs:3:7 medium CS0168 The variable is declared", "a.cs:2:0 high C1083 no",
                  "a.cs:1:1 high  odd"));
  EXPECT_THAT(
      read_as("github",
              "::warning file=a.cs,line=2,col=1::LT01: blanks\n::notice file=a.cs,line=1::hm\n"
              "::error title=x,file=a.cs,line=3,endLine=3,col=2::Lint/Void: unused\n::group::x\n"),
      ElementsAre("a.cs:2:1 medium LT01 blanks", "a.cs:1:0 info  hm", "a.cs:3:2 high Lint/Void unused"));
  EXPECT_THAT(read_as("stylelint",
                      "a.cs:1:2: Empty block (block-no-empty) [error]\n\n1 problem (1 error, 0 warnings)\n"),
              ElementsAre("a.cs:1:2 high block-no-empty Empty block"));
}

} // namespace
} // namespace emend
