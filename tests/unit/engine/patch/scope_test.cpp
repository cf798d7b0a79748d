#include "engine/patch/scope.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ScopeTest : public testing::Test {
protected:
  ScopeTest() {
    issue.code = "BE-001";
    issue.finding.file = "src/reader.c";
  }

  Scope scope() const { return Scope(policy, tree); }
  std::string protected_as(const std::string& path) const { return scope().protected_as(issue, path); }
  std::vector<std::string> violations(std::vector<FileChange> changes) const {
    return scope().violations(issue, Patch{std::move(changes)});
  }
  void verify_with(const std::string& command, std::initializer_list<std::string> files) {
    policy.commands = {{"test", command, {}, 0}};
    for (const std::string& file : files) tree[file] = {kModeFile, "id", 1};
  }

  Policy policy;
  Tree tree;
  Issue issue;
};

TEST_F(ScopeTest, KindsThatJudgeAFixAreProtected) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> kinds = {
      {"test",
       {"tests/a.c", "src/test/A.java", "web/__tests__/x.js", "test_a.py", "pkg/a_test.go", "src/a.spec.ts",
        "src/a.test.tsx", "conftest.py", "deep/conftest.py", "x/__snapshots__/a.snap", "AppTest.java",
        "e2e/login.ts", "checks/a.bats", "out/a.approved.txt"}},
      {"CI",
       {".husky/pre-commit", "bitbucket-pipelines.yml", ".github/workflows/ci.yml", ".gitlab-ci.yml",
        "Jenkinsfile", ".pre-commit-config.yaml"}},
      {"test runner configuration",
       {"pytest.ini", "tox.ini", "jest.config.ts", "a/.mocharc.json", "sitecustomize.py", "setup.cfg"}},
      {"build configuration",
       {"Makefile", "CMakeLists.txt", "lib/CMakeLists.txt", "package.json", "pyproject.toml", "Cargo.toml",
        "tsconfig.base.json", "Dockerfile.dev", "build.rs"}},
      {"lock file", {"Cargo.lock", "package-lock.json", "go.sum", "requirements-dev.txt"}},
      {"analyzer configuration", {".eslintrc.json", ".clang-tidy", "mypy.ini", "src/.clang-format"}},
      {"git configuration", {".gitattributes", "sub/.gitignore", ".gitmodules"}},
      {"agent configuration",
       {"CLAUDE.md", "sub/AGENTS.md", ".claude/settings.json", "sub/.codex/config.toml", "QWEN.md",
        ".cursorrules"}},
      {"emend configuration", {"emend.toml", ".emend/x"}},
      {"environment file", {".env", ".env.local", "certs/server.pem", ".npmrc"}}};
  for (const auto& [what, paths] : kinds)
    for (const std::string& path : paths) EXPECT_EQ(protected_as(path), what) << path;
}

TEST_F(ScopeTest, AFileThatTheFindingNamesMayBeCreated) {
  const FileChange file = created("migrations/002_mail.sql", "alter table users add column mail text;\n");
  EXPECT_THAT(violations({file}), Not(IsEmpty())) << "nothing uses it";
  issue.finding.description = "users has no column mail; add it in migrations/002_mail.sql.";
  EXPECT_THAT(violations({file}), IsEmpty());
}

TEST_F(ScopeTest, AManifestAndItsLockFileChangeTogether) {
  issue.finding.file = "web/package.json";
  EXPECT_EQ(protected_as("web/package-lock.json"), "");
  EXPECT_EQ(protected_as("web/yarn.lock"), "");
  EXPECT_EQ(protected_as("package-lock.json"), "lock file"); // another project's
  EXPECT_EQ(protected_as("web/Cargo.lock"), "lock file");
  issue.finding.file = "go.sum"; // what an analyzer of dependencies reports
  EXPECT_EQ(protected_as("go.mod"), "");
  EXPECT_EQ(protected_as("Cargo.toml"), "build configuration");
}

