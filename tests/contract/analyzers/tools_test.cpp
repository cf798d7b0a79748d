// The real tools on small trees, each as far as it is installed here: what they find is found, and their
// fix-its do away with it.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "tests/contract/analyzers/analyzers_fixture.hpp"

namespace emend {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ToolsTest : public AnalyzerTest {
protected:
  // The finding must be there, have a fix-it, and be gone once that is applied.
  void expect_fixed(const std::string& name, const std::vector<std::string>& files, const Finding* finding) {
    ASSERT_NE(finding, nullptr);
    const std::string rule = finding->rule;
    apply(*finding);
    const Analysis again = run(name, files);
    EXPECT_EQ(again.state, AnalysisState::done) << again.detail;
    EXPECT_THAT(rules_of(again.findings), Not(Contains(rule)));
  }
};

TEST_F(ToolsTest, AToolThatCanExplainsItsRules) {
  use_private_path();
  write_tool("biome", "[ \"$1 $2 $PWD\" = \"explain noDoubleEquals /\" ] && echo ' Use ===. ' || exit 1\n");
  EXPECT_EQ(analyzer("biome").explain("lint/suspicious/noDoubleEquals", {}), "Use ===.");
  EXPECT_EQ(analyzer("biome").explain("lint/suspicious/noSuchRule", {}), "") << "it failed";
  EXPECT_EQ(analyzer("biome").explain("--help", {}), "") << "no option is ever passed on";
  EXPECT_EQ(analyzer("rubocop").explain("Lint/Void", {}), "") << "it is not installed";
  EXPECT_EQ(analyzer("shellcheck").explain("SC2086", {}), "") << "it has no text";
  write_tool("cppcheck",
             "echo '<error id=\"memleakOnRealloc\" verbose=\"no\"/>'\necho '  <error id=\"memleak\" "
             "msg=\"m\" verbose=\"Memory leak: &apos;a&apos; &lt; 1\" cwe=\"401\">'\n");
  EXPECT_EQ(analyzer("cppcheck").explain("memleak", {}), "Memory leak: 'a' < 1");
  EXPECT_EQ(analyzer("cppcheck").explain("noSuchRule", {}), "");
}

TEST_F(ToolsTest, Shellcheck) {
  write("dir/a.sh", "#!/bin/sh\n# \xC3\xA9\n\techo \"\xC3\xA9\" $1\n");
  write("clean.sh", "#!/bin/sh\necho hello\n");
  const auto analysis = run_if_installed("shellcheck", {"dir/a.sh", "clean.sh"});
  if (!analysis) return;
  EXPECT_EQ(analysis->state, AnalysisState::done) << analysis->detail;
  EXPECT_EQ(analysis->files, 2);
  const Finding* quote = find_rule(analysis->findings, "SC2086");
  ASSERT_NE(quote, nullptr);
  EXPECT_EQ(quote->file, "dir/a.sh");
  EXPECT_EQ(quote->line, 3);
  expect_fixed("shellcheck", {"dir/a.sh"}, quote);
  EXPECT_EQ(read("dir/a.sh"), "#!/bin/sh\n# \xC3\xA9\n\techo \"\xC3\xA9\" \"$1\"\n");
}

TEST_F(ToolsTest, ShellcheckHonoursTheProjectsConfiguration) {
  write("a.sh", "#!/bin/sh\necho $1\n");
  write(".shellcheckrc", "disable=SC2086\n");
  const auto analysis = run_if_installed("shellcheck", {"a.sh"});
  if (!analysis) return;
  EXPECT_EQ(analysis->state, AnalysisState::done) << analysis->detail;
  EXPECT_THAT(analysis->findings, IsEmpty());
}

TEST_F(ToolsTest, Codespell) {
  write("a.md", "This is teh first of them, teh second.\n");
  const auto analysis = run_if_installed("codespell", {"a.md"});
  if (!analysis) return;
  ASSERT_EQ(analysis->findings.size(), 2U) << analysis->detail;
  apply(analysis->findings[1]);
  EXPECT_EQ(read("a.md"), "This is teh first of them, the second.\n");
  const auto again = run("codespell", {"a.md"});
  ASSERT_EQ(again.findings.size(), 1U);
  expect_fixed("codespell", {"a.md"}, &again.findings[0]);
}

TEST_F(ToolsTest, CodespellHonoursTheProjectsConfiguration) {
  write("a.md", "teh\n");
  write(".codespellrc", "[codespell]\nignore-words-list = teh\n");
  const auto analysis = run_if_installed("codespell", {"a.md"});
  if (!analysis) return;
  EXPECT_EQ(analysis->state, AnalysisState::done) << analysis->detail;
  EXPECT_THAT(analysis->findings, IsEmpty());
}

TEST_F(ToolsTest, Cppcheck) {
  write("src/a.c", "int main(void) {\n  char b[4];\n  b[5] = 1;\n  return b[0];\n}\n");
  write("src/suppressed.c",
        "int f(void) {\n  char b[4];\n  // cppcheck-suppress arrayIndexOutOfBounds\n  b[5] = 1;\n  return "
        "0;\n}\n");
  const auto analysis = run_if_installed("cppcheck", {"src/a.c", "src/suppressed.c"});
  if (!analysis) return;
  EXPECT_EQ(analysis->state, AnalysisState::done) << analysis->detail;
  const Finding* finding = find_rule(analysis->findings, "arrayIndexOutOfBounds");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->file, "src/a.c");
  EXPECT_EQ(finding->line, 3);
  EXPECT_EQ(finding->severity, Severity::high);
  for (const Finding& one : analysis->findings) EXPECT_EQ(one.file, "src/a.c");
}

