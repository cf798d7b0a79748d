// Results that are kept: what makes a tool run again, and what does not. The tools count their runs.
#include <gmock/gmock.h>

#include "adapters/analyzers/analyzers.hpp"
#include "base/strings.hpp"
#include "tests/contract/analyzers/analyzers_fixture.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class KeptResultsTest : public AnalyzerTest {
protected:
  void SetUp() override { use_private_path(); }

  // Reports every line that holds "bad", in the format of yamllint and of clang-tidy's neighbours.
  void write_counting_tool(const std::string& name, const std::string& report) {
    write_tool(
        name,
        "case \"$1\" in --version) echo 1.2.3; exit;; esac\nfound=0; for word; do case \"$word\" in ./*)\n"
        "echo \"$word\" >> " +
            runs_file() +
            "; n=0; while read -r line; do n=$((n+1)); case \"$line\" in *bad*) found=1; echo \"" + report +
            "\";; esac; done < \"$word\";; esac; done; exit $found\n");
  }
  void write_yamllint() {
    write_counting_tool("yamllint", "$word:$n:1: [error] duplication of key (key-duplicates)");
  }

  [[nodiscard]] std::string runs_file() const { return scratch_.path() / "runs"; }
  // The files that the tool was given since the last question.
  std::vector<std::string> looked_at() {
    std::vector<std::string> files;
    const std::string text = read_file(runs_file()).value_or("");
    for (const std::string_view line : lines_of(text)) files.emplace_back(trim(line).substr(2));
    fs::remove(runs_file());
    return files;
  }
  // As the next `emend review` does it: all is made anew but what is kept.
  Analysis review(const std::string& name, const std::vector<std::string>& files) {
    analyzers_ = make_analyzers(runner_, setup_);
    Analysis analysis = run(name, files);
    EXPECT_EQ(analysis.state, AnalysisState::done) << analysis.detail;
    return analysis;
  }
  std::vector<int> lines_found(const std::string& name, const std::vector<std::string>& files) {
    std::vector<int> lines;
    for (const Finding& finding : review(name, files).findings) lines.push_back(finding.line);
    return lines;
  }

  AnalyzerSetup setup_{{}, false, "", scratch_.path() / "kept"};
};

TEST_F(KeptResultsTest, OnlyWhatChangedIsLookedAtAgain) {
  write_yamllint();
  write("a.yml", "a: bad\n");
  write("b.yml", "b: 1\nb: bad\n");
  EXPECT_THAT(lines_found("yamllint", {"a.yml", "b.yml"}), ElementsAre(1, 2));
  EXPECT_THAT(looked_at(), UnorderedElementsAre("a.yml", "b.yml"));
  EXPECT_THAT(lines_found("yamllint", {"a.yml", "b.yml"}), ElementsAre(1, 2)) << "found, though nothing ran";
  EXPECT_THAT(looked_at(), ElementsAre());
  write("a.yml", "a: good\n");
  EXPECT_THAT(lines_found("yamllint", {"a.yml", "b.yml"}), ElementsAre(2));
  EXPECT_THAT(looked_at(), ElementsAre("a.yml"));
  write("a.yml", "a: bad\n");
  EXPECT_THAT(lines_found("yamllint", {"a.yml", "b.yml"}), ElementsAre(1, 2));
  EXPECT_THAT(looked_at(), ElementsAre()) << "as it was before";
}

TEST_F(KeptResultsTest, ConfigurationArgumentsAndAnotherVersionAskAgain) {
  write_yamllint();
  write("a.yml", "a: bad\n");
  review("yamllint", {"a.yml"});
  write(".yamllint", "extends: relaxed\n");
  looked_at();
  review("yamllint", {"a.yml"});
  EXPECT_THAT(looked_at(), ElementsAre("a.yml")) << "its configuration";
  KnownAnalyzer row = known_analyzer("yamllint");
  row.arguments.insert(row.arguments.begin(), "--strict");
  setup_.rows = {row};
  review("yamllint", {"a.yml"});
  EXPECT_THAT(looked_at(), ElementsAre("a.yml")) << "its arguments";
  const fs::path program = scratch_.path() / "tools/bin/yamllint";
  ASSERT_TRUE(write_file(program, replace_all(read_file(program).value(), "1.2.3", "1.2.4"), 0755));
  review("yamllint", {"a.yml"});
  EXPECT_THAT(looked_at(), ElementsAre("a.yml")) << "its version";
  review("yamllint", {"a.yml"});
  EXPECT_THAT(looked_at(), ElementsAre());
}