TEST_F(ScopeTest, WhatACommandCallsThroughOthersIsProtectedUnlessTheIssueIsAboutIt) {
  const Scope through_make(policy, tree, {"tools/check.py"});
  EXPECT_EQ(through_make.protected_as(issue, "tools/check.py"), "called by a check");
  issue.finding.file = "tools/check.py";
  EXPECT_EQ(through_make.protected_as(issue, "tools/check.py"), "");
}

TEST(Apart, WhatJudgesAndTheRest) {
  const Patch patch{
      {changed("src/a.c", "a", "b"), changed("tests/a.c", "a", "b"), changed("tools/check.py", "a", "b")}};
  EXPECT_EQ(path_list(apart("src/a.c", patch).own_tests), "tests/a.c");
  EXPECT_EQ(path_list(apart("src/a.c", patch).product), "src/a.c, tools/check.py");
  EXPECT_EQ(path_list(apart("src/a.c", patch, {"tools/check.py"}).judges), "tools/check.py");
  EXPECT_EQ(path_list(apart("tests/a.c", patch).judges), "tests/a.c") << "the issue is about it";
  EXPECT_EQ(judging_kind("tests/a.c"), "test");
  EXPECT_EQ(judging_kind("src/a.c"), "");
}

TEST(Apart, OwnTestsAreNewOrExtendedUnlessRunnersLoadThemByThemselves) {
  EXPECT_TRUE(is_own_test("src/a.py", created("tests/test_a.py", "x")));
  EXPECT_TRUE(is_own_test("src/a.py", created("src/a.test.ts", "x")));
  EXPECT_TRUE(is_own_test("src/a.py", changed("tests/test_a.py", "x", "y")));
  EXPECT_FALSE(is_own_test("", created("src/a.py", "x")));
  EXPECT_FALSE(is_own_test("", created("tests/conftest.py", "x")));
  EXPECT_FALSE(is_own_test("", created("src/__mocks__/fs.js", "x")));
  EXPECT_FALSE(is_own_test("tests/test_a.py", created("tests/test_a.py", "x")))
      << "what the issue is about is no test that comes along";
}

TEST(Apart, AnOpenedTestIsPartOfTheProductSide) {
  const std::string before = "def test_a():\n    assert f() == 1\n\n\ndef test_b():\n    assert g() == 1\n",
                    after = "def test_a():\n    assert f() == 2\n\n\ndef test_b():\n    assert g() == 2\n";
  const Patch patch{{changed("f.py", "1", "2"), changed("tests/test_f.py", before, after)}};
  const OpenedTest opened{.file = "tests/test_f.py", .test = "test_a"};
  const ApartPatch parts = apart("f.py", patch, {}, {opened});
  ASSERT_NE(parts.product.find("tests/test_f.py"), nullptr);
  EXPECT_EQ(parts.product.find("tests/test_f.py")->new_content,
            "def test_a():\n    assert f() == 2\n\n\ndef test_b():\n    assert g() == 1\n");
  EXPECT_EQ(parts.own_tests.find("tests/test_f.py")->new_content, after);
  EXPECT_EQ(product_side(patch, {"f.py"}, {opened}).sha256(), parts.product.sha256());
  EXPECT_EQ(path_list(product_side(patch, {"f.py"})), "f.py");
  EXPECT_EQ(path_list(product_side(patch, {"tests/test_f.py"})), "f.py, tests/test_f.py");
  Finding finding;
  finding.file = "f.py";
  ASSERT_EQ(touched_tests(finding, patch, {opened}).size(), 1U);
  EXPECT_EQ(touched_tests(finding, patch, {opened})[0].name(), "tests/test_f.py::test_b");
  EXPECT_EQ(opened_and_changed(finding, patch, {opened})[0].name(), "tests/test_f.py::test_a");
}

