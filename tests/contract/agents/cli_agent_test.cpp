// Coding CLIs played by small programs, through the real runner: hangs, exit codes, nudges, homes,
// conversations.
#include <algorithm>

#include "base/strings.hpp"
#include "tests/contract/agents/agents_fixture.hpp"

namespace emend {

namespace {

constexpr const char* kInit =
    R"(echo '{"type":"system","subtype":"init","session_id":"c1","model":"claude-x"}'
)";
std::string says(const std::string& text) {
  return R"(cat <<'X'
{"type":"assistant","message":{"model":"claude-x","content":[{"type":"text","text":")" +
         text + R"("}]},"session_id":"c1"}
X
)";
}
std::string result(const std::string& text) {
  return R"(cat <<'X'
{"type":"result","subtype":"success","is_error":false,"result":")" +
         text +
         R"(","session_id":"c1","num_turns":1,"total_cost_usd":0.5,"usage":{"input_tokens":10,"output_tokens":2}}
X
)";
}

} // namespace

class CliAgentTest : public AgentTest {
protected:
  AgentBinding claude(const std::string& script) const {
    AgentBinding binding;
    binding.name = binding.engine = "claude";
    binding.command = {write_program(scratch_.path() / "claude", script)};
    return binding;
  }
};

TEST_F(CliAgentTest, ReadsTheStreamAndShowsItAsText) {
  std::vector<std::string> lines;
  request_.on_output = [&lines](std::string_view line, bool) { lines.emplace_back(line); };
  const AgentRun run =
      this->run(claude("cat > seen.txt\n" + std::string(kInit) + says("Looking.") + result(R"({\"a\":1})")));
  EXPECT_TRUE(run.state.ok()) << run.state.text;
  EXPECT_EQ(run.answer, R"({"a":1})");
  EXPECT_EQ(run.model, "claude-x");
  EXPECT_EQ(run.conversation_id, "c1");
  EXPECT_EQ(run.usage, (Usage{10, 2, 0, 0.5, 1}));
  EXPECT_EQ(lines, std::vector<std::string>{"Looking."});
  EXPECT_EQ(read_file(in_tree("seen.txt")).value(), request_.prompt);
}

TEST_F(CliAgentTest, EndsOneThatStaysAfterItsResult) {
  request_.timeout_ms = 120'000;
  const AgentRun run = this->run(claude("cat >/dev/null\n" + result(R"({\"a\":1})") + "sleep 987\n"));
  EXPECT_TRUE(run.state.ok());
  EXPECT_EQ(run.process.ending, Ending::settled);
  EXPECT_EQ(run.notes.size(), 1U);
}

TEST_F(CliAgentTest, GivesUpOnOneThatSaysNothing) {
  AgentBinding silent = claude("sleep 987\n");
  silent.idle_timeout_ms = 300;
  const AgentRun run = this->run(silent);
  EXPECT_EQ(run.process.ending, Ending::idle_limit);
  EXPECT_EQ(run.state.status, AgentStatus::interrupted);
}

TEST_F(CliAgentTest, BelievesTheFinalEventNotTheExitCode) {
  EXPECT_TRUE(this->run(claude(result(R"({\"a\":1})") + "exit 1\n")).state.ok());
  EXPECT_EQ(this->run(claude(std::string(kInit) + says("fixed it all") + "exit 0\n")).state.status,
            AgentStatus::no_result);
  EXPECT_EQ(this->run(claude("exit 0\n")).state.status, AgentStatus::no_result);
  EXPECT_EQ(this->run(claude("echo 'unknown option --verbose' >&2; exit 1\n")).state.status,
            AgentStatus::failed);
}

TEST_F(CliAgentTest, AsksOnceMoreForTheJsonObject) {
  const std::string script = "cat > seen-$$.txt\ncase \"$*\" in\n*'--resume c1'*) echo again >> calls; " +
                             result(R"({\"ok\":true})") + ";;\n*) echo first >> calls\n" +
                             result("All done, have a nice day.") + ";;\nesac\n";
  const AgentRun run = this->run(claude(script));
  EXPECT_EQ(run.answer, R"({"ok":true})");
  EXPECT_EQ(read_file(in_tree("calls")).value(), "first\nagain\n");
  EXPECT_EQ(run.usage.input_tokens, 20) << "both runs count";
  ASSERT_EQ(run.notes.size(), 1U);
}

TEST_F(CliAgentTest, AsksOnlyOnceMore) {
  const AgentRun run = this->run(claude("echo call >> calls\n" + result("words")));
  EXPECT_EQ(read_file(in_tree("calls")).value(), "call\ncall\n");
  EXPECT_EQ(run.answer, "words");
}

