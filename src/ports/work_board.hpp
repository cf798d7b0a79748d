// Work that several processes share, on one machine or on many: offered, claimed under a lease, done once.
// Whoever claims gets a fence; changes that carry an older one are refused by the store, so a worker that was
// thought dead and comes back cannot change anything.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "model/session.hpp"

namespace emend {

// A process that takes part. It lives as long as it says so often enough, by the database's clock. Each of
// its claims has a lease of its own, renewed only while the process says that it works on that very claim.
struct WorkerRecord {
  std::string id; // of this process; a new one after each start
  std::string host;
  ProcessIdentity process;
  std::vector<std::string> labels; // what it offers: jobs that need one of these, or nothing
  int slots = 0;                   // jobs it does at a time; 0 = it only coordinates
  std::string version;
  bool draining = false; // takes nothing new
  // Given by the board.
  std::int64_t alive_until_ms = 0; // by the database's clock
  bool alive = false;
  int claims = 0;
};

enum class SharedJobState { queued, claimed, done, failed };
[[nodiscard]] std::string_view to_string(SharedJobState state);
[[nodiscard]] std::optional<SharedJobState> parse_shared_job_state(std::string_view text);

struct SharedJob {
  std::string id;   // "unit/UUID", "session/ID", "repository/ID"
  std::string kind; // the part of the id before the slash
  std::string repository_id;
  std::string session_id;
  std::string needs; // a label its worker must offer; empty = any worker
  Json order = Json::object();
  // Given by the board.
  SharedJobState state = SharedJobState::queued;
  int deliveries = 0;     // claims since it was offered
  std::int64_t token = 0; // of the latest claim
  std::string worker_id;
  std::string problem; // of a failed one
  Json result;         // of a done one
  bool stop_asked = false;
};

struct ClaimQuery {
  std::vector<std::string> kinds = {};
  std::string id = {};         // this very job, whatever it needs
  std::string session_id = {}; // of this session
};

// What a worker learns when it says that it lives.
struct Beat {
  std::vector<Fence> held;       // claims that are still its own
  std::vector<Fence> asked_stop; // those of them somebody wants stopped
  std::vector<Fence>
      given_back; // the board had them as its own and it does not work on them; others may take them now
};

// Safe to use from many threads.
class WorkBoard {
public:
  virtual ~WorkBoard() = default;

  // Says that it lives, and works on exactly these claims, for lease_ms from now on. What the board thinks it
  // works on beside them is queued again and does not count as a delivery: the answer to a claim, or a
  // give-back, was lost on the way.
  [[nodiscard]] virtual Result<Beat> beat(const WorkerRecord& worker, std::int64_t lease_ms,
                                          const std::vector<Fence>& works_on) = 0;
  // Its claims are free at once.
  [[nodiscard]] virtual Status leave(const std::string& worker_id) = 0;
  // It is known to be dead: its leases are over at once.
  [[nodiscard]] virtual Status bury(const std::string& worker_id) = 0;
  [[nodiscard]] virtual Result<std::vector<WorkerRecord>> workers() = 0; // that live, or did an hour ago

  // New, or queued again if it was done or had failed; one that waits or is worked on stays as it is.
  // Durable.
  [[nodiscard]] virtual Status offer(const SharedJob& job) = 0;
  // The oldest that waits, or whose lease is over. One that was delivered max_deliveries times to workers
  // that died fails instead.
  [[nodiscard]] virtual Result<std::optional<SharedJob>> claim(const WorkerRecord& worker,
                                                               const ClaimQuery& query) = 0;
  // Of a claim: ErrorCode::conflict when it is not ours any more.
  [[nodiscard]] virtual Status finish(const Fence& fence, const Json& result) = 0;
  [[nodiscard]] virtual Status fail_job(const Fence& fence, const std::string& problem) = 0;
  // Queued again. counts = this delivery was in vain for a reason of its own; the last one that may be fails
  // the job.
  [[nodiscard]] virtual Status give_back(const Fence& fence, bool counts, const std::string& problem) = 0;
  [[nodiscard]] virtual Status ask_stop(const std::string& job_id) = 0;
  // Takes back an offer nobody has claimed. False = somebody works on it, or it is over.
  [[nodiscard]] virtual Result<bool> withdraw(const std::string& job_id) = 0;

  [[nodiscard]] virtual Result<SharedJob> job(const std::string& id) = 0; // not_found
  [[nodiscard]] virtual Result<std::vector<SharedJob>> jobs(
      const std::string& session_id) = 0; // "" = those that are not over
  // The jobs of a kind that somebody works on who gave a sign of life within the lease.
  [[nodiscard]] virtual Result<std::vector<std::string>> claimed(const std::string& kind) = 0;

  // Bytes that travel with the work. The same name twice is fine: the first stays.
  [[nodiscard]] virtual Status put_parcel(const std::string& name, std::string_view bytes) = 0;
  [[nodiscard]] virtual Result<std::optional<std::string>> parcel(const std::string& name) = 0;
  [[nodiscard]] virtual Status drop_parcels(const std::string& prefix) = 0;

  // Until something has changed on the board, or the time is over. May return early.
  virtual void wait(std::int64_t timeout_ms, std::stop_token stop) = 0;
  // The same for events: until some were written, by whomever.
  virtual void wait_for_events(std::int64_t timeout_ms, std::stop_token stop) = 0;
};

} // namespace emend
