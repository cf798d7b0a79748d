// What is kept of every run of an agent: its prompt and a log that can be read while it grows. Neither holds
// a secret.
#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "engine/agents/run_log.hpp"
#include "engine/agents/streaming.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RunLogs : public ::testing::Test {
protected:
  RunLogs() : world(Files{{"src/a.c", "int a(void) {\n  return 1;\n}\n"}}) { world.judge_score(98); }

  std::vector<Issue> issue() { return world.add({World::finding("src/a.c", 2, "wrong")}); }
  std::string good() const {
    return "sed -i 's/return 1/return 2/' src/a.c\necho "
           "'{\"outcomes\":[{\"id\":\"BE-001\",\"outcome\":\"fixed\",\"explanation\":\"e\"}]}'\n";
  }
  std::string log_of(const SeenRun& run) {
    return must(read_run_log(world.home, run.start, 0, kMaxRunLog)).bytes;
  }

  World world;
};

TEST_F(RunLogs, NameTheirFilesAndHoldWhatWasSaidOnBothChannels) {
  world.fixer("echo first\necho second >&2\n" + good());
  const FixReport report = world.must_fix(issue());
  const auto runs = must(seen_runs(world.store(), report.session.id));
  ASSERT_EQ(runs.size(), 2U) << "fixer and judge";
  EXPECT_EQ(runs[0].start.role, "fixer");
  ASSERT_TRUE(runs[0].record);
  EXPECT_EQ(runs[0].record->id, runs[0].start.id);
  EXPECT_EQ(runs[0].start.log_file, "sessions/" + report.session.id + "/runs/BE-001-1-fixer.log");
  EXPECT_THAT(log_of(runs[0]), HasSubstr("first\n"));
  EXPECT_THAT(log_of(runs[0]), HasSubstr("second\n"));
  EXPECT_EQ(log_of(runs[0]), world.artifact(report.session.id, "BE-001-1-fixer.log"));
  EXPECT_FALSE(fs::exists(fs::path(world.home) / runs[0].start.live_file));
  EXPECT_FALSE(is_running(world.home, runs[0]));
  EXPECT_THAT(must(read_run_prompt(world.home, runs[0].start)), HasSubstr("BE-001"));
  EXPECT_EQ(must(seen_run(world.store(), runs[1].start.id)).start.role, "fix_challenger");
  EXPECT_EQ(must(read_run_log(world.home, runs[0].start, 2, 3)).bytes, log_of(runs[0]).substr(2, 3));
}

TEST_F(RunLogs, CanBeReadWhileTheAgentWorks) {
  std::string seen;
  bool running = false;
  world.on_event = [&](const Event& event) {
    if (event.type != "fix_issue_streaming" || !seen.empty()) return;
    const SeenRun run = must(seen_run(world.store(), string_or(event.data, "run_id")));
    running = is_running(world.home, run);
    seen = log_of(run);
    EXPECT_EQ(event.data.at("log_offset"), 0);
    EXPECT_EQ(seen, string_or(event.data, "text"));
  };
  world.fixer("echo at work\nsleep 0.3\n" + good());
  (void)world.must_fix(issue());
  EXPECT_TRUE(running);
  EXPECT_EQ(seen, "at work\n");
}

TEST_F(RunLogs, HoldNoSecretAlsoNotOneThatComesLineByLine) {
  const std::string token = std::string("ghp_") + "0123456789abcdefghijABCDEFGHIJ012345";
  const std::string body = std::string("MIIEpAIBAAKCAQEA") + "7bq0Wm1zQ2x8";
  world.fixer("echo " + token + "\necho -----BEGIN RSA PRIVATE KEY-----\nsleep 0.3\necho " + body +
              "\nsleep 0.3\necho " + body + "\necho -----END RSA PRIVATE KEY-----\n" + good());
  const auto found = world.add({World::finding("src/a.c", 2, "see " + token)});
  const FixReport report = world.must_fix(found);
  for (const SeenRun& run : must(seen_runs(world.store(), report.session.id)))
    for (const std::string& secret : {token, body}) {
      EXPECT_THAT(log_of(run), Not(HasSubstr(secret)));
      EXPECT_THAT(must(read_run_prompt(world.home, run.start)), Not(HasSubstr(secret)));
    }
  for (const Event& event : world.events(report.session.id)) {
    EXPECT_THAT(dump_json(to_json(event)), Not(HasSubstr(token)));
    EXPECT_THAT(dump_json(to_json(event)), Not(HasSubstr(body))) << event.type;
  }
}

