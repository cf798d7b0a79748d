// Session: one run of the pipeline over some issues; Unit: the piece of it one agent process works on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/policy.hpp"

namespace emend {

enum class SessionStatus {
  planned, // waits for a person who approves its plan
  running,
  interrupted, // its engine died; `sessions resume` goes on
  passed,      // every selected issue is RESOLVED, or there was nothing to do
  partial,     // some are
  failed,      // none is
  stopped, // a budget is used up, or no agent can work now; what was accepted is committed, the rest is OPEN
           // again
  cancelled, // a person stopped it; what was done is kept
  error,     // the outside world failed; resumable
};
[[nodiscard]] std::string_view to_string(SessionStatus status);
[[nodiscard]] std::optional<SessionStatus> parse_session_status(std::string_view text);
[[nodiscard]] bool is_final(SessionStatus status); // passed, partial, failed, stopped, cancelled

// Who is working on it: enough to tell a live owner from a dead one and from a reused pid.
struct ProcessIdentity {
  int pid = 0;
  std::int64_t start_ticks = 0; // /proc/PID/stat field 22
  std::string boot_id;
};

struct Session {
  std::string id;
  std::string repository_id;
  SessionStatus status = SessionStatus::running;
  std::string detail;
  std::string base;     // commit
  std::string base_ref; // what the person asked for ("HEAD", "main")
  std::string branch;   // full name without refs/heads/
  std::string tip;      // commit the branch points at; empty = no commit made
  std::vector<std::string> issue_ids;
  std::string review_report; // context given with --review-report
  Policy policy;
  ProcessIdentity owner;
  bool cancel_requested = false;
  std::string started_by = {}; // the person, as they are shown; empty = it is not known
  std::int64_t started_ms = 0;
  std::int64_t updated_ms = 0;
  std::int64_t duration_ms = 0; // work time over all runs of it
};

enum class UnitStatus { pending, running, accepted, committed, finished }; // finished = without a commit
[[nodiscard]] std::string_view to_string(UnitStatus status);
[[nodiscard]] std::optional<UnitStatus> parse_unit_status(std::string_view text);

// The three durable counters that end a unit's loop, and the feedback for the next round.
struct Unit {
  std::string id;
  std::string session_id;
  int position = 0;
  std::vector<std::string> issue_ids;
  UnitStatus status = UnitStatus::pending;
  std::string base;     // commit it works on: the session's, or the tip for a stacked unit
  bool stacked = false; // works on top of other fixes: it conflicted with one, or its step of the plan comes
                        // after theirs
  int cycles = 0;       // attempts that counted
  int verify_failures = 0;      // against verify.max_fix_cycles
  int challenges = 0;           // against fix_challenger.max_iterations
  int deferrals = 0;            // against fix.deferred_retries
  int starts = 0;               // incremented before every agent start, so a crash loop ends
  std::string accepted_attempt; // attempt id
  std::string feedback;         // for the next prompt
};

// One commit on the session's branch.
struct CommitRecord {
  std::string sha;
  std::string parent;
  std::string session_id;
  std::vector<std::string> issue_ids;
  std::string patch_sha256;
  std::string subject;
};

// Fence: the right to write the results of one piece of shared work. It grows with every claim, so an
// earlier claim's writes are refused.

struct Fence {
  std::string job_id;
  std::int64_t token = 0;
};

} // namespace emend
