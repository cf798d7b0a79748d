#include <sys/stat.h>

#include "tests/cli/commands/cli_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class InitCommandTest : public CliFixture {
protected:
  void commit() {
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
  }
  std::string text(const std::string& path) const {
    return read_file(root_ / path).value_or("(cannot be read)");
  }
  // The commands in force, as the real configuration code reads them.
  std::vector<std::string> commands() {
    const auto result = emend({"config", "show", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<std::string> runs;
    const Json data = data_of(result, "emend.config/v1");
    for (const Json& setting : data["keys"])
      if (string_or(setting, "key") == "verify.commands")
        for (const Json& command : setting["value"]) runs.push_back(string_or(command, "run"));
    return runs;
  }
  // The line of a job that starts with this, without the list mark.
  static std::string job_line(const std::string& text, std::string_view start) {
    for (std::string_view line : lines_of(text)) {
      line = trim(line);
      if (line.starts_with("- ")) line.remove_prefix(2);
      if (line.starts_with(start)) return std::string(line);
    }
    return {};
  }
  ProcessResult shell(const std::string& script) {
    return run_spec(spec(
        {"/bin/sh", "-ec", "PATH=" + fs::path(EMEND_BINARY).parent_path().string() + ":$PATH\n" + script}));
  }
};

TEST_F(InitCommandTest, WritesOneFileThatLoadsAndTrustsNothing) {
  write("Makefile", "test:\n\ttrue\n");
  commit();
  const auto result = emend({"init"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "wrote emend.toml\n");
  for (const char* word :
       {"make test", "target test", "emend trust", "emend review", "emend fix --safe", ".gitignore"})
    EXPECT_THAT(result.err, HasSubstr(word));
  EXPECT_FALSE(fs::exists(root_ / ".gitignore")) << "nobody said yes";
  EXPECT_EQ(emend({"verify"}).exit_code, 7) << "written is not trusted";
  ASSERT_EQ(emend({"trust"}).exit_code, 0);
  EXPECT_THAT(commands(), ElementsAre("make test", HasSubstr("bash -n")));
  EXPECT_EQ(emend({"verify"}).exit_code, 0);
}

TEST_F(InitCommandTest, NeverOverwrites) {
  for (const char* name : {"emend.toml", ".emend.toml", ".config/emend.toml"}) {
    write(name, "# mine\n");
    const auto result = emend({"init", "--yes"});
    EXPECT_EQ(result.exit_code, 2) << name;
    EXPECT_THAT(result.err, HasSubstr("emend init --dry-run"));
    EXPECT_EQ(text(name), "# mine\n");
    fs::remove(root_ / name);
  }
  fs::create_symlink("nowhere", root_ / "emend.toml");
  EXPECT_EQ(emend({"init", "--yes"}).exit_code, 2);
  EXPECT_FALSE(fs::exists(root_ / "nowhere"));
}

TEST_F(InitCommandTest, DryRunPrintsWhatWouldBeWritten) {
  const auto dry = emend({"init", "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_FALSE(fs::exists(root_ / "emend.toml"));
  ASSERT_EQ(emend({"init"}).exit_code, 0);
  EXPECT_EQ(text("emend.toml"), dry.out);
  EXPECT_EQ(emend({"init", "--dry-run"}).out, dry.out) << "also when there is one";
  const Json data = data_of(emend({"init", "--dry-run", "--json"}), "emend.init/v1");
  EXPECT_EQ(string_or(data["would_write"][0], "text"), dry.out);
  EXPECT_EQ(string_or(data["commands"][0], "name"), "shell-syntax");
}

TEST_F(InitCommandTest, WhatCannotRunHereIsWrittenAsAComment) {
  write("go.mod", "module a\n");
  commit();
  fs::create_directories(base_ / "bin");
  for (const char* name : {"git", "bash", "sh", "find", "xargs"})
    fs::create_symlink(fs::path("/usr/bin") / name, base_ / "bin" / name);
  environment_ = {"PATH=" + (base_ / "bin").string()};
  const auto result = emend({"init", "--yes"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(text("emend.toml"),
              HasSubstr("# Not used: go is not installed here.\n  # { name = \"go-build\""));
  EXPECT_THAT(result.err, HasSubstr("not used: go is not installed here"));
  ASSERT_EQ(emend({"trust"}).exit_code, 0);
  EXPECT_THAT(commands(), ElementsAre(HasSubstr("bash -n")));
}

TEST_F(InitCommandTest, WhatInstallsPackagesGetsANetworkWithTheReason) {
  write("package.json", R"({"scripts": {"test": "jest"}, "devDependencies": {"jest": "1"}})");
  write("package-lock.json", "{}");
  commit();
  fs::create_directories(base_ / "bin");
  for (const char* name : {"git", "bash", "sh", "find", "xargs", "readlink"})
    fs::create_symlink(fs::path("/usr/bin") / name, base_ / "bin" / name);
  environment_ = {"PATH=" + (base_ / "bin").string()};
  EXPECT_THAT(emend({"init", "--dry-run"}).out, Not(HasSubstr("[sandbox.network]")))
      << "without npm nothing is installed";
  // The other half: what npm says without a network and a cache.
  for (const char* name : {"npm", "node"})
    ASSERT_TRUE(write_file(base_ / "bin" / name,
                           "#!/bin/sh\ntest \"$(readlink /proc/self/ns/net)\" = '" +
                               fs::read_symlink("/proc/self/ns/net").string() +
                               "' || { echo 'npm error code ENOTCACHED' >&2; exit 1; }\n",
                           0755));
  const auto result = emend({"init"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("needs the network"));
  EXPECT_THAT(
      text("emend.toml"),
      HasSubstr(
          "\n[sandbox.network]\n# npm ci downloads packages, and commands have no network by default."));
  EXPECT_THAT(emend({"trust", "--show"}).out, HasSubstr("sandbox.network.commands"))
      << "a person sees it before it counts";
  ASSERT_EQ(emend({"trust"}).exit_code, 0);
  EXPECT_EQ(emend({"verify", "npm-test"}).exit_code, 0);
}

TEST_F(InitCommandTest, NothingRecognisedStillMakesAFileThatLoads) {
  fs::remove(root_ / "check.sh");
  commit();
  ASSERT_EQ(emend({"init"}).exit_code, 0);
  EXPECT_THAT(text("emend.toml"), HasSubstr("# commands = ["));
  EXPECT_THAT(emend({"trust", "--show"}).out, HasSubstr("Nothing to trust")) << "there is nothing to trust";
  EXPECT_THAT(commands(), IsEmpty());
}

TEST_F(InitCommandTest, HostileNamesAndTextsStayInTheirPlace) {
  write("a\"b\\c\x7f\x1b[31m\n]evil.py", "x = 1\n");
  write("AGENTS.md", "```\nmake test \x1b[2J\x7f # [fix]\n```\n");
  commit();
  ASSERT_EQ(emend({"init"}).exit_code, 0);
  EXPECT_THAT(text("emend.toml"), Not(HasSubstr("\x1b")));
  ASSERT_EQ(emend({"trust"}).exit_code, 0);
  ASSERT_THAT(commands(), ElementsAre(HasSubstr("compileall"), HasSubstr("bash -n")));
  EXPECT_EQ(emend({"verify"}).exit_code, 0) << "the quoted name reaches the shell as it is";
}

TEST_F(InitCommandTest, YesAddsThePersonalFileToGitignoreOnce) {
  write(".gitignore", "build");
  ASSERT_EQ(::chmod((root_ / ".gitignore").c_str(), 0664), 0);
  const auto result = emend({"init", "--yes"});
  EXPECT_EQ(result.out, "wrote emend.toml\nwrote .gitignore\n") << result.err;
  EXPECT_EQ(text(".gitignore"), "build\nemend.local.toml\n");
  EXPECT_EQ(fs::status(root_ / ".gitignore").permissions(), fs::perms(0664));
  fs::remove(root_ / "emend.toml");
  EXPECT_EQ(emend({"init", "--yes"}).out, "wrote emend.toml\n");
  EXPECT_EQ(text(".gitignore"), "build\nemend.local.toml\n");
}

TEST_F(InitCommandTest, ALinkedGitignoreIsLeftAlone) {
  ASSERT_TRUE(write_file(base_ / "outside", "x\n"));
  fs::create_symlink(base_ / "outside", root_ / ".gitignore");
  ASSERT_EQ(emend({"init", "--yes"}).exit_code, 0);
  EXPECT_EQ(read_file(base_ / "outside").value_or(""), "x\n");
}

TEST_F(InitCommandTest, InASubdirectoryItWritesAtTheTop) {
  ASSERT_EQ(emend({"-C", "src", "init"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(root_ / "emend.toml"));
  EXPECT_FALSE(fs::exists(root_ / "src/emend.toml"));
}

TEST_F(InitCommandTest, OutsideOfARepositoryAndBeforeTheFirstCommit) {
  fs::create_directories(base_ / "plain");
  EXPECT_EQ(emend({"-C", (base_ / "plain").string(), "init"}).exit_code, 2);
  fs::create_directories(base_ / "fresh");
  git({"init", "-q", (base_ / "fresh").string()});
  const auto result = emend({"-C", (base_ / "fresh").string(), "init"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("commit something first"));
}

TEST_F(InitCommandTest, JobsForOtherMachinesUseCommandsThatWork) {
  const struct {
    std::string system, file, report;
  } kJobs[] = {{"github", ".github/workflows/emend.yml", "emend.sarif"},
               {"gitlab", ".gitlab/emend.yml", "gl-code-quality-report.json"}};
  write("check.sh", "#!/bin/sh\ntrue\n"); // nothing to complain about
  commit();
  for (const auto& job : kJobs) {
    const auto result = emend({"init", "--ci", job.system});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("wrote " + job.file));
    const std::string line = job_line(text(job.file), "emend review");
    const auto review = shell("set -- --all\n" + line);
    EXPECT_EQ(review.exit_code, 0) << line << "\n" << review.err;
    EXPECT_TRUE(parse_json(text(job.report))) << "written where the job looks for it";
    const auto again = emend({"init", "--ci", job.system});
    EXPECT_EQ(again.exit_code, 2);
    EXPECT_THAT(again.err, HasSubstr(job.file));
  }
  const std::string workflow = text(".github/workflows/emend.yml");
  EXPECT_THAT(workflow, HasSubstr("permissions:\n  contents: read\n"));
  EXPECT_THAT(workflow, Not(HasSubstr("pull_request_target")));
  EXPECT_EQ(emend({"init", "--ci", "jenkins"}).exit_code, 2);
}

TEST_F(InitCommandTest, AFolderThatLeadsElsewhereIsNotWrittenTo) {
  fs::create_directories(base_ / "elsewhere");
  fs::create_symlink(base_ / "elsewhere", root_ / ".github");
  EXPECT_EQ(emend({"init", "--ci", "github"}).exit_code, 2);
  EXPECT_TRUE(fs::is_empty(base_ / "elsewhere"));
}

TEST_F(InitCommandTest, TheHookIsWrittenOrShown) {
  ASSERT_EQ(emend({"init", "--pre-commit"}).exit_code, 0);
  const std::string hook = text(".pre-commit-config.yaml");
  const std::string entry = job_line(hook, "entry: ");
  EXPECT_EQ(shell(entry.substr(7)).exit_code, 0);
  write(".pre-commit-config.yaml", "repos: []\n");
  const auto again = emend({"init", "--pre-commit"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(text(".pre-commit-config.yaml"), "repos: []\n");
  EXPECT_THAT(again.err, HasSubstr(entry));
}

} // namespace emend
