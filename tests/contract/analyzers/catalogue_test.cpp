// Tools that are a row of the table and nothing else, with what the real programs printed (yamllint 1.29,
// mypy 1.0.1, tsc 7.0, stylelint 17.16, markdownlint-cli2 0.22), or lines written after their formats where
// the program could not be had.
#include <gmock/gmock.h>

#include <algorithm>

#include "adapters/analyzers/pattern_report.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "tests/contract/analyzers/analyzers_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CatalogueTest : public AnalyzerTest {
protected:
  // "a.yml:2:1 high key-duplicates", one per finding.
  std::vector<std::string> read_with(const std::string& name, const std::string& text) {
    SourceTree tree(request_);
    const auto findings = read_by_pattern(known_analyzer(name), text, tree);
    EXPECT_TRUE(findings) << findings.error().message;
    std::vector<std::string> lines;
    for (const Finding& f : findings ? *findings : std::vector<Finding>{})
      lines.push_back(f.file + ":" + std::to_string(f.line) + ":" + std::to_string(f.column) + " " +
                      std::string(to_string(f.severity)) + " " + f.rule);
    return lines;
  }
};

TEST_F(CatalogueTest, EveryPatternIsUsable) {
  SourceTree tree(request_);
  for (const KnownAnalyzer& row : known_analyzers()) {
    EXPECT_EQ(row.report == "regex", !row.pattern.empty()) << row.name;
    if (row.report != "regex") continue;
    const auto read = read_by_pattern(row, "", tree);
    EXPECT_TRUE(read) << row.name << ": " << read.error().message;
  }
}

// What is quiet is one more table; a name in it without a row is a name nobody can look up.
TEST_F(CatalogueTest, EveryAnalyzerHasItsRowInTheDocumentation) {
  const std::string page = read_file(fs::path(EMEND_SOURCE_DIR) / "docs/analyzers.md").value();
  std::string firsts; // the first column of all tables
  for (const std::string_view line : lines_of(page))
    if (line.starts_with("| `")) firsts += std::string(line.substr(0, line.find('|', 1))) + "\n";
  for (const KnownAnalyzer& row : known_analyzers())
    if (row.name != "madeup") {
      EXPECT_THAT(firsts, HasSubstr("`" + row.name + "`"));
    }
}

// In a checkout that lists the package, installing it for everybody is the wrong advice.
TEST_F(CatalogueTest, WhatTheProjectListsIsInstalledWithItsPackages) {
  use_private_path();
  const fs::path project = scratch_.path() / "project";
  const auto remedy = [&](bool allowed) {
    analyzers_ = make_analyzers(runner_, {{}, allowed, project.string(), ""});
    return analyzer("tsc").remedy();
  };
  const std::string global = known_analyzer("tsc").install;
  EXPECT_EQ(remedy(false), global);
  ASSERT_TRUE(write_file(project / "package.json", "{\"devDependencies\": {\"eslint\": \"9\"}}", 0644));
  EXPECT_EQ(remedy(false), global);
  ASSERT_TRUE(write_file(project / "package.json", "{\"devDependencies\": {\"typescript\": \"^5\"}}", 0644));
  EXPECT_EQ(remedy(false), "npm install");
  EXPECT_EQ(remedy(true), "npm install");
  ASSERT_TRUE(write_file(project / "node_modules/.bin/tsc", "#!/bin/sh\necho Version 5.9.2\n", 0755));
  EXPECT_EQ(remedy(false), "emend trust --project-tools") << "it is there, and nobody allowed it";
  remedy(true);
  EXPECT_EQ(analyzer("tsc").version(), "5.9.2");
}