TEST(Apart, TestsInsideAFileOfTheProductAreExistingTests) {
  const std::string before =
      "pub fn limit(x: i32) -> i32 {\n    x.min(9)\n}\n\n#[cfg(test)]\nmod tests {\n"
      "    use super::*;\n\n    #[test]\n    fn is_limited() {\n"
      "        assert_eq!(limit(12), 9);\n    }\n}\n";
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string after = before;
    return after.replace(after.find(from), from.size(), to);
  };
  Finding finding;
  finding.file = "src/lib.rs";
  finding.line = 2;
  const auto touched = [&](const std::string& after) {
    return touched_tests(finding, Patch{{changed("src/lib.rs", before, after)}}, {});
  };
  EXPECT_THAT(touched(with("min(9)", "min(10)")), IsEmpty());
  EXPECT_THAT(touched(with("    }\n}\n",
                           "    }\n\n    #[test]\n    fn is_small() {\n"
                           "        assert_eq!(limit(3), 3);\n    }\n}\n")),
              IsEmpty());
  ASSERT_EQ(touched(with(", 9)", ", 10)")).size(), 1U);
  EXPECT_EQ(touched(with(", 9)", ", 10)"))[0].name(), "src/lib.rs::tests::is_limited");
  EXPECT_EQ(touched(with("    #[test]\n", "    #[test]\n    #[ignore]\n")).size(), 1U);
  finding.line = 11;
  EXPECT_THAT(touched(with(", 9)", ", 10)")), IsEmpty()) << "an issue about a test may change that test";
}

TEST_F(ScopeTest, OrdinarySourcesAreNot) {
  for (const char* path :
       {"src/a.c", "src/contest.py", "src/latest.c", "src/protest/a.c", "docs/testing.md",
        "src/attestation.go", "src/makefile.c", "src/env.py", "lib/package.jsonl", "src/testament.cpp"})
    EXPECT_EQ(protected_as(path), "") << path;
}

TEST_F(ScopeTest, AnIssuesOwnFileMayChangeWhateverKindItIs) {
  for (const char* path : {"tests/test_a.py", "Makefile", ".github/workflows/ci.yml", "package.json"}) {
    issue.finding.file = path;
    EXPECT_EQ(protected_as(path), "") << path;
    EXPECT_THAT(violations({changed(path, "a\n", "b\n")}), IsEmpty()) << path;
  }
  issue.finding.file = "tests/test_a.py";
  EXPECT_EQ(protected_as("tests/test_b.py"), "test");
}

TEST_F(ScopeTest, VerificationScriptsStayProtectedEvenThen) {
  verify_with("sh scripts/check.sh && python3 tools/check.py", {"scripts/check.sh", "tools/check.py"});
  for (const char* path : {"scripts/check.sh", "tools/check.py"}) {
    issue.finding.file = path;
    EXPECT_EQ(protected_as(path), "run by a check") << path;
    EXPECT_THAT(violations({changed(path, "a\n", "b\n")}), ElementsAre(HasSubstr("is protected"))) << path;
  }
}

TEST_F(ScopeTest, WhatACommandOnlyReadsIsNotProtected) {
  verify_with("gcc -c src/reader.c -o x && ./check.sh src/reader.c", {"src/reader.c", "check.sh"});
  EXPECT_EQ(protected_as("src/reader.c"), "");
  EXPECT_EQ(protected_as("check.sh"), "run by a check");
}

TEST_F(ScopeTest, FixProtectedIsNeverChanged) {
  policy.protected_paths = {"src/reader.c", "vendor/**"};
  EXPECT_EQ(protected_as("src/reader.c"), "listed in fix.protected");
  EXPECT_EQ(protected_as("vendor/x/y.c"), "listed in fix.protected");
}