TEST_F(CliAgentTest, SendsMegabytesAndReadsSplitCharacters) {
  request_.prompt = std::string(4'000'000, 'p');
  const AgentRun run =
      this->run(claude("wc -c > size\nprintf "
                       "'{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"{"
                       "\\\\\"a\\\\\":\\\\\"\\303'\n"
                       "sleep 0.1\nprintf '\\251\\\\\"}\"}\\n'\n"));
  EXPECT_EQ(std::string(trim(read_file(in_tree("size")).value())), "4000000");
  EXPECT_EQ(run.answer, "{\"a\":\"\xc3\xa9\"}");
}

TEST_F(CliAgentTest, RefusesAPromptTheProgramWouldCut) {
  request_.prompt = std::string(11'000'000, 'p');
  const AgentRun run = this->run(claude("echo called > called\n"));
  EXPECT_EQ(run.state.status, AgentStatus::too_long);
  EXPECT_FALSE(fs::exists(in_tree("called")));
}

TEST_F(CliAgentTest, GetsTheLoginAndNothingElseOfTheUsersHome) {
  const fs::path user = scratch_.path() / "user";
  ASSERT_TRUE(write_file(user / ".claude/.credentials.json", R"({"token":"t1"})"));
  ASSERT_TRUE(write_file(user / ".claude/settings.json", R"({"hooks":{}})"));
  const ScopedVariable home("HOME", user.string()), key("ANTHROPIC_API_KEY", "k"),
      other("UNRELATED_SECRET", "s"), config("CLAUDE_CONFIG_DIR", "");
  const AgentRun run =
      this->run(claude("find \"$HOME\" -type f | sed \"s,$HOME/,,\" > files; cat "
                       "\"$HOME/.claude/.credentials.json\" > login; env > env\n" +
                       result(R"({\"a\":1})")));
  ASSERT_TRUE(run.state.ok());
  EXPECT_EQ(read_file(in_tree("files")).value(), ".claude/.credentials.json\n");
  EXPECT_EQ(read_file(in_tree("login")).value(), R"({"token":"t1"})");
  const std::string env = read_file(in_tree("env")).value();
  EXPECT_TRUE(contains(env, "ANTHROPIC_API_KEY=k\n"));
  EXPECT_FALSE(contains(env, "UNRELATED_SECRET"));
}

// Where the models are not Amazon's, such keys are those of artifacts.store, or somebody else's.
TEST_F(CliAgentTest, GetsAmazonsKeysOnlyForItsModels) {
  const ScopedVariable id("AWS_ACCESS_KEY_ID", "i"), secret("AWS_SECRET_ACCESS_KEY", "s"),
      token("AWS_SESSION_TOKEN", "t");
  const auto told = [&] {
    (void)this->run(claude("env > env\n" + result(R"({\"a\":1})")));
    return read_file(in_tree("env")).value();
  };
  {
    const ScopedVariable bedrock("CLAUDE_CODE_USE_BEDROCK", "");
    EXPECT_FALSE(contains(told(), "AWS_"));
  }
  const ScopedVariable bedrock("CLAUDE_CODE_USE_BEDROCK", "1");
  EXPECT_TRUE(contains(told(), "AWS_SECRET_ACCESS_KEY=s\n"));
}

TEST_F(CliAgentTest, HandsARenewedLoginBack) {
  const fs::path user = scratch_.path() / "user";
  const std::string file = user / ".claude/.credentials.json";
  const ScopedVariable home("HOME", user.string()), config("CLAUDE_CONFIG_DIR", "");
  const auto after = [&](const std::string& script) {
    EXPECT_TRUE(write_file(file, R"({"token":"t1"})"));
    (void)this->run(claude(script + result(R"({\"a\":1})")));
    return read_file(file).value();
  };
  EXPECT_EQ(after("echo '{\"token\":\"t2\"}' > \"$HOME/.claude/.credentials.json\"\n"),
            "{\"token\":\"t2\"}\n");
  EXPECT_EQ(after("echo '{\"token\":\"t2\",\"more\":1}' > \"$HOME/.claude/.credentials.json\"\n"),
            R"({"token":"t1"})")
      << "another kind of file";
  EXPECT_EQ(after("echo garbage > \"$HOME/.claude/.credentials.json\"\n"), R"({"token":"t1"})");
  EXPECT_EQ(after("rm \"$HOME/.claude/.credentials.json\"; ln -s /etc/hostname "
                  "\"$HOME/.claude/.credentials.json\"\n"),
            R"({"token":"t1"})");
  EXPECT_EQ(after("echo '{\"token\":\"mine\"}' > '" + file +
                  "'; echo '{\"token\":\"t2\"}' > \"$HOME/.claude/.credentials.json\"\n"),
            "{\"token\":\"mine\"}\n")
      << "somebody else renewed it meanwhile";
}

TEST_F(CliAgentTest, GoesOnWithAConversationInAnotherWorkspace) {
  const AgentBinding agent = claude(
      "dir=\"$HOME/.claude/projects/$(pwd | tr -c 'a-zA-Z0-9\\n' -)\"\n"
      "case \"$*\" in *--resume*) cat \"$dir/c1.jsonl\" > history;; esac\n"
      "mkdir -p \"$dir\"; echo \"worked in $(pwd)\" >> \"$dir/c1.jsonl\"; ln -s /etc/passwd \"$dir/link\"\n" +
      result(R"({\"a\":1})"));
  request_.conversation_dir = scratch_.path() / "conversations";
  request_.conversation_dir += "/unit";
  ASSERT_EQ(this->run(agent).conversation_id, "c1");
  fs::create_directory(scratch_.path() / "second");
  DirectoryWorkspace second(scratch_.path() / "second");
  request_.workspace = &second;
  request_.resume = "c1";
  ASSERT_TRUE(this->run(agent).state.ok());
  EXPECT_EQ(read_file(second.path() + "/history").value(), "worked in " + second.path() + "\n")
      << "paths of the first workspace are this one's now";
  EXPECT_FALSE(fs::exists(fs::symlink_status(request_.conversation_dir + "/claude/.claude/projects/link")));
}

TEST_F(CliAgentTest, CannotPush) {
  const AgentRun run = this->run(claude(
      "cd \"$TMPDIR\" && git init -q --bare there && git init -q here && cd here && git config user.email "
      "a@b && git config user.name a && "
      "git commit -q --allow-empty -m x && git remote add origin \"$TMPDIR/there\" && "
      "if git push -q origin HEAD:refs/heads/x 2>/dev/null; then echo pushed > \"$OLDPWD/pushed\"; fi\n" +
      result(R"({\"a\":1})")));
  ASSERT_TRUE(run.state.ok());
  EXPECT_FALSE(fs::exists(workspace_.temp_dir() + "/there/refs/heads/x"));
}

TEST_F(CliAgentTest, OnlyLooksWhenAskedTo) {
  request_.read_only = true;
  (void)this->run(claude("echo \"$*\" > words\n" + result(R"({\"a\":1})")));
  EXPECT_TRUE(
      contains(read_file(in_tree("words")).value(), "--tools Read,Glob,Grep --permission-mode default"));
}

TEST_F(CliAgentTest, IsFoundByItsName) {
  const fs::path bin = scratch_.path() / "bin";
  write_program(bin / "gemini", "echo 0.61.0\n");
  write_program(bin / "claude", "echo '2.1.325 (Claude Code)'\n");
  const ScopedVariable path("PATH", bin.string() + ":/usr/bin:/bin");
  const auto found = factory_.found();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].engine, "claude");
  EXPECT_EQ(found[1].family, "google");
  AgentBinding binding;
  binding.name = binding.engine = "claude";
  EXPECT_EQ(factory_.version(binding).value(), "2.1.325 (Claude Code)");
  const AgentPlan plan = factory_.plan(binding, true).value();
  EXPECT_EQ(plan.argv.front(), bin / "claude");
  EXPECT_EQ(plan.permissions, "read");
  EXPECT_NE(std::find(plan.env.begin(), plan.env.end(), "HOME"), plan.env.end());
}