TEST_F(KeptResultsTest, AHeaderAsksForTheFilesThatIncludeIt) {
  write_tool(
      "cppcheck",
      "case \"$1\" in --version) echo Cppcheck 2.10; exit;; esac\nfor word; do case \"$word\" in ./*) echo "
      "\"$word\" >> " +
          runs_file() +
          ";; esac; done\nprintf '<?xml version=\"1.0\"?>\\n<results version=\"2\"><cppcheck "
          "version=\"2.10\"/>"
          "<errors></errors></results>\\n' >&2\n");
  write("a.c", "#include \"a.h\"\n");
  write("b.c", "int b;\n");
  write("a.h", "#define A 1\n");
  review("cppcheck", {"a.c", "b.c"});
  EXPECT_THAT(looked_at(), UnorderedElementsAre("a.c", "b.c"));
  write("a.h", "#define A 2\n");
  review("cppcheck", {"a.c", "b.c"});
  EXPECT_THAT(looked_at(), ElementsAre("a.c"));
}

TEST_F(KeptResultsTest, AnotherTreeWithTheSameFilesCountsTheSame) {
  write_counting_tool("yamllint", "$PWD/$word:$n:1: [error] wrong (key-duplicates)");
  write("a.yml", "a: bad\n");
  EXPECT_THAT(lines_found("yamllint", {"a.yml"}), ElementsAre(1));
  looked_at();
  const fs::path moved = scratch_.path() / "moved";
  fs::rename(tree_, moved);
  tree_ = moved;
  request_.root = moved.string();
  const Analysis again = review("yamllint", {"a.yml"});
  ASSERT_EQ(again.findings.size(), 1U);
  EXPECT_EQ(again.findings[0].file, "a.yml");
  EXPECT_THAT(looked_at(), ElementsAre());
}

TEST_F(KeptResultsTest, ARunThatFailedIsNotKept) {
  write_tool("yamllint", "case \"$1\" in --version) echo 1.2.3; exit;; esac\necho once >> " + runs_file() +
                             "; exit 77\n");
  write("a.yml", "a: 1\n");
  for (int i = 0; i < 2; ++i) {
    analyzers_ = make_analyzers(runner_, setup_);
    EXPECT_EQ(run("yamllint", {"a.yml"}).state, AnalysisState::failed);
  }
  EXPECT_EQ(lines_of(read_file(runs_file()).value_or("")).size(), 2U);
}

TEST_F(KeptResultsTest, PackagesThatAreInstalledLaterAreSeen) {
  write_tool("tsc",
             "case \"$1\" in --version) echo Version 7.0.0; exit;; esac\necho ./tsc >> " + runs_file() +
                 "\n[ -e node_modules ] || echo \"a.ts(1,17): error TS2307: Cannot find module 'react' or "
                 "its type declarations.\"\nexit 0\n");
  write("a.ts", "import * as r from 'react';\n");
  write("tsconfig.json", "{}\n");
  const fs::path checkout = scratch_.path() / "checkout";
  fs::create_directories(checkout);
  setup_.project_tools = true;
  setup_.repository_root = checkout;
  EXPECT_EQ(review("tsc", {"a.ts"}).findings.size(), 1U);
  EXPECT_EQ(review("tsc", {"a.ts"}).findings.size(), 1U);
  EXPECT_THAT(looked_at(), ElementsAre("tsc"));
  fs::create_directories(checkout / "node_modules");
  EXPECT_EQ(review("tsc", {"a.ts"}).findings.size(), 0U);
  EXPECT_THAT(looked_at(), ElementsAre("tsc"));
}

