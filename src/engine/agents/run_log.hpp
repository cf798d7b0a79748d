// What is kept of an agent's run in files: the prompt, and a log that grows while the agent works. Below the
// session's folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/context/run_context.hpp"
#include "model/agent_run_record.hpp"

namespace emend {

inline constexpr std::uint64_t kMaxRunLog = 16'000'000; // what is said beyond is not kept

// The names of a run's files; `stem` says what it is for. A further try of the same step gets names of its
// own.
void name_run_files(const RunContext& context, const std::string& stem, AgentRunStart& start);

// Written by one thread. Failing to write never fails a session.
class RunLog {
public:
  RunLog(const RunContext& context, const AgentRunStart& start);
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;
  ~RunLog(); // the run is over from now on

  // Where the text begins in the log.
  std::uint64_t append(std::string_view text);
  void finish(); // there is nothing more to say: kept where it stays

private:
  const RunContext& context_;
  const AgentRunStart& start_;
  int file_ = -1; // locked for life: that is how others know that somebody is at work, however an engine ends
  std::uint64_t size_ = 0;
  bool finished_ = false;
};

// --- looking at it
// ----------------------------------------------------------------------------------------------------------

// A run as somebody who looks sees it.
struct SeenRun {
  AgentRunStart start;                  // without files for runs of versions that did not note them
  std::optional<AgentRunRecord> record; // once it has ended
};
[[nodiscard]] Result<SeenRun> seen_run(AgentRunStore& store, const std::string& id); // not_found
[[nodiscard]] Result<std::vector<SeenRun>> seen_runs(AgentRunStore& store,
                                                     const std::string& session_id); // in order

// Somebody is at work on it now.
[[nodiscard]] bool is_running(const std::string& home, const SeenRun& run);

struct LogPart {
  std::string bytes;
  std::uint64_t size = 0; // of the whole log
};
// At most max_bytes from offset on. not_found when nothing was kept (any more).
[[nodiscard]] Result<LogPart> read_run_log(const std::string& home, const AgentRunStart& start,
                                           std::uint64_t offset, std::uint64_t max_bytes);
[[nodiscard]] Result<std::string> read_run_prompt(const std::string& home, const AgentRunStart& start);

} // namespace emend
