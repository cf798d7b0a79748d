// What findings are worth in a project: what nobody asked for is doubtful, and a mistake in a test costs
// less.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "model/review_rules.hpp"
#include "tests/contract/analyzers/analyzers_fixture.hpp"

namespace emend {
namespace {

using testing::HasSubstr;
using testing::Not;

bool doubtful(const Finding& finding) {
  const auto& notes = finding.annotations;
  return std::find(notes.begin(), notes.end(), kDoubtful) != notes.end();
}

class WeighingTest : public AnalyzerTest {
protected:
  // A yamllint that reports one thing about line 1 of every file.
  void report(const std::string& what) {
    write_tool("yamllint",
               "case \"$1\" in --version) echo 1.29.0; exit;; esac\nfor word; do case \"$word\" in ./*) echo "
               "\"$word:1:1: " +
                   what + "\";; esac; done; exit 1\n");
  }
  std::vector<Finding> findings(const std::vector<std::string>& files) {
    const Analysis analysis = run("yamllint", files);
    EXPECT_EQ(analysis.state, AnalysisState::done) << analysis.detail;
    EXPECT_EQ(analysis.findings.size(), files.size());
    return analysis.findings;
  }
};

TEST_F(WeighingTest, StyleIsDoubtfulWhereTheProjectDoesNotConfigureTheTool) {
  use_private_path();
  write("a.yml", "a: 1\n");
  report("[error] too many spaces (colons)");
  EXPECT_TRUE(doubtful(findings({"a.yml"}).at(0)));
  write(".yamllint", "extends: default\n");
  EXPECT_FALSE(doubtful(findings({"a.yml"}).at(0)));
  fs::remove(tree_ / ".yamllint");
  report("[error] duplication of key (key-duplicates)");
  EXPECT_FALSE(doubtful(findings({"a.yml"}).at(0))) << "no matter of style";
}

TEST_F(WeighingTest, AnImportThatIsMadeForOthersIsDoubtful) {
  use_private_path();
  write("app/models.py", "from .base import User\nfrom .base import Group\nimport os\n");
  write("app/views.py", "from app.models import (  # these\n    Other,\n    User as Person,\n)\n");
  write("app/api.py", "from .base import Token\n__all__ = ['x']\n");
  write_tool("flake8",
             "case \"$1\" in --version) echo 5.0.4; exit;; esac\nsay() { printf "
             "'emend\\t%s\\t%s\\t1\\tF401\\t%s\\n' \"$1\" \"$2\" \"'$3' imported but unused\"; }\n"
             "say ./app/models.py 1 .base.User\nsay ./app/models.py 2 .base.Group\nsay ./app/models.py 3 os\n"
             "say ./app/api.py 1 .base.Token\n");
  const Analysis analysis = run("flake8", {"app/models.py", "app/views.py", "app/api.py"});
  std::set<std::string> doubted, sure;
  for (const Finding& finding : analysis.findings)
    (doubtful(finding) ? doubted : sure).insert(finding.file + ":" + std::to_string(finding.line));
  EXPECT_EQ(doubted, (std::set<std::string>{"app/models.py:1", "app/api.py:1"})) << analysis.detail;
  EXPECT_EQ(sure, (std::set<std::string>{"app/models.py:2", "app/models.py:3"}));
}

TEST_F(WeighingTest, OfWhoOwnsMemoryClangIsNotSureButOfWhatIsFreedItIs) {
  use_private_path();
  write("a.c", "int a;\nint b;\n");
  write_tool("clang-tidy",
             "case \"$1\" in --version) echo LLVM version 14.0.6; exit;; esac\n"
             "for word; do case \"$word\" in --export-fixes=*) out=${word#*=};; esac; done\n"
             "say() { echo \"  - DiagnosticName: clang-analyzer-unix.Malloc\n    DiagnosticMessage:\n"
             "      Message: '$1'\n      FilePath: '$PWD/a.c'\n      FileOffset: $2\n      Replacements: []\n"
             "    Level: Warning\n    BuildDirectory: '$PWD'\"; }\n"
             "{ echo '---'; echo \"MainSourceFile: '$PWD/a.c'\"; echo 'Diagnostics:'; "
             "say 'Use of memory after it is freed' 1; say 'Potential leak of memory' 8; echo '...'; } > "
             "\"$out\"\n");
  const Analysis analysis = run("clang-tidy", {"a.c"});
  ASSERT_EQ(analysis.findings.size(), 2U) << analysis.detail;
  EXPECT_FALSE(doubtful(analysis.findings[0]));
  EXPECT_EQ(analysis.findings[0].severity, Severity::high);
  EXPECT_TRUE(doubtful(analysis.findings[1]));
}

TEST_F(WeighingTest, ARuleTheProjectBreaksEverywhereIsItsWay) {
  use_private_path();
  std::vector<std::string> files;
  for (int i = 0; i < 21; ++i) write(files.emplace_back("a" + std::to_string(i) + ".yml"), "a: 1\n");
  write_tool("rubocop",
             "case \"$1\" in --version) echo 1.39.0; exit;; esac\nfor word; do case \"$word\" in ./*) echo "
             "\"::warning file=$word,line=1,col=1::Lint/Void: unused\";; esac; done; exit 1\n");
  std::vector<std::string> ruby;
  for (int i = 0; i < 21; ++i) write(ruby.emplace_back("a" + std::to_string(i) + ".rb"), "a\n");
  analyzers_ = make_analyzers(runner_, {{}, true, "", ""});
  const auto often = run("rubocop", ruby).findings;
  ASSERT_EQ(often.size(), 21U);
  EXPECT_TRUE(std::all_of(often.begin(), often.end(), doubtful));
  ruby.pop_back();
  const auto some = run("rubocop", ruby).findings;
  EXPECT_TRUE(std::none_of(some.begin(), some.end(), doubtful)) << "twenty may be mistakes";
  // What is grave is not the project's way, but the same words in file after file have another cause.
  report("[error] duplication of key (key-duplicates)");
  const auto grave = findings(files);
  EXPECT_EQ(grave.at(0).severity, Severity::high);
  EXPECT_TRUE(std::all_of(grave.begin(), grave.end(), doubtful));
  files.resize(4);
  EXPECT_FALSE(doubtful(findings(files).at(0)));
}

TEST_F(WeighingTest, ARuleThatOneFileBreaksAllOverIsItsWay) {
  use_private_path();
  write("a.yml", "a: 1\n");
  const auto shown = [&](int times) {
    write_tool("yamllint",
               "case \"$1\" in --version) echo 1.29.0; exit;; esac\ni=0; while [ $i -lt " +
                   std::to_string(times) +
                   " ]; do i=$((i+1)); echo \"a.yml:$i:1: [error] odd (anchors)\"; done; exit 1\n");
    KnownAnalyzer row = known_analyzer("yamllint");
    row.categories = {{"", "correctness"}};
    analyzers_ = make_analyzers(runner_, {{row}, false, "", ""});
    const auto all = run("yamllint", {"a.yml"}).findings;
    EXPECT_EQ(all.size(), static_cast<std::size_t>(times));
    return std::none_of(all.begin(), all.end(), doubtful);
  };
  EXPECT_TRUE(shown(10));
  EXPECT_FALSE(shown(11));
}

TEST_F(WeighingTest, WhatIsShownWhileToolsWorkIsWeighedToo) {
  use_private_path();
  write("a.yml", "a: 1\n");
  report("[error] too many spaces (colons)");
  std::vector<Finding> live;
  request_.on_findings = [&](const std::vector<Finding>& found) { live = found; };
  ASSERT_EQ(findings({"a.yml"}).size(), 1U);
  ASSERT_EQ(live.size(), 1U);
  EXPECT_TRUE(doubtful(live.at(0)));
}

// What shellcheck reports about the second line of a script: is it worth a look?
class ShellLineTest : public WeighingTest {
protected:
  bool shown(int code, const std::string& line) {
    use_private_path();
    write("a.sh", "#!/bin/sh\n" + line + "\n");
    write_tool("shellcheck",
               "case \"$1\" in --version) echo version: 0.9.0; exit;; esac\necho "
               "'{\"comments\":[{\"file\":\"./a.sh\",\"line\":2,\"endLine\":2,\"column\":1,\"endColumn\":2,"
               "\"level\":\"warning\",\"code\":" +
                   std::to_string(code) + ",\"message\":\"m\",\"fix\":null}]}'; exit 1\n");
    const auto all = run("shellcheck", {"a.sh"}).findings;
    EXPECT_EQ(all.size(), 1U);
    return all.size() == 1 && !doubtful(all[0]);
  }
};

TEST_F(ShellLineTest, GivingUpAtTheEndIsMeant) {
  EXPECT_FALSE(shown(2015, "cd \"$d\" && make || die \"no $d\""));
  EXPECT_FALSE(shown(2015, "a && b || { exit 1; }"));
  EXPECT_FALSE(shown(2015, "a && b || exit"));
  EXPECT_FALSE(shown(2015, "[ -d x ] && [ -f y ] ||\n  throw 'no x'"));
  EXPECT_TRUE(shown(2015, "a && b || c"));
  EXPECT_TRUE(shown(2015, "a && b || exiting"));
}

TEST_F(ShellLineTest, WhatTheLineShowsToBeMeant) {
  EXPECT_FALSE(shown(2207, "COMPREPLY=( $(compgen -W \"$w\") )"));
  EXPECT_TRUE(shown(2207, "words=( $(list) )"));
  EXPECT_FALSE(shown(2046, "read a b <<< $(date)"));
  EXPECT_TRUE(shown(2046, "rm $(list)"));
  EXPECT_FALSE(shown(3037, "command -v bash && echo -e x")) << "it asks first which shell it is";
  EXPECT_TRUE(shown(3037, "echo -e x"));
  EXPECT_FALSE(shown(1083, "git rev-list HEAD@{upstream}"));
  EXPECT_TRUE(shown(1083, "if { a; }"));
  EXPECT_FALSE(shown(2128, "cd \"$(dirname \"${BASH_SOURCE}\")\"")) << "its first one is this file";
  EXPECT_TRUE(shown(2128, "echo \"$words\""));
}

// A biome that reports one rule about line 1.
class BiomeTest : public WeighingTest {
protected:
  void report_rule(const std::string& rule) {
    use_private_path();
    write_tool(
        "biome",
        "case \"$1\" in --version) echo Version: 2.6.7; exit;; esac\nfor f; do :; done\necho "
        "'{\"summary\":{},\"diagnostics\":[{\"category\":\"" +
            rule +
            "\",\"severity\":\"error\",\"message\":\"m\",\"location\":{\"path\":\"'\"$f\"'\",\"start\":"
            "{\"line\":1,\"column\":1},\"end\":{\"line\":1,\"column\":2}}}],\"command\":\"lint\"}'; exit "
            "1\n");
  }
  bool shown(const std::string& file, const std::string& text) {
    write(file, text);
    const auto all = run("biome", {file});
    EXPECT_EQ(all.findings.size(), 1U) << all.detail;
    return all.findings.size() == 1 && !doubtful(all.findings[0]);
  }
};

TEST_F(BiomeTest, RulesOfTasteNeedItsConfiguration) {
  report_rule("lint/suspicious/noDoubleEquals");
  EXPECT_FALSE(shown("a.js", "if (a == b) c();\n"));
  write("biome.json", "{}\n");
  EXPECT_TRUE(shown("a.js", "if (a == b) c();\n"));
}

TEST_F(BiomeTest, WhatATestDoesOnPurposeIsNone) {
  report_rule("lint/correctness/noSelfAssign");
  EXPECT_TRUE(shown("src/a.js", "a.b = a.b;\n"));
  EXPECT_FALSE(shown("tests/a.js", "a.b = a.b;\n"));
}

TEST_F(BiomeTest, TheTopOfAScriptIsForOtherScripts) {
  report_rule("lint/correctness/noUnusedVariables");
  EXPECT_FALSE(shown("a.js", "function start() {}\n"));
  EXPECT_TRUE(shown("a.js", "  var inner = 1;\n")) << "in a function";
  EXPECT_TRUE(shown("a.js", "const unused = 1;\nexport default 2;\n")) << "a module";
  EXPECT_TRUE(shown("a.js", "const unused = 1;\nconst fs = require('fs');\n")) << "a module, too";
}

TEST_F(BiomeTest, RulesOfReactAreForReact) {
  report_rule("lint/correctness/noComponentHookFactories");
  write("package.json", "{\"dependencies\": {\"h3\": \"1\"}}\n");
  EXPECT_FALSE(shown("src/a.js", "const C = function () {};\n"));
  write("package.json", "{\"dependencies\": {\"react\": \"18\"}}\n");
  EXPECT_TRUE(shown("src/a.js", "const C = function () {};\n"));
}

TEST_F(BiomeTest, WhatMakesTagsIsUsedByThem) {
  report_rule("lint/correctness/noUnusedImports");
  EXPECT_FALSE(shown("src/a.jsx", "import React from 'react';\nexport default () => <b>x</b>;\n"));
  EXPECT_FALSE(shown("src/b.jsx", "import { h, render } from 'preact';\nrender(<App />);\n"));
  EXPECT_TRUE(shown("src/c.js", "import React from 'react';\nexport default 1;\n")) << "no tags";
  EXPECT_TRUE(shown("src/d.jsx", "import { Link } from 'router';\nexport default () => <b>x</b>;\n"));
}

TEST_F(BiomeTest, ExportsIsAVariableOfTheFile) {
  report_rule("lint/suspicious/noGlobalAssign");
  EXPECT_FALSE(shown("src/a.js", "module.exports = exports = Command;\n"));
  EXPECT_TRUE(shown("src/a.js", "Object = null;\n"));
}

TEST_F(BiomeTest, AClassOfEscapesIsMeant) {
  report_rule("lint/suspicious/noMisleadingCharacterClass");
  EXPECT_FALSE(shown("src/a.js", "const id = /^[$\\u200c\\u200d]$/u;\n"));
  EXPECT_TRUE(shown("src/a.js", "const id = /^[\xF0\x9F\x91\x8D\xE2\x80\x8D]$/u;\n"));
}

TEST_F(WeighingTest, WhatANewerPythonReadsIsNoError) {
  use_private_path();
  write("a.py", "type AOrB = A | B\nclass A[T]:\n    pass\nprint 'x'\n");
  write("b.py", "def f():\n    class Nested:\n        a: \"Nested\"\n    return Missing\n");
  write_tool(
      "flake8",
      "case \"$1\" in --version) echo 5.0.4; exit;; esac\nsay() { printf "
      "'emend\\t%s\\t%s\\t1\\t%s\\t%s\\n' \"$1\" \"$2\" \"$3\" \"$4\"; }\n"
      "for line in 1 2 4; do say ./a.py $line E999 'SyntaxError: invalid syntax'; done\n"
      "say ./b.py 3 F821 \"undefined name 'Nested'\"\nsay ./b.py 4 F821 \"undefined name 'Missing'\"\n");
  std::set<std::string> sure;
  for (const Finding& finding : run("flake8", {"a.py", "b.py"}).findings)
    if (!doubtful(finding)) sure.insert(finding.file + ":" + std::to_string(finding.line));
  EXPECT_EQ(sure, (std::set<std::string>{"a.py:4", "b.py:4"}));
}

TEST_F(WeighingTest, NamesThatAModuleMakesWhenAskedAreDefined) {
  use_private_path();
  write("app/lazy.py", "__all__ = ['easter']\n\ndef __getattr__(name):\n    pass\n");
  write("app/plain.py", "__all__ = ['easter']\n");
  write("setup.py", "import setuptools\nimport json\n");
  write_tool("flake8",
             "case \"$1\" in --version) echo 5.0.4; exit;; esac\nsay() { printf "
             "'emend\\t%s\\t%s\\t1\\t%s\\t%s\\n' \"$1\" \"$2\" \"$3\" \"$4\"; }\n"
             "say ./app/lazy.py 1 F822 \"undefined name 'easter' in __all__\"\n"
             "say ./app/plain.py 1 F822 \"undefined name 'easter' in __all__\"\n"
             "say ./setup.py 1 F401 \"'setuptools' imported but unused\"\n"
             "say ./setup.py 2 F401 \"'json' imported but unused\"\n");
  std::set<std::string> sure;
  for (const Finding& finding : run("flake8", {"app/lazy.py", "app/plain.py", "setup.py"}).findings)
    if (!doubtful(finding)) sure.insert(finding.file + ":" + std::to_string(finding.line));
  EXPECT_EQ(sure, (std::set<std::string>{"app/plain.py:1", "setup.py:2"}));
}

// A project that asks for a version of its own is not judged by another one.
class StandInTest : public WeighingTest {
protected:
  Analysis format() {
    write(".prettierrc", "{}\n");
    write("a.js", "bad\n");
    analyzers_ = make_analyzers(runner_, {{}, true, checkout_, ""});
    return run("prettier", {"a.js"});
  }
  void SetUp() override {
    bin_ = use_private_path();
    write_tool("prettier",
               "case \"$1\" in --version) echo 3.9.9; exit;; esac\nfor f; do :; done\necho good > \"$f\"\n");
  }
  fs::path bin_, checkout_ = scratch_.path() / "checkout";
};

TEST_F(StandInTest, WhatAnotherVersionSaysIsDoubtfulAndSaidSo) {
  write("package.json", "{\"devDependencies\": {\"prettier\": \"^1.19\"}}\n");
  const Analysis analysis = format();
  ASSERT_EQ(analysis.findings.size(), 1U) << analysis.detail;
  EXPECT_TRUE(doubtful(analysis.findings[0]));
  EXPECT_THAT(analysis.advice, HasSubstr("asks for a version of prettier of its own"));
}

TEST_F(StandInTest, TheProjectsOwnIsBelieved) {
  write("package.json", "{\"devDependencies\": {\"prettier\": \"^1.19\"}}\n");
  ASSERT_TRUE(make_directories(checkout_ / "node_modules/.bin"));
  fs::copy_file(bin_ / "prettier", checkout_ / "node_modules/.bin/prettier");
  const Analysis analysis = format();
  ASSERT_EQ(analysis.findings.size(), 1U) << analysis.detail;
  EXPECT_FALSE(doubtful(analysis.findings[0]));
  EXPECT_EQ(analysis.advice, "");
}

TEST_F(StandInTest, WhereTheProjectAsksForNoneAnyWillDo) {
  write("package.json", "{\"devDependencies\": {\"prettier-plugin-x\": \"^1\"}}\n");
  const Analysis analysis = format();
  ASSERT_EQ(analysis.findings.size(), 1U) << analysis.detail;
  EXPECT_FALSE(doubtful(analysis.findings[0]));
}

TEST_F(StandInTest, SettingItUpIsNotAskingForAVersion) {
  write("a.py", "x = 1\n");
  write_tool(
      "mypy",
      "case \"$1\" in --version) echo mypy 1.0.1; exit;; esac\necho 'a.py:1:1: error: m  [misc]'\nexit 1\n");
  analyzers_ = make_analyzers(runner_, {{}, true, "", ""});
  write("pyproject.toml", "[tool.mypy]\nstrict = true\nmypy_path = \"src\"\n");
  EXPECT_FALSE(doubtful(run("mypy", {"a.py"}).findings.at(0)));
  write("requirements-dev.txt", "pytest\nmypy==1.9\n");
  EXPECT_TRUE(doubtful(run("mypy", {"a.py"}).findings.at(0)));
}

TEST_F(StandInTest, MavenBringsItsOwnCheckstyle) {
  write("checkstyle.xml", "<module name=\"Checker\"/>\n");
  write("A.java", "class A {}\n");
  write_tool("checkstyle",
             "case \"$*\" in *-version*) echo 'Checkstyle version: 8.36.1'; exit;; esac\n"
             "echo '<?xml version=\"1.0\"?><checkstyle version=\"8\"><file name=\"A.java\"><error line=\"1\" "
             "severity=\"error\" message=\"m\" source=\"a.BCheck\"/></file></checkstyle>'\nexit 1\n");
  EXPECT_FALSE(doubtful(run("checkstyle", {"A.java"}).findings.at(0)));
  write("pom.xml", "<plugin>\n  <artifactId>maven-checkstyle-plugin</artifactId>\n</plugin>\n");
  EXPECT_TRUE(doubtful(run("checkstyle", {"A.java"}).findings.at(0)));
}

TEST_F(StandInTest, AnotherVersionThatCannotEvenStartHasNotBroken) {
  write("eslint.config.js", "export default [];\n");
  write("a.js", "x\n");
  write_tool("eslint",
             "case \"$1\" in --version) echo v9.1.0; exit;; esac\necho odd configuration >&2; exit 2\n");
  analyzers_ = make_analyzers(runner_, {{}, true, checkout_, ""});
  EXPECT_EQ(run("eslint", {"a.js"}).state, AnalysisState::failed);
  write("package.json", "{\"devDependencies\": {\"eslint\": \"^7\"}}\n");
  const Analysis analysis = run("eslint", {"a.js"});
  EXPECT_EQ(analysis.state, AnalysisState::skipped) << analysis.detail;
  EXPECT_THAT(analysis.advice, HasSubstr("Install the project's packages"));
}

TEST_F(WeighingTest, AWordOfAnotherLanguageIsNoMisspelling) {
  std::string portuguese = "# Guia\n\n", english = "# Guide\n\n";
  for (int i = 0; i < 10; ++i) {
    portuguese += "Um comando que mostra a linha do arquivo ao executar o programa.\n";
    english += "The name of the file that you want to write is shown with the line.\n";
  }
  write("docs/pt/guia.md", portuguese + "Isso resulta em um recieved.\n");
  write("docs/guide.md", english + "It was recieved.\n");
  const auto analysis = run_if_installed("codespell", {"docs/pt/guia.md", "docs/guide.md"});
  if (!analysis) return;
  std::set<std::string> files;
  for (const Finding& finding : analysis->findings) {
    files.insert(finding.file);
    EXPECT_EQ(doubtful(finding), finding.file == "docs/pt/guia.md") << finding.rule;
    EXPECT_FALSE(finding.file == "docs/pt/guia.md" && finding.fixit && finding.fixit->safe) << finding.rule;
  }
  EXPECT_EQ(files.size(), 2U);
}

TEST_F(WeighingTest, ANameThatAFunctionDeclaresGlobalIsDefined) {
  use_private_path();
  write_tool("flake8",
             "case \"$1\" in --version) echo 5.0.4; exit;; esac\n"
             "printf 'emend\\t./a.py\\t1\\t1\\tF821\\tundefined name '\"'Directory'\"'\\n'\n");
  const auto shown = [&](const std::string& text) {
    write("a.py", text);
    const Analysis analysis = run("flake8", {"a.py"});
    EXPECT_EQ(analysis.findings.size(), 1U) << analysis.detail;
    return analysis.findings.size() == 1 && !doubtful(analysis.findings[0]);
  };
  EXPECT_TRUE(shown("print(Directory)\n"));
  EXPECT_TRUE(shown("print(Directory)\ndef f():\n    global Other\n"));
  EXPECT_FALSE(shown("print(Directory)\ndef f():\n    global Other, Directory\n    Directory = 1\n"));
}

TEST_F(WeighingTest, AMistakeInATestIsMediumAtMost) {
  use_private_path();
  report("[error] duplication of key (key-duplicates)");
  for (const char* file : {"tests/a.yml", "docs/a.yml", "src/a_test.yml", "web/a.spec.yml"}) {
    write(file, "a: 1\n");
    EXPECT_EQ(findings({file}).at(0).severity, Severity::medium) << file;
  }
  write("src/latest.yml", "a: 1\n");
  EXPECT_EQ(findings({"src/latest.yml"}).at(0).severity, Severity::high);
}

TEST_F(WeighingTest, ATypeCheckerLooksAtProjectsThatUseIt) {
  use_private_path();
  write("a.py", "x = 1\n");
  write("tests/b.py", "x = 1\n");
  write_tool("mypy",
             "case \"$1\" in --version) echo mypy 1.0.1; exit;; esac\necho \"a.py:1:1: error: $*  [misc]\"\n"
             "exit 1\n");
  analyzers_ = make_analyzers(runner_, {{}, true, "", ""});
  const Analysis without = run("mypy", {"a.py", "tests/b.py"});
  EXPECT_EQ(without.state, AnalysisState::skipped);
  EXPECT_THAT(without.detail, HasSubstr("does not configure mypy"));
  write("pyproject.toml", "[tool.mypy]\nstrict = true\n");
  EXPECT_THAT(run("mypy", {"a.py", "tests/b.py"}).findings.at(0).title, HasSubstr("./tests/b.py"));
  write("pyproject.toml", "[tool.mypy]\nfiles = [\"a.py\"]\n");
  EXPECT_THAT(run("mypy", {"a.py", "tests/b.py"}).findings.at(0).title, Not(HasSubstr("./")))
      << "the project says which files";
}

TEST_F(WeighingTest, BiomeIsAskedForWhatItRecommends) {
  use_private_path();
  write("a.js", "x();\n");
  write_tool("biome",
             "case \"$1\" in --version) echo Version: 2.6.7; exit;; esac\necho \"$*\" >&2\n"
             "echo '{\"summary\":{},\"diagnostics\":[],\"command\":\"lint\"}'\ncase \"$*\" in *--only=*) "
             "exit 3;; esac\n");
  const Analysis analysis = run("biome", {"a.js"});
  EXPECT_EQ(analysis.state, AnalysisState::done) << analysis.detail;
}

TEST_F(WeighingTest, AWordThatIsMeantIsNoSpellingMistake) {
  write("a.md", "This is teh first of them.\n");
  write("b.md", "They recieved the crate and the wel of it.\n");
  write("c.py", "# the result was recieved\nhel = 1\nhel += hel\nhel -= 1\n# hel is here\n");
  const auto analysis = run_if_installed("codespell", {"a.md", "b.md", "c.py"});
  if (!analysis) return;
  const auto is = [&](const std::string& rule) {
    const Finding* finding = find_rule(analysis->findings, rule);
    EXPECT_NE(finding, nullptr) << rule;
    return finding != nullptr && doubtful(*finding);
  };
  EXPECT_FALSE(is("codespell/recieved"));
  EXPECT_TRUE(is("codespell/hel")) << "a name of the program, and short";
  EXPECT_TRUE(is("codespell/wel")) << "short";
}

TEST_F(WeighingTest, ASecretIsOnlySureByItsOwnForm) {
  const auto secret = [&](const std::string& file, const std::string& line) {
    write(file, line + "\n");
    const auto findings = run("builtin", {file}).findings;
    return findings.empty()
               ? std::string("none")
               : std::string(to_string(findings[0].severity)) + (doubtful(findings[0]) ? " doubtful" : "");
  };
  const std::string key = std::string("ghp_") + "0123456789abcdefghijABCDEFGHIJ012345";
  EXPECT_EQ(secret("a.sh", "export T=" + key), "critical");
  EXPECT_EQ(secret("a.sh", "api_secret=ajvk8o3y82ndsu2s91xy3o36"), "high");
  EXPECT_EQ(secret("a.sh", "# api_secret=ajvk8o3y82ndsu2s91xy3o36"), "medium doubtful") << "an example";
  EXPECT_EQ(secret("a.sh", "api_secret=123456789ABCDEF"), "medium doubtful") << "typed along the keyboard";
  EXPECT_EQ(secret("a.sh", "kSecret=\"AWS4$AWS_SECRET_ACCESS_KEY\""), "medium doubtful");
  EXPECT_EQ(secret("a.sh", "# https://MY_USERNAME:MY_PASSWORD1@example.com/"), "medium doubtful");
  EXPECT_EQ(secret("tests/a.sh", "api_secret=ajvk8o3y82ndsu2s91xy3o36"), "medium doubtful");
  const std::string private_key = std::string("-----BEGIN RSA PRIVATE") + " KEY-----";
  EXPECT_EQ(secret("src/key.pem", private_key), "critical");
  EXPECT_EQ(secret("tests/key.pem", private_key), "medium doubtful") << "made for the test";
  const std::string token = std::string("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9") +
                            ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c";
  EXPECT_EQ(secret("src/a.sh", "T=\"Bearer " + token + "\""), "critical");
  EXPECT_EQ(secret("tests/a.sh", "T=\"Bearer " + token + "\""), "medium doubtful") << "anybody can make one";
  EXPECT_EQ(secret("tests/a.sh", "export T=" + key), "medium") << "somebody's, wherever it stands";
}

// What cppcheck says about line 1 of a C file.
class CppcheckLineTest : public WeighingTest {
protected:
  bool shown(const std::string& rule, const std::string& message, const std::string& line,
             const std::string& file = "a.c") {
    use_private_path();
    write(file, line + "\n");
    write_tool(
        "cppcheck",
        "case \"$1\" in --version) echo Cppcheck 2.10; exit;; esac\necho '<?xml version=\"1.0\"?><results "
        "version=\"2\"><cppcheck version=\"2.10\"/><errors><error id=\"" +
            rule + "\" severity=\"error\" msg=\"" + message + "\" verbose=\"" + message +
            "\"><location file=\"./" + file +
            "\" line=\"1\" column=\"1\"/></error></errors></results>' >&2\n");
    const Analysis analysis = run("cppcheck", {file});
    EXPECT_EQ(analysis.findings.size(), 1U) << analysis.detail;
    return analysis.findings.size() == 1 && !doubtful(analysis.findings[0]);
  }
};

TEST_F(CppcheckLineTest, AVariableThatTheLineDoesNotHoldStandsInAMacro) {
  const std::string freed = "Dereferencing &apos;m&apos; after it is deallocated / released";
  EXPECT_TRUE(shown("deallocuse", freed, "free(m); return m->next;"));
  EXPECT_FALSE(shown("deallocuse", freed, "make_map(int, int)"));
  EXPECT_FALSE(
      shown("uninitStructMember", "Uninitialized struct member: queue.elems", "queue_init(&amp;queue);"));
  EXPECT_TRUE(shown("uninitStructMember", "Uninitialized struct member: queue.elems", "f(queue.elems);"));
  EXPECT_TRUE(shown("memleak", "Memory leak: c", "return NULL; // c"));
}

TEST_F(CppcheckLineTest, WhoseAddressIsHandedOnIsThereToBeSet) {
  EXPECT_FALSE(shown("uninitvar", "Uninitialized variable: &amp;result", "tm = localtime_r(&t, &result);"));
  EXPECT_TRUE(shown("uninitvar", "Uninitialized variable: result", "return result;"));
}

TEST_F(CppcheckLineTest, OtherRulesMayNameWhatStandsElsewhere) {
  EXPECT_TRUE(shown("uninitMemberVar", "Member variable &apos;A::x&apos; is not initialized", "A::A() {}"));
  EXPECT_TRUE(shown("invalidPrintfArgType_sint", "%d requires &apos;int&apos;", "printf(\"%d\", u);"));
}

TEST_F(CppcheckLineTest, ATestIsBuiltWithItsAssertions) {
  const std::string call = "Assert statement calls a function: &apos;start&apos;.";
  EXPECT_TRUE(shown("assertWithSideEffect", call, "assert(start() == 0);"));
  EXPECT_FALSE(shown("assertWithSideEffect", call, "assert(start() == 0);", "a_test.c"));
  EXPECT_TRUE(
      shown("assignmentInAssert", "Assert statement modifies &apos;r&apos;.", "assert(r = 1);", "a_test.c"));
}

// A type checker that cannot see what the code imports says so once.
class BlindTest : public WeighingTest {
protected:
  Analysis check(const std::string& report) {
    use_private_path();
    write("tsconfig.json", "{}\n");
    write("a.ts", "1\n");
    write("b.ts", "1\n");
    write_tool("tsc",
               "case \"$1\" in --version) echo Version 7.0.0; exit;; esac\nwhile read -r line; do echo "
               "\"$line\"; done <<'END'\n" +
                   report + "END\nexit 2\n");
    analyzers_ = make_analyzers(runner_, {{}, true, "", ""});
    return run("tsc", {"a.ts", "b.ts"});
  }
};

TEST_F(BlindTest, AMissingPackageMakesTheFilesThatImportItDoubtful) {
  const Analysis analysis = check(
      "a.ts(1,1): error TS2307: Cannot find module 'react' or its corresponding type declarations.\n"
      "a.ts(1,5): error TS7006: Parameter 'x' implicitly has an 'any' type.\n"
      "b.ts(1,1): error TS2322: Type 'string' is not assignable to type 'number'.\n");
  ASSERT_EQ(analysis.findings.size(), 3U) << analysis.detail;
  EXPECT_TRUE(doubtful(analysis.findings[0]));
  EXPECT_TRUE(doubtful(analysis.findings[1]));
  EXPECT_FALSE(doubtful(analysis.findings[2]));
  EXPECT_THAT(analysis.advice, HasSubstr("tsc cannot see what the code imports (react)"));
  EXPECT_THAT(analysis.advice, HasSubstr("2 findings"));
}

TEST_F(BlindTest, WithoutItsPackagesNothingItSaysAboutAProjectIsSure) {
  std::string report = "b.ts(1,1): error TS2322: Type 'string' is not assignable to type 'number'.\n";
  for (const char* name : {"react", "vue", "zod"})
    report += std::string("a.ts(1,1): error TS2307: Cannot find module '") + name + "' or its types.\n";
  for (const Finding& finding : check(report).findings) EXPECT_TRUE(doubtful(finding)) << finding.title;
}

TEST_F(BlindTest, WhoSawEverythingIsBelieved) {
  const Analysis analysis =
      check("b.ts(1,1): error TS2322: Type 'string' is not assignable to type 'number'.\n");
  EXPECT_FALSE(doubtful(analysis.findings.at(0)));
  EXPECT_EQ(analysis.advice, "");
}

TEST_F(BlindTest, WhoCannotEvenStartWithoutPackagesIsSkippedWithAdvice) {
  use_private_path();
  write("go.mod", "module m\n");
  write("a.go", "package m\n");
  write_tool("go",
             "case \"$1\" in version) echo go version go1.19 linux/amd64; exit;; esac\n"
             "echo 'go: errors parsing go.mod: invalid go version 1.22.1' >&2; exit 1\n");
  const Analysis analysis = run("go-vet", {"a.go"});
  EXPECT_EQ(analysis.state, AnalysisState::skipped) << analysis.detail;
  EXPECT_EQ(analysis.advice,
            "go-vet 1.19 is older than what the project asks for (go: errors parsing go.mod: invalid go "
            "version 1.22.1)");
}

TEST_F(BlindTest, WhoLacksPackagesNamesWhatGetsThem) {
  use_private_path();
  write("go.mod", "module m\n");
  write("a.go", "package m\n");
  write_tool("go",
             "case \"$1\" in version) echo go version go1.19 linux/amd64; exit;; esac\n"
             "echo \"$PWD/a.go 3:8: no required module provides package x.org/y\" >&2; exit 1\n");
  const Analysis analysis = run("go-vet", {"a.go"});
  EXPECT_EQ(analysis.state, AnalysisState::skipped) << analysis.detail;
  EXPECT_THAT(analysis.advice, HasSubstr("(a.go 3:8: no required module provides package x.org/y)"))
      << "without the place of a tree nobody knows";
  EXPECT_THAT(analysis.advice, HasSubstr("(go mod download)"));
}

TEST_F(BlindTest, WhatHoldsWhateverIsMissingIsShown) {
  use_private_path();
  write("M.java", "class M {}\n");
  write_tool("javac",
             "case \"$1\" in --version) echo javac 17.0.1; exit;; esac\n"
             "echo 'M.java:1: error: package org.slf4j does not exist' >&2\n"
             "echo 'M.java:2: error: cannot find symbol' >&2\n"
             "echo 'M.java:3: error: incompatible types: Log cannot be converted to String' >&2\n"
             "echo 'M.java:4: warning: [divzero] division by zero' >&2\n"
             "exit 1\n");
  const Analysis analysis = run("javac", {"M.java"});
  ASSERT_EQ(analysis.findings.size(), 4U) << analysis.detail;
  for (const Finding& finding : analysis.findings)
    EXPECT_EQ(doubtful(finding), finding.rule != "divzero") << finding.title;
  EXPECT_THAT(analysis.advice,
              HasSubstr("javac cannot see what the code imports (org.slf4j), so 3 findings"));
}

TEST_F(BlindTest, WhoMayNotRunSaysHowToAllowIt) {
  check("");
  analyzers_ = make_analyzers(runner_, {});
  const Analysis analysis = run("tsc", {"a.ts"});
  EXPECT_TRUE(analysis.needs_permission);
  EXPECT_THAT(analysis.detail, HasSubstr("emend trust --project-tools"));
}

TEST_F(BlindTest, OnlyTheCommentsAToolReadsMatterToIt) {
  const Analyzer& tidy = analyzer("clang-tidy");
  EXPECT_FALSE(tidy.minds_comment("// the value that was recieved\n"));
  EXPECT_TRUE(tidy.minds_comment("// NOLINTNEXTLINE(bugprone-*)\n"));
  EXPECT_TRUE(tidy.minds_comment("f(/*recieved=*/1);\n")) << "bugprone-argument-comment reads it";
  EXPECT_TRUE(analyzer("cppcheck").minds_comment("// cppcheck-suppress nullPointer\n"));
  EXPECT_FALSE(analyzer("cppcheck").minds_comment("// NOLINT\n"));
  EXPECT_TRUE(analyzer("codespell").minds_comment("// anything\n"));
}

} // namespace
} // namespace emend