// Many small lines on both channels and some that are longer than a frame: the log has them all, the stream
// stays within its bounds.
TEST_F(RunLogs, HaveEverythingTheStreamLeavesOut) {
  world.fixer(
      "i=0; while [ $i -lt 3000 ]; do echo \"out $i \\\"quoted\\\"\"; echo err $i >&2; i=$((i+1)); done\n"
      "head -c 100000 /dev/zero | tr '\\0' '\"'; echo\nsleep 0.3\necho last words\n" +
      good());
  const FixReport report = world.must_fix(issue());
  const auto runs = must(seen_runs(world.store(), report.session.id));
  const std::string log = log_of(runs.at(0));
  for (int i = 0; i < 3000; ++i) ASSERT_THAT(log, HasSubstr("out " + std::to_string(i) + " \"quoted\"\n"));
  EXPECT_THAT(log, HasSubstr("err 2999\n"));
  EXPECT_THAT(log, HasSubstr(std::string(100'000, '"')));
  EXPECT_THAT(log, HasSubstr("last words\n"));
  std::vector<Event> frames;
  for (const Event& event : world.events(report.session.id))
    if (event.type == "fix_issue_streaming") frames.push_back(event);
  ASSERT_FALSE(frames.empty());
  const double seconds = static_cast<double>(frames.back().time_ms - frames.front().time_ms) / 1000;
  EXPECT_LE(static_cast<double>(frames.size()), seconds * 20 + 2);
  for (const Event& event : frames) EXPECT_LE(dump_json(to_json(event)).size(), 16'384U);
}

class StoppedClock final : public Clock {
public:
  std::int64_t wall_ms() const override { return 1; }
  std::int64_t steady_ms() const override { return 1'000; }
};

// All of it within one instant: nobody can have waited for a later one.
TEST_F(RunLogs, LeaveTheLastWordsOfARunInTheStreamWithoutWaitingForATurn) {
  StoppedClock clock;
  const Ports real = world.ports();
  const Ports ports{real.store, real.repository, real.processes, real.agents, clock};
  EventLog events(ports.store, clock, {});
  Session session;
  session.id = "abcdefgh";
  RunContext context(ports, events, world.home, session, Redactor());
  for (int i = 0; i < 30; ++i) {
    AgentRunStart start;
    start.id = "run" + std::to_string(i);
    start.session_id = session.id;
    name_run_files(context, start.id, start);
    AgentStream stream(context, "BE-001", start);
    stream.sink()("first", false);
    stream.sink()("last words", false);
    stream.finish();
    EXPECT_EQ(must(read_run_log(world.home, start, 0, kMaxRunLog)).bytes, "first\nlast words\n");
  }
  std::map<std::string, std::string> shown; // by run
  std::size_t frames = 0;
  for (const Event& event : world.events(session.id)) {
    shown[string_or(event.data, "run_id")] += string_or(event.data, "text");
    ++frames;
  }
  EXPECT_EQ(shown["run0"], "first\nlast words\n");
  EXPECT_EQ(shown["run9"], "first\nlast words\n");
  EXPECT_EQ(frames, kStreamFrames);
}

TEST_F(RunLogs, AreToldApartFromThoseOfARunThatWillNotEndAnyMore) {
  AgentRunStart lost;
  lost.id = "lost";
  lost.session_id = "s";
  lost.live_file = "sessions/s/live/x.log";
  lost.log_file = "sessions/s/runs/x.log";
  ASSERT_TRUE(write_file(fs::path(world.home) / lost.live_file, "half\n"));
  Change change;
  change.agent_run_starts = {lost};
  must(world.store().apply(change, 1));
  const SeenRun run = must(seen_run(world.store(), "lost"));
  EXPECT_FALSE(is_running(world.home, run));
  EXPECT_EQ(log_of(run), "half\n") << "what it said before it was lost";
}

TEST_F(RunLogs, NeverLeadOutOfTheSessionsFolder) {
  for (const char* path : {"/etc/passwd", "../x", "sessions/../../x", "emend.db", ""}) {
    AgentRunStart start;
    start.log_file = start.live_file = start.prompt_file = path;
    EXPECT_FALSE(read_run_log(world.home, start, 0, 10)) << path;
    EXPECT_FALSE(read_run_prompt(world.home, start)) << path;
  }
}

} // namespace
} // namespace emend::testing_support