TEST_F(ToolsTest, AFileCppcheckCannotReadIsNotClean) {
  write("a.c", "void f(void) { {\n");
  const auto analysis = run_if_installed("cppcheck", {"a.c"});
  if (!analysis) return;
  EXPECT_EQ(analysis->state, AnalysisState::failed);
}

TEST_F(ToolsTest, ClangTidy) {
  write("a.cpp",
        "struct B { virtual ~B() = default; virtual void f(); };\nstruct D : B { virtual void f(); };\nint* "
        "p = 0; // \xC3\xA9\n");
  const auto analysis = run_if_installed("clang-tidy", {"a.cpp"});
  if (!analysis) return;
  EXPECT_EQ(analysis->state, AnalysisState::done) << analysis->detail;
  EXPECT_THAT(analysis->detail, HasSubstr("compile_commands.json"));
  const Finding* finding = find_rule(analysis->findings, "modernize-use-nullptr");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->line, 3);
  expect_fixed("clang-tidy", {"a.cpp"}, find_rule(analysis->findings, "modernize-use-override"));
  EXPECT_THAT(read("a.cpp"), HasSubstr("struct D : B { void f() override; };"));
  EXPECT_TRUE(fs::is_empty(request_.temp)) << "reports are removed";
}

TEST_F(ToolsTest, ClangTidyHonoursTheProjectsConfiguration) {
  write("sub/a.cpp", "int* p = 0;\nint f(int x) { if (x) return 1; return 0; }\n");
  write(".clang-tidy", "Checks: '-*,readability-braces-around-statements'\nWarningsAsErrors: '*'\n");
  const auto analysis = run_if_installed("clang-tidy", {"sub/a.cpp"});
  if (!analysis) return;
  EXPECT_THAT(rules_of(analysis->findings), testing::Each("readability-braces-around-statements"));
  ASSERT_FALSE(analysis->findings.empty()) << analysis->detail;
  expect_fixed("clang-tidy", {"sub/a.cpp"}, &analysis->findings[0]);
}

TEST_F(ToolsTest, AUnitThatDoesNotCompileIsNotCleanForClangTidy) {
  write("a.c", "#include \"not_there.h\"\nint f(void) { return 1; }\n");
  write("b.c", "int g(void) { return 1; }\n");
  const auto analysis = run_if_installed("clang-tidy", {"a.c", "b.c"});
  if (!analysis) return;
  EXPECT_EQ(analysis->state, AnalysisState::failed);
  EXPECT_THAT(analysis->detail, HasSubstr("not_there.h"));
  EXPECT_EQ(analysis->files, 1);
}

TEST_F(ToolsTest, ClangTidyTakesTheFlagsOfTheProject) {
  write("a.cpp", "#include \"there.h\"\nint* p = NOTHING;\n");
  write("deep/inside/there.h", "#define NOTHING 0\n");
  write("build/compile_commands.json", R"([{"directory":")" + tree_.string() +
                                           R"(","file":"a.cpp","command":"c++ -Ideep/inside -c a.cpp"}])");
  const auto analysis = run_if_installed("clang-tidy", {"a.cpp"});
  if (!analysis) return;
  EXPECT_EQ(analysis->state, AnalysisState::done) << analysis->detail;
  EXPECT_EQ(analysis->detail, "");
}