TEST_F(CatalogueTest, ReadsWhatTheProgramsPrint) {
  write("a.yml", "a: 1\na: 2\nb:   [1,2]\n");
  EXPECT_THAT(read_with("yamllint",
                        "./a.yml:1:1: [warning] missing document start \"---\" (document-start)\n"
                        "./a.yml:2:1: [error] duplication of key \"a\" in mapping (key-duplicates)\n"),
              ElementsAre("a.yml:1:1 info document-start", "a.yml:2:1 high key-duplicates"));
  write("a.py", "def f(a: int) -> str:\n    return a\n");
  EXPECT_THAT(read_with("mypy",
                        "a.py:2:12: error: Incompatible return value type (got \"int\", expected \"str\")  "
                        "[return-value]\na.py:2: note: nothing to report\n"),
              ElementsAre("a.py:2:12 medium return-value"));
  write("a.ts", "const n: number = \"x\";\n");
  EXPECT_THAT(
      read_with("tsc", "a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\n"),
      ElementsAre("a.ts:1:7 medium TS2322"));
  write("a.css", "a {}\nb { color: #ggg; }\n");
  EXPECT_THAT(read_with("stylelint", request_.root + "/a.css:1:3: Empty block (block-no-empty) [error]\n" +
                                         request_.root +
                                         "/a.css:2:12: Invalid hex color \"#ggg\" (color-no-invalid-hex) "
                                         "[warning]\n\n2 problems (1 error, 1 warning)\n"),
              ElementsAre("a.css:1:3 medium block-no-empty", "a.css:2:12 low color-no-invalid-hex"));
  write("a.md", "# A\n\n\n\ntext\n");
  EXPECT_THAT(
      read_with("markdownlint",
                "a.md:3 error MD012/no-multiple-blanks Multiple consecutive blank lines [Expected: 1; "
                "Actual: 2]\n"),
      ElementsAre("a.md:3:0 info MD012"));
}

TEST_F(CatalogueTest, ReadsWhatTheirDocumentationShows) {
  write("a.go", "package a\n\nfunc f() {\n\tfmt.Printf(\"%d\")\n}\n");
  EXPECT_THAT(read_with("go-vet", "# example.com/a\n./a.go:4:2: fmt.Printf format %d reads arg #1\n"),
              ElementsAre("a.go:4:2 medium "));
  write("a.rb", "eval(x)\n");
  EXPECT_THAT(read_with("rubocop",
                        "::warning file=a.rb,line=1,col=1::Security/Eval: The use of `eval` is a "
                        "serious security risk.\n"),
              ElementsAre("a.rb:1:1 high Security/Eval"));
  write("a.php", "<?php\nif (\n");
  EXPECT_THAT(read_with("php", "Parse error: syntax error, unexpected end of file in ./a.php on line 2\n"),
              ElementsAre("a.php:2:0 high Parse error"));
  write(".github/workflows/ci.yml", "on: push\njobs: {}\n");
  EXPECT_THAT(read_with("actionlint",
                        ".github/workflows/ci.yml:2:7: \"jobs\" section is missing "
                        "[syntax-check]\n"),
              ElementsAre(".github/workflows/ci.yml:2:7 medium syntax-check"));
  write("b.py", "import os\nos.system(x)\n");
  EXPECT_THAT(
      read_with("bandit",
                "b.py:2: HIGH B605 Starting a process with a shell, possible injection detected, security "
                "issue.\n"),
      ElementsAre("b.py:2:0 medium B605"));
  write("a.sql", "select 1\n");
  EXPECT_THAT(read_with("sqlfluff",
                        "::warning title=SQLFluff,file=a.sql,line=1,col=1::CP01: Keywords must be "
                        "upper case.\n"),
              ElementsAre("a.sql:1:1 info CP01"));
}

TEST_F(CatalogueTest, FilesAreChosenByNameToo) {
  EXPECT_TRUE(analyzer("hadolint").understands("docker/Dockerfile"));
  EXPECT_TRUE(analyzer("actionlint").understands(".github/workflows/ci.yml"));
  EXPECT_FALSE(analyzer("actionlint").understands("docs/ci.yml"));
}

TEST_F(CatalogueTest, AToolThatFailsAndNamesNothingHasNotDoneItsWork) {
  use_private_path();
  write("a.yml", "a: 1\n");
  write_tool("yamllint",
             "case \"$1\" in --version) echo yamllint 1.29.0; exit;; esac\necho oops >&2; exit 1\n");
  const Analysis analysis = run("yamllint", {"a.yml"});
  EXPECT_EQ(analysis.state, AnalysisState::failed);
  EXPECT_FALSE(analysis.partial);
  EXPECT_THAT(analysis.detail, HasSubstr("oops"));
}

