// The exec agent: placeholders, prompt file, environment, and which file its command really is.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "adapters/agents/agent_process.hpp"
#include "base/strings.hpp"
#include "tests/contract/agents/agents_fixture.hpp"

namespace emend {

namespace {

AgentBinding shell(const std::string& script, std::vector<std::string> arguments = {}) {
  AgentBinding binding;
  binding.name = "tester";
  binding.engine = "exec";
  binding.command = {"sh", "-c", script};
  binding.command.insert(binding.command.end(), arguments.begin(), arguments.end());
  return binding;
}

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

} // namespace

TEST_F(AgentTest, GetsThePromptOnStdin) {
  request_.prompt = std::string(300'000, 'p') + "end";
  EXPECT_TRUE(run(shell("cat")).answer == request_.prompt);
}

TEST_F(AgentTest, FillsInPlaceholdersOnce) {
  AgentBinding binding = shell("printf '%s\\n' \"$@\"", {"sh", "--role={role}", "{issue}", "{model}{model}",
                                                         "{unknown}", "{role", "{}"});
  binding.model = "{role}";
  request_.issue_codes = {"BE-001", "FE-002"};
  EXPECT_EQ(run(binding).answer, "--role=fixer\nBE-001,FE-002\n{role}{role}\n{unknown}\n{role\n{}\n");
}

TEST_F(AgentTest, WritesThePromptToAPrivateFileWhenAsked) {
  const AgentRun result = run(shell("stat -c '%a %n' \"$1\"; cat \"$1\"; cat", {"sh", "{prompt_file}"}));
  const auto lines = split(result.answer, '\n');
  ASSERT_GE(lines.size(), 3U);
  EXPECT_TRUE(lines[0].starts_with("600 " + workspace_.temp_dir() + "/")) << lines[0];
  EXPECT_EQ(result.answer.substr(lines[0].size() + 1), request_.prompt + request_.prompt); // file, then stdin
  EXPECT_TRUE(fs::is_empty(workspace_.temp_dir())) << "the prompt file stayed";
}

TEST_F(AgentTest, WritesNoPromptFileUnasked) {
  EXPECT_EQ(run(shell("ls -A \"$TMPDIR\" | wc -l")).answer, "0\n");
}

TEST_F(AgentTest, GetsAMinimalEnvironment) {
  const ScopedVariable secret("UNRELATED_SECRET", "s3cret"), own("EMEND_HOME", "/state"),
      wanted("WANTED", "yes"), zone("TZ", "UTC");
  AgentBinding binding = shell("");
  binding.command = {"env"};
  binding.pass_env = {"WANTED", "EMEND_HOME", "NOT_SET_ANYWHERE"};
  binding.env = {"FIXED=a=b", "EMEND_X=1", "LANG=C.UTF-8"};
  std::vector<std::string> lines = split(run(binding).answer, '\n');
  EXPECT_TRUE(has(lines, "WANTED=yes"));
  EXPECT_TRUE(has(lines, "FIXED=a=b"));
  EXPECT_TRUE(has(lines, "LANG=C.UTF-8"));
  EXPECT_TRUE(has(lines, "TZ=UTC"));
  EXPECT_TRUE(has(lines, "HOME=" + workspace_.home_dir()));
  EXPECT_TRUE(has(lines, "TMPDIR=" + workspace_.temp_dir()));
  EXPECT_TRUE(has(lines, "GIT_CEILING_DIRECTORIES=" + scratch_.path().string()));
  EXPECT_TRUE(has(lines, std::string("PATH=") + std::getenv("PATH")));
  for (const std::string& line : lines) {
    EXPECT_FALSE(line.starts_with("EMEND") || line.starts_with("UNRELATED") || line.starts_with("CI=") ||
                 line.starts_with("NOT_SET"))
        << line;
  }
}

TEST_F(AgentTest, ReportsAProgramThatVanishedAsAValue) {
  AgentBinding binding = shell("");
  binding.command = {write_program(scratch_.path() / "tool", "exit 0\n")};
  auto agent = factory_.make(binding);
  ASSERT_TRUE(agent);
  fs::remove(scratch_.path() / "tool");
  const AgentRun result = (*agent)->run(request_, {}).value();
  EXPECT_EQ(result.process.ending, Ending::not_started);
  EXPECT_NE(result.process.problem.find("not found"), std::string::npos);
}

TEST_F(AgentTest, SaysWhatToDoAboutAMissingCommand) {
  for (const char* command : {"no-such-agent-cli", "/no/such/agent"}) {
    AgentBinding binding = shell("");
    binding.command = {command};
    const auto agent = factory_.make(binding);
    ASSERT_FALSE(agent);
    EXPECT_EQ(agent.error().code, ErrorCode::agent);
    EXPECT_NE(agent.error().message.find(command), std::string::npos);
    EXPECT_FALSE(agent.error().remedy.empty());
  }
  AgentBinding empty = shell("");
  empty.command.clear();
  EXPECT_EQ(factory_.make(empty).error().code, ErrorCode::config);
}

TEST_F(AgentTest, DecidesOnceWhichFileTheCommandIs) {
  const fs::path first = scratch_.path() / "first", second = scratch_.path() / "second";
  write_program(second / "agent-cli", "echo second\n");
  const ScopedVariable path("PATH", first.string() + ":" + second.string() + ":/usr/bin:/bin");
  AgentBinding binding = shell("");
  binding.command = {"agent-cli"};
  auto agent = factory_.make(binding);
  ASSERT_TRUE(agent);
  write_program(first / "agent-cli", "echo hijacked\n"); // appears later, earlier in PATH
  EXPECT_EQ((*agent)->run(request_, {}).value().answer, "second\n");
  EXPECT_EQ((*agent)->binding().command.front(), (second / "agent-cli").string());
}

TEST_F(AgentTest, PassesOverACommandInTheRepository) {
  const fs::path outside = scratch_.path() / "outside", links = scratch_.path() / "links";
  write_program(repository_ / "bin/agent-cli", "echo hijacked\n");
  write_program(outside / "agent-cli", "echo honest\n");
  fs::create_directory(links);
  fs::create_symlink(repository_ / "bin/agent-cli", links / "agent-cli");
  const std::string root = repository_, inside = repository_ / "bin";
  EXPECT_EQ(
      resolve_command("agent-cli", inside + ":" + links.string() + ":" + outside.string(), root).value(),
      outside / "agent-cli");
  const auto refused = resolve_command("agent-cli", inside, root);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::agent);
  EXPECT_NE(refused.error().message.find("only inside the repository"), std::string::npos);
  EXPECT_EQ(resolve_command(inside + "/agent-cli", "", root).value(), inside + "/agent-cli")
      << "named in full in the configuration";
}

TEST_F(AgentTest, PassesOverRelativeEntriesOfPath) {
  write_program(workspace_.path() + "/agent-cli", "echo hijacked\n");
  const fs::path before = fs::current_path();
  fs::current_path(workspace_.path());
  EXPECT_FALSE(resolve_command("agent-cli", ":.:./:/usr/bin", repository_));
  fs::current_path(before);
  EXPECT_EQ(resolve_command("bin/agent-cli", "/usr/bin", repository_).error().code, ErrorCode::config);
}

TEST_F(AgentTest, PassesOverWhatIsNotExecutable) {
  ASSERT_TRUE(write_file(scratch_.path() / "a/agent-cli", "text", 0644));
  fs::create_directories(scratch_.path() / "b/agent-cli");
  const std::string expected = write_program(scratch_.path() / "c/agent-cli", "exit 0\n");
  const std::string root = scratch_.path();
  EXPECT_EQ(resolve_command("agent-cli", root + "/a:" + root + "/b:" + root + "/c", repository_).value(),
            expected);
  EXPECT_NE(resolve_command(root + "/a/agent-cli", "", repository_).error().message.find("not executable"),
            std::string::npos);
}

} // namespace emend