// What is known of a whole tree is not looked for again. The file is changed below a name that promises that
// it was not: whoever looks sees it.
class LastLookTest : public KeptResultsTest {
protected:
  void SetUp() override {
    KeptResultsTest::SetUp();
    write_yamllint();
    write("a.yml", "a: bad\n");
    write("b.yml", "b: 1\n");
    request_.tree_name = "first";
    EXPECT_FALSE(is_taken_again("first look")) << "nothing is known yet";
    EXPECT_TRUE(is_taken_again("second look"));
  }
  // Makes another a.yml each time.
  bool is_taken_again(const std::string& text, const std::vector<std::string>& files = {"a.yml", "b.yml"}) {
    write("a.yml", "a: bad\n# " + text + "\n");
    EXPECT_EQ(lines_found("yamllint", files), std::vector<int>{1});
    return looked_at().empty();
  }
};

TEST_F(LastLookTest, AnotherTreeIsLookedInto) {
  request_.tree_name = "second";
  EXPECT_FALSE(is_taken_again("another commit"));
  EXPECT_TRUE(is_taken_again("the same again"));
  request_.tree_name = "";
  EXPECT_FALSE(is_taken_again("it has no name"));
}

TEST_F(LastLookTest, WhateverElseHasASayAsksAgain) {
  EXPECT_FALSE(is_taken_again("other files", {"a.yml"}));
  EXPECT_FALSE(is_taken_again("all of them"));
  request_.work_out_fixes = false;
  EXPECT_FALSE(is_taken_again("no fixes"));
  setup_.project_tools = true;
  EXPECT_FALSE(is_taken_again("the project's tools are allowed"));
  KnownAnalyzer row = known_analyzer("yamllint");
  row.arguments.insert(row.arguments.begin(), "--strict");
  setup_.rows = {row};
  EXPECT_FALSE(is_taken_again("its arguments"));
  setup_.rows[0].categories = {{"", "style"}};
  EXPECT_FALSE(is_taken_again("what its findings are called"));
  const fs::path program = scratch_.path() / "tools/bin/yamllint";
  ASSERT_TRUE(write_file(program, replace_all(read_file(program).value(), "1.2.3", "1.20.4"), 0755));
  EXPECT_FALSE(is_taken_again("its version"));
  EXPECT_TRUE(is_taken_again("nothing"));
}

TEST_F(LastLookTest, OneRepositoryDoesNotPushOutAnother) {
  setup_.repository_root = scratch_.path() / "other";
  EXPECT_FALSE(is_taken_again("it is the first look there"));
  setup_.repository_root = "";
  EXPECT_TRUE(is_taken_again("the other one is still known"));
}

TEST_F(LastLookTest, ADamagedOneIsNone) {
  for (const fs::directory_entry& kept : fs::directory_iterator(scratch_.path() / "kept"))
    ASSERT_TRUE(write_file(kept.path(), "{\"key\":", 0600));
  EXPECT_FALSE(is_taken_again("damaged"));
}

TEST_F(LastLookTest, TheBuiltInRulesRememberToo) {
  write("c.js", "debugger;\n");
  EXPECT_EQ(review("builtin", {"c.js"}).findings.size(), 1U);
  write("c.js", "debugger;\ndebugger;\n");
  EXPECT_EQ(review("builtin", {"c.js"}).findings.size(), 1U);
  request_.tree_name = "second";
  EXPECT_EQ(review("builtin", {"c.js"}).findings.size(), 2U);
}

