// Code of others: what is left out of a review without anybody saying so to emend.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "tests/contract/analyzers/analyzers_fixture.hpp"

namespace emend {
namespace {

class ForeignCodeTest : public AnalyzerTest {
protected:
  std::string reason(const std::string& file) {
    SourceTree tree(request_);
    ForeignCode foreign(tree);
    return std::string(foreign.reason(file));
  }
};

TEST_F(ForeignCodeTest, GitAttributesSayWhatIsVendoredOrGenerated) {
  write(
      ".gitattributes",
      "# comment\nlib/** linguist-vendored\nlib/own/** -linguist-vendored\n*.pb.go\tlinguist-generated=true\n"
      "docs/* linguist-documentation\n");
  write("sub/.gitattributes", "/made/* linguist-generated\n");
  EXPECT_EQ(reason("lib/a.c"), "vendored");
  EXPECT_EQ(reason("lib/own/a.c"), "");
  EXPECT_EQ(reason("deep/a.pb.go"), "generated");
  EXPECT_EQ(reason("docs/a.c"), "");
  EXPECT_EQ(reason("sub/made/a.c"), "generated");
  EXPECT_EQ(reason("made/a.c"), "");
}

TEST_F(ForeignCodeTest, ADirectoryWithItsOwnProjectAndLicenceIsVendored) {
  write("LICENSE", "Copyright 2024 Ada\nThe MIT licence\n");
  write("test/unity/docs/license.txt", "Copyright 2007 Mike\nThe MIT licence\n");
  write("test/unity/Makefile", "all:\n");
  EXPECT_EQ(reason("test/unity/src/unity.c"), "vendored");
  EXPECT_EQ(reason("test/a.c"), "");
  // A package of the project itself has the project's licence, whatever its year.
  write("packages/one/LICENSE", "Copyright 2021 Ada\nThe MIT licence\n");
  write("packages/one/package.json", "{}");
  EXPECT_EQ(reason("packages/one/a.js"), "");
  // A licence alone is no project.
  write("fonts/LICENSE", "Open Font Licence\n");
  EXPECT_EQ(reason("fonts/a.c"), "");
  write(".gitattributes", "test/unity/** linguist-vendored=false\n");
  EXPECT_EQ(reason("test/unity/src/unity.c"), "") << "a person says it is their own";
}

TEST_F(ForeignCodeTest, NeitherToolsNorBuiltInRulesReportIt) {
  write(".gitattributes", "lib/** linguist-vendored\n");
  write("lib/a.js", "debugger;\n");
  const Analysis analysis = run("builtin", {"lib/a.js"});
  EXPECT_TRUE(analysis.findings.empty());
  EXPECT_THAT(analysis.detail, testing::HasSubstr("1 vendored"));
}

TEST_F(ForeignCodeTest, WhatAToolSaysOfAHeaderThatSomebodyElseWroteIsLeftOut) {
  use_private_path();
  write("a.yml", "a: 1\n");
  write("lib/made.h", std::string("// Auto-") + "generated\n");
  write("third_party/b.h", "int b;\n");
  write("own.h", "int c;\n");
  write_tool(
      "yamllint",
      "case \"$1\" in --version) echo 1.29.0; exit;; esac\nfor file in lib/made.h third_party/b.h own.h; "
      "do echo \"./$file:1:1: [error] x (key-duplicates)\"; done; exit 1\n");
  const Analysis analysis = run("yamllint", {"a.yml"});
  ASSERT_EQ(analysis.findings.size(), 1U) << analysis.detail;
  EXPECT_EQ(analysis.findings[0].file, "own.h");
}

// One hook for each half of a project: what one leaves out is the other's.
TEST_F(ForeignCodeTest, AFileIsLeftAloneWhereEveryHookLeavesItAlone) {
  use_private_path();
  write(".pre-commit-config.yaml",
        "exclude: ^vendored/\nrepos:\n- repo: x\n  hooks:\n  - {id: yamllint, files: ^a/}\n"
        "  - {id: yamllint, files: ^b/, exclude: ^b/old/}\n");
  write_tool("yamllint",
             "case \"$1\" in --version) echo 1.29.0; exit;; esac\nfor word; do case \"$word\" in "
             "./*) echo \"$word:1:1: [error] x (key-duplicates)\";; esac; done; exit 1\n");
  std::vector<std::string> seen;
  for (const char* file : {"a/1.yml", "b/2.yml", "b/old/3.yml", "c/4.yml", "vendored/a/5.yml"})
    write(file, "a: 1\n"), seen.emplace_back(file);
  const Analysis analysis = run("yamllint", seen);
  seen.clear();
  for (const Finding& finding : analysis.findings) seen.push_back(finding.file);
  EXPECT_THAT(seen, testing::ElementsAre("a/1.yml", "b/2.yml"));
}

TEST_F(ForeignCodeTest, FilesThatThePreCommitHookLeavesAloneAreLeftAlone) {
  use_private_path();
  write(".pre-commit-config.yaml",
        "repos:\n- repo: https://example.org/yamllint\n  hooks:\n  - id: yamllint\n    exclude: ^fixtures/\n"
        "    args: [--strict]\n");
  write("a.yml", "a: 1\n");
  write("fixtures/b.yml", "a: 1\n");
  write_tool("yamllint",
             "case \"$1\" in --version) echo 1.29.0; exit;; esac\nfor word; do case \"$word\" in "
             "./*) echo \"$word:1:1: [error] $* (key-duplicates)\";; esac; done; exit 1\n");
  for (const bool allowed : {false, true}) {
    analyzers_ = make_analyzers(runner_, {{}, allowed, "", ""});
    const Analysis analysis = run("yamllint", {"a.yml", "fixtures/b.yml"});
    ASSERT_EQ(analysis.findings.size(), 1U) << analysis.detail;
    EXPECT_EQ(analysis.findings[0].file, "a.yml");
    EXPECT_EQ(contains(analysis.findings[0].description, "--strict -- ./a.yml"), allowed)
        << "arguments of a repository count where its code may run";
  }
}

} // namespace
} // namespace emend
