// What emend takes for granted about the real coding CLIs, one by one: if a new version changes it, this says
// what.
#include <gmock/gmock.h>

#include <ostream>
#include <thread>

#include "adapters/process/supervised_runner.hpp"
#include "base/strings.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/real_agents.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Program {
  std::string cli;
  std::vector<std::string> arguments;
  std::string sleep_call; // a tool call that keeps a shell busy
};
void PrintTo(const Program& program, std::ostream* out) { *out << program.cli; }

const std::vector<std::string> kClaude = {"-p", "--output-format", "stream-json", "--verbose",
                                          "--dangerously-skip-permissions"};
const std::string kClaudeSleep =
    R"json({"tool": "Bash", "arguments": {"command": "sleep 321", "description": "Wait"}})json";
const Program kClaude197{"claude-197", kClaude, kClaudeSleep};
const Program kClaude325{"claude-325", kClaude, kClaudeSleep};
const Program kGemini{
    "gemini",
    {"--skip-trust", "-m", "gemini-2.5-pro", "-o", "stream-json", "--approval-mode", "yolo"},
    R"json({"tool": "run_shell_command", "arguments": {"command": "sleep 321"}})json"};
const Program kCodex{
    "codex",
    {"exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-"},
    R"json({"tool": "exec_command", "arguments": {"cmd": "sleep 321"}})json"};

std::string named(const ::testing::TestParamInfo<Program>& program) {
  return replace_all(program.param.cli, "-", "");
}

class RealProgram : public ::testing::TestWithParam<Program> {
protected:
  RealProgram()
      : folder(must(TemporaryDirectory::create(fs::temp_directory_path(), "emend-program"))),
        runner(EMEND_EXEC_BINARY) {}

  ProcessSpec spec(const RealAgents& agents, const std::string& prompt,
                   const std::vector<std::string>& more = {}) {
    ProcessSpec spec;
    spec.argv = {RealAgents::program(GetParam().cli)};
    spec.argv.insert(spec.argv.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    spec.argv.insert(spec.argv.end(), more.begin(), more.end());
    spec.cwd = folder.path() / "work";
    must(make_directories(spec.cwd));
    must(make_directories(folder.path() / "tmp"));
    spec.env = agents.environment();
    for (const std::string& variable :
         {std::string("PATH=/usr/local/bin:/usr/bin:/bin"), "HOME=" + (folder.path() / "home").string(),
          "TMPDIR=" + (folder.path() / "tmp").string()})
      spec.env.push_back(variable);
    spec.stdin_data = prompt;
    spec.wall_limit_ms = 60'000;
    return spec;
  }

  TemporaryDirectory folder;
  SupervisedRunner runner;
};

using RealProgramOfAnyVendor = RealProgram;

TEST_P(RealProgramOfAnyVendor, ReadsAPromptOfAMegabyteFromStdin) {
  EMEND_NEEDS_AGENT(GetParam().cli);
  RealAgents agents(
      R"json([{"name": "read", "if": {"asks": "LAST WORD"}, "do": {"text": "every word"}}])json");
  std::string prompt = "FIRST WORD";
  while (prompt.size() < 1'000'000) prompt += "\nint value = " + std::to_string(prompt.size()) + ";";
  const ProcessResult run = must(runner.run(spec(agents, prompt + "\nLAST WORD"), {}));
  EXPECT_TRUE(run.ok()) << run.exit_code << run.err;
  // gemini tells the whole prompt again, and may end before all of that is written when its reader is slow;
  // the answer is then cut off.
  if (GetParam().cli != "gemini") {
    EXPECT_THAT(run.out, HasSubstr("every word"));
  }
  EXPECT_THAT(agents.requests("read").at(0).asks, HasSubstr(prompt));
}

TEST_P(RealProgramOfAnyVendor, IsGoneWithItsToolsWhenItIsStopped) {
  EMEND_NEEDS_AGENT(GetParam().cli);
  RealAgents agents(R"json([{"name": "sleep", "do": {"calls": [)json" + GetParam().sleep_call + "]}}]");
  std::stop_source source;
  std::jthread stopper([&] { // as soon as the tool runs
    const auto tool_runs = [&] {
      for (const std::string& command : agents.leftovers())
        if (command.starts_with("sleep") && contains(command, "321")) return true;
      return false;
    };
    for (int i = 0; i < 1500 && !tool_runs(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_TRUE(tool_runs()) << "the tool was never started";
    source.request_stop();
  });
  const ProcessResult run = must(runner.run(spec(agents, "wait"), source.get_token()));
  EXPECT_EQ(run.ending, Ending::cancelled);
  EXPECT_THAT(agents.leftovers(), IsEmpty());
}
INSTANTIATE_TEST_SUITE_P(Cli, RealProgramOfAnyVendor,
                         ::testing::Values(kClaude197, kClaude325, kGemini, kCodex), named);

} // namespace
} // namespace emend::testing_support
