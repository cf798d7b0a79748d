// Tools that crash, hang, flood, babble or are not there: each is said, and none of it is ever taken for a
// clean result.
#include <gmock/gmock.h>

#include <cstdlib>

#include "adapters/process/overlay_probe.hpp"
#include "base/strings.hpp"
#include "tests/contract/analyzers/analyzers_fixture.hpp"

namespace emend {

using testing::HasSubstr;
using testing::IsEmpty;

struct Tool {
  std::string analyzer, program, file;
  bool silent_when_clean = false; // prints nothing at all when there is nothing to say
};

void PrintTo(const Tool& tool, std::ostream* out) { *out << tool.analyzer; }

class MisbehavingTest : public AnalyzerTest, public testing::WithParamInterface<Tool> {
protected:
  void SetUp() override {
    use_private_path();
    write(GetParam().file, "x\n");
    write("eslint.config.js", "export default [];\n");
  }
  // A tool that says a version and then does as it is told.
  void install(const std::string& behaviour) {
    write_tool(GetParam().program,
               "for last; do :; done\n"
               "case \"$*\" in *--version*) echo 'tool version 11.2.3'; exit 0;; esac\n" +
                   node_version() + behaviour + "\n");
    install_package();
  }
  // What node would load.
  void install_package() {
    ASSERT_TRUE(make_directories(scratch_.path() / "tools/lib/node_modules" /
                                 (GetParam().program == "node" ? "@astral-sh/ruff-wasm-nodejs" : "")));
  }
  Analysis run_it() { return run(GetParam().analyzer, {GetParam().file}); }

private:
  [[nodiscard]] static std::string node_version() {
    return GetParam().program == "node" ? "case \"$last\" in ./*) ;; *) echo 'ruff 11.2.3'; exit 0;; esac\n"
                                        : "";
  }
};

INSTANTIATE_TEST_SUITE_P(
    Tools, MisbehavingTest,
    testing::Values(Tool{"clang-tidy", "clang-tidy", "a.cpp", true}, Tool{"cppcheck", "cppcheck", "a.c"},
                    Tool{"shellcheck", "shellcheck", "a.sh"}, Tool{"ruff", "ruff", "a.py"},
                    Tool{"ruff-wasm", "node", "a.py"}, Tool{"flake8", "flake8", "a.py", true},
                    Tool{"pyflakes", "pyflakes3", "a.py", true}, Tool{"eslint", "eslint", "a.js"},
                    Tool{"biome", "biome", "a.ts"}, Tool{"codespell", "codespell", "a.md", true}),
    [](const auto& tool) { return replace_all(tool.param.analyzer, "-", "_"); });

TEST_P(MisbehavingTest, NotInstalled) {
  const Analysis analysis = run_it();
  EXPECT_EQ(analysis.state, AnalysisState::missing);
  EXPECT_THAT(analysis.detail, HasSubstr(analyzer(GetParam().analyzer).remedy()));
  EXPECT_EQ(analyzer(GetParam().analyzer).version(), "");
  EXPECT_EQ(analysis.files, 0);
}

TEST_P(MisbehavingTest, Crashes) {
  install("kill -SEGV $$");
  const Analysis analysis = run_it();
  EXPECT_EQ(analysis.state, AnalysisState::failed);
  EXPECT_THAT(analysis.detail, HasSubstr("signal 11"));
  EXPECT_EQ(analysis.version, "11.2.3");
  EXPECT_EQ(analysis.files, 0);
}

TEST_P(MisbehavingTest, EndsWithAnErrorOfItsOwn) {
  install("echo 'bad configuration' >&2; exit 2");
  const Analysis analysis = run_it();
  EXPECT_EQ(analysis.state, AnalysisState::failed);
  EXPECT_THAT(analysis.detail, HasSubstr("bad configuration"));
}

TEST_P(MisbehavingTest, Hangs) {
  install("exec /bin/sleep 600");
  request_.timeout_ms = 1'500;
  EXPECT_EQ(run_it().state, AnalysisState::timed_out);
}

TEST_P(MisbehavingTest, HangsWhenAskedForItsVersion) {
  write_tool(GetParam().program, "exec /bin/sleep 600\n");
  install_package();
  request_.timeout_ms = 700;
  EXPECT_EQ(run_it().state, AnalysisState::timed_out);
}

TEST_P(MisbehavingTest, Floods) {
  install("exec /usr/bin/yes 'x x x x x x x x x x x x x x x x x x x x x x x x x x'");
  const Analysis analysis = run_it();
  EXPECT_EQ(analysis.state, AnalysisState::failed);
  EXPECT_THAT(analysis.detail, HasSubstr("MB"));
}

TEST_P(MisbehavingTest, Babbles) {
  for (const char* code : {"0", "1"}) {
    install("echo 'Traceback (most recent call last):'; echo 'oh no' >&2; exit " + std::string(code));
    const Analysis analysis = run_it();
    EXPECT_EQ(analysis.state, AnalysisState::failed) << analysis.detail;
    EXPECT_THAT(analysis.findings, IsEmpty());
  }
}

TEST_P(MisbehavingTest, SilenceIsCleanOnlyWhereItIsTheFormat) {
  install("exit 0");
  EXPECT_EQ(run_it().state, GetParam().silent_when_clean ? AnalysisState::done : AnalysisState::failed);
  install("exit 1");
  EXPECT_EQ(run_it().state, AnalysisState::failed);
}

TEST_P(MisbehavingTest, HasNoVersion) {
  write_tool(GetParam().program, "echo hello\n");
  install_package();
  EXPECT_EQ(run_it().state, AnalysisState::failed);
  EXPECT_EQ(analyzer(GetParam().analyzer).version(), "");
}

TEST_P(MisbehavingTest, IsCancelled) {
  install("exec /bin/sleep 600");
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(run(GetParam().analyzer, {GetParam().file}, source.get_token()).state, AnalysisState::cancelled);
}

TEST_P(MisbehavingTest, ReportsOutsideTheTreeAreDropped) {
  install("exit 0");
  EXPECT_EQ(run(GetParam().analyzer, {"not-its-kind.xyz"}).state, AnalysisState::skipped);
}

class ToolRunTest : public AnalyzerTest {};

constexpr const char* kNothingFound = "case \"$*\" in --version) echo 11.2.3; exit;; esac\n";

TEST_F(ToolRunTest, NeverRunsAProgramOfTheTree) {
  use_private_path();
  write("bin/shellcheck", "#!/bin/sh\necho ran > ran\n");
  fs::permissions(tree_ / "bin/shellcheck", fs::perms::owner_all);
  write("a.sh", "x\n");
  fs::create_directory_symlink(tree_ / "bin", scratch_.path() / "link");
  for (const std::string& path : {(tree_ / "bin").string(), std::string("bin"), std::string("."),
                                  (scratch_.path() / "link").string()}) {
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(run("shellcheck", {"a.sh"}).state, AnalysisState::missing) << path;
  }
  EXPECT_FALSE(fs::exists(tree_ / "ran"));
}

TEST_F(ToolRunTest, AToolGetsAPrivateEnvironmentInTheTree) {
  const fs::path bin = use_private_path();
  ::setenv("EMEND_TEST_TOKEN", "tell nobody", 1);
  write_tool("shellcheck", std::string(kNothingFound) +
                               "{ /usr/bin/env; pwd; } > \"$TMPDIR/seen\"; echo '{\"comments\":[]}'\n");
  write("a.sh", "x\n");
  EXPECT_EQ(run("shellcheck", {"a.sh"}).state, AnalysisState::done);
  const std::string seen = read_file(scratch_.path() / "temp/seen").value();
  ::unsetenv("EMEND_TEST_TOKEN");
  for (const std::string& line :
       {"PATH=" + bin.string(), "HOME=" + request_.home, std::string("LC_ALL=C.UTF-8"), tree_.string()})
    EXPECT_THAT(seen, HasSubstr(line + "\n"));
  EXPECT_EQ(seen.find("tell nobody"), std::string::npos);
}

TEST_F(ToolRunTest, LongListsAreCutIntoPortionsAndOneBadPortionDoesNotCostTheOthers) {
  use_private_path();
  write_tool("shellcheck", std::string(kNothingFound) +
                               "echo $# >> \"$TMPDIR/calls\"\n"
                               "case \"$*\" in *./s77.sh*) exit 9;; esac\n"
                               "shift 4; echo "
                               "\"{\\\"comments\\\":[{\\\"file\\\":\\\"$1\\\",\\\"line\\\":1,\\\"code\\\":"
                               "2000,\\\"message\\\":\\\"m\\\"}]}\"\n");
  std::vector<std::string> files;
  for (int i = 0; i < 120; ++i) {
    files.push_back("s" + std::to_string(i) + ".sh");
    write(files.back(), "x\n");
  }
  const Analysis analysis = run("shellcheck", files);
  EXPECT_EQ(split(read_file(scratch_.path() / "temp/calls").value(), '\n').size(), 121U)
      << "a script is never followed into another one";
  EXPECT_EQ(analysis.state, AnalysisState::failed);
  EXPECT_EQ(analysis.findings.size(), 119U);
  EXPECT_EQ(analysis.files, 119);
}

TEST_F(ToolRunTest, AFileThatIsTooMuchForTheToolDoesNotCostTheOthers) {
  use_private_path();
  write_tool("shellcheck", std::string(kNothingFound) +
                               "case \"$*\" in *./s2.sh*) exec /bin/sleep 600;; esac\n"
                               "shift 4; echo "
                               "\"{\\\"comments\\\":[{\\\"file\\\":\\\"$1\\\",\\\"line\\\":1,\\\"code\\\":"
                               "2000,\\\"message\\\":\\\"m\\\"}]}\"\n");
  std::vector<std::string> files;
  for (int i = 0; i < 6; ++i) write(files.emplace_back("s" + std::to_string(i) + ".sh"), "x\n");
  ASSERT_EQ(analyzer("shellcheck").version(), "11.2.3"); // so that asking is not what takes long
  request_.timeout_ms = 3'000;
  std::vector<std::size_t> told;
  request_.on_progress = [&](std::size_t done, std::size_t all) {
    EXPECT_EQ(all, 6U);
    told.push_back(done);
  };
  const Analysis analysis = run("shellcheck", files);
  EXPECT_EQ(analysis.state, AnalysisState::timed_out);
  EXPECT_THAT(analysis.detail, HasSubstr("did not finish in time on s2.sh"));
  EXPECT_EQ(analysis.findings.size(), 5U);
  EXPECT_EQ(analysis.files, 5);
  EXPECT_THAT(told, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST_F(ToolRunTest, AToolThatHangsAgainAndAgainIsGivenUp) {
  use_private_path();
  write_tool("shellcheck", std::string(kNothingFound) + "exec /bin/sleep 600\n");
  std::vector<std::string> files;
  for (int i = 0; i < 20; ++i) write(files.emplace_back("s" + std::to_string(i) + ".sh"), "x\n");
  ASSERT_EQ(analyzer("shellcheck").version(), "11.2.3");
  request_.timeout_ms = 200;
  const Analysis analysis = run("shellcheck", files);
  EXPECT_EQ(analysis.state, AnalysisState::timed_out);
  EXPECT_THAT(analysis.detail, HasSubstr(" of 20 files were not checked"));
  EXPECT_EQ(analysis.files, 0);
}

TEST_F(ToolRunTest, AnEslintOfAnotherAgeCountsAsMissing) {
  use_private_path();
  write_tool("eslint", "echo v6.4.0\n");
  write("a.js", "x\n");
  write("eslint.config.mjs", "export default [];\n");
  const Analysis analysis = run("eslint", {"a.js"});
  EXPECT_EQ(analysis.state, AnalysisState::missing);
  EXPECT_THAT(analysis.detail, HasSubstr("older than 8"));
}

TEST_F(ToolRunTest, OddNamesAreNoOptions) {
  use_private_path();
  write_tool("shellcheck", std::string(kNothingFound) +
                               "printf '%s\\n' \"$@\" > \"$TMPDIR/arguments\"; echo '{\"comments\":[]}'\n");
  write("--help.sh", "x\n");
  write("a\nb.sh", "x\n");
  const Analysis analysis = run("shellcheck", {"--help.sh", "a\nb.sh"});
  EXPECT_THAT(read_file(scratch_.path() / "temp/arguments").value(), HasSubstr("\n./--help.sh\n"));
  EXPECT_THAT(analysis.detail, HasSubstr("1 unusual name"));
}

TEST_F(ToolRunTest, FindingsOutsideTheTreeAreDropped) {
  use_private_path();
  write_tool("shellcheck",
             std::string(kNothingFound) +
                 "echo '{\"comments\":[{\"file\":\"../x.sh\",\"line\":1,\"code\":1,\"message\":\"m\"},"
                 "{\"file\":\"/etc/profile\",\"line\":1,\"code\":1,\"message\":\"m\"}]}'\n");
  write("a.sh", "x\n");
  EXPECT_THAT(run("shellcheck", {"a.sh"}).findings, IsEmpty());
}

// The tool sees the mounted tree, the engine only the directories it is made of: offsets must be right all
// the same.
TEST_F(ToolRunTest, WorksInAMountedWorkspace) {
  if (!overlay_supported(runner_, scratch_.path()))
    GTEST_SKIP() << "this machine has no overlay mounts for us";
  use_private_path();
  write_tool("shellcheck", std::string(kNothingFound) +
                               "IFS= read -r line < ./a.sh; [ \"$line\" = '\xC3\xA9 x' ] || exit 9\n"
                               "echo "
                               "'{\"comments\":[{\"file\":\"./"
                               "a.sh\",\"line\":1,\"column\":3,\"endLine\":1,\"endColumn\":4,\"code\":1,"
                               "\"message\":\"m\",\"fix\":{\"replacements\":[{\"line\":1,\"column\":3,"
                               "\"endLine\":1,\"endColumn\":4,"
                               "\"replacement\":\"y\"}]}}]}'\n");
  for (const char* name : {"lower", "upper", "work"}) fs::create_directory(scratch_.path() / name);
  ASSERT_TRUE(write_scratch_file(scratch_.path() / "lower/a.sh", "old\n"));
  ASSERT_TRUE(write_scratch_file(scratch_.path() / "upper/a.sh", "\xC3\xA9 x\n"));
  request_.overlay = {
      scratch_.path() / "lower", scratch_.path() / "upper", scratch_.path() / "work", tree_, {}};
  const Analysis analysis = run("shellcheck", {"a.sh"});
  EXPECT_EQ(analysis.state, AnalysisState::done) << analysis.detail;
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].column, 4);
  ASSERT_TRUE(analysis.findings[0].fixit);
  EXPECT_EQ(analysis.findings[0].fixit->edits.at(0), (Edit{"a.sh", 3, 1, "y"}));
}

TEST_F(ToolRunTest, ScriptsWithoutExtensionAreKnownByTheirFirstLine) {
  use_private_path();
  write_tool("shellcheck", std::string(kNothingFound) +
                               "printf '%s\\n' \"$@\" > \"$TMPDIR/arguments\"; echo '{\"comments\":[]}'\n");
  write("run", "#!/usr/bin/env bash\n");
  write("LICENSE", "Permission is granted\n");
  EXPECT_EQ(run("shellcheck", {"run", "LICENSE"}).files, 1);
  EXPECT_EQ(run("shellcheck", {"LICENSE"}).state, AnalysisState::skipped);
}

TEST_F(ToolRunTest, CodeOfTheRepositoryIsNotRunUnlessAllowed) {
  use_private_path();
  analyzers_ = make_analyzers(runner_);
  write("a.js", "x\n");
  EXPECT_THAT(run("eslint", {"a.js"}).detail, HasSubstr("no ESLint configuration"));
  write("eslint.config.mjs", "export default [];\n");
  const Analysis analysis = run("eslint", {"a.js"});
  EXPECT_EQ(analysis.state, AnalysisState::skipped);
  EXPECT_TRUE(analysis.needs_permission);
  EXPECT_THAT(analysis.detail, HasSubstr("code of the project; to allow that: emend trust --project-tools"));

  write_tool("flake8", std::string(kNothingFound) + "printf '%s\\n' \"$@\" > \"$TMPDIR/arguments\"\n");
  write("a.py", "x\n");
  write("setup.cfg", "[flake8]\nmax-line-length = 100\n");
  EXPECT_EQ(run("flake8", {"a.py"}).detail, "");
  EXPECT_EQ(read_file(scratch_.path() / "temp/arguments")->find("--isolated"), std::string::npos);
  write("setup.cfg", "[flake8]\n[flake8:local-plugins]\nextension = X = plugin:X\n");
  EXPECT_THAT(run("flake8", {"a.py"}).detail, HasSubstr("local plugins"));
  EXPECT_THAT(read_file(scratch_.path() / "temp/arguments").value(), HasSubstr("--isolated"));
}

TEST_F(ToolRunTest, AConfigurationThatMakesTheToolWriteIsNotObeyed) {
  use_private_path();
  write_tool("codespell", std::string(kNothingFound) + "echo ran > \"$TMPDIR/ran\"\n");
  write("a.md", "x\n");
  write(".codespellrc", "[codespell]\nwrite-changes =\n");
  EXPECT_EQ(run("codespell", {"a.md"}).state, AnalysisState::skipped);
  EXPECT_FALSE(fs::exists(scratch_.path() / "temp/ran"));
  write_tool("ruff",
             std::string(kNothingFound) + "printf '%s\\n' \"$@\" > \"$TMPDIR/arguments\"; echo '[]'\n");
  write("a.py", "x\n");
  EXPECT_EQ(run("ruff", {"a.py"}).state, AnalysisState::done);
  EXPECT_THAT(read_file(scratch_.path() / "temp/arguments").value(), HasSubstr("--no-fix\n"));
}

TEST_F(ToolRunTest, OnlyOneOfTheToolsThatReportTheSameRuns) {
  use_private_path();
  write("a.py", "x\n");
  write_tool("flake8", kNothingFound);
  write_tool("pyflakes3", kNothingFound);
  EXPECT_EQ(run("pyflakes", {"a.py"}).state, AnalysisState::skipped);
  EXPECT_EQ(run("flake8", {"a.py"}).state, AnalysisState::done);
}

TEST_F(ToolRunTest, TheBuiltInRulesComeFirstAndNamesAreUnique) {
  EXPECT_EQ(analyzers_.front()->name(), "builtin");
  std::set<std::string_view> names;
  for (const auto& one : analyzers_) {
    EXPECT_TRUE(names.insert(one->name()).second);
    EXPECT_NE(one->remedy(), "");
  }
}

} // namespace emend