TEST(ExecutedWords, SimpleCommands) {
  EXPECT_THAT(executed_words("make test"), ElementsAre("make"));
  EXPECT_THAT(executed_words("./run.sh --all src/a.c"), ElementsAre("run.sh"));
  EXPECT_THAT(executed_words("././scripts/../run.sh"), ElementsAre("run.sh"));
  EXPECT_THAT(executed_words("python3 tools/check.py src/a.py"), ElementsAre("python3", "tools/check.py"));
  EXPECT_THAT(executed_words("python3 -u tools/check.py src/a.py"), ElementsAre("python3", "tools/check.py"));
  EXPECT_THAT(executed_words("python3 -W error tools/check.py"), ElementsAre("python3", "tools/check.py"));
  EXPECT_THAT(executed_words("python3 -m mypy src/a.py"), ElementsAre("python3", "mypy"));
  EXPECT_THAT(executed_words("/usr/bin/python3.11 x.py"), ElementsAre("/usr/bin/python3.11", "x.py"));
  EXPECT_THAT(executed_words(""), IsEmpty());
  EXPECT_THAT(executed_words("  \n "), IsEmpty());
}

TEST(ExecutedWords, SeparatorsAndNesting) {
  EXPECT_THAT(executed_words("a && b || c; d | e & f\ng"), ElementsAre("a", "b", "c", "d", "e", "f", "g"));
  EXPECT_THAT(executed_words("(cd /tmp && ./a)"), Contains("a"));
  EXPECT_THAT(executed_words("echo $(./gen.sh) `./old.sh`"), ElementsAre("echo", "gen.sh", "old.sh"));
  EXPECT_THAT(executed_words("{ ./a; ./b; }"), ElementsAre("a", "b"));
  EXPECT_THAT(executed_words("make \\\n  src/a.c"), ElementsAre("make"));
  EXPECT_THAT(executed_words("if ./check.sh; then ./yes.sh; else ! ./no.sh; fi"),
              testing::IsSupersetOf({"check.sh", "yes.sh", "no.sh"}));
  EXPECT_THAT(executed_words("while ./more.sh; do ./one.sh; done"),
              testing::IsSupersetOf({"more.sh", "one.sh"}));
  EXPECT_THAT(executed_words("sh < run.sh"), ElementsAre("sh", "run.sh"));
}

TEST(ExecutedWords, AssignmentsWrappersAndQuotes) {
  EXPECT_THAT(executed_words("FOO=1 BAR=a/b ./x.sh"), ElementsAre("x.sh"));
  EXPECT_THAT(executed_words("env -i FOO=1 ./x.sh"), ElementsAre("env", "x.sh"));
  EXPECT_THAT(executed_words("timeout 60 ./x.sh"), ElementsAre("timeout", "x.sh"));
  EXPECT_THAT(executed_words("timeout -s KILL 5m sh x.sh"), ElementsAre("timeout", "sh", "x.sh"));
  EXPECT_THAT(executed_words("nice -n 5 ./x.sh src/a.c"), ElementsAre("nice", "x.sh"));
  EXPECT_THAT(executed_words("time -p ./x.sh"), ElementsAre("time", "x.sh"));
  EXPECT_THAT(executed_words("sh -c './x.sh && \"./y.sh\"'"), ElementsAre("sh", "x.sh", "y.sh"));
  EXPECT_THAT(executed_words("bash -euo pipefail ./x.sh"), ElementsAre("bash", "x.sh"));
  EXPECT_THAT(executed_words("bash -euo pipefail -c 'python3 t.py'"), ElementsAre("bash", "python3", "t.py"));
  EXPECT_THAT(executed_words("node -r ./setup.js test.js src/a.js"),
              ElementsAre("node", "setup.js", "test.js"));
  EXPECT_THAT(executed_words(". ./env.sh"), ElementsAre(".", "env.sh"));
  EXPECT_THAT(executed_words("poetry run python tools/check.py src/a.py"),
              ElementsAre("poetry", "run", "python", "tools/check.py"));
  EXPECT_THAT(executed_words("go run tools/check.go src/a.go"), ElementsAre("go", "run", "tools/check.go"));
  EXPECT_THAT(executed_words("go vet src/a.go"), ElementsAre("go", "vet"));
  EXPECT_THAT(executed_words("./run src/a.c"), ElementsAre("run"));
  EXPECT_THAT(executed_words("npm run test"), ElementsAre("npm"));
}