TEST_F(ToolsTest, Flake8) {
  write("a.py", "import os\n\n\ndef f( x ):\n    return y\n");
  write("broken.py", "def f(:\n");
  const auto analysis = run_if_installed("flake8", {"a.py", "broken.py"});
  if (!analysis) return;
  EXPECT_EQ(analysis->state, AnalysisState::done) << analysis->detail;
  EXPECT_THAT(rules_of(analysis->findings), testing::UnorderedElementsAre("F401", "F821", "E999"))
      << "no matters of taste";
  EXPECT_EQ(find_rule(analysis->findings, "F821")->line, 5);
  write(".flake8", "[flake8]\nselect = E2\noutput-file = report\nshow-source = true\n");
  EXPECT_THAT(rules_of(run("flake8", {"a.py"}).findings), testing::Each(testing::StartsWith("E2")));
  EXPECT_FALSE(fs::exists(tree_ / "report"));
}

TEST_F(ToolsTest, Pyflakes) {
  write("a.py", "import os\n");
  write("broken.py", "def f(:\n");
  if (!analyzer("flake8").version().empty()) {
    EXPECT_EQ(run("pyflakes", {"a.py"}).state, AnalysisState::skipped);
    const std::string bin = use_private_path();
    const char* program = fs::exists("/usr/bin/pyflakes3") ? "/usr/bin/pyflakes3" : "/usr/bin/pyflakes";
    if (fs::exists(program)) fs::create_symlink(program, bin + "/pyflakes3");
  }
  const auto analysis = run_if_installed("pyflakes", {"a.py", "broken.py"});
  if (!analysis) return;
  EXPECT_EQ(analysis->state, AnalysisState::done) << analysis->detail;
  EXPECT_THAT(rules_of(analysis->findings), testing::ElementsAre("F401", "E999"));
}

TEST_F(ToolsTest, Ruff) {
  write("a.py", "import os\nx = 'é' is 1\n");
  for (const char* name : {"ruff", "ruff-wasm"}) {
    if (std::string_view(name) == "ruff-wasm" && !analyzer("ruff").version().empty()) continue;
    write("a.py", "import os\nx = 'é' is 1\n");
    const auto analysis = run_if_installed(name, {"a.py"});
    if (!analysis) continue;
    EXPECT_EQ(analysis->state, AnalysisState::done) << analysis->detail;
    ASSERT_NE(find_rule(analysis->findings, "F632"), nullptr);
    expect_fixed(name, {"a.py"}, find_rule(analysis->findings, "F632"));
    EXPECT_EQ(read("a.py"), "import os\nx = 'é' == 1\n");
    const Analysis again = run(name, {"a.py"});
    EXPECT_TRUE(find_rule(again.findings, "F401")->fixit->safe);
    expect_fixed(name, {"a.py"}, find_rule(again.findings, "F401"));
  }
}

TEST_F(ToolsTest, Eslint) {
  write("a.js", "const s = \"é😀\"; export function f(x) { if (!!x) { return s; } return 1; }\n");
  write("eslint.config.mjs", "export default [{ rules: { \"no-extra-boolean-cast\": \"error\" } }];\n");
  const auto analysis = run_if_installed("eslint", {"a.js"});
  if (!analysis) return;
  EXPECT_EQ(analysis->state, AnalysisState::done) << analysis->detail;
  expect_fixed("eslint", {"a.js"}, find_rule(analysis->findings, "no-extra-boolean-cast"));
  EXPECT_THAT(read("a.js"), HasSubstr("if (x) { return s; }"));
}

TEST_F(ToolsTest, Biome) {
  write("src/a.ts", "export const s = 'é'; debugger;\n");
  const auto analysis = run_if_installed("biome", {"src/a.ts"});
  if (!analysis) return;
  EXPECT_EQ(analysis->state, AnalysisState::done) << analysis->detail;
  const Finding* finding = find_rule(analysis->findings, "lint/suspicious/noDebugger");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->column, 24);
  write("biome.json", R"({"linter":{"rules":{"suspicious":{"noDebugger":"off"}}}})");
  EXPECT_EQ(find_rule(run("biome", {"src/a.ts"}).findings, "lint/suspicious/noDebugger"), nullptr);
}

} // namespace emend