TEST_F(LastLookTest, WhatWasNotInstalledOrDidNotWorkIsAskedAgain) {
  const std::string later = scratch_.path() / "later";
  const auto state = [&] {
    analyzers_ = make_analyzers(runner_, setup_);
    return run("shellcheck", {"a.sh"});
  };
  write("a.sh", "#!/bin/sh\n");
  write_tool("shellcheck", "[ -e " + later +
                               " ] || { echo 'rustup could not choose a version of it' >&2; exit 1; }\ncase "
                               "$1 in --version) echo version: 0.9.0; exit;; esac\n[ -e " +
                               later + "2 ] || exit 77\necho '{\"comments\":[]}'\n");
  const Analysis missing = state();
  EXPECT_EQ(missing.state, AnalysisState::missing);
  EXPECT_THAT(missing.detail, testing::HasSubstr("only stands for it"));
  ASSERT_TRUE(write_file(later, ""));
  EXPECT_EQ(state().state, AnalysisState::failed);
  ASSERT_TRUE(write_file(later + "2", ""));
  EXPECT_EQ(state().state, AnalysisState::done);
}

TEST_F(LastLookTest, PackagesInThePersonsHomeAreSeenWhenTheyCome) {
  const std::string later = scratch_.path() / "later";
  write_tool("go", "case \"$1\" in version) echo go version go1.19 linux/amd64; exit;; esac\n[ -e " + later +
                       " ] && exit 0\necho 'a.go:3:2: could not import x.org/y (no package)' >&2; exit 1\n");
  write("go.mod", "module m\n");
  write("a.go", "package m\n");
  const Analysis blind = review("go-vet", {"a.go"});
  EXPECT_EQ(blind.findings.size(), 1U);
  EXPECT_THAT(blind.advice, testing::HasSubstr("cannot see"));
  ASSERT_TRUE(write_file(later, ""));
  EXPECT_EQ(review("go-vet", {"a.go"}).findings.size(), 0U);
}

// Tools that change files.

class ChangingToolTest : public KeptResultsTest {
protected:
  // gofmt -w: every `bad` becomes `good`.
  void write_gofmt() {
    write_tool(
        "gofmt",
        "shift\nfor file; do echo \"$file\" >> " + runs_file() +
            "; text=; while read -r line; do case \"$line\" in bad) line=good;; esac; text=\"$text$line\n\"; "
            "done < \"$file\"; printf %s \"$text\" > \"$file\"; done\n");
    write("go.mod", "module m\n");
  }
};

TEST_F(ChangingToolTest, TheFilesAreAfterwardsAsTheyWereWithTheirMode) {
  write_gofmt();
  write("a.go", "bad\n");
  write("b.go", "good\n");
  fs::permissions(tree_ / "a.go", fs::perms(0751));
  const Analysis analysis = review("gofmt", {"a.go", "b.go"});
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(read("a.go"), "bad\n");
  EXPECT_EQ(fs::status(tree_ / "a.go").permissions(), fs::perms(0751));
  apply(analysis.findings[0]);
  EXPECT_EQ(read("a.go"), "good\n");
}

TEST_F(ChangingToolTest, WhatItWouldChangeIsKeptByFile) {
  write_gofmt();
  write("a.go", "bad\n");
  write("b.go", "good\n");
  review("gofmt", {"a.go", "b.go"});
  looked_at();
  const Analysis again = review("gofmt", {"a.go", "b.go"});
  EXPECT_THAT(looked_at(), ElementsAre());
  ASSERT_EQ(again.findings.size(), 1U);
  EXPECT_TRUE(again.findings[0].fixit);
  write("b.go", "bad\n");
  EXPECT_EQ(review("gofmt", {"a.go", "b.go"}).findings.size(), 2U);
  EXPECT_THAT(looked_at(), ElementsAre("b.go"));
}

TEST_F(ChangingToolTest, AToolThatChangesNothingAndFailsIsNotClean) {
  write_tool("gofmt", "echo 'a.go:1:1: expected package' >&2; exit 2\n");
  write("go.mod", "module m\n");
  write("a.go", "bad\n");
  const Analysis analysis = run("gofmt", {"a.go"});
  EXPECT_EQ(analysis.state, AnalysisState::failed);
  EXPECT_THAT(analysis.detail, testing::HasSubstr("expected package"));
}

} // namespace
} // namespace emend