TEST_F(CliAgentTest, SpeaksTheClientProtocol) {
  AgentBinding binding;
  binding.name = "other";
  binding.engine = "acp";
  binding.command = {write_program(scratch_.path() / "speaker", R"(read -r hello
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}'
read -r new
echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}'
read -r prompt
printf '%s\n' "$prompt" > prompt.json
echo '{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"options":[{"optionId":"y","kind":"allow_once"},{"optionId":"n","kind":"reject_once"}],"toolCall":{"kind":"execute"}}}'
read -r allowed
printf '%s\n' "$allowed" > allowed.json
echo '{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"{\"a\":1}"}}}}'
echo '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}'
cat > rest.txt
)")};
  request_.prompt = "Fix \"it\"\n";
  const AgentRun run = this->run(binding);
  EXPECT_TRUE(run.state.ok()) << run.state.text << run.process.out << run.process.err;
  EXPECT_EQ(run.process.ending, Ending::exited) << "it leaves when its stdin is closed";
  EXPECT_EQ(run.answer, "{\"a\":1}");
  EXPECT_EQ(parse_json(read_file(in_tree("prompt.json")).value()).value()["params"]["prompt"][0]["text"],
            request_.prompt);
  EXPECT_TRUE(contains(read_file(in_tree("allowed.json")).value(), R"("optionId":"n")"))
      << "a copied tree: no commands";
}

} // namespace emend