TEST_F(CatalogueTest, CheckstyleEndsWithAsManyAsItFound) {
  use_private_path();
  write("checkstyle.xml", "<module name=\"Checker\"/>\n");
  write("A.java", "class A {}\n");
  write_tool("checkstyle",
             "case \"$*\" in *-version*) echo 'Checkstyle version: 8.36.1'; exit;; esac\n"
             "echo '<?xml version=\"1.0\"?><checkstyle version=\"8\"><file name=\"A.java\"><error line=\"1\" "
             "severity=\"error\" message=\"m\" source=\"a.BCheck\"/></file></checkstyle>'\necho 'Checkstyle "
             "ends with 10 "
             "errors.' >&2; exit 10\n");
  const Analysis analysis = run("checkstyle", {"A.java"});
  EXPECT_EQ(analysis.state, AnalysisState::done) << analysis.detail;
  EXPECT_EQ(analysis.findings.size(), 1U);
}

// markdownlint-cli2 has no --version, and ends with 2 after its help.
TEST_F(CatalogueTest, AVersionThatIsAskedForInAnotherWayMayComeWithAnyExitCode) {
  use_private_path();
  write_tool("markdownlint-cli2", "echo 'markdownlint-cli2 v0.22.1 (markdownlint v0.40.0)'; exit 2\n");
  EXPECT_EQ(analyzer("markdownlint").version(), "0.22.1");
  write_tool("yamllint", "echo yamllint 1.29.0; exit 2\n");
  EXPECT_EQ(analyzer("yamllint").version(), "");
}

// The project's own packages and code count only after a person said so.
TEST_F(CatalogueTest, ToolsOfTheProjectNeedPermission) {
  use_private_path();
  write("tsconfig.json", "{}");
  write("a.ts", "let n: number = 1;\n");
  const fs::path project = scratch_.path() / "project";
  ASSERT_TRUE(write_file(project / "node_modules/.bin/tsc",
                         "#!/bin/sh\ncase \"$1\" in --version) echo Version 7.0.2; exit;; esac\n"
                         "echo \"a.ts(1,5): error TS1: wrong\"; exit 1\n",
                         0755));
  for (const bool allowed : {false, true}) {
    analyzers_ = make_analyzers(runner_, {{}, allowed, project.string(), ""});
    const Analysis analysis = run("tsc", {"a.ts"});
    EXPECT_EQ(analysis.state, allowed ? AnalysisState::done : AnalysisState::skipped) << analysis.detail;
    EXPECT_EQ(analysis.findings.size(), allowed ? 1U : 0U);
    if (!allowed) {
      EXPECT_THAT(analysis.detail, HasSubstr("emend trust --project-tools"));
    }
  }
}

TEST_F(CatalogueTest, ARowOfTheConfigurationIsRunLikeABuiltInOne) {
  use_private_path();
  write("a.mine", "wrong\n");
  write_tool("mylint",
             "case \"$1\" in -V) echo mylint 2.5; exit;; esac\n"
             "[ \"$1\" = --check ] && [ \"$2\" = ./a.mine ] && [ \"$3\" = --end ] || exit 9\n"
             "echo 'a.mine|1|bad-word|a word is wrong' >&2; exit 3\n");
  KnownAnalyzer row{.name = "mylint", .install = "ask a colleague"};
  row.programs = {"mylint"};
  row.files = {"*.mine"};
  row.report = "regex";
  row.pattern = R"(^(?P<file>[^|]+)\|(?P<line>\d+)\|(?P<rule>[^|]+)\|(?P<message>.*)$)";
  row.on_stderr = true;
  row.arguments = {"--check", "{files}", "--end"};
  row.exit_codes = {0, 3};
  row.version_arguments = {"-V"};
  analyzers_ = make_analyzers(runner_, {{row}, false, "", ""});
  const Analysis analysis = run("mylint", {"a.mine", "b.c"});
  ASSERT_EQ(analysis.state, AnalysisState::done) << analysis.detail;
  EXPECT_EQ(analysis.version, "2.5");
  EXPECT_THAT(rules_of(analysis.findings), ElementsAre("bad-word"));
}

} // namespace
} // namespace emend
