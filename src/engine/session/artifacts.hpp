// What a session leaves for people in its folder: TODO files, prompts, transcripts, its report, proofs. And
// when that goes again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/result.hpp"
#include "engine/context/ports.hpp"
#include "model/report.hpp"
#include "ports/work_board.hpp"

namespace emend {

struct Artifact {
  std::string session_id;
  std::string name; // below the session's folder: "master_todo.json", "runs/BE-001-1-fixer.out.txt",
                    // "proofs/BE-001.emend-proof"
  fs::path path;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0; // Unix time
};

// Names as sessions give them; whatever else lies in a folder or in a bucket is not ours to send or to
// remove.
[[nodiscard]] bool is_artifact_name(std::string_view name);

// Ids of all sessions with a folder, in the order of their names.
[[nodiscard]] std::vector<std::string> session_folders(const std::string& home);
// By name. Links are not followed; what agents need to go on (conversations, messages) is no artifact. No
// folder = none.
[[nodiscard]] std::vector<Artifact> artifacts_of(const std::string& home, const std::string& session_id);

// report.json, what `emend report --json` prints. Failing to write it never fails a session.
void keep_report(const Ports& ports, const std::string& home, const FixReport& report);

// What runs on one issue left in a worker's folder of a session, brought to that of whoever coordinates it by
// way of the board. The largest may stay behind; failing to send or to take one never fails the work.
void send_artifacts(WorkBoard& board, const std::string& home, const std::string& session_id,
                    const std::string& issue_code);
void fetch_artifacts(WorkBoard& board, const std::string& home, const std::string& session_id,
                     const std::string& issue_code);

struct LocalExpiry {
  std::size_t sessions = 0; // of which something was removed
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};
// Removes what ended sessions, reviews and votes of this repository left before `before_ms`. Proofs stay, and
// so does whatever a session that can still be resumed needs; plans nobody has run stay, too. dry = only
// counts.
[[nodiscard]] Result<LocalExpiry> expire_local(Store& store, const std::string& home,
                                               const std::string& repository_id, std::int64_t before_ms,
                                               bool dry = false);

} // namespace emend