TEST(ExecutedWords, WhatIsOnlyReadIsNotRun) {
  EXPECT_THAT(executed_words("bash -n a.sh"), ElementsAre("bash"));
  EXPECT_THAT(executed_words("/bin/sh -en a.sh b.sh"), ElementsAre("/bin/sh"));
  EXPECT_THAT(executed_words("node --check a.js && node -c b.js"), ElementsAre("node", "node"));
  EXPECT_THAT(executed_words("ruby -c a.rb; php -l a.php"), ElementsAre("ruby", "php"));
  EXPECT_THAT(executed_words("find . -name '*.sh' | xargs -n1 bash -n"),
              ElementsAre("find", "xargs", "bash"));
  EXPECT_THAT(executed_words("python3 -m py_compile a.py"), ElementsAre("python3", "py_compile"));
  EXPECT_THAT(executed_words("shellcheck a.sh"), ElementsAre("shellcheck"));
  EXPECT_THAT(executed_words("bash -n a.sh && bash a.sh"), ElementsAre("bash", "bash", "a.sh"))
      << "read first, then run";
  for (const char* option : {"--noprofile", "--norc", "-norc", "-l"})
    EXPECT_THAT(executed_words(std::string("bash ") + option + " a.sh"), ElementsAre("bash", "a.sh"))
        << option;
  EXPECT_THAT(executed_words("perl -c a.pl"), ElementsAre("perl", "a.pl")) << "runs BEGIN blocks";
  EXPECT_THAT(executed_words("node -n a.js"), ElementsAre("node", "a.js")) << "another program's option";
}

TEST(ExecutedWords, FollowsIntoDirectories) {
  EXPECT_THAT(executed_words("cd backend && ./test.sh"),
              testing::IsSupersetOf({"test.sh", "backend/test.sh"}));
  EXPECT_THAT(executed_words("cd a; cd ../b; sh t.sh"), Contains("b/t.sh"));
  EXPECT_THAT(executed_words("cd backend && gcc main.c"), Not(Contains("backend/main.c")));
}

TEST_F(ScopeTest, ByNeedNoFileIsRefusedForWhereItIs) {
  EXPECT_EQ(policy.scope, FixScope::need);
  EXPECT_THAT(violations({changed("lib/x.c", "a\n", "b\n"), removed("lib/y.c", "a\n")}), IsEmpty());
  EXPECT_THAT(violations({changed("Makefile", "a\n", "b\n")}), ElementsAre(HasSubstr("is protected")));
  EXPECT_FALSE(scope().in_scope(issue, "lib/x.c"));
  issue.finding.description = "see lib/x.c:12";
  EXPECT_TRUE(scope().in_scope(issue, "lib/x.c"));
}

TEST_F(ScopeTest, FileScope) {
  policy.scope = FixScope::file;
  EXPECT_TRUE(scope().in_scope(issue, "src/reader.c"));
  EXPECT_TRUE(scope().in_scope(issue, "src/reader.h"));
  EXPECT_FALSE(scope().in_scope(issue, "src/reader2.c"));
  EXPECT_FALSE(scope().in_scope(issue, "src/writer.c"));
  EXPECT_FALSE(scope().in_scope(issue, "include/reader.h"));
  issue.finding.related_files = {"include/reader.h"};
  EXPECT_TRUE(scope().in_scope(issue, "include/reader.h"));
  issue.finding.file = "web/user.service.ts";
  EXPECT_FALSE(scope().in_scope(issue, "web/user.module.ts"));
  issue.finding.file = "web/user.component.ts";
  EXPECT_TRUE(scope().in_scope(issue, "web/user.component.html"));
  issue.finding.file = ".profile";
  EXPECT_FALSE(scope().in_scope(issue, ".bashrc"));
}

TEST_F(ScopeTest, DirectoryAndRepositoryScope) {
  policy.scope = FixScope::directory;
  EXPECT_TRUE(scope().in_scope(issue, "src/writer.c"));
  EXPECT_TRUE(scope().in_scope(issue, "src/deep/writer.c"));
  EXPECT_FALSE(scope().in_scope(issue, "src2/writer.c"));
  EXPECT_FALSE(scope().in_scope(issue, "lib/writer.c"));
  policy.scope = FixScope::repository;
  EXPECT_TRUE(scope().in_scope(issue, "lib/writer.c"));
  EXPECT_THAT(violations({changed("tests/a.c", "a\n", "b\n")}), ElementsAre(HasSubstr("tests/a.c:1 changes")))
      << "protection is not scope";
}

TEST_F(ScopeTest, AnIssueWithoutAFile) {
  issue.finding.file.clear();
  EXPECT_TRUE(scope().in_scope(issue, "anything/at/all.c"));
}

TEST_F(ScopeTest, NewFilesThatTheChangeUses) {
  const FileChange user = changed("src/reader.c", "a\n", "#include \"../util/buffer.h\"\n");
  EXPECT_THAT(violations({user, created("util/buffer.h", "int buffer(void);\n")}), IsEmpty())
      << "wherever it is";
  EXPECT_THAT(
      violations({changed("src/reader.c", "a\n", "b\n"), created("src/helper_debug.c", "int helper;\n")}),
      ElementsAre(HasSubstr("src/helper_debug.c is a new file that nothing in the change uses")));
  EXPECT_THAT(violations({changed("src/reader.c", "a\n", "b\n"), created("NOTES.md", "what I did\n")}),
              ElementsAre(HasSubstr("NOTES.md")));
}

TEST_F(ScopeTest, NewFilesThatAreAlwaysAllowedOrNever) {
  const FileChange own = changed("src/reader.c", "a\n", "b\n");
  EXPECT_THAT(violations({own, created("tests/reader_test.c", "int main(void) {}\n")}), IsEmpty())
      << "a test comes along";
  EXPECT_THAT(violations({own, created("conftest.py", "x = 1\n")}), ElementsAre(HasSubstr("protected")))
      << "it changes how other tests run";
  EXPECT_THAT(violations({own, created("pytest.ini", "[pytest]\n")}), ElementsAre(HasSubstr("protected")));
  policy.new_files = {"docs/**"};
  EXPECT_THAT(violations({own, created("docs/a.md", "x\n")}), IsEmpty());
  policy.protected_paths = {"tests/**"};
  EXPECT_THAT(violations({own, created("tests/reader_test.c", "int main(void) {}\n")}),
              ElementsAre(HasSubstr("listed in fix.protected")));
  issue.finding.related_files = {"include/buffer.h"};
  EXPECT_THAT(violations({own, created("include/buffer.h", "int b;\n")}), IsEmpty());
}

TEST_F(ScopeTest, ANameRefusesNoNewFileThatIsUsed) {
  issue.finding.file = "src/app.py";
  const Patch patch{{changed("src/app.py", "a\n", "import json\n"), created("src/json.py", "x = 1\n")}};
  EXPECT_THAT(violations({patch.changes[0], patch.changes[1]}), IsEmpty()) << "test_notes() names it";
}

TEST_F(ScopeTest, TheIssuesOwnFileMayBeNew) {
  EXPECT_THAT(violations({created("src/reader.c", "x\n")}), IsEmpty());
}

TEST_F(ScopeTest, ViolationsOfPaths) {
  policy.scope = FixScope::file;
  EXPECT_THAT(violations({changed("src/reader.c", "a\n", "b\n")}), IsEmpty());
  EXPECT_THAT(violations({changed("lib/x.c", "a\n", "b\n")}),
              ElementsAre("lib/x.c is outside the scope of BE-001 (fix.scope = \"file\")"));
  EXPECT_THAT(violations({removed("lib/x.c", "a\n")}), ElementsAre(HasSubstr("outside the scope")));
  EXPECT_THAT(violations({created("lib/x.c", "a\n")}), ElementsAre(HasSubstr("nothing in the change uses")));
  EXPECT_THAT(violations({removed("tests/a.c", "a\n")}),
              ElementsAre(HasSubstr("tests/a.c:1 removes the whole file")));
}

TEST_F(ScopeTest, ViolationsOfKind) {
  FileChange link = changed("src/reader.c", "a", "../../etc/passwd");
  link.new_mode = kModeSymlink;
  EXPECT_THAT(violations({link}), Contains("src/reader.c is a symbolic link"));
  FileChange was_link = changed("src/reader.c", "target", "int x;\n");
  was_link.old_mode = kModeSymlink;
  EXPECT_THAT(violations({was_link}), Contains("src/reader.c is a symbolic link"));
  FileChange module = changed("src/reader.c", "", "");
  module.new_mode = kModeGitlink;
  EXPECT_THAT(violations({module}), Contains("src/reader.c is a submodule"));
  FileChange mode = changed("src/reader.c", "a\n", "a\n");
  mode.new_mode = kModeExecutable;
  EXPECT_THAT(violations({mode}), ElementsAre("src/reader.c changes its mode bits"));
}

TEST_F(ScopeTest, BinaryFiles) {
  const std::string bytes("\0\1", 2);
  EXPECT_THAT(violations({created("src/blob.c", bytes)}),
              Contains("src/blob.c is a new file with NUL bytes"));
  EXPECT_THAT(violations({changed("src/reader.c", "int x;\n", "int x;" + bytes)}),
              ElementsAre("src/reader.c was text and holds NUL bytes now"));
  EXPECT_THAT(violations({changed("src/reader.c", bytes, bytes + "x")}), IsEmpty())
      << "an issue about a binary file";
}

TEST_F(ScopeTest, NewFilesWithOddNames) {
  for (const char* name : {"a\x1b[31m.c", "a\n.c", "a\t.c", "a\u200b.c", "a\u202e.c", "a\u200d.c",
                           "a\ufeff.c", "a\xff.c", "-rf.c", "a .c ", " a.c", "a\\b.c", "a:b.c", "a?.c",
                           "CON.c", "nul.c", "com1.c", "a.c.", "new\u202e/a.c"}) {
    policy.new_files = {"**"};
    EXPECT_THAT(violations({created(std::string("src/") + name, "int x;\n")}),
                Contains(HasSubstr("has a name that")))
        << name;
  }
  for (const char* name : {"src/gr\u00f6\u00dfe.c", "src/my file.c", "src/a'b.c", "src/$(id).c",
                           "src/console.c", "src/.hidden.c", "src/a-b_c+d.c"})
    EXPECT_THAT(violations({created(name, "int x;\n")}), Not(Contains(HasSubstr("has a name that")))) << name;
}

TEST_F(ScopeTest, Size) {
  policy.max_changed_lines = 4;
  EXPECT_THAT(violations({changed("src/reader.c", "a\nb\n", "c\nd\n")}), IsEmpty());
  EXPECT_THAT(violations({changed("src/reader.c", "a\nb\n", "c\nd\ne\n")}),
              ElementsAre("5 changed lines are more than fix.max_changed_lines = 4"));
  EXPECT_THAT(violations({changed("src/reader.c", "a\n", std::string(3000, 'x') + "\n")}),
              ElementsAre("2999 added bytes are more than 4 lines hold (fix.max_changed_lines)"));
}

TEST_F(ScopeTest, HostileNamesAreShownClean) {
  policy.scope = FixScope::file;
  EXPECT_THAT(violations({changed("lib/\x1b[31mx\n.c", "a\n", "b\n")}), ElementsAre(Not(HasSubstr("\x1b"))));
}

TEST(IsTestPath, ByPlaceAndName) {
  EXPECT_TRUE(is_test_path("tests/a.py"));
  EXPECT_TRUE(is_test_path("src/a.test.ts"));
  EXPECT_FALSE(is_test_path("src/a.py"));
  EXPECT_FALSE(is_test_path("Makefile"));
}

} // namespace
} // namespace emend
